package variants

import (
	"hash/fnv"
	"math"
	"sync"
	"sync/atomic"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// assigning makes ids by a function that is made anew for each service.
func assigning(make func() func(inside int64, pet petstore.NewPet) int64) change {
	return renumbering(make)
}

func plainly(f func(inside int64) int64) change { return numbered(f) }

// clientID uses the id that stands in the body of a creation, if f allows it.
func clientID(showOnly bool) change {
	if showOnly {
		return answered(on(201, createPet), func(x *exchange) {
			if id, sent := x.Sent()["id"]; sent {
				x.editItems(func(_ int, pet map[string]any) { pet["id"] = id })
			}
		})
	}
	return fresh(func() change {
		var ids memo[int64, int64]
		var wanted atomic.Int64
		return together(
			assigning(func() func(int64, petstore.NewPet) int64 {
				return func(inside int64, _ petstore.NewPet) int64 {
					id, _ := ids.get(inside, func() (int64, error) {
						if id := wanted.Swap(0); id != 0 {
							return id, nil
						}
						return inside, nil
					})
					return id
				}
			}),
			asked(func(x *exchange) {
				if id, ok := numberIn(x.Sent(), "id"); ok && x.Authorised() {
					wanted.Store(id)
				}
			}, createPet))
	})
}

func idFaults() []Fault {
	return []Fault{
		fault("id-always-1", "create.id.unique", "Every animal gets the id 1.", plainly(func(int64) int64 { return 1 })),
		fault("id-reused-after-20", "create.id.unique", "Ids begin again after twenty.", plainly(func(n int64) int64 { return 1 + (n-1)%20 })),
		fault("id-reused-after-100", "create.id.unique", "Ids begin again after a hundred.", plainly(func(n int64) int64 { return 1 + (n-1)%100 })),
		fault("id-one-byte", "create.id.unique", "Ids have room for seven bits.", plainly(func(n int64) int64 { return n & 0x7F })),
		fault("id-every-10th-repeated", "create.id.unique", "Each tenth animal gets the id of the one before.",
			plainly(func(n int64) int64 {
				if every(n, 10) {
					return n - 1
				}
				return n
			})),
		fault("id-by-status", "create.id.unique", "Ids are counted for each status.", assigning(func() func(int64, petstore.NewPet) int64 {
			var n counts
			return func(_ int64, pet petstore.NewPet) int64 { return int64(n.next(int64(len(pet.WithDefaults().Status)))) }
		})),
		fault("id-by-category", "create.id.unique", "Ids are counted for each category.", assigning(func() func(int64, petstore.NewPet) int64 {
			var n counts
			return func(_ int64, pet petstore.NewPet) int64 { return int64(n.next(pet.CategoryID)) }
		})),
		fault("id-length-of-name", "create.id.unique", "The id is the length of the name.",
			assigning(func() func(int64, petstore.NewPet) int64 {
				return func(_ int64, pet petstore.NewPet) int64 { return int64(len(pet.Name)) }
			})),
		chancy("id-hash-of-name", "create.id.unique", "The id is a short hash of the name.",
			assigning(func() func(int64, petstore.NewPet) int64 {
				return func(_ int64, pet petstore.NewPet) int64 {
					h := fnv.New32a()
					_, _ = h.Write([]byte(pet.Name))
					return int64(h.Sum32() % 999)
				}
			})),
		chancy("id-racing", "create.id.unique", "The counter of ids is read and written without a lock.", assigning(func() func(int64, petstore.NewPet) int64 {
			var last atomic.Int64
			return func(int64, petstore.NewPet) int64 {
				n := last.Load() + 1
				pause()
				last.Store(n)
				return n
			}
		})),
		chancy("id-size-of-store", "create.id.unique", "The id is the number of animals, counted before the animal is stored.", assigning(func() func(int64, petstore.NewPet) int64 {
			var stored atomic.Int64
			return func(int64, petstore.NewPet) int64 {
				n := stored.Load()
				pause()
				stored.Add(1)
				return n
			}
		})),
		fault("id-of-client", "create.id.own", "An id that the client sends is used.", clientID(false)),
		fault("id-of-client-shown", "create.id.own", "An id that the client sends stands in the response.", clientID(true)),
		fault("id-of-client-updates", "create.id.own", "A creation with the id of another animal replaces it.", fresh(updating)),
		fault("id-beyond-int64", "pet.id", "Ids begin above int64.",
			editShown(func(_ int, pet map[string]any) { pet["id"] = rawNumber("9223372036854775808") }, createPet)),
		fault("id-text", "pet.id", "Ids are text in the response to a creation.",
			editShown(func(_ int, pet map[string]any) {
				if n, ok := pet["id"].(interface{ String() string }); ok {
					pet["id"] = n.String()
				}
			}, createPet)),
		fault("id-float", "get.created", "Large ids lose digits in the response to a creation.",
			together(plainly(func(n int64) int64 { return 1<<53 + 4*n + 1 }), reshownID(float, createPet))),
		fault("id-float-everywhere", "create.id.unique", "Large ids lose digits in every response.",
			together(plainly(func(n int64) int64 { return math.MaxInt64 - 5000 + n }), reshownID(float, createPet, listPets, getPet))),
		fault("id-float-in-lists", "get.listed", "Large ids lose digits in lists.",
			together(plainly(func(n int64) int64 { return 1<<53 + 4*n + 1 }), reshownID(float, listPets))),
		fault("id-int32-in-lists", "get.listed", "Ids are cut to 32 bits in lists.",
			together(plainly(func(n int64) int64 { return 1<<40 + n }), reshownID(func(n int64) int64 { return n & (1<<32 - 1) }, listPets))),
		fault("id-other-on-read", "get.id", "A read shows the next id.", reshownID(func(n int64) int64 { return n + 1 }, getPet)),
		fault("id-without-sign-on-read", "get.id", "A read shows negative ids without their sign.",
			together(plainly(func(n int64) int64 { return -n - 7 }), reshownID(func(n int64) int64 { return max(n, -n) }, getPet))),
		fault("id-float-on-read", "get.id", "Large ids lose digits when an animal is read.",
			together(plainly(func(n int64) int64 { return 1<<53 + 4*n + 1 }), reshownID(float, getPet))),
	}
}

// reshownID shows other ids than those that animals have.
func reshownID(f func(int64) int64, operations ...string) change {
	return editShown(func(_ int, pet map[string]any) {
		if id, ok := idIn(pet); ok {
			pet["id"] = mutate.Number(f(id))
		}
	}, operations...)
}

// updating keeps what later creations made of animals, by the id that they sent.
func updating() change {
	var mu sync.Mutex
	changed := map[int64]string{}
	return handling(func(x *exchange, next func()) {
		next()
		if id, ok := numberIn(x.Sent(), "id"); ok && x.is(createPet) && x.Status == 201 {
			mu.Lock()
			changed[id] = nameOfSent(x)
			mu.Unlock()
		}
		if x.is(getPet, listPets) {
			x.editItems(func(_ int, pet map[string]any) {
				id, _ := idIn(pet)
				mu.Lock()
				defer mu.Unlock()
				if name, there := changed[id]; there {
					pet["name"] = name
				}
			})
		}
	})
}
