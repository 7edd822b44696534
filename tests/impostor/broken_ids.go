package impostor

import (
	"math/rand/v2"
	"strconv"
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
		broken("id-shown-as-0", ruleOneID, "The response to a creation shows the id 0, for the row was not read again.",
			editPet(func(o object) object { return o.with("id", 0) }, createPet)),
		broken("id-shown-before-last", ruleOneID, "The response to a creation shows the id before the real one.",
			editPet(func(o object) object { return o.with("id", o.value("id").(int64)-1) }, createPet)),
		broken("id-reused-after-8", ruleUnique, "After eight creations ids begin anew.", assignIDs(func(n int64) int64 { return n%8 + 1 })),
		flaky("id-one-byte-random", ruleUnique, "Ids are random, of one byte.", func(s *service) {
			s.assignID = func(draft) int64 { return rand.Int64N(256) }
		}),
		broken("id-by-the-second", ruleUnique, "Ids are the time in seconds.", func(s *service) {
			s.assignID = func(draft) int64 { return time.Now().Unix() }
		}),
		flaky("id-by-the-millisecond", ruleUnique, "Ids are the time in milliseconds.", func(s *service) {
			s.assignID = func(draft) int64 { return time.Now().UnixMilli() }
		}),
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
