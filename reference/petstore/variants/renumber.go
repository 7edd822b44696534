package variants

import (
	"context"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// renumber is a store whose animals have other ids than those under which it keeps them. If an id is assigned twice, the later animal has
// it.
type renumber struct {
	next petstore.Store
	// outside maps the id under which an animal is kept.
	outside func(inside int64, pet petstore.NewPet) int64

	mu       sync.Mutex
	toInside map[int64]int64
	toOut    map[int64]int64
}

// renumbering replaces ids with a function that is made for each service.
func renumbering(f func() func(inside int64, pet petstore.NewPet) int64) change {
	return func(p *plan) {
		storing(func(s petstore.Store) petstore.Store {
			return &renumber{next: s, outside: f(), toInside: map[int64]int64{}, toOut: map[int64]int64{}}
		})(p)
	}
}

// numbered is renumbering with a stateless function.
func numbered(f func(inside int64) int64) change {
	return renumbering(func() func(int64, petstore.NewPet) int64 {
		return func(inside int64, _ petstore.NewPet) int64 { return f(inside) }
	})
}

func (r *renumber) show(pet petstore.Pet) petstore.Pet {
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

func (r *renumber) Create(ctx context.Context, pet petstore.NewPet) (petstore.Pet, error) {
	made, err := r.next.Create(ctx, pet)
	if err != nil {
		return made, err
	}
	return r.show(made), nil
}

func (r *renumber) Get(ctx context.Context, id int64) (petstore.Pet, error) {
	r.mu.Lock()
	inside, known := r.toInside[id]
	r.mu.Unlock()
	if !known {
		return petstore.Pet{}, petstore.ErrNotFound
	}
	pet, err := r.next.Get(ctx, inside)
	pet.ID = id
	return pet, err
}

func (r *renumber) List(ctx context.Context, filter petstore.Filter, limit int) ([]petstore.Pet, error) {
	page, err := r.next.List(ctx, filter, limit)
	page = slices.Clone(page)
	for i := range page {
		page[i] = r.show(page[i])
	}
	return page, err
}
