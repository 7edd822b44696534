package variants

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// plainName reports whether a name must be accepted: printable ASCII of at most 40 characters.
func plainName(name string) bool {
	return name != "" && len(name) <= 40 && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' })
}

// disliking rejects valid creations with 400 or another status.
func disliking(status int, f func(name string, sent map[string]any) bool) change {
	return handling(func(x *exchange, next func()) {
		if x.is(createPet) && x.Authorised() {
			sent := x.Sent()
			if name, ok := sent["name"].(string); ok && f(name, sent) {
				x.fail(status, petstore.CodeInvalidRequest, "This animal cannot be added.")
				return
			}
		}
		next()
	})
}

func hasStatus(status petstore.Status) func(string, map[string]any) bool {
	return func(name string, sent map[string]any) bool {
		return plainName(name) && sent["status"] == string(status)
	}
}

// onceIn selects every n-th animal.
func onceIn(n int64) func() bool {
	var count atomic.Int64
	return func() bool { return every(count.Add(1), n) }
}

// losing responds to the selected creations without storing them.
func losing(make func() func() bool) change {
	return fresh(func() change {
		lose := make()
		var last atomic.Int64
		return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
			if lose() {
				return petstore.Pet{ID: 1<<40 + last.Add(1), NewPet: pet.WithDefaults()}, nil
			}
			return next.Create(ctx, pet)
		})
	})
}

func createFaults() []Fault {
	return []Fault{
		fault("create-available-refused", "create.status.accepted", "The status available is rejected.", disliking(400, hasStatus(petstore.Available))),
		fault("create-pending-refused", "create.status.accepted", "The status pending is rejected.", disliking(400, hasStatus(petstore.Pending))),
		fault("create-sold-refused", "create.status.accepted", "The status sold is rejected.", disliking(400, hasStatus(petstore.Sold))),
		fault("create-status-needed", "create.status.optional", "A creation without a status is rejected.",
			disliking(400, func(name string, sent map[string]any) bool {
				_, there := sent["status"]
				return plainName(name) && !there
			})),
		fault("create-short-name-refused", "create.accepted", "A name of fewer than three characters is rejected.",
			disliking(400, func(name string, _ map[string]any) bool {
				return plainName(name) && strings.TrimSpace(name) != "" && len(name) < 3
			})),
		fault("create-40-refused", "create.accepted", "A name of forty characters is rejected.",
			disliking(400, func(name string, _ map[string]any) bool { return plainName(name) && len(name) == 40 })),
		fault("create-name-twice-409", "answer.status", "A name that another animal has gets 409.", fresh(func() change {
			var taken memo[string, bool]
			return disliking(409, func(name string, sent map[string]any) bool {
				if _, ok := numberIn(sent, "categoryId"); !ok {
					return false
				}
				first := false
				_, _ = taken.get(name, func() (bool, error) { first = true; return true, nil })
				return !first
			})
		})),
		fault("create-over-32-refused", "create.accepted", "A name of more than 32 characters is rejected.",
			disliking(400, func(name string, _ map[string]any) bool { return plainName(name) && len(name) > 32 })),
		fault("create-blanks-refused", "create.accepted", "A name with a blank is rejected.",
			disliking(400, func(name string, _ map[string]any) bool {
				return plainName(name) && strings.Contains(strings.TrimSpace(name), " ")
			})),
		fault("create-digits-refused", "create.accepted", "A name that consists of digits is rejected.",
			disliking(400, func(name string, _ map[string]any) bool {
				return plainName(name) && strings.Trim(name, "0123456789") == ""
			})),
		fault("create-quota", "create.accepted", "After fifty creations every other is rejected.", fresh(func() change {
			var n atomic.Int64
			return disliking(400, func(name string, _ map[string]any) bool { return plainName(name) && n.Add(1) > 50 })
		})),
		fault("create-now-and-then-refused", "create.accepted", "Each twentieth creation is rejected.", fresh(func() change {
			turn := onceIn(20)
			return disliking(400, func(name string, _ map[string]any) bool { return plainName(name) && turn() })
		})),
		fault("create-409", "create.accepted", "A second animal of a category gets 409.", fresh(func() change {
			var n atomic.Int64
			return disliking(409, func(name string, _ map[string]any) bool { return plainName(name) && n.Add(1) > 1 })
		})),
		fault("create-in-reverse-refused", "create.accepted", "A body that does not begin with the name is rejected.",
			handling(func(x *exchange, next func()) {
				if sent := x.Sent(); x.is(createPet) && x.Authorised() && sent != nil {
					text := string(x.Body)
					if name, category := strings.Index(text, `"name"`), strings.Index(text, `"categoryId"`); category >= 0 && category < name {
						x.fail(400, petstore.CodeInvalidRequest, "The name must come first.")
						return
					}
				}
				next()
			})),
		fault("create-indented-refused", "create.accepted", "A body of several lines is rejected.",
			handling(func(x *exchange, next func()) {
				if x.is(createPet) && x.Authorised() && x.Sent() != nil && strings.Contains(string(x.Body), "\n") {
					x.fail(400, petstore.CodeInvalidRequest, "The body must be a single line.")
					return
				}
				next()
			})),
		fault("create-not-stored", "get.created", "Creations succeed but are not stored.",
			losing(func() func() bool { return func() bool { return true } })),
		fault("create-each-9th-lost", "get.created", "Each ninth animal is created but not stored.",
			losing(func() func() bool { return onceIn(9) })),
		fault("create-sold-lost", "get.created", "Animals created as sold are not stored.", fresh(func() change {
			return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				if pet.Status == petstore.Sold {
					exchangeOf(ctx).discard = true
					made, err := next.Create(ctx, pet)
					made.ID = 1<<41 + exchangeOf(ctx).Nth
					return made, err
				}
				return next.Create(ctx, pet)
			})
		})),
		chancy("create-lost-when-busy", "get.created", "Some animals created at the same time are lost.", fresh(func() change {
			var busy atomic.Int64
			return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				defer busy.Add(-1)
				n := busy.Add(1)
				pause()
				if n > 1 {
					exchangeOf(ctx).discard = true
					made, err := next.Create(ctx, pet.WithDefaults())
					made.ID = 1<<41 + exchangeOf(ctx).Nth
					return made, err
				}
				return next.Create(ctx, pet)
			})
		})),
		chancy("create-swapped-when-busy", "create.echo.name", "Of two animals created at the same time, one gets the response of the other.", fresh(func() change {
			var mu sync.Mutex
			var last petstore.Pet
			return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				made, err := next.Create(ctx, pet)
				mu.Lock()
				last = made
				mu.Unlock()
				pause()
				mu.Lock()
				defer mu.Unlock()
				return last, err
			})
		})),
		chancy("create-fails-when-busy", "create.accepted", "A creation fails while another one is in progress.", fresh(func() change {
			var busy atomic.Int64
			return handling(func(x *exchange, next func()) {
				if !x.is(createPet) || !x.Authorised() {
					next()
					return
				}
				defer busy.Add(-1)
				if busy.Add(1) > 1 && plainName(nameOfSent(x)) {
					x.fail(500, petstore.CodeInternal, "The table is locked.")
					return
				}
				pause()
				next()
			})
		})),
		fault("create-shows-previous", "create.echo.name", "The response to a creation shows the previously created animal.", fresh(func() change {
			var mu sync.Mutex
			var before *petstore.Pet
			return creating(func(ctx context.Context, pet petstore.NewPet, next petstore.Store) (petstore.Pet, error) {
				made, err := next.Create(ctx, pet)
				mu.Lock()
				defer mu.Unlock()
				shown := made
				if before != nil {
					shown = *before
				}
				before = &made
				return shown, err
			})
		})),
	}
}

func nameOfSent(x *exchange) string {
	name, _ := x.Sent()["name"].(string)
	return name
}

// crashing responds with 500 to bodies with names selected by f.
func crashing(f func(name string) bool) change {
	return disliking(500, func(name string, _ map[string]any) bool { return f(name) })
}

func holding(characters string) func(string) bool {
	return func(name string) bool { return strings.ContainsAny(name, characters) }
}

func nameFaults() []Fault {
	const rule = "create.name.unusual"
	unusual := func(f func(name string) bool) func(string, map[string]any) bool {
		return func(name string, _ map[string]any) bool { return f(name) }
	}
	category := func(f func(n int64) bool) func(string, map[string]any) bool {
		return func(_ string, sent map[string]any) bool {
			n, ok := numberIn(sent, "categoryId")
			return ok && f(n)
		}
	}
	return []Fault{
		fault("name-emoji-fails", rule, "A name with emoji is a server error.",
			crashing(func(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0xFFFF }) })),
		fault("name-accents-fail", rule, "A name outside ASCII is a server error.",
			crashing(func(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > '~' }) })),
		fault("name-apostrophe-fails", rule, "A name with an apostrophe is a server error.", crashing(holding("'"))),
		fault("name-quotes-fail", rule, "A name with quotes is a server error.", crashing(holding(`"`))),
		fault("name-backslash-fails", rule, "A name with a backslash is a server error.", crashing(holding(`\`))),
		fault("name-markup-fails", rule, "A name with markup is a server error.", crashing(holding("<>"))),
		fault("name-percent-fails", rule, "A name with a percent sign is a server error.", crashing(holding("%"))),
		fault("name-template-fails", rule, "A name with braces is a server error.", crashing(holding("{}"))),
		fault("name-nul-fails", rule, "A name with the null character is a server error.", crashing(holding("\x00"))),
		fault("name-line-feed-fails", rule, "A name with a line feed is a server error.", crashing(holding("\n"))),
		fault("name-empty-fails", rule, "An empty name is a server error.", crashing(func(s string) bool { return s == "" })),
		fault("name-over-255-fails", rule, "A name of more than 255 characters is a server error.",
			crashing(func(s string) bool { return utf8.RuneCountInString(s) > 255 })),
		fault("name-over-1024-fails", rule, "A name of more than 1024 characters is a server error.",
			crashing(func(s string) bool { return utf8.RuneCountInString(s) > 1024 })),
		fault("name-over-50-413", rule, "A name of more than 50 characters gets 413.",
			disliking(413, unusual(func(s string) bool { return utf8.RuneCountInString(s) > 50 }))),
		fault("name-empty-422", rule, "An empty name gets 422.", disliking(422, unusual(func(s string) bool { return s == "" }))),
		fault("name-blank-422", rule, "A blank name gets 422.",
			disliking(422, unusual(func(s string) bool { return s != "" && strings.TrimSpace(s) == "" }))),
		fault("name-sql-403", rule, "A name that looks like SQL gets 403.",
			disliking(403, unusual(func(s string) bool { return strings.Contains(s, "DROP TABLE") }))),
		fault("category-large-fails", "create.categoryId.unusual", "A categoryId beyond 32 bits is a server error.",
			disliking(500, category(func(n int64) bool { return n > 1<<31-1 || n < -1<<31 }))),
		fault("category-negative-fails", "create.categoryId.unusual", "A negative categoryId is a server error.",
			disliking(500, category(func(n int64) bool { return n < 0 }))),
		fault("category-0-fails", "create.categoryId.unusual", "The categoryId 0 is a server error.",
			disliking(500, category(func(n int64) bool { return n == 0 }))),
		fault("category-unknown-404", "create.categoryId.unusual", "An unknown categoryId gets 404.",
			disliking(404, category(func(n int64) bool { return n != 1 }))),
		fault("category-unknown-422", "create.categoryId.unusual", "An unknown categoryId gets 422.",
			disliking(422, category(func(n int64) bool { return n != 1 }))),
	}
}

func numberIn(object map[string]any, name string) (int64, bool) {
	n, ok := object[name].(interface{ String() string })
	if !ok {
		return 0, false
	}
	return petstore.ParseInteger(n.String())
}
