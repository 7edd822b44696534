package variants

import (
	"context"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// blankRetained rejects creations selected by f with a status, but stores an animal that cannot be traced to its request.
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

// blankFaults returns faults that store rejected animals in an unrecognizable form.
func blankFaults() []Fault {
	const rule = "create.no-trace"
	nameless := func(x *exchange) bool { _, isText := x.Sent()["name"].(string); return !isText }
	return []Fault{
		fault("refused-blank-stored", rule, "Rejected animals are stored without their names and categories.",
			blankRetained(400, func(*exchange) bool { return true })),
		fault("refused-nameless-stored", rule, "An object without a name is rejected, but stored with an empty one.",
			blankRetained(400, func(x *exchange) bool { return x.Sent() != nil && nameless(x) })),
		fault("refused-malformed-blank-stored", rule, "An unreadable body is rejected, but a blank animal is stored.",
			blankRetained(400, func(x *exchange) bool { return x.Sent() == nil })),
		fault("refused-bad-value-blank-stored", rule, "An animal with a bad status is rejected, but stored without its name and category.",
			blankRetained(400, func(x *exchange) bool { _, there := x.Sent()["status"]; return there })),
		fault("refused-blank-stored-when-full", rule, "With more than a hundred animals in the store, rejected animals are stored without their names.",
			fresh(func() change {
				var full func() bool
				return together(
					storing(func(s petstore.Store) petstore.Store {
						full = func() bool { all, err := ofAll(context.Background(), s); return err == nil && len(all) > 100 }
						return s
					}),
					blankRetained(400, func(*exchange) bool { return full() }))
			})),
		fault("auth-stores-blank", "auth.no-trace", "A creation with a bad credential gets 401, but a blank animal is stored.",
			blankRetained(401, func(*exchange) bool { return true })),
	}
}
