package variants

import (
	"context"

	"hallmark/reference/petstore"
)

// blankRetained refuses creations with a status, and stores an animal all the same of which nothing tells where it came
// from, where f tells by what was sent.
func blankRetained(status int, f func(x *exchange) bool) change {
	return handling(func(x *exchange, next func()) {
		next()
		if !x.is(createPet) || x.Status != status || !f(x) {
			return
		}
		status, header, answer, body, request := x.Status, x.Header, x.Answer, x.Body, x.Request
		x.LetIn()
		x.Body = []byte(`{"name": "", "categoryId": 0}`)
		next()
		x.Status, x.Header, x.Answer, x.Body, x.Request = status, header, answer, body, request
	})
}

// blankFaults store what was refused in a form in which nobody recognises it.
func blankFaults() []Fault {
	const rule = "create.no-trace"
	nameless := func(x *exchange) bool { _, isText := x.Sent()["name"].(string); return !isText }
	return []Fault{
		fault("refused-blank-stored", rule, "Whatever is refused is stored without its name and category.",
			blankRetained(400, func(*exchange) bool { return true })),
		fault("refused-nameless-stored", rule, "An object without a name is refused, and stored with an empty one.",
			blankRetained(400, func(x *exchange) bool { return x.Sent() != nil && nameless(x) })),
		fault("refused-malformed-blank-stored", rule, "A body that cannot be read is refused, and a blank animal stored.",
			blankRetained(400, func(x *exchange) bool { return x.Sent() == nil })),
		fault("refused-bad-value-blank-stored", rule, "An animal with a bad status is refused, and stored without its name and category.",
			blankRetained(400, func(x *exchange) bool { _, there := x.Sent()["status"]; return there })),
		fault("refused-blank-stored-when-full", rule, "On a store of more than a hundred animals whatever is refused is stored without its name.",
			fresh(func() change {
				var full func() bool
				return together(
					storing(func(s petstore.Store) petstore.Store {
						full = func() bool { all, err := ofAll(context.Background(), s); return err == nil && len(all) > 100 }
						return s
					}),
					blankRetained(400, func(*exchange) bool { return full() }))
			})),
		fault("auth-stores-blank", "auth.no-trace", "A creation with a bad credential is answered 401, and a blank animal stored.",
			blankRetained(401, func(*exchange) bool { return true })),
	}
}
