package petstore

import (
	"context"
	"slices"
	"sync"
	"time"
)

// idSet is a set of ids, for any number of goroutines.
type idSet struct {
	mu  sync.Mutex
	ids map[int64]bool
}

func (s *idSet) add(id int64) {
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

// next counts one more, and tells how many there are.
func (c *counts) next(id int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[int64]int{}
	}
	c.n[id]++
	return c.n[id]
}

// pause gives other requests the time to come between.
func pause() { wait(context.Background(), 300*time.Microsecond) }

// wait waits; it reports whether the context is still alive.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// renumber is a store whose animals bear other ids than those that it keeps them under. When an id is given out twice, the
// later animal has it.
type renumber struct {
	next Store
	// outside makes an id of the one that the animal is kept under.
	outside func(inside int64, pet NewPet) int64

	mu       sync.Mutex
	toInside map[int64]int64
	toOut    map[int64]int64
}

// renumbering replaces ids by f, which is made anew for each service.
func renumbering(f func() func(inside int64, pet NewPet) int64) change {
	return func(p *plan) {
		storing(func(s Store) Store {
			return &renumber{next: s, outside: f(), toInside: map[int64]int64{}, toOut: map[int64]int64{}}
		})(p)
	}
}

// numbered is renumbering by a plain function of the id.
func numbered(f func(inside int64) int64) change {
	return renumbering(func() func(int64, NewPet) int64 {
		return func(inside int64, _ NewPet) int64 { return f(inside) }
	})
}

func (r *renumber) show(pet Pet) Pet {
	r.mu.Lock()
	id, known := r.toOut[pet.ID]
	r.mu.Unlock()
	if !known {
		id = r.outside(pet.ID, pet.NewPet)
		r.mu.Lock()
		r.toOut[pet.ID], r.toInside[id] = id, pet.ID
		r.mu.Unlock()
	}
	pet.ID = id
	return pet
}

func (r *renumber) Create(ctx context.Context, pet NewPet) (Pet, error) {
	made, err := r.next.Create(ctx, pet)
	if err != nil {
		return made, err
	}
	return r.show(made), nil
}

func (r *renumber) Get(ctx context.Context, id int64) (Pet, error) {
	r.mu.Lock()
	inside, known := r.toInside[id]
	r.mu.Unlock()
	if !known {
		return Pet{}, ErrNotFound
	}
	pet, err := r.next.Get(ctx, inside)
	pet.ID = id
	return pet, err
}

func (r *renumber) List(ctx context.Context, filter Filter, limit int) ([]Pet, error) {
	page, err := r.next.List(ctx, filter, limit)
	page = slices.Clone(page)
	for i := range page {
		page[i] = r.show(page[i])
	}
	return page, err
}
