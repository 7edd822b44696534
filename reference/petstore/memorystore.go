package petstore

import (
	"context"
	"sync"
)

// memoryStore keeps animals for the lifetime of the process.
type memoryStore struct {
	mu       sync.RWMutex
	pets     []Pet              // the animal with id n is at n-1
	byStatus map[Status][]int64 // ids, oldest first, so that a filtered page needs no scan of all animals
}

// NewMemory returns an empty store that lives in memory only.
func NewMemory() Store {
	return &memoryStore{byStatus: make(map[Status][]int64)}
}

func (m *memoryStore) Create(ctx context.Context, pet NewPet) (Pet, error) {
	if err := ctx.Err(); err != nil {
		return Pet{}, err
	}
	pet = pet.WithDefaults()

	m.mu.Lock()
	defer m.mu.Unlock()
	created := Pet{ID: int64(len(m.pets)) + 1, NewPet: pet}
	m.pets = append(m.pets, created)
	m.byStatus[pet.Status] = append(m.byStatus[pet.Status], created.ID)
	return created, nil
}

func (m *memoryStore) Get(ctx context.Context, id int64) (Pet, error) {
	if err := ctx.Err(); err != nil {
		return Pet{}, err
	}

	m.mu.RLock()
	defer m.mu.RUnlock()
	if id < 1 || id > int64(len(m.pets)) {
		return Pet{}, ErrNotFound
	}
	return m.pets[id-1], nil
}

func (m *memoryStore) List(ctx context.Context, filter Filter, limit int) ([]Pet, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	m.mu.RLock()
	defer m.mu.RUnlock()
	var page []Pet
	if filter.Status == "" {
		for i := len(m.pets) - 1; i >= 0 && len(page) < limit; i-- {
			page = append(page, m.pets[i])
		}
		return page, nil
	}
	ids := m.byStatus[filter.Status]
	for i := len(ids) - 1; i >= 0 && len(page) < limit; i-- {
		page = append(page, m.pets[ids[i]-1])
	}
	return page, nil
}
