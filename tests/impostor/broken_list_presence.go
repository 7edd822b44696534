package impostor

import (
	"sync"
	"time"
)

func wrongPresence() []Variant {
	// hiding keeps animals out of lists.
	hiding := func(f func(s *service, c *call, i, n int, a animal) bool) change {
		return func(s *service) {
			before := s.rows
			s.rows = func(c *call) []animal {
				var rows []animal
				all := before(c)
				for i, a := range all {
					if !f(s, c, i, len(all), a) {
						rows = append(rows, a)
					}
				}
				return rows
			}
		}
	}
	plain := func(c *call) bool { return c.req.URL.RawQuery == "" }
	return []Variant{
		broken("listed-never", ruleListedAll, "Created animals are in no list.", hiding(func(*service, *call, int, int, animal) bool { return true })),
		broken("listed-but-first", ruleListedAll, "The oldest animal is missing from lists.",
			hiding(func(_ *service, _ *call, i, _ int, _ animal) bool { return i == 0 })),
		broken("listed-only-available", ruleListedAll, "Without a filter only available animals are listed.",
			hiding(func(_ *service, c *call, _, _ int, a animal) bool {
				return a.status != "available" && !c.req.URL.Query().Has("status")
			})),
		broken("listed-not-without-status", ruleListedAll, "Animals without a status are in no list.",
			hiding(func(_ *service, _ *call, _, _ int, a animal) bool { return a.status == "" })),
		broken("listed-later", ruleListedAll, "An animal is in lists only after half a second.", func(s *service) {
			var born sync.Map
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				born.Store(a.id, time.Now())
				return next(c, a)
			})(s)
			hiding(func(_ *service, _ *call, _, _ int, a animal) bool {
				at, ok := born.Load(a.id)
				return ok && time.Since(at.(time.Time)) < 500*time.Millisecond
			})(s)
		}),
		broken("listed-after-ten-requests", ruleListedAll, "An animal is in lists only ten requests after its creation.", func(s *service) {
			var born sync.Map
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				born.Store(a.id, c.nth)
				return next(c, a)
			})(s)
			hiding(func(_ *service, c *call, _, _ int, a animal) bool {
				at, ok := born.Load(a.id)
				return ok && c.nth < at.(int64)+10
			})(s)
		}),
		broken("listed-stale-with-filter", ruleListedAll, "A filtered list stays for ever what it was when first asked.", func(s *service) {
			var seen sync.Map
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				if status == "" {
					return next(c, limit, status)
				}
				rows, _ := seen.LoadOrStore(c.req.URL.RawQuery, next(c, limit, status))
				return rows.([]animal)
			})(s)
		}),
		flaky("listed-stale-a-second", ruleListedAll, "A list is kept for a second after it was asked.", func(s *service) {
			type kept struct {
				rows []animal
				at   time.Time
			}
			var seen sync.Map
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				if old, ok := seen.Load(c.req.URL.RawQuery); ok && time.Since(old.(kept).at) < time.Second {
					return old.(kept).rows
				}
				rows := next(c, limit, status)
				seen.Store(c.req.URL.RawQuery, kept{rows, time.Now()})
				return rows
			})(s)
		}),
		broken("listed-other-query", ruleFilter, "A list is kept by its limit alone, so that a filter gets what was asked without it.",
			func(s *service) {
				var seen sync.Map
				wrapPage(func(s *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
					type kept struct {
						rows []animal
						size int
					}
					if old, ok := seen.Load(limit); ok && old.(kept).size == s.store.size() {
						return old.(kept).rows
					}
					rows := next(c, limit, status)
					seen.Store(limit, kept{rows, s.store.size()})
					return rows
				})(s)
			}),
		broken("listed-other-id", "an id names one animal", "Lists show ids one greater than they are.", editPet(func(o object) object {
			return o.with("id", o.value("id").(int64)+1)
		}, listPets)),
		broken("listed-first-id", ruleOnce, "Lists show the id of the first animal for all.", editBody(on(listPets, 200), func(body any) any {
			list := body.(array)
			for i := range list {
				list[i] = list[i].(object).with("id", list[0].(object).value("id"))
			}
			return list
		})),
		broken("listed-index-zero", "an id names one animal", "Lists show places in the list for ids.", editBody(on(listPets, 200), func(body any) any {
			list := body.(array)
			for i := range list {
				list[i] = list[i].(object).with("id", i)
			}
			return list
		})),
		broken("listed-less-without-query", ruleDefault, "Without a query a list holds only the first half of what it ought to.",
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := next(c, limit, status)
				if plain(c) {
					return rows[:(len(rows)+1)/2]
				}
				return rows
			})),
	}
}
