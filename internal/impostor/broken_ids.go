package impostor

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

const (
	ruleOwnID  = "the id is assigned by the service"
	ruleUnique = "an id is unique"
	ruleOneID  = "an id names one animal"
)

// brokenIDs assign ids that are not unique, not theirs, or not kept.
func brokenIDs() []Variant {
	clientID := func(d draft) (int64, bool) {
		id, err := strconv.ParseInt(lastOf(d.given, "id"), 10, 64)
		return id, err == nil
	}
	return []Variant{
		broken("id-from-client", ruleOwnID, "An id in the body is used.", func(s *service) {
			before := s.assignID
			s.assignID = func(d draft) int64 {
				if id, ok := clientID(d); ok {
					return id
				}
				return before(d)
			}
		}),
		broken("id-from-client-if-free", ruleOwnID, "An id in the body is used unless it is taken.", func(s *service) {
			before := s.assignID
			s.assignID = func(d draft) int64 {
				if id, ok := clientID(d); ok {
					if _, taken := s.store.get(id); !taken {
						return id
					}
				}
				return before(d)
			}
		}),
		broken("id-from-client-shown", ruleOwnID, "An id in the body is shown in the response, though not used.", func(s *service) {
			before := s.showPet
			s.showPet = func(c *call, a animal) any {
				o := before(c, a).(object)
				if c.op == createPet {
					fields, _ := readObject(c.body)
					if id, ok := clientID(draft{given: fields}); ok {
						return o.with("id", id)
					}
				}
				return o
			}
		}),
		broken("id-from-client-updates", ruleOwnID, "An id in the body that is taken overwrites the animal that has it.", func(s *service) {
			before := s.assignID
			s.assignID = func(d draft) int64 {
				id, ok := clientID(d)
				if _, taken := s.store.get(id); !ok || !taken {
					return before(d)
				}
				s.store.change(func(animals []animal) []animal {
					kept := animals[:0]
					for _, a := range animals {
						if a.id != id {
							kept = append(kept, a)
						}
					}
					return kept
				})
				return id
			}
		}),
		broken("id-always-0", ruleUnique, "Every animal gets the id 0.", assignIDs(func(int64) int64 { return 0 })),
		broken("id-shown-as-0", ruleOneID, "The response to a creation shows the id 0, for the row was not read again.",
			editPet(func(o object) object { return o.with("id", 0) }, createPet)),
		broken("id-shown-before-last", ruleOneID, "The response to a creation shows the id before the real one.",
			editPet(func(o object) object { return o.with("id", o.value("id").(int64)-1) }, createPet)),
		broken("id-reused-after-8", ruleUnique, "After eight creations ids begin anew.", assignIDs(func(n int64) int64 { return n%8 + 1 })),
		broken("id-reused-after-30", ruleUnique, "After thirty creations ids begin anew.", assignIDs(func(n int64) int64 { return n%30 + 1 })),
		flaky("id-one-byte-random", ruleUnique, "Ids are random, of one byte.", func(s *service) {
			s.assignID = func(draft) int64 { return rand.Int64N(256) }
		}),
		broken("id-by-the-second", ruleUnique, "Ids are the time in seconds.", func(s *service) {
			s.assignID = func(draft) int64 { return time.Now().Unix() }
		}),
		flaky("id-by-the-millisecond", ruleUnique, "Ids are the time in milliseconds.", func(s *service) {
			s.assignID = func(draft) int64 { return time.Now().UnixMilli() }
		}),
		broken("id-per-status", ruleUnique, "Ids are counted for each status on its own.", func(s *service) {
			var mu sync.Mutex
			last := map[string]int64{}
			s.assignID = func(d draft) int64 {
				mu.Lock()
				defer mu.Unlock()
				last[d.status]++
				return last[d.status]
			}
		}),
		broken("id-per-category", ruleUnique, "Ids are counted for each category on its own.", func(s *service) {
			var mu sync.Mutex
			last := map[int64]int64{}
			s.assignID = func(d draft) int64 {
				mu.Lock()
				defer mu.Unlock()
				last[d.category]++
				return last[d.category]
			}
		}),
		broken("id-float-on-create", ruleOneID, "Ids are great, and go through a float64 in the response to a creation.",
			bigIDs(), floatIDs(createPet)),
		broken("id-float-on-list", ruleOneID, "Ids are great, and go through a float64 in lists.", bigIDs(), floatIDs(listPets)),
		broken("id-float-on-get", ruleOneID, "Ids are great, and go through a float64 when an animal is read.", bigIDs(), floatIDs(getPet)),
		broken("id-32-bits-on-list", ruleOneID, "Ids are great, and cut to 32 bits in lists.", bigIDs(), editPet(func(o object) object {
			return o.with("id", int64(int32(o.value("id").(int64))))
		}, listPets)),
		broken("id-without-sign-on-get", ruleOneID, "Ids are negative, and lose their sign when an animal is read.",
			assignIDs(func(n int64) int64 { return -1 - n }), editPet(func(o object) object {
				return o.with("id", -o.value("id").(int64))
			}, getPet)),
		broken("id-changes-on-get", ruleOneID, "Every reading of an animal shows another id.", func(s *service) {
			reads := counter()
			editPet(func(o object) object { return o.with("id", o.value("id").(int64)+1_000_000*reads()) }, getPet)(s)
		}),
		broken("id-overflows", ruleInt64, "Ids pass the greatest int64 and go on.", assignIDs(func(n int64) int64 { return n }),
			editPet(func(o object) object {
				return o.with("id", raw(strconv.FormatUint(uint64(1<<63)-2+uint64(o.value("id").(int64)), 10)))
			}, listPets, createPet, getPet),
			wrapFind(func(_ *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
				return next(c, id-(1<<63-1)+1)
			})),
	}
}

func floatIDs(ops ...operation) change {
	return editPet(func(o object) object { return o.with("id", throughFloat(o.value("id").(int64))) }, ops...)
}
