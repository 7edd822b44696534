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

// shelf holds the animals in the order of their creation.
type shelf struct {
	mu      sync.RWMutex
	animals []animal
	place   map[int64]int
}

func newShelf() *shelf { return &shelf{place: map[int64]int{}} }

func (s *shelf) add(a animal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.place[a.id] = len(s.animals)
	s.animals = append(s.animals, a)
}

func (s *shelf) get(id int64) (animal, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	i, ok := s.place[id]
	if !ok {
		return animal{}, false
	}
	return s.animals[i], true
}

// all returns a copy.
func (s *shelf) all() []animal {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append(make([]animal, 0, len(s.animals)), s.animals...)
}

func (s *shelf) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.animals)
}

// change replaces the animals by what f makes of them.
func (s *shelf) change(f func([]animal) []animal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.animals = f(s.animals)
	s.place = make(map[int64]int, len(s.animals))
	for i, a := range s.animals {
		s.place[a.id] = i
	}
}
