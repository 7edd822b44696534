package variants

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// instead looks up another id if there is no animal with the requested one.
func instead(f func(id int64) int64) change {
	return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
		pet, err := next.Get(ctx, id)
		if errors.Is(err, petstore.ErrNotFound) {
			return next.Get(ctx, f(id))
		}
		return pet, err
	})
}

// chosen returns one of all animals, ordered newest first, if there is no such animal.
func chosen(f func(id int64, all []petstore.Pet) int) change {
	return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
		pet, err := next.Get(ctx, id)
		if !errors.Is(err, petstore.ErrNotFound) {
			return pet, err
		}
		all, err := ofAll(ctx, next)
		if i := f(id, all); err == nil && i >= 0 && i < len(all) {
			return all[i], nil
		}
		return petstore.Pet{}, petstore.ErrNotFound
	})
}

// unread does not find the selected animals.
func unread(f func(p petstore.Pet) bool) change {
	return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
		pet, err := next.Get(ctx, id)
		if err == nil && f(pet) {
			return petstore.Pet{}, petstore.ErrNotFound
		}
		return pet, err
	})
}

// oddID responds to reads of the selected ids with another status.
func oddID(status int, f func(id int64) bool) change {
	return handling(func(x *exchange, next func()) {
		if id, ok := petstore.ParseInteger(x.petID()); x.is(getPet) && x.Authorised() && ok && f(id) {
			x.fail(status, petstore.CodeInvalidRequest, "This is no identifier.")
			return
		}
		next()
	})
}

func readFaults() []Fault {
	nearest := func(id int64, all []petstore.Pet) int {
		best := -1
		for i, p := range all {
			if best < 0 || math.Abs(float64(p.ID)-float64(id)) < math.Abs(float64(all[best].ID)-float64(id)) {
				best = i
			}
		}
		return best
	}
	return []Fault{
		fault("get-never-found", "get.found", "No animal is ever found.", unread(func(petstore.Pet) bool { return true })),
		fault("get-sold-not-found", "get.found", "Sold animals are not found.", unread(func(p petstore.Pet) bool { return p.Status == petstore.Sold })),
		fault("get-every-5th-not-found", "get.created", "Each fifth animal is not found.", unread(func(p petstore.Pet) bool { return every(p.ID, 5) })),
		fault("get-first-time-not-found", "get.found", "An animal is not found the first time.", fresh(func() change {
			var n counts
			return unread(func(p petstore.Pet) bool { return n.next(p.ID) == 1 })
		})),
		fault("get-newest-not-found", "get.created", "The newest animal is not found yet.", fresh(func() change {
			var newest atomic.Int64
			return together(
				creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
					made, err := next.Create(ctx, pet)
					newest.Store(made.ID)
					return made, err
				}),
				unread(func(p petstore.Pet) bool { return p.ID == newest.Load() }))
		})),
		fault("get-410", "get.unknown", "An unknown id gets 410.",
			answered(on(404, getPet), func(x *exchange) { restatus(x, 410) })),
		fault("get-unknown-500", "get.unknown", "An unknown id is a server error.",
			answered(on(404, getPet), func(x *exchange) { restatus(x, 500) })),
		fault("get-int32", "get.id", "Ids are cut to 32 bits before the search.", instead(func(id int64) int64 { return int64(int32(id)) })), //nolint:gosec // the loss is the point
		fault("get-uint16", "get.id", "Ids are cut to 16 bits before the search.", instead(func(id int64) int64 { return id & 0xFFFF })),
		fault("get-float", "get.id", "Ids go through a float before the search.",
			together(plainly(func(n int64) int64 { return 1<<53 + 2*n }), instead(float))),
		fault("get-absolute", "get.id", "The sign of an id is lost.", instead(func(id int64) int64 { return max(id, -id) })),
		fault("get-nearest", "get.id", "For an unknown id, the nearest animal is returned.", chosen(nearest)),
		fault("get-first", "get.id", "For an unknown id, the newest animal is returned.", chosen(func(int64, []petstore.Pet) int { return 0 })),
		fault("get-prefix", "get.id", "Ids are compared by their first digits.",
			chosen(func(id int64, all []petstore.Pet) int {
				return slices.IndexFunc(all, func(p petstore.Pet) bool {
					return strings.HasPrefix(strconv.FormatInt(id, 10), strconv.FormatInt(p.ID, 10))
				})
			})),
		fault("get-by-beginning", "get.id", "An id is found by its first digits.",
			plainly(func(n int64) int64 { return 5000 + n }), chosen(func(id int64, all []petstore.Pet) int {
				return slices.IndexFunc(all, func(p petstore.Pet) bool {
					return strings.HasPrefix(strconv.FormatInt(p.ID, 10), strconv.FormatInt(id, 10))
				})
			})),
		fault("get-from-the-end", "get.id", "Negative ids count from the end.",
			chosen(func(id int64, _ []petstore.Pet) int {
				if id < 0 && id > -1000 {
					return int(-id) - 1
				}
				return -1
			})),
		fault("get-last-for-extreme", "get.id", "Ids beyond 32 bits give the newest animal.",
			chosen(func(id int64, _ []petstore.Pet) int {
				if id > 1<<31 {
					return 0
				}
				return -1
			})),
		fault("get-fabricates", "get.unknown", "For an unknown id, an animal is made up.", fabricating(func(int64) bool { return true })),
		fault("get-newest-for-0", "get.id", "The id 0 gives the newest animal.",
			chosen(func(id int64, _ []petstore.Pet) int {
				if id == 0 {
					return 0
				}
				return -1
			})),
		fault("get-negative-400", "get.extreme", "A negative id gets 400.", oddID(400, func(id int64) bool { return id < 0 })),
		fault("get-0-400", "get.extreme", "The id 0 gets 400.", oddID(400, func(id int64) bool { return id == 0 })),
		fault("get-large-400", "get.extreme", "An id beyond 32 bits gets 400.", oddID(400, func(id int64) bool { return id > math.MaxInt32 })),
		fault("get-large-500", "get.extreme", "An id beyond 2^53 is a server error.", oddID(500, func(id int64) bool { return id > 1<<53 })),
		fault("get-int64-ends-500", "get.extreme", "The greatest and the least id are server errors.",
			oddID(500, func(id int64) bool { return id == math.MaxInt64 || id == math.MinInt64 })),
		fault("get-name-counts", "get.stable", "Each read adds to the name.", fresh(func() change {
			var n counts
			return misread(func(p *petstore.Pet) {
				if k := n.next(p.ID); k > 1 {
					p.Name += " " + strconv.Itoa(k)
				}
			})
		})),
		fault("get-status-turns", "get.stable", "The status changes with each read.", fresh(func() change {
			var n counts
			return misread(func(p *petstore.Pet) {
				if every(int64(n.next(p.ID)), 3) && p.Status.Valid() {
					p.Status = petstore.Statuses()[(slices.Index(petstore.Statuses(), p.Status)+1)%3]
				}
			})
		})),
		fault("get-sells", "get.stable", "An animal becomes sold after five reads.", fresh(func() change {
			var n counts
			return misread(func(p *petstore.Pet) {
				if n.next(p.ID) > 5 {
					if p.Status = petstore.Sold; every(p.ID, 2) {
						p.Status = petstore.Pending
					}
				}
			})
		})),
		chancy("get-swapped-when-busy", "get.id", "Of two reads at once, one gets the response of the other.", fresh(func() change {
			var mu sync.Mutex
			var last petstore.Pet
			return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
				pet, err := next.Get(ctx, id)
				if err != nil {
					return pet, err
				}
				mu.Lock()
				last = pet
				mu.Unlock()
				pause()
				mu.Lock()
				defer mu.Unlock()
				return last, nil
			})
		})),
		fault("get-listed-not-found", "get.listed", "The animals that were there before the first request cannot be read.",
			filled(many), oldestFirst(), unread(func(p petstore.Pet) bool { return p.ID <= 130 })),
		fault("get-listed-other", "get.listed", "The animals that were there before the first request are read with another name.",
			filled(many), oldestFirst(), misread(func(p *petstore.Pet) {
				if p.ID > 0 && p.ID <= 130 {
					p.Name += "!"
				}
			})),
	}
}

// fabricating makes up animals that do not exist.
func fabricating(f func(id int64) bool) change {
	return getting(func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
		pet, err := next.Get(ctx, id)
		if errors.Is(err, petstore.ErrNotFound) && f(id) {
			return petstore.Pet{ID: id, NewPet: petstore.NewPet{Name: "Nobody", CategoryID: 1, Status: petstore.Available}}, nil
		}
		return pet, err
	})
}
