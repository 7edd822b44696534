package petstore

import (
	"context"
	"fmt"
)

// Preload adds n animals to the store, one after the other: plausible ones, the same every time, of which each status
// gets a third. Should the store refuse one, those before it stay.
func Preload(ctx context.Context, store Store, n int) error {
	names := []string{"Rex", "Mia", "Bello", "Luna", "Čiko", "Zoë", "Simba", "小白", "Bruno", "Kitty O'Hara", "Ζευς"}
	statuses := Statuses()
	for i := range n {
		pet := NewPet{
			Name:       fmt.Sprintf("%s %d", names[i%len(names)], i+1),
			CategoryID: int64(i%5) + 1,
			Status:     statuses[i%len(statuses)],
		}
		if _, err := store.Create(ctx, pet); err != nil {
			return fmt.Errorf("animal %d of %d could not be preloaded: %w", i+1, n, err)
		}
	}
	return nil
}
