package petstore

import (
	"context"
	"fmt"
)

// Preload adds n plausible animals to the store one by one, the same every time, a third of each status. If the store rejects one, those
// before it remain.
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
