package impostor

import (
	"slices"
)

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
		broken("filter-fails", ruleFilterOK, "A filtered list gets 500.", setStatus(func(c *call, a *answer) bool {
			return c.op == listPets && a.status == 200 && c.req.URL.Query().Has("status")
		}, 500), editBody(on(listPets, 500), func(any) any {
			return object{{"code", "internal"}, {"message", "oops"}, {"status", 500}}
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
		broken("empty-store-null", ruleEmpty, "The list of an empty store is null; a filter that finds nothing yields [].",
			emptyList(false, bare(nullBody))),
		broken("empty-filter-null", ruleEmpty, "A filter that finds nothing yields null.", emptyFiltered(bare(nullBody))),
		broken("empty-text", ruleEmpty, "A list that is empty is an empty string.", emptyList(true, bare(""))),
		broken("empty-false", ruleEmpty, "A filter that finds nothing yields false.", emptyFiltered(bare(false))),
		broken("empty-nested", ruleEmpty, "A list that is empty holds an empty list.", emptyList(true, bare(array{array{}}))),
		broken("empty-blank-animal", ruleEmpty, "A list that is empty holds an empty object.", emptyList(true, bare(array{object{}}))),
		broken("empty-filter-400", ruleEmpty, "A filter that finds nothing gets 400.", emptyFiltered(failing(400))),
		broken("empty-filter-500", ruleEmpty, "A filter that finds nothing gets 500.", emptyFiltered(failing(500))),
		broken("empty-store-500", ruleEmpty, "The list of an empty store gets 500.", emptyList(false, failing(500))),
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
