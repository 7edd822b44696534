package impostor

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	rulePlain  = "a plain animal is accepted"
	ruleEcho   = "a created animal is what was sent"
	ruleExact  = "an animal is accepted exactly or refused by 400"
	ruleStored = "a created animal stays as it was answered"
)

// brokenCreate refuse good bodies, or make something else of them.
func brokenCreate() []Variant {
	return slices.Concat(refusedBodies(), failedBodies(), wrongCategories(), wrongStatuses(), otherAnimals())
}

func refusedBodies() []Variant {
	bad := func(status int, f func(d draft) bool) change {
		return refuse(status, "not to our liking", func(_ *service, d draft) bool { return f(d) })
	}
	plain := func(name string) bool {
		return len(name) <= 40 && !strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII || r < ' ' })
	}
	named := func(f func(name string) bool) change {
		return bad(400, func(d draft) bool { return plain(d.name) && f(d.name) })
	}
	return []Variant{
		broken("refuses-no-status", rulePlain, "A body without a status gets 400.", bad(400, func(d draft) bool { return d.status == "" })),
		broken("refuses-available", rulePlain, "A new animal that is available gets 400.", bad(400, func(d draft) bool { return d.status == "available" })),
		broken("refuses-pending", rulePlain, "A new animal that is pending gets 400.", bad(400, func(d draft) bool { return d.status == "pending" })),
		broken("refuses-sold", rulePlain, "A new animal that is sold gets 400.", bad(400, func(d draft) bool { return d.status == "sold" })),
		broken("refuses-sold-409", rulePlain, "A new animal that is sold gets 409.", bad(409, func(d draft) bool { return d.status == "sold" })),
		broken("refuses-short-names", rulePlain, "A name of fewer than three characters gets 400.",
			named(func(name string) bool { return len(name) > 0 && len(name) < 3 })),
		broken("refuses-names-over-32", rulePlain, "A name of more than 32 characters gets 400.", named(func(name string) bool { return len(name) > 32 })),
		broken("refuses-names-over-20", rulePlain, "A name of more than 20 characters gets 400.", named(func(name string) bool { return len(name) > 20 })),
		broken("refuses-names-over-16", rulePlain, "A name of more than 16 characters gets 400.", named(func(name string) bool { return len(name) > 16 })),
		broken("refuses-40-characters", rulePlain, "A name of exactly 40 characters gets 400.", named(func(name string) bool { return len(name) == 40 })),
		broken("refuses-few-animals", rulePlain, "More than ten new animals get 400.", refuse(400, "the store is full",
			func(s *service, _ draft) bool { return s.store.size() >= 10 })),
		broken("refuses-many-animals", rulePlain, "More than 40 new animals get 403.", refuse(403, "the store is full",
			func(s *service, _ draft) bool { return s.store.size() >= 40 })),
		flaky("refuses-every-20th", rulePlain, "Every 20th creation gets 400, whatever its body.", func(s *service) {
			tries := counter()
			refuse(400, "no luck", func(*service, draft) bool { return tries()%20 == 0 })(s)
		}),
		broken("refuses-second-of-a-kind", rulePlain, "A category takes one animal of each status, then 400.",
			refuse(400, "there is one already", func(s *service, d draft) bool {
				return slices.ContainsFunc(s.store.all(), func(a animal) bool {
					return a.category == d.category && a.status == d.status
				})
			})),
		broken("refuses-repeated-names-409", ruleExact, "A name that the store has already gets 409.",
			refuse(409, "the name is taken", func(s *service, d draft) bool {
				return slices.ContainsFunc(s.store.all(), func(a animal) bool { return a.name == d.name })
			})),
		broken("refuses-json-without-charset", rulePlain, "A body that is called JSON without a charset gets 415.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				media := strings.ToLower(c.req.Header.Get("Content-Type"))
				if a := next(c); c.op != createPet || a.status != 201 || strings.Contains(media, "charset") {
					return a
				}
				return s.failure(c, refusal{415, "media_type", "name the charset"})
			})),
	}
}

// failedBodies stumble over bodies that are valid but unusual.
func failedBodies() []Variant {
	fails := func(f func(d draft) bool) change {
		return refuse(500, "oops", func(_ *service, d draft) bool { return f(d) })
	}
	return []Variant{
		broken("fails-on-emoji", ruleExact, "Names beyond the basic plane get 500.", fails(func(d draft) bool {
			return strings.ContainsFunc(d.name, func(r rune) bool { return r > 0xffff })
		})),
		broken("fails-on-non-ascii", ruleExact, "Names beyond ASCII get 500.", fails(func(d draft) bool {
			return strings.ContainsFunc(d.name, func(r rune) bool { return r > unicode.MaxASCII })
		})),
		broken("fails-on-quotes", ruleExact, "Names with a single quote get 500.", fails(func(d draft) bool { return strings.Contains(d.name, "'") })),
		broken("fails-on-double-quotes", ruleExact, "Names with a double quote get 500.", fails(func(d draft) bool { return strings.Contains(d.name, `"`) })),
		broken("fails-on-backslash", ruleExact, "Names with a backslash get 500.", fails(func(d draft) bool { return strings.Contains(d.name, `\`) })),
		broken("fails-on-markup", ruleExact, "Names with markup get 403, from a guard before the service.",
			refuse(403, "suspicious", func(_ *service, d draft) bool { return strings.ContainsAny(d.name, "<>") })),
		broken("fails-on-sql", ruleExact, "Names with words of SQL get 406, from a guard before the service.",
			refuse(406, "suspicious", func(_ *service, d draft) bool {
				upper := strings.ToUpper(d.name)
				return strings.Contains(upper, "DROP TABLE") || strings.Contains(upper, "SELECT ") || strings.Contains(upper, "OR 1=1")
			})),
		broken("fails-on-nul", ruleExact, "The character zero in a name gets 500.", fails(func(d draft) bool { return strings.ContainsRune(d.name, 0) })),
		broken("fails-on-empty-name", ruleExact, "An empty name gets 500.", fails(func(d draft) bool { return d.name == "" })),
		broken("fails-on-empty-name-422", ruleExact, "An empty name gets 422.",
			refuse(422, "too short", func(_ *service, d draft) bool { return d.name == "" })),
		broken("fails-on-blank-name-422", ruleExact, "A blank name gets 422.",
			refuse(422, "blank", func(_ *service, d draft) bool { return d.name != "" && strings.TrimSpace(d.name) == "" })),
		broken("fails-on-names-over-255", ruleExact, "Names of more than 255 characters get 500.",
			fails(func(d draft) bool { return utf8.RuneCountInString(d.name) > 255 })),
		broken("fails-on-names-over-100", ruleExact, "Names of more than 100 characters get 422.",
			refuse(422, "too long", func(_ *service, d draft) bool { return utf8.RuneCountInString(d.name) > 100 })),
		broken("fails-on-long-bodies", ruleExact, "Bodies of more than 8 KiB get 413.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.op == createPet && len(c.body) > 8<<10 && s.admit(c) {
					return s.failure(c, refusal{413, "too_large", "the body is too long"})
				}
				return next(c)
			})),
		broken("fails-on-negative-category", ruleExact, "A negative categoryId gets 500.", fails(func(d draft) bool { return d.category < 0 })),
		broken("fails-on-category-0", ruleExact, "The categoryId 0 gets 500.", fails(func(d draft) bool { return d.category == 0 })),
		broken("fails-on-large-category", ruleExact, "A categoryId beyond 32 bits gets 500.",
			fails(func(d draft) bool { return int64(int32(d.category)) != d.category })),
		broken("fails-on-other-category-404", ruleExact, "Any category but 1 gets 404.",
			refuse(404, "no such category", func(_ *service, d draft) bool { return d.category != 1 })),
		broken("fails-on-other-category-422", ruleExact, "Any category but 1 gets 422.",
			refuse(422, "no such category", func(_ *service, d draft) bool { return d.category != 1 })),
		broken("fails-on-other-category-500", ruleExact, "Any category but 1 gets 500, for want of a key.",
			fails(func(d draft) bool { return d.category != 1 })),
	}
}

func wrongCategories() []Variant {
	category := func(f func(n int64) int64) change { return editDraft(func(d *draft) { d.category = f(d.category) }) }
	return []Variant{
		broken("category-next", ruleEcho, "An animal is put into the category after the one sent.", category(func(n int64) int64 { return n + 1 })),
		broken("category-next-on-get", ruleStored, "An animal that is read has the category after its own.", editPet(func(o object) object {
			return o.with("categoryId", o.value("categoryId").(int64)+1)
		}, getPet)),
		broken("category-0-on-list", "an id names one animal", "Lists show category 0 for all.", editPet(func(o object) object {
			return o.with("categoryId", 0)
		}, listPets)),
		broken("category-32-bits", ruleInt64, "A categoryId is cut to 32 bits.", category(func(n int64) int64 { return int64(int32(n)) })),
		broken("category-unsigned-32-bits", ruleInt64, "A categoryId is cut to 32 bits without a sign.", category(func(n int64) int64 { return int64(uint32(n)) })),
		broken("category-float", ruleInt64, "A categoryId goes through a float64.", category(throughFloat)),
		broken("category-float-on-get", ruleInt64, "A categoryId goes through a float64 when an animal is read.", editPet(func(o object) object {
			return o.with("categoryId", throughFloat(o.value("categoryId").(int64)))
		}, getPet)),
		broken("category-float-on-list", ruleInt64, "A categoryId goes through a float64 in lists.", editPet(func(o object) object {
			return o.with("categoryId", throughFloat(o.value("categoryId").(int64)))
		}, listPets)),
		broken("category-float-on-create", ruleInt64, "A categoryId goes through a float64 in the response to a creation.", editPet(func(o object) object {
			return o.with("categoryId", throughFloat(o.value("categoryId").(int64)))
		}, createPet)),
		broken("category-32-bits-on-get", ruleInt64, "A categoryId is cut to 32 bits when an animal is read.", editPet(func(o object) object {
			return o.with("categoryId", int64(int32(o.value("categoryId").(int64))))
		}, getPet)),
		broken("category-clamped-32-bits", ruleInt64, "A categoryId beyond 32 bits counts as the nearest that fits.",
			category(func(n int64) int64 { return max(-1<<31, min(n, 1<<31-1)) })),
		broken("category-clamped-53-bits", ruleInt64, "A categoryId beyond 53 bits counts as the nearest that fits.",
			category(func(n int64) int64 { return max(-1<<53+1, min(n, 1<<53-1)) })),
		broken("category-without-sign", ruleEcho, "A negative categoryId loses its sign.", category(func(n int64) int64 { return max(n, -n) })),
	}
}

// throughFloat is what becomes of an integer in a language that has only
// floats, clamped to int64.
func throughFloat(n int64) int64 {
	f := float64(n)
	if f >= 1<<63 {
		return 1<<63 - 1
	}
	return int64(f)
}

func wrongStatuses() []Variant {
	status := func(f func(status string) string) change { return editDraft(func(d *draft) { d.status = f(d.status) }) }
	only := func(from, to string) func(string) string {
		return func(s string) string {
			if s == from {
				return to
			}
			return s
		}
	}
	return []Variant{
		broken("status-always-none", ruleEcho, "No new animal gets a status.", status(func(string) string { return "" })),
		broken("status-sold-becomes-available", ruleEcho, "A new animal that is sold becomes available.", status(only("sold", "available"))),
		broken("status-pending-lost", ruleEcho, "A new animal that is pending gets no status.", status(only("pending", ""))),
		broken("status-pending-becomes-sold", ruleEcho, "A new animal that is pending becomes sold.", status(only("pending", "sold"))),
		broken("status-not-in-create", ruleEcho, "The response to a creation shows no status.",
			editPet(func(o object) object { return o.without("status") }, createPet)),
		broken("status-available-not-in-create", ruleEcho, "The response to a creation shows no status if it is available.", editPet(func(o object) object {
			if o.value("status") == "available" {
				return o.without("status")
			}
			return o
		}, createPet)),
		broken("status-not-in-get", ruleStored, "An animal that is read shows no status.",
			editPet(func(o object) object { return o.without("status") }, getPet)),
		broken("status-not-in-list", ruleFilter, "Lists show no status.", editPet(func(o object) object { return o.without("status") }, listPets)),
		broken("status-other-in-get", ruleStored, "An animal that is read shows the status after its own.", editPet(func(o object) object {
			next := map[any]string{"available": "pending", "pending": "sold", "sold": "available"}
			if to, ok := next[o.value("status")]; ok {
				return o.with("status", to)
			}
			return o
		}, getPet)),
		broken("status-default-late", ruleStored, "An animal created without a status shows none at first, then available.", editPet(func(o object) object {
			if o.has("status") {
				return o
			}
			return o.with("status", "available")
		}, getPet)),
		broken("status-default-two-ways", ruleStored, "An animal created without a status is available at first, then pending.",
			func(s *service) {
				editPet(func(o object) object {
					if o.has("status") {
						return o
					}
					return o.with("status", "available")
				}, createPet)(s)
				wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
					stored := a
					if a.status == "" {
						stored.status = "pending"
					}
					next(c, stored)
					return a
				})(s)
			}),
	}
}

func otherAnimals() []Variant {
	return []Variant{
		broken("create-shows-first", ruleEcho, "The response to a creation shows the first animal of the store.",
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				next(c, a)
				return s.store.all()[0]
			})),
		flaky("create-not-stored-every-10th", ruleStored, "Every tenth created animal is answered and forgotten.", func(s *service) {
			creations := counter()
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				if creations()%10 == 0 {
					return a
				}
				return next(c, a)
			})(s)
		}),
		broken("create-without-status-not-stored", ruleStored, "Animals without a status are answered and forgotten.",
			wrapKeep(func(_ *service, c *call, a animal, next func(*call, animal) animal) animal {
				if a.status == "" {
					return a
				}
				return next(c, a)
			})),
		broken("create-replaces-namesake", ruleStored, "A new animal takes the place of one with the same name.",
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				s.store.change(func(animals []animal) []animal {
					return slices.DeleteFunc(animals, func(b animal) bool { return b.name == a.name })
				})
				return next(c, a)
			})),
		broken("create-one-per-status", ruleStored, "A new animal takes the place of the last one with the same status and category.",
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				s.store.change(func(animals []animal) []animal {
					return slices.DeleteFunc(animals, func(b animal) bool { return b.category == a.category && b.status == a.status })
				})
				return next(c, a)
			})),
		broken("create-field-order", rulePlain, "A body whose categoryId comes before its name gets 400.",
			refuse(400, "name first", func(_ *service, d draft) bool {
				place := func(name string) int { return slices.IndexFunc(d.given, func(f field) bool { return f.name == name }) }
				return place("categoryId") < place("name")
			})),
		broken("create-escapes-kept", ruleExact, "\\u escapes in a name are kept as they were written.", editDraft(func(d *draft) {
			if text := lastOf(d.given, "name"); strings.Contains(text, `\u`) {
				d.name = strings.Trim(text, `"`)
			}
		})),
		flaky("create-swapped", ruleEcho, "Of creations that overlap each may be answered with the other's animal.", func(s *service) {
			var mu sync.Mutex
			var current animal
			wrapKeep(func(s *service, c *call, a animal, next func(*call, animal) animal) animal {
				stored := next(c, a)
				mu.Lock()
				current = stored
				mu.Unlock()
				s.sleep(2 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				return current
			})(s)
		}),
		flaky("create-lost", ruleStored, "Of creations that overlap one overwrites the other's animal.",
			wrapKeep(func(s *service, _ *call, a animal, _ func(*call, animal) animal) animal {
				before := s.store.all()
				s.sleep(2 * time.Millisecond)
				s.store.change(func([]animal) []animal { return append(before, a) })
				return a
			})),
		flaky("create-refused-when-busy", rulePlain, "A creation that overlaps another gets 409.", func(s *service) {
			var busy sync.Mutex
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.op != createPet || !s.admit(c) {
					return next(c)
				}
				if !busy.TryLock() {
					return s.failure(c, refusal{409, "conflict", "someone else was faster"})
				}
				defer busy.Unlock()
				s.sleep(2 * time.Millisecond)
				return next(c)
			})(s)
		}),
	}
}
