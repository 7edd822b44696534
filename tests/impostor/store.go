package impostor

import "sync"

// animal is one record of the store.
type animal struct {
	id       int64
	name     string
	category int64
	status   string // empty: it has none
	extra    object // further fields to show
	foreign  bool   // put there by someone other than the client at hand
}

// store holds the animals in the order of their creation.
type store struct {
	mu      sync.RWMutex
	animals []animal
	index   map[int64]int
}

func newStore() *store { return &store{index: map[int64]int{}} }

func (s *store) add(a animal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index[a.id] = len(s.animals)
	s.animals = append(s.animals, a)
}

func (s *store) get(id int64) (animal, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, ok := s.index[id]
	if !ok {
		return animal{}, false
	}
	return s.animals[i], true
}

// all returns a copy.
func (s *store) all() []animal {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append(make([]animal, 0, len(s.animals)), s.animals...)
}

func (s *store) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.animals)
}

// change replaces the animals by what f makes of them.
func (s *store) change(f func([]animal) []animal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.animals = f(s.animals)
	s.index = make(map[int64]int, len(s.animals))
	for i, a := range s.animals {
		s.index[a.id] = i
	}
}
