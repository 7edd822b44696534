package variants

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// sorted returns a copy in another order.
func sorted(pets []petstore.Pet, compare func(a, b petstore.Pet) int) []petstore.Pet {
	out := slices.Clone(pets)
	slices.SortStableFunc(out, compare)
	return out
}

// scrambled is a bijection of the 64-bit integers without an apparent order (the finalizer of SplitMix64).
func scrambled(n int64) int64 {
	z := uint64(n) //nolint:gosec // bits, not numbers
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int64(z ^ z>>31) //nolint:gosec // bits, not numbers
}

func idFreedoms() []Freedom {
	const rule = "create.id.unique"
	return []Freedom{
		freedom("ids-snowflake", rule, "Ids are derived from the time, beyond 2^53.",
			plainly(func(n int64) int64 { return 1_460_000_000_000<<22 + n<<12 + n%7 })),
		freedom("ids-odd-beyond-2-53", rule, "Ids are odd numbers beyond 2^53, which a float cannot hold.",
			plainly(func(n int64) int64 { return 1<<53 + 2*n + 1 })),
		freedom("ids-from-the-top", rule, "Ids count down from the greatest int64.", plainly(func(n int64) int64 { return math.MaxInt64 - n + 1 })),
		freedom("ids-from-the-bottom", rule, "Ids count up from the least int64.", plainly(func(n int64) int64 { return math.MinInt64 + n - 1 })),
		freedom("ids-negative", rule, "Ids are negative.", plainly(func(n int64) int64 { return -n })),
		freedom("ids-from-zero", rule, "Ids count from 0.", plainly(func(n int64) int64 { return n - 1 })),
		freedom("ids-across-zero", rule, "Ids count up from -60.", plainly(func(n int64) int64 { return n - 60 })),
		freedom("ids-sparse", rule, "Ids lie a million and three apart.", plainly(func(n int64) int64 { return n * 1_000_003 })),
		freedom("ids-apart-by-2-32", rule, "Ids lie 2^32 apart and are all equal in 32 bits.", plainly(func(n int64) int64 { return n<<32 + 5 })),
		freedom("ids-by-tens", rule, "Ids lie ten apart.", plainly(func(n int64) int64 { return 10 * n })),
		freedom("ids-mirrored", rule, "Ids are alternately positive and negative.",
			plainly(func(n int64) int64 {
				if n%2 == 0 {
					return -(n - 1)
				}
				return n
			})),
		freedom("ids-scrambled", rule, "Ids are any 64-bit numbers, in no order.", plainly(scrambled)),
	}
}

func storeFreedoms() []Freedom {
	return []Freedom{
		freedom("order-oldest-first", "list.order", "Lists show the oldest animal first.", oldestFirst()),
		freedom("order-by-name", "list.order", "Lists are in the order of names.",
			ordered(func(a, b petstore.Pet) int { return strings.Compare(a.Name, b.Name) })),
		freedom("order-by-status", "list.order", "Lists are in the order of statuses.",
			ordered(func(a, b petstore.Pet) int {
				return cmp.Or(strings.Compare(string(a.Status), string(b.Status)), cmp.Compare(a.ID, b.ID))
			})),
		freedom("order-random", "list.order", "Lists are in another order each time.",
			listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := next.List(ctx, filter, 1<<30)
				all = slices.Clone(all)
				rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				return all[:min(limit, len(all))], err
			})),
		freedom("order-differs-by-filter", "list.order", "Filtered lists show the oldest animal first, others the newest.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := next.List(ctx, petstore.Filter{Status: status}, 1<<30)
				return sorted(all, func(a, b petstore.Pet) int { return cmp.Compare(a.ID, b.ID) })[:min(limit, len(all))], err
			})),
		freedom("page-filtered-after-limit", "list.page", "The limit applies before the filter, so pages are short.",
			filtering(func(ctx context.Context, status petstore.Status, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, petstore.Filter{}, limit)
				return keptOf(page, limit, func(p petstore.Pet) bool { return p.Status == status }), err
			})),
		freedom("page-filtered-after-limit-oldest", "list.page", "The same, with the oldest animals first, so filtered pages never change.",
			filled(many), listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := ofAll(ctx, next)
				page := sorted(all, func(a, b petstore.Pet) int { return cmp.Compare(a.ID, b.ID) })[:min(limit, len(all))]
				return keptOf(page, limit, func(p petstore.Pet) bool { return filter.Status == "" || p.Status == filter.Status }), err
			})),
		freedom("page-half-full", "list.page", "With more than a hundred animals in the store, pages are half full.",
			listing(func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				page, err := next.List(ctx, filter, 1<<30)
				n := min(limit, len(page))
				if len(page) > limit {
					n = (limit + 1) / 2
				}
				if all, wrong := ofAll(ctx, next); wrong == nil && len(all) < 100 {
					n = min(limit, len(page))
				}
				return page[:n], err
			})),
		freedom("store-one", "list.empty", "The store holds one animal before the first request.",
			filled(func(ctx context.Context, s petstore.Store) error { return petstore.Preload(ctx, s, 1) })),
		freedom("store-130", "list.page", "The store holds more animals than a list may show.", filled(many)),
		freedom("store-130-oldest-first", "list.page", "The store is full, and lists never show anything new.", filled(many), oldestFirst()),
		freedom("store-5000", "list.page", "The store holds five thousand animals.",
			filled(func(ctx context.Context, s petstore.Store) error { return petstore.Preload(ctx, s, 5000) })),
		freedom("store-all-sold", "list.empty", "All animals in the store are sold.",
			filled(func(ctx context.Context, s petstore.Store) error {
				for range 120 {
					if _, err := s.Create(ctx, petstore.NewPet{Name: "Rex", CategoryID: 1, Status: petstore.Sold}); err != nil {
						return err
					}
				}
				return nil
			})),
		freedom("store-odd-names", "create.name.repeated", "The store holds animals with empty, equal and very odd names.",
			filled(func(ctx context.Context, s petstore.Store) error {
				for _, name := range []string{"", "", " ", "Rex", "Rex", "\x00", "\u202e", "null", strings.Repeat("x", 5000), "{}", "🐕"} {
					if _, err := s.Create(ctx, petstore.NewPet{Name: name, CategoryID: math.MinInt64}); err != nil {
						return err
					}
				}
				return nil
			})),
		freedom("default-none", "create.status.default", "An animal that was created without a status has none.", fresh(statusless)),
		freedom("default-pending", "create.status.default", "An animal that was created without a status is pending.", defaulting(func() petstore.Status { return petstore.Pending })),
		freedom("default-sold", "create.status.default", "An animal that was created without a status is sold.", defaulting(func() petstore.Status { return petstore.Sold })),
		freedom("default-varies", "create.status.default", "An animal that was created without a status gets any of the three.",
			defaulting(func() petstore.Status { return petstore.Statuses()[rand.IntN(3)] })),
	}
}

func defaulting(f func() petstore.Status) change {
	return stored(func(p *petstore.NewPet) {
		if p.Status == "" {
			p.Status = f()
		}
	})
}

// statusless omits animals without a status from filtered lists, and shows no status for them.
func statusless() change {
	var without idSet
	blank := func(p petstore.Pet) petstore.Pet {
		if without.has(p.ID) {
			p.Status = ""
		}
		return p
	}
	return storing(func(s petstore.Store) petstore.Store {
		return hook{
			Store: s,
			create: func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				made, err := next.Create(ctx, pet)
				if err == nil && pet.Status == "" {
					without.addID(made.ID)
				}
				return blank(made), err
			},
			get: func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
				pet, err := next.Get(ctx, id)
				return blank(pet), err
			},
			list: func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
				all, err := next.List(ctx, filter, 1<<30)
				page := keptOf(all, limit, func(p petstore.Pet) bool { return filter.Status == "" || !without.has(p.ID) })
				for i := range page {
					page[i] = blank(page[i])
				}
				return page, err
			},
		}
	})
}

// otherFreedoms let other clients act during the run.
func otherFreedoms() []Freedom {
	const rule = "pet.identity"
	every := func(d time.Duration, act func(ctx context.Context, n int, s petstore.Store)) change {
		return chore(func(ctx context.Context, s petstore.Store) {
			for n := 0; wait(ctx, d); n++ {
				act(ctx, n, s)
			}
		})
	}
	create := func(ctx context.Context, n int, s petstore.Store) {
		_, _ = s.Create(ctx, petstore.NewPet{Name: "Visitor", CategoryID: int64(n), Status: petstore.Statuses()[n%3]}) // it ends with the service
	}
	moved := func(p petstore.Pet, n int) petstore.Pet {
		p.Status = petstore.Statuses()[n%3]
		return p
	}
	return []Freedom{
		freedom("others-create", rule, "Other clients create an animal every few milliseconds.", every(7*time.Millisecond, create)),
		freedom("others-create-much", rule, "Other clients create animals without a pause.", every(300*time.Microsecond, create)),
		freedom("others-create-first", rule, "Other clients create an animal before the first request, and go on.", filled(many), every(time.Millisecond, create)),
		freedom("others-change-statuses", "get.stable", "Other clients change the statuses of the animals that were there, every millisecond.",
			filled(many), fresh(func() change {
				turn := func() int { return int(time.Now().UnixMilli()) }
				change := func(p petstore.Pet) petstore.Pet {
					if p.ID <= 130 && p.ID > 0 {
						return moved(p, turn()+int(p.ID))
					}
					return p
				}
				return storing(func(s petstore.Store) petstore.Store {
					return hook{
						Store: s,
						get: func(ctx context.Context, id int64, next petstore.Store) (petstore.Pet, error) {
							pet, err := next.Get(ctx, id)
							return change(pet), err
						},
						list: func(ctx context.Context, filter petstore.Filter, limit int, next petstore.Store) ([]petstore.Pet, error) {
							all, err := ofAll(ctx, next)
							for i := range all {
								all[i] = change(all[i])
							}
							return keptOf(all, limit, func(p petstore.Pet) bool { return filter.Status == "" || p.Status == filter.Status }), err
						},
					}
				})
			})),
	}
}
