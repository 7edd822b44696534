package impostor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
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

// relimit replaces the limit of a list.
func relimit(f func(c *call, limit int, status string) int) change {
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
		return relimit(func(c *call, limit int, _ string) int {
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
		broken("limit-counts-as-20", ruleLimit, "A list holds 20 animals, whatever the limit.", given(func(int) int { return 20 })),
		broken("limit-one-more-below-100", ruleLimit, "A list holds one animal more than its limit, but never over 100.",
			given(func(n int) int { return min(n+1, 100) })),
		broken("limit-one-means-two", ruleLimit, "With limit=1 a list holds two animals.", given(func(n int) int { return max(n, 2) })),
		broken("limit-at-least-5", ruleLimit, "A limit below 5 counts as 5.", given(func(n int) int { return max(n, 5) })),
		broken("limit-at-least-10", ruleLimit, "A limit below 10 counts as 10.", given(func(n int) int { return max(n, 10) })),
		broken("limit-rounded-to-tens", ruleLimit, "A limit is rounded up to tens.", given(func(n int) int { return (n + 9) / 10 * 10 })),
		broken("limit-ignored-beyond-50", ruleLimit, "A limit beyond 50 counts for nothing.", given(func(n int) int {
			if n > 50 {
				return everything
			}
			return n
		}), seeded(150, plainAnimal)),
		broken("limit-100-means-200", ruleHundred, "With limit=100 a list holds up to 200 animals.", given(func(n int) int {
			if n == 100 {
				return 200
			}
			return n
		}), seeded(150, plainAnimal)),
		broken("limit-ignored-with-filter", ruleLimit, "With a filter the limit counts for nothing.", relimit(func(_ *call, limit int, status string) int {
			if status != "" {
				return everything
			}
			return limit
		})),
		broken("limit-ignored-without-filter", ruleLimit, "Without a filter the limit counts for nothing, up to 100.",
			relimit(func(c *call, limit int, status string) int {
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
		broken("limit-over-50-refused", ruleLimitOK, "A limit over 50 gets 400.", refused(400, func(n int) bool { return n > 50 })),
		broken("limit-100-fails", ruleLimitOK, "limit=100 gets 500.", refused(500, func(n int) bool { return n == 100 })),
		broken("limit-compared-as-text", ruleLimitOK, "Limits are compared with 100 as texts, so 2 to 99 get 400.",
			refused(400, func(n int) bool { return fmt.Sprint(n) > "100" })),
		broken("limit-odd-refused", ruleLimitOK, "A limit that is not 1 nor a multiple of five gets 400.",
			refused(400, func(n int) bool { return n != 1 && n%5 != 0 })),
		broken("limit-more-than-stored-404", ruleListed, "A limit greater than the store gets 404.", func(s *service) {
			refused(404, func(n int) bool { return n > s.store.size() })(s)
		}),
		broken("limit-zero-means-all", ruleHundred, "limit=0 yields the whole store.", oddLimit(func(text string) int {
			if text == "0" {
				return everything
			}
			return clamped(text)
		}), seeded(150, plainAnimal)),
		broken("limit-odd-means-all", ruleHundred, "A limit that is no number yields the whole store.", oddLimit(func(text string) int {
			if _, isNumber := exactly(text); !isNumber {
				return everything
			}
			return clamped(text)
		}), seeded(150, plainAnimal)),
	}
}

func wrongDefaults() []Variant {
	// without applies to lists that came without a limit.
	without := func(n int) change {
		return relimit(func(c *call, limit int, _ string) int {
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
		return relimit(func(c *call, limit int, status string) int {
			if c.req.URL.Query().Has("limit") || (status != "") != filtered {
				return limit
			}
			return n
		})
	}
	return append(all,
		broken("default-0", ruleDefault, "Without a limit a list holds nothing.", without(0)),
		broken("default-50-with-filter", ruleDefault, "With a filter and without a limit it is 50.", withFilter(true, 50)),
		broken("default-100-with-filter", ruleDefault, "With a filter and without a limit it is 100.", withFilter(true, 100)),
		broken("default-100-without-filter", ruleDefault, "Without a filter and without a limit it is 100.", withFilter(false, 100)),
	)
}

func wrongFilters() []Variant {
	// matching replaces the comparison of an animal with the filter.
	matching := func(f func(c *call, a animal, status string) bool) change {
		return func(s *service) {
			before := s.matches
			s.matches = func(c *call, a animal, status string) bool {
				if status == "" {
					return before(c, a, status)
				}
				return f(c, a, status)
			}
		}
	}
	refused := func(value string) Variant {
		return broken("filter-refused-for-"+value, ruleFilterOK, "The filter "+value+" gets 400.", func(s *service) {
			before := s.readStatus
			s.readStatus = func(c *call) (string, *refusal) {
				status, no := before(c)
				if status == value {
					return "", &refusal{400, "status", "unknown status"}
				}
				return status, no
			}
		})
	}
	return []Variant{
		refused("available"),
		refused("sold"),
		broken("filter-always-available", ruleFilter, "Every filter keeps the animals that are available.",
			matching(func(_ *call, a animal, _ string) bool { return a.status == "available" })),
		broken("filter-unless-sold", ruleFilter, "The filter available keeps all that is not sold.",
			matching(func(_ *call, a animal, status string) bool {
				return a.status == status || status == "available" && a.status != "sold"
			})),
		broken("filter-keeps-none", ruleFilter, "A filter keeps animals without a status as well.",
			matching(func(_ *call, a animal, status string) bool { return a.status == status || a.status == "" })),
		broken("filter-available-keeps-none", ruleFilter, "The filter available keeps animals without a status as well.",
			matching(func(_ *call, a animal, status string) bool {
				return a.status == status || status == "available" && a.status == ""
			})),
		broken("filter-ignored-without-limit", ruleFilter, "Without a limit the filter counts for nothing.",
			matching(func(c *call, a animal, status string) bool {
				return a.status == status || !c.req.URL.Query().Has("limit")
			})),
		broken("filter-on-first-ten", ruleFilter, "Only the first ten animals of the store are filtered.", func(s *service) {
			matching(func(_ *call, a animal, status string) bool {
				animals := s.store.all()
				return a.status == status || len(animals) > 10 && !slices.ContainsFunc(animals[:10], func(b animal) bool { return a.id == b.id })
			})(s)
		}),
		broken("filter-leaks-one", ruleFilter, "The last animal of a filtered list of several is one that does not match.",
			wrapPage(func(s *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := next(c, limit, status)
				if status == "" || len(rows) < 2 {
					return rows
				}
				for _, a := range s.rows(c) {
					if a.status != status {
						return append(rows[:len(rows)-1:len(rows)-1], a)
					}
				}
				return rows
			})),
		broken("filter-leaks-deep", ruleFilter, "The twelfth animal of a filtered list is one that does not match.",
			wrapPage(func(s *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := next(c, limit, status)
				if status != "" && len(rows) >= 12 {
					for _, a := range s.rows(c) {
						if a.status != status {
							rows = slices.Clone(rows)
							rows[11] = a
							break
						}
					}
				}
				return rows
			})),
		broken("filter-fills-up", ruleFilter, "A filtered list is filled up to its limit with animals that do not match.",
			wrapPage(func(s *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := slices.Clone(next(c, limit, status))
				if status != "" {
					for _, a := range s.rows(c) {
						if len(rows) < limit && a.status != status {
							rows = append(rows, a)
						}
					}
				}
				return rows
			})),
		broken("filter-renames", ruleFilter, "A filtered list holds everything, shown with the status that was asked for.",
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				if status == "" {
					return next(c, limit, status)
				}
				rows := slices.Clone(next(c, limit, ""))
				for i := range rows {
					rows[i].status = status
				}
				return rows
			})),
		broken("filter-hides-status", ruleFilter, "A filtered list shows no status.", func(s *service) {
			before := s.showPet
			s.showPet = func(c *call, a animal) any {
				o := before(c, a).(object)
				if c.op == listPets && c.req.URL.Query().Has("status") {
					return o.without("status")
				}
				return o
			}
		}),
		broken("filter-finds-nothing", ruleListedAll, "A filtered list is always empty.",
			matching(func(*call, animal, string) bool { return false })),
		broken("filter-misses-pending", ruleListedAll, "The filter pending finds nothing.",
			matching(func(_ *call, a animal, status string) bool { return a.status == status && status != "pending" })),
		broken("filter-misses-default", ruleListedAll, "Animals that are available by default are missed by the filter available.",
			presumed("available"), func(s *service) {
				var byDefault sync.Map
				wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
					if !strings.Contains(string(c.body), `"status"`) {
						byDefault.Store(a.id, true)
					}
					return next(c, a)
				})(s)
				matching(func(_ *call, a animal, status string) bool {
					_, missed := byDefault.Load(a.id)
					return a.status == status && !missed
				})(s)
			}),
		broken("filter-fails", ruleFilterOK, "A filtered list gets 500.", setStatus(func(c *call, a *answer) bool {
			return c.op == listPets && a.status == 200 && c.req.URL.Query().Has("status")
		}, 500), editBody(on(listPets, 500), func(any) any {
			return object{{"code", "internal"}, {"message", "oops"}, {"status", 500}}
		})),
		broken("filter-with-limit-refused", ruleFilterOK, "A filter together with a limit gets 400.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				a := next(c)
				query := c.req.URL.Query()
				if c.op == listPets && a.status == 200 && query.Has("limit") && query.Has("status") {
					return s.failure(c, refusal{400, "parameters", "one at a time"})
				}
				return a
			})),
	}
}

func wrongEmptiness() []Variant {
	failing := func(status int) func(*answer) {
		return func(a *answer) {
			a.status, a.body = status, object{{"code", "none"}, {"message", "nothing found"}, {"status", status}}
		}
	}
	bare := func(body any) func(*answer) { return func(a *answer) { a.body = body } }
	return []Variant{
		broken("empty-null", ruleEmpty, "A list that is empty is null.", emptyList(true, bare(nullBody))),
		broken("empty-store-null", ruleEmpty, "The list of an empty store is null; a filter that finds nothing yields [].",
			emptyList(false, bare(nullBody))),
		broken("empty-filter-null", ruleEmpty, "A filter that finds nothing yields null.", emptyFiltered(bare(nullBody))),
		broken("empty-object", ruleEmpty, "A list that is empty is an object.", emptyList(true, bare(object{}))),
		broken("empty-text", ruleEmpty, "A list that is empty is an empty string.", emptyList(true, bare(""))),
		broken("empty-false", ruleEmpty, "A filter that finds nothing yields false.", emptyFiltered(bare(false))),
		broken("empty-nested", ruleEmpty, "A list that is empty holds an empty list.", emptyList(true, bare(array{array{}}))),
		broken("empty-blank-animal", ruleEmpty, "A list that is empty holds an empty object.", emptyList(true, bare(array{object{}}))),
		broken("empty-404", ruleEmpty, "A list that is empty gets 404.", emptyList(true, failing(404))),
		broken("empty-filter-404", ruleEmpty, "A filter that finds nothing gets 404.", emptyFiltered(failing(404))),
		broken("empty-filter-400", ruleEmpty, "A filter that finds nothing gets 400.", emptyFiltered(failing(400))),
		broken("empty-filter-500", ruleEmpty, "A filter that finds nothing gets 500.", emptyFiltered(failing(500))),
		broken("empty-store-500", ruleEmpty, "The list of an empty store gets 500.", emptyList(false, failing(500))),
		broken("empty-204", ruleEmpty, "A list that is empty gets 204.", emptyList(true, func(a *answer) {
			a.status, a.body = 204, nil
			a.header["Content-Type"] = nil
		})),
		broken("empty-filter-204", ruleEmpty, "A filter that finds nothing gets 204.", emptyFiltered(func(a *answer) {
			a.status, a.body = 204, nil
			a.header["Content-Type"] = nil
		})),
		broken("empty-message", ruleEmpty, "A filter that finds nothing yields a message with 200.",
			emptyFiltered(bare(object{{"message", "No animals found"}}))),
	}
}

// emptyFiltered does something to the response when a filter finds nothing.
func emptyFiltered(do func(*answer)) change {
	return editAnswer(on(listPets, 200), func(c *call, a *answer) {
		if list, ok := a.body.(array); ok && len(list) == 0 && c.req.URL.Query().Has("status") {
			do(a)
		}
	})
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
		broken("items-37th-text-id", ruleItems, "The 37th animal of a list has a string for its id.", at(36, func(o object) any {
			return o.with("id", string(style{}.text(o.value("id"))))
		})),
		broken("items-37th-no-name", ruleItems, "The 37th animal of a list has no name.", at(36, func(o object) any { return o.without("name") })),
		broken("items-13th-null-category", ruleItems, "The 13th animal of a list has null for its categoryId.",
			at(12, func(o object) any { return o.with("categoryId", nil) })),
		broken("items-second-upper-status", ruleItems, "The second animal of a list has its status in upper case.", at(1, func(o object) any {
			return o.with("status", "SOLD")
		})),
		broken("items-last-null", ruleItems, "The last animal of a long list is null.", at(-1, func(object) any { return nil })),
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
		broken("items-padded", ruleOnce, "Lists are filled up to the limit by repeating animals.",
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows := slices.Clone(next(c, limit, status))
				for n := len(rows); n > 0 && len(rows) < limit; {
					rows = append(rows, rows[len(rows)-n])
				}
				return rows
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
		broken("listed-but-last", ruleListedAll, "The newest animal is missing from lists.",
			hiding(func(_ *service, _ *call, i, n int, _ animal) bool { return i == n-1 })),
		broken("listed-but-first", ruleListedAll, "The oldest animal is missing from lists.",
			hiding(func(_ *service, _ *call, i, _ int, _ animal) bool { return i == 0 })),
		broken("listed-but-every-7th", ruleListedAll, "Every seventh animal is missing from lists.",
			hiding(func(_ *service, _ *call, i, _ int, _ animal) bool { return i%7 == 6 })),
		broken("listed-not-sold", ruleListedAll, "Sold animals are in lists only when they are asked for.",
			hiding(func(_ *service, c *call, _, _ int, a animal) bool {
				return a.status == "sold" && !c.req.URL.Query().Has("status")
			})),
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
		broken("listed-after-next", ruleListedAll, "An animal is in lists only once another has been created.",
			hiding(func(_ *service, _ *call, i, n int, a animal) bool { return i == n-1 && !a.foreign })),
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
		broken("listed-stale", ruleListedAll, "A list stays for ever what it was when its query was first asked.", func(s *service) {
			var seen sync.Map
			wrapPage(func(_ *service, c *call, limit int, status string, next func(*call, int, string) []animal) []animal {
				rows, _ := seen.LoadOrStore(c.req.URL.RawQuery, next(c, limit, status))
				return rows.([]animal)
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
		broken("listed-neighbours-name", "an id names one animal", "In lists each animal has the name of the one before it.",
			editBody(on(listPets, 200), func(body any) any {
				list := body.(array)
				out := slices.Clone(list)
				for i := 1; i < len(list); i++ {
					out[i] = list[i].(object).with("name", list[i-1].(object).value("name"))
				}
				return out
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
