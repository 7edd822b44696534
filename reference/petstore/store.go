package petstore

import (
	"context"
	"errors"
)

// ErrNotFound means that a store has no animal with the given identifier.
var ErrNotFound = errors.New("there is no animal with this identifier")

// Filter selects animals. The zero value selects all.
type Filter struct {
	Status Status // empty selects animals of every status
}

// Store keeps the animals. It must be safe for concurrent use.
//
// An animal that Create has returned is found by Get and List from then on.
type Store interface {
	// Create adds an animal and returns it with an identifier that no other animal of the store has or ever had. A NewPet without a status
	// becomes available.
	Create(ctx context.Context, pet NewPet) (Pet, error)

	// Get returns the animal with the identifier, or an error that wraps ErrNotFound.
	Get(ctx context.Context, id int64) (Pet, error)

	// List returns at most limit animals that pass the filter, newest first.
	List(ctx context.Context, filter Filter, limit int) ([]Pet, error)
}
