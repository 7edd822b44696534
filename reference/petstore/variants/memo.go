package variants

import "sync"

// memo caches what was made for a key, except errors.
type memo[K comparable, V any] struct {
	mu   sync.Mutex
	kept map[K]V
}

func (m *memo[K, V]) get(key K, make func() (V, error)) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, there := m.kept[key]; there {
		return v, nil
	}
	v, err := make()
	if err == nil {
		if m.kept == nil {
			m.kept = map[K]V{}
		}
		m.kept[key] = v
	}
	return v, err
}

// idSet is a set of ids. It is safe for concurrent use.
type idSet struct {
	mu  sync.Mutex
	ids map[int64]bool
}

func (s *idSet) addID(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = map[int64]bool{}
	}
	s.ids[id] = true
}

func (s *idSet) has(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}

// counts holds a number for each id.
type counts struct {
	mu sync.Mutex
	n  map[int64]int
}

// next increments a counter and returns it.
func (c *counts) next(id int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[int64]int{}
	}
	c.n[id]++
	return c.n[id]
}
