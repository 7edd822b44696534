package petstore_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// everyStore runs a test on an empty store of each kind.
func everyStore(t *testing.T, test func(t *testing.T, store petstore.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, petstore.NewMemory()) })
	t.Run("file", func(t *testing.T) { test(t, openFile(t, filepath.Join(t.TempDir(), "pets.db"))) })
}

func openFile(t testing.TB, path string) *petstore.File {
	t.Helper()
	file, err := petstore.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return file
}

func TestStore(t *testing.T) {
	everyStore(t, func(t *testing.T, store petstore.Store) {
		ctx := t.Context()
		if pets, err := store.List(ctx, petstore.Filter{}, 10); err != nil || len(pets) != 0 {
			t.Fatalf("the empty store lists %v, %v", pets, err)
		}
		var want []petstore.Pet // newest first
		for i, n := range []petstore.NewPet{
			{Name: "Rex", CategoryID: 1},
			{Name: "", CategoryID: -1, Status: petstore.Sold},
			{Name: "\x00 \u2028 <é> \"\\", CategoryID: 9223372036854775807, Status: petstore.Pending},
			{Name: "Rex", CategoryID: -9223372036854775808, Status: petstore.Sold},
		} {
			created, err := store.Create(ctx, n)
			if err != nil {
				t.Fatal(err)
			}
			if n.Status == "" {
				n.Status = petstore.Available
			}
			if created != (petstore.Pet{ID: int64(i) + 1, NewPet: n}) {
				t.Errorf("%+v was created as %+v", n, created)
			}
			if got, err := store.Get(ctx, created.ID); err != nil || got != created {
				t.Errorf("%+v is read as %+v, %v", created, got, err)
			}
			want = slices.Insert(want, 0, created)
		}
		for _, id := range []int64{0, -1, 5, 1 << 32, -1 << 63, 1<<63 - 1} {
			if got, err := store.Get(ctx, id); !errors.Is(err, petstore.ErrNotFound) || got != (petstore.Pet{}) {
				t.Errorf("animal %d: %v, %v", id, got, err)
			}
		}
		for _, status := range append(petstore.Statuses(), "", "lost") {
			of := slices.DeleteFunc(slices.Clone(want), func(p petstore.Pet) bool {
				return status != "" && p.Status != status
			})
			for limit := range 6 {
				got, err := store.List(ctx, petstore.Filter{Status: status}, limit)
				if err != nil || !slices.Equal(got, of[:min(limit, len(of))]) {
					t.Errorf("%d %q: %+v, %v", limit, status, got, err)
				}
			}
		}
	})
}

func TestStoreWithEndedContext(t *testing.T) {
	everyStore(t, func(t *testing.T, store petstore.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err1 := store.Create(ctx, petstore.NewPet{Name: "Rex"})
		_, err2 := store.Get(ctx, 1)
		_, err3 := store.List(ctx, petstore.Filter{}, 1)
		for _, err := range []error{err1, err2, err3, petstore.Preload(ctx, store, 1)} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}
	})
}

// Ids are unique, no animal is lost, and each is there for everyone once it was answered.
func TestStoreUnderConcurrency(t *testing.T) {
	everyStore(t, func(t *testing.T, store petstore.Store) {
		const writers, each = 16, 50
		var mu sync.Mutex
		created := make(map[int64]petstore.Pet)
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				for i := range each {
					n := petstore.NewPet{Name: fmt.Sprint(w, "/", i), CategoryID: int64(i), Status: petstore.Statuses()[i%3]}
					p, err := store.Create(t.Context(), n)
					if err != nil || p.NewPet != n {
						t.Errorf("%+v was created as %+v, %v", n, p, err)
						return
					}
					if got, err := store.Get(t.Context(), p.ID); err != nil || got != p {
						t.Errorf("%+v is read as %+v, %v", p, got, err)
					}
					if page, err := store.List(t.Context(), petstore.Filter{Status: n.Status}, 100); err != nil ||
						len(page) == 0 {
						t.Errorf("a page of %s holds %d, %v", n.Status, len(page), err)
					}
					mu.Lock()
					created[p.ID] = p
					mu.Unlock()
				}
			})
		}
		group.Wait()
		all, err := store.List(t.Context(), petstore.Filter{}, 2*writers*each)
		if err != nil || len(all) != writers*each || len(created) != writers*each {
			t.Fatalf("%d animals listed, %d ids given, want %d; %v", len(all), len(created), writers*each, err)
		}
		for _, p := range all {
			if created[p.ID] != p {
				t.Errorf("%+v is listed as %+v", created[p.ID], p)
			}
		}
	})
}

func TestPreload(t *testing.T) {
	everyStore(t, func(t *testing.T, store petstore.Store) {
		if err := petstore.Preload(t.Context(), store, 60); err != nil {
			t.Fatal(err)
		}
		for _, status := range petstore.Statuses() {
			if pets, err := store.List(t.Context(), petstore.Filter{Status: status}, 100); err != nil || len(pets) != 20 {
				t.Errorf("%d animals are %s, %v", len(pets), status, err)
			}
		}
	})
}

func BenchmarkCreate(b *testing.B) {
	pet := petstore.NewPet{Name: "Rex", CategoryID: 1}
	for name, open := range map[string]func() petstore.Store{
		"memory": petstore.NewMemory,
		"file":   func() petstore.Store { return openFile(b, filepath.Join(b.TempDir(), "pets.db")) },
	} {
		b.Run(name+"/alone", func(b *testing.B) {
			store := open()
			for b.Loop() {
				if _, err := store.Create(b.Context(), pet); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/together", func(b *testing.B) {
			store := open()
			b.SetParallelism(16)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := store.Create(b.Context(), pet); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
