package impostor

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	ruleWorks = "a request that keeps the contract gets its response"
	ruleLasts = "a created animal stays in the store"
)

// brokenTime work for a while, or most of the time.
func brokenTime() []Variant {
	failing := func(status int, when func(s *service, c *call) bool) change {
		return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
			if c.op != elsewhere && when(s, c) {
				return s.failure(c, refusal{status, "internal", "oops"})
			}
			return next(c)
		})
	}
	nth := func(n int64) func(*service, *call) bool {
		return func(_ *service, c *call) bool { return everyNth(c, n) }
	}
	// wiped empties the store when the call with the number comes.
	wiped := func(n int64, more func()) change {
		return wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
			if c.nth == n {
				s.store.change(func([]animal) []animal { return nil })
				more()
			}
			return next(c)
		})
	}
	return []Variant{
		flaky("fails-every-30th-502", ruleWorks, "Every 30th request gets 502, as from a gateway.", failing(502, nth(30))),
		flaky("fails-every-30th-503", ruleWorks, "Every 30th request gets 503, without a word on when to come again.", failing(503, nth(30))),
		flaky("fails-every-30th-504", ruleWorks, "Every 30th request gets 504, as from a gateway.", failing(504, nth(30))),
		flaky("fails-every-12th-creation", ruleWorks, "Every twelfth creation gets 500.", func(s *service) {
			creations := counter()
			failing(500, func(s *service, c *call) bool { return c.op == createPet && s.admit(c) && creations()%12 == 0 })(s)
		}),
		flaky("fails-every-12th-list", ruleWorks, "Every twelfth list gets 500.", func(s *service) {
			lists := counter()
			failing(500, func(s *service, c *call) bool { return c.op == listPets && s.admit(c) && lists()%12 == 0 })(s)
		}),
		flaky("fails-every-12th-reading", ruleWorks, "Every twelfth reading of an animal gets 500.", func(s *service) {
			reads := counter()
			failing(500, func(s *service, c *call) bool { return c.op == getPet && s.admit(c) && reads()%12 == 0 })(s)
		}),
		flaky("fails-under-load", ruleWorks, "With more than three requests at a time some get 500.", func(s *service) {
			var under atomic.Int64
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				defer under.Add(-1)
				if under.Add(1) > 3 {
					return s.failure(c, refusal{500, "pool", "no connection is free"})
				}
				s.sleep(time.Millisecond)
				return next(c)
			})(s)
		}),
		flaky("empty-every-20th", ruleNoBody, "Every 20th answer has an empty body.",
			editBody(func(c *call, _ *answer) bool { return c.op != elsewhere && everyNth(c, 20) }, func(any) any { return nil })),
		flaky("html-every-25th", ruleMedia, "Every 25th answer is called HTML.",
			setContentType(func(c *call, _ *answer) bool { return c.op != elsewhere && everyNth(c, 25) }, "text/html")),
		broken("forgets-beyond-10", ruleLasts, "With more than ten animals in the store the oldest is gone.",
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				stored := next(c, a)
				s.store.change(func(animals []animal) []animal {
					if len(animals) > 10 {
						return append([]animal(nil), animals[len(animals)-10:]...)
					}
					return animals
				})
				return stored
			})),
		broken("forgets-sold-after-5", ruleLasts, "A sold animal is gone once five more have been created.",
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				stored := next(c, a)
				s.store.change(func(animals []animal) []animal {
					var kept []animal
					for i, b := range animals {
						if b.status != "sold" || i >= len(animals)-5 {
							kept = append(kept, b)
						}
					}
					return kept
				})
				return stored
			})),
		flaky("forgets-after-a-second", ruleLasts, "An animal is gone a second after its creation.", func(s *service) {
			var born sync.Map
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				born.Store(a.id, time.Now())
				return next(c, a)
			})(s)
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				s.store.change(func(animals []animal) []animal {
					var kept []animal
					for _, a := range animals {
						if at, ok := born.Load(a.id); !ok || time.Since(at.(time.Time)) < time.Second {
							kept = append(kept, a)
						}
					}
					return kept
				})
				return next(c)
			})(s)
		}),
		broken("forgets-all-once", ruleLasts, "With the 200th request the store is empty; ids go on.", wiped(200, func() {})),
		broken("begins-anew-once", ruleOneID, "With the 200th request the store is empty, and ids begin anew.", func(s *service) {
			var last atomic.Int64
			s.assignID = func(draft) int64 { return last.Add(1) }
			wiped(200, func() { last.Store(0) })(s)
		}),
		flaky("list-swapped", ruleOneID, "Of lists that overlap each may be answered with the other's filter.", func(s *service) {
			var mu sync.Mutex
			var current string
			before := s.readStatus
			s.readStatus = func(c *call) (string, *refusal) {
				status, no := before(c)
				if no != nil {
					return status, no
				}
				mu.Lock()
				current = status
				mu.Unlock()
				s.sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				return current, nil
			}
		}),
	}
}
