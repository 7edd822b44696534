package impostor

import (
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	ruleFound   = "a created animal is found by its id"
	ruleAsked   = "the animal that is read has the id that was asked for"
	ruleUnknown = "an id that no animal has gets 404"
	ruleSame    = "reading twice gives the same"
	ruleInForce = "getPet works until its removal"
	ruleAnyID   = "any int64 is a petId"
)

// brokenGet fail at reading one animal.
func brokenGet() []Variant {
	return slices.Concat(unfound(), mistaken(), fickle(), goneEarly(), refusedIDs())
}

func unfound() []Variant {
	missing := func(f func(s *service, c *call, a animal) bool) change {
		return wrapFind(func(s *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
			a, ok := next(c, id)
			return a, ok && !f(s, c, a)
		})
	}
	once := func(f func(first bool) bool) change {
		return func(s *service) {
			var seen sync.Map
			missing(func(_ *service, _ *call, a animal) bool {
				_, before := seen.LoadOrStore(a.id, true)
				return f(!before)
			})(s)
		}
	}
	return []Variant{
		broken("get-only-once", ruleSame, "The second reading of an animal gets 404.", once(func(first bool) bool { return !first })),
		broken("get-only-available", ruleFound, "Only available animals are found, and those without a status.",
			missing(func(_ *service, _ *call, a animal) bool { return a.status == "pending" || a.status == "sold" })),
		broken("get-not-without-status", ruleFound, "Animals without a status are not found.",
			missing(func(_ *service, _ *call, a animal) bool { return a.status == "" })),
		broken("get-only-first-20", ruleFound, "Only the first twenty animals are found.", missing(func(s *service, _ *call, a animal) bool {
			animals := s.store.all()
			return !slices.ContainsFunc(animals[:min(20, len(animals))], func(b animal) bool { return a.id == b.id })
		})),
		broken("get-later", ruleFound, "An animal is found only a quarter of a second after its creation.", func(s *service) {
			var born sync.Map
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				born.Store(a.id, time.Now())
				return next(c, a)
			})(s)
			missing(func(_ *service, _ *call, a animal) bool {
				at, ok := born.Load(a.id)
				return ok && time.Since(at.(time.Time)) < 250*time.Millisecond
			})(s)
		}),
		flaky("get-404-remembered", ruleFound, "An id that was asked for before it was assigned stays unknown.", func(s *service) {
			var unknown sync.Map
			wrapFind(func(_ *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
				if _, ok := unknown.Load(id); ok {
					return animal{}, false
				}
				a, ok := next(c, id)
				if !ok {
					unknown.Store(id, true)
				}
				return a, ok
			})(s)
		}),
		broken("get-after-list", ruleFound, "An animal is found only once a list has been asked for.", func(s *service) {
			var listed atomic.Int64
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.op == listPets {
					listed.Store(int64(s.store.size()))
				}
				return next(c)
			})(s)
			missing(func(s *service, _ *call, a animal) bool {
				animals := s.store.all()
				at := slices.IndexFunc(animals, func(b animal) bool { return a.id == b.id })
				return int64(at) >= listed.Load()
			})(s)
		}),
	}
}

// searching replaces the search by one that looks at all animals in turn.
func searching(same func(id, asked int64) bool) change {
	return wrapFind(func(s *service, _ *call, id int64, _ func(*call, int64) (animal, bool)) (animal, bool) {
		for _, a := range s.store.all() {
			if same(a.id, id) {
				return a, true
			}
		}
		return animal{}, false
	})
}

func mistaken() []Variant {
	return []Variant{
		broken("get-32-bits-great", ruleAsked, "Ids are great, and of a petId only the low 32 bits count.", bigIDs(),
			searching(func(id, asked int64) bool { return int32(id) == int32(asked) })),
		broken("get-first-digits", ruleAsked, "Ids are great, and of a petId only the first nine digits count.", bigIDs(),
			searching(func(id, asked int64) bool {
				return cutText(strconv.FormatInt(id, 10), 9) == cutText(strconv.FormatInt(asked, 10), 9)
			})),
		broken("get-always-first", ruleAsked, "Whatever the petId, the first animal is shown.",
			searching(func(int64, int64) bool { return true })),
		broken("get-always-last", ruleAsked, "Whatever the petId, the animal created last is shown.",
			wrapFind(func(s *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
				if _, ok := next(c, id); !ok {
					return animal{}, false
				}
				animals := s.store.all()
				return animals[len(animals)-1], true
			})),
		broken("get-next", ruleAsked, "The animal after the one that was asked for is shown.",
			wrapFind(func(_ *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
				if a, ok := next(c, id+1); ok {
					return a, true
				}
				return next(c, id)
			})),
		broken("get-by-place", ruleAsked, "Ids go up by seven, and a petId counts places in the store.",
			assignIDs(func(n int64) int64 { return 7 * (n + 1) }),
			wrapFind(func(s *service, _ *call, id int64, _ func(*call, int64) (animal, bool)) (animal, bool) {
				animals := s.store.all()
				if id < 0 || id >= int64(len(animals)) {
					return animal{}, false
				}
				return animals[id], true
			})),
		broken("get-fabricates-beyond-32-bits", ruleAsked, "For an id beyond 32 bits an animal is made up, with that id less its high half.",
			wrapFind(func(_ *service, c *call, id int64, next func(*call, int64) (animal, bool)) (animal, bool) {
				if a, ok := next(c, id); ok || int64(int32(id)) == id {
					return a, ok
				}
				return animal{id: int64(int32(id)), name: "unknown", category: 1}, true
			})),
	}
}

func cutText(text string, n int) string { return text[:min(n, len(text))] }

// fickle answers change from one reading to the next.
func fickle() []Variant {
	reading := func(f func(o object, n int64) object) change {
		return func(s *service) {
			reads := counter()
			editPet(func(o object) object { return f(o, reads()) }, getPet)(s)
		}
	}
	return []Variant{
		broken("get-status-comes-and-goes", ruleSame, "Every second reading shows no status.", reading(func(o object, n int64) object {
			if n%2 == 0 {
				return o.without("status")
			}
			return o
		})),
		flaky("get-name-seldom-other", ruleSame, "Every 15th reading shows another name.", reading(func(o object, n int64) object {
			if n%15 == 0 {
				return o.with("name", "cached")
			}
			return o
		})),
		broken("get-category-counts", ruleSame, "The categoryId grows with every reading.", reading(func(o object, n int64) object {
			return o.with("categoryId", o.value("categoryId").(int64)+n-1)
		})),
	}
}

func goneEarly() []Variant {
	var all []Variant
	for _, status := range []int{404, 405, 410, 501} {
		all = append(all, broken("gone-early-"+strconv.Itoa(status), ruleInForce,
			"getPet is gone before its day, with "+strconv.Itoa(status)+".", goneWith(status)))
	}
	eve := broken("gone-on-the-eve", ruleInForce, "getPet is gone one day too early, with 410.", goneWith(410))
	eve.Now = "2030-12-04"
	redirect := broken("gone-early-301", ruleInForce, "getPet leads to listPets before its day, by 301.", func(s *service) {
		s.get = func(*call) *answer {
			a := success(301, nil)
			a.header.Set("Location", s.prefix+"/pets")
			return a
		}
	})
	route := broken("gone-early-route", ruleInForce, "The path of getPet is not there, with or without a credential.",
		wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
			if c.op == getPet {
				return s.failure(c, refusal{404, "no_such_route", "nothing is served here"})
			}
			return next(c)
		}))
	return append(all, eve, redirect, route)
}

func refusedIDs() []Variant {
	refused := func(status int, bad func(id int64) bool) change {
		return func(s *service) {
			next := s.get
			s.get = func(c *call) *answer {
				if id, err := strconv.ParseInt(c.petID, 10, 64); err == nil && bad(id) {
					return s.failure(c, refusal{status, "pet_id", "a bad identifier"})
				}
				return next(c)
			}
		}
	}
	negative := func(id int64) bool { return id < 0 }
	great := func(id int64) bool { return int64(int32(id)) != id }
	beyond53 := func(id int64) bool { return id > 1<<53 || id < -1<<53 }
	return []Variant{
		broken("get-negative-500", ruleAnyID, "A negative petId gets 500.", refused(500, negative)),
		broken("get-0-500", ruleAnyID, "The petId 0 gets 500.", refused(500, func(id int64) bool { return id == 0 })),
		broken("get-great-422", ruleAnyID, "A petId beyond 32 bits gets 422.", refused(422, great)),
		broken("get-beyond-53-bits-400", ruleAnyID, "A petId that a float64 could not hold gets 400.", refused(400, beyond53)),
	}
}
