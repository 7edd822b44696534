package impostor

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	ruleLimit     = "limit is the greatest number of animals returned"
	ruleLimitOK   = "a limit from 1 to 100 is accepted"
	ruleDefault   = "without a limit it is 20"
	ruleHundred   = "no list holds more than 100 animals"
	ruleFilter    = "status keeps only the animals that have it"
	ruleFilterOK  = "each of the three values filters"
	ruleEmpty     = "a list with nothing in it is []"
	ruleItems     = "every item of a list is an animal"
	ruleOnce      = "no animal is in a list twice"
	ruleListedAll = "a created animal is in the store"
)

// brokenList fail at lists: their limit, their filter, or what they hold.
func brokenList() []Variant {
	return slices.Concat(wrongLimits(), wrongDefaults(), wrongFilters(), wrongEmptiness(), wrongItems(), wrongPresence())
}

// changeLimit replaces the limit of a list.
func changeLimit(f func(c *call, limit int, status string) int) change {
	return wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
		return next(c, f(c, limit, status), status)
	})
}

// everything is more than any store holds.
const everything = 1 << 30

func wrongLimits() []Variant {
	asked := func(c *call) bool { return c.req.URL.Query().Has("limit") }
	// given applies f to limits that were asked for.
	given := func(f func(limit int) int) change {
		return changeLimit(func(c *call, limit int, _ string) int {
			if !asked(c) {
				return limit
			}
			return f(limit)
		})
	}
	// refused answers limits that were asked for by an error.
	refused := func(status int, bad func(limit int) bool) change {
		return func(s *service) {
			before := s.readLimit
			s.readLimit = func(c *call) (int, *refusal) {
				limit, no := before(c)
				if no == nil && asked(c) && bad(limit) {
					return 0, &refusal{status, "limit", "the limit is out of range"}
				}
				return limit, no
			}
		}
	}
	return []Variant{
		broken("limit-at-least-5", ruleLimit, "A limit below 5 counts as 5.", given(func(n int) int { return max(n, 5) })),
		broken("limit-at-least-10", ruleLimit, "A limit below 10 counts as 10.", given(func(n int) int { return max(n, 10) })),
		broken("limit-100-means-200", ruleHundred, "With limit=100 a list holds up to 200 animals.", given(func(n int) int {
			if n == 100 {
				return 200
			}
			return n
		}), seeded(150, plainAnimal)),
		broken("limit-ignored-without-filter", ruleLimit, "Without a filter the limit counts for nothing, up to 100.",
			changeLimit(func(c *call, limit int, status string) int {
				if status == "" && asked(c) {
					return 100
				}
				return limit
			})),
		broken("limit-per-status", ruleLimit, "The limit is applied to each status on its own.",
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				if status != "" {
					return next(c, limit, status)
				}
				var rows []animal
				counts := map[string]int{}
				for _, a := range next(c, everything, "") {
					if counts[a.status]++; counts[a.status] <= limit && len(rows) < 100 {
						rows = append(rows, a)
					}
				}
				return rows
			})),
		broken("limit-100-refused-422", ruleLimitOK, "limit=100 gets 422.", refused(422, func(n int) bool { return n == 100 })),
		broken("limit-100-fails", ruleLimitOK, "limit=100 gets 500.", refused(500, func(n int) bool { return n == 100 })),
		broken("limit-compared-as-text", ruleLimitOK, "Limits are compared with 100 as texts, so 2 to 99 get 400.",
			refused(400, func(n int) bool { return fmt.Sprint(n) > "100" })),
		broken("limit-more-than-stored-404", ruleListed, "A limit greater than the store gets 404.", func(s *service) {
			refused(404, func(n int) bool { return n > s.store.size() })(s)
		}),
	}
}

func wrongDefaults() []Variant {
	// without applies to lists that came without a limit.
	without := func(n int) change {
		return changeLimit(func(c *call, limit int, _ string) int {
			if c.req.URL.Query().Has("limit") {
				return limit
			}
			return n
		})
	}
	var all []Variant
	for _, n := range []int{5, 25} {
		all = append(all, broken(fmt.Sprintf("default-%d", n), ruleDefault, fmt.Sprintf("Without a limit it is %d.", n), without(n)))
	}
	withFilter := func(filtered bool, n int) change {
		return changeLimit(func(c *call, limit int, status string) int {
			if c.req.URL.Query().Has("limit") || (status != "") != filtered {
				return limit
			}
			return n
		})
	}
	return append(all,
		broken("default-0", ruleDefault, "Without a limit a list holds nothing.", without(0)),
		broken("default-50-with-filter", ruleDefault, "With a filter and without a limit it is 50.", withFilter(true, 50)),
		broken("default-100-without-filter", ruleDefault, "Without a filter and without a limit it is 100.", withFilter(false, 100)),
	)
}

func wrongItems() []Variant {
	// at changes one animal of a list, counted from 0; -1 is the last of
	// lists of at least 20.
	at := func(place int, f func(object) any) change {
		return editBody(on(listPets, 200), func(body any) any {
			list := slices.Clone(body.(array))
			i := place
			if i < 0 && len(list) >= 20 {
				i = len(list) - 1
			}
			if i >= 0 && i < len(list) {
				list[i] = f(list[i].(object))
			}
			return list
		})
	}
	repeated := func(f func(list array) array) change {
		return editBody(on(listPets, 200), func(body any) any { return f(slices.Clone(body.(array))) })
	}
	return []Variant{
		broken("items-13th-null-category", ruleItems, "The 13th animal of a list has null for its categoryId.",
			at(12, func(o object) any { return o.with("categoryId", nil) })),
		broken("items-second-upper-status", ruleItems, "The second animal of a list has its status in upper case.", at(1, func(o object) any {
			return o.with("status", "SOLD")
		})),
		broken("items-last-no-id", ruleItems, "The last animal of a long list has no id.", at(-1, func(o object) any { return o.without("id") })),
		broken("items-37th-empty-status", ruleItems, "The 37th animal of a list has an empty status.",
			at(36, func(o object) any { return o.with("status", "") })),
		broken("items-90th-bare", ruleItems, "The 90th animal of a list is only its id.", at(89, func(o object) any { return o.value("id") }),
			seeded(95, plainAnimal)),
		broken("items-first-repeated", ruleOnce, "A list of several ends in its first animal.", repeated(func(list array) array {
			if n := len(list); n > 1 {
				list[n-1] = list[0]
			}
			return list
		})),
		broken("items-repeated-deep", ruleOnce, "In a list of thirty or more one animal is there twice.", repeated(func(list array) array {
			if len(list) >= 30 {
				list[28] = list[27]
			}
			return list
		})),
		broken("items-doubled", ruleOnce, "Every animal of a list is there twice, as after a wrong join.", repeated(func(list array) array {
			var out array
			for _, item := range list {
				if len(out)+2 <= max(2, len(list)) {
					out = append(out, item, item)
				}
			}
			if out == nil {
				return list
			}
			return out
		})),
		broken("items-repeated-with-filter", ruleOnce, "In a filtered list of several the first animal is there twice.",
			editAnswer(on(listPets, 200), func(c *call, a *answer) {
				if list := a.body.(array); c.req.URL.Query().Has("status") && len(list) > 1 {
					list[1] = list[0]
				}
			})),
		flaky("items-sampled", ruleOnce, "A list is drawn from the store at random, and an animal may be drawn twice.",
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := next(c, limit, status)
				drawn := make([]animal, len(rows))
				for i := range drawn {
					drawn[i] = rows[rand.IntN(len(rows))]
				}
				return drawn
			})),
	}
}
