package impostor

import (
	"slices"
	"strings"
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
		broken("refuses-sold-409", rulePlain, "A new animal that is sold gets 409.", bad(409, func(d draft) bool { return d.status == "sold" })),
		broken("refuses-names-over-16", rulePlain, "A name of more than 16 characters gets 400.", named(func(name string) bool { return len(name) > 16 })),
		broken("refuses-few-animals", rulePlain, "More than ten new animals get 400.", refuse(400, "the store is full",
			func(s *service, _ draft) bool { return s.store.size() >= 10 })),
		broken("refuses-many-animals", rulePlain, "More than 40 new animals get 403.", refuse(403, "the store is full",
			func(s *service, _ draft) bool { return s.store.size() >= 40 })),
		broken("refuses-second-of-a-kind", rulePlain, "A category takes one animal of each status, then 400.",
			refuse(400, "there is one already", func(s *service, d draft) bool {
				return slices.ContainsFunc(s.store.all(), func(a animal) bool {
					return a.category == d.category && a.status == d.status
				})
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
		broken("fails-on-markup", ruleExact, "Names with markup get 403, from a guard before the service.",
			refuse(403, "suspicious", func(_ *service, d draft) bool { return strings.ContainsAny(d.name, "<>") })),
		broken("fails-on-names-over-100", ruleExact, "Names of more than 100 characters get 422.",
			refuse(422, "too long", func(_ *service, d draft) bool { return utf8.RuneCountInString(d.name) > 100 })),
		broken("fails-on-long-bodies", ruleExact, "Bodies of more than 8 KiB get 413.",
			wrapHandler(func(s *service, c *call, next func(*call) *answer) *answer {
				if c.op == createPet && len(c.body) > 8<<10 && s.admit(c) {
					return s.failure(c, refusal{413, "too_large", "the body is too long"})
				}
				return next(c)
			})),
		broken("fails-on-other-category-500", ruleExact, "Any category but 1 gets 500, for want of a key.",
			fails(func(d draft) bool { return d.category != 1 })),
	}
}

func wrongCategories() []Variant {
	category := func(f func(n int64) int64) change { return editDraft(func(d *draft) { d.category = f(d.category) }) }
	return []Variant{
		broken("category-next", ruleEcho, "An animal is put into the category after the one sent.", category(func(n int64) int64 { return n + 1 })),
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
	}
}

// throughFloat converts an integer the way a language that has only floats does, clamped to int64.
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
		broken("status-available-not-in-create", ruleEcho, "The response to a creation shows no status if it is available.", editPet(func(o object) object {
			if o.value("status") == "available" {
				return o.without("status")
			}
			return o
		}, createPet)),
		broken("status-not-in-list", ruleFilter, "Lists show no status.", editPet(func(o object) object { return o.without("status") }, listPets)),
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
		broken("create-escapes-kept", ruleExact, "\\u escapes in a name are kept as they were written.", editDraft(func(d *draft) {
			if text := lastOf(d.given, "name"); strings.Contains(text, `\u`) {
				d.name = strings.Trim(text, `"`)
			}
		})),
	}
}
