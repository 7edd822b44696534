package variants

import (
	"bytes"
	"mime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// odd reports whether a list was requested with a limit that the interface does not allow.
func odd(x *exchange) bool {
	_, ok := x.limit()
	return x.is(listPets) && x.Query().Has("limit") && !ok
}

// reread changes the query of the requests selected by f.
func reread(f func(x *exchange) bool, name string, value func(text string) string) change {
	return asked(func(x *exchange) {
		if f(x) {
			q := x.Query()
			if v := value(q.Get(name)); v == "" {
				q.Del(name)
			} else {
				q.Set(name, v)
			}
			x.SetQuery(q)
		}
	}, listPets)
}

func unknownStatus(x *exchange) bool {
	q := x.Query()
	return q.Has("status") && !petstore.Status(q.Get("status")).Valid()
}

// coded changes the status of the selected rejections.
func coded(m match, status int) change { return answered(m, func(x *exchange) { restatus(x, status) }) }

func to(text string) func(string) string { return func(string) string { return text } }

func requestFreedoms() []Freedom {
	outside, unknown, oddID := hasQuery("limit"), hasQuery("status"), on(400, getPet)
	clamp := func(text string) string {
		n, err := strconv.Atoi(text)
		if err != nil {
			return ""
		}
		return strconv.Itoa(min(max(n, petstore.MinLimit), petstore.MaxLimit))
	}
	return []Freedom{
		freedom("limit-clamped", "list.limit.outside", "A limit out of range is clamped to the nearest bound.", reread(odd, "limit", clamp)),
		freedom("limit-422", "list.limit.outside", "A limit out of range gets 422.", coded(outside, 422)),
		freedom("limit-404", "list.limit.outside", "A limit out of range gets 404.", coded(outside, 404)),
		freedom("limit-odd-means-20", "list.limit.type", "An invalid limit is ignored.", reread(odd, "limit", to(""))),
		freedom("limit-odd-means-100", "list.limit.type", "An invalid limit counts as 100.", reread(odd, "limit", to("100"))),
		freedom("limit-odd-means-none", "list.limit.outside", "A limit out of range gives an empty list.",
			answered(outside, func(x *exchange) { x.Respond(200, []any{}) })),
		freedom("status-unknown-finds-none", "list.status.unknown", "An unknown status in the query finds nothing.",
			answered(unknown, func(x *exchange) { x.Respond(200, []any{}) })),
		freedom("status-unknown-ignored", "list.status.unknown", "An unknown status in the query is ignored.", reread(unknownStatus, "status", to(""))),
		freedom("status-unknown-422", "list.status.unknown", "An unknown status in the query gets 422.", coded(unknown, 422)),
		freedom("status-any-case", "list.status.unknown", "The status in the query is read without regard to case.", reread(unknownStatus, "status", strings.ToLower)),
		freedom("parameter-unknown-refused", "list.parameter.unknown", "An undefined query parameter is rejected.",
			refusing(func(x *exchange) bool {
				for name := range x.Query() {
					if x.is(listPets) && name != "limit" && name != "status" {
						return true
					}
				}
				return false
			})),
		freedom("parameter-last-wins", "list.parameter.repeated", "The last value of a repeated parameter counts.",
			asked(func(x *exchange) {
				q := x.Query()
				for name, values := range q {
					q[name] = values[len(values)-1:]
				}
				x.SetQuery(q)
			}, listPets)),
		freedom("id-odd-404", "get.petId.type", "An id that is not an int64 gets 404.", coded(oddID, 404)),
		freedom("id-odd-422", "get.petId.type", "An id that is not an int64 gets 422.", coded(oddID, 422)),
		freedom("scheme-exact", "auth.scheme.case", "The scheme must be spelt Bearer.",
			asked(func(x *exchange) {
				if scheme, _, _ := x.Credential(); scheme != "Bearer" {
					x.ShutOut()
				}
			}, listPets, createPet, getPet)),
		freedom("key-without-scheme", "auth.scheme.absent", "The key alone, without a scheme, is accepted too.",
			trusting(func(x *exchange, scheme, _ string, _ bool) bool { return scheme == x.Key })),
		freedom("key-in-query", "auth.query", "The key is accepted in the query too.",
			trusting(func(x *exchange, _, _ string, _ bool) bool { return x.Query().Get("api_key") == x.Key })),
		freedom("routes-html", "other.routes", "An unknown path returns an HTML page.",
			plainError(func(x *exchange) bool { return x.operation == "" }, "text/html; charset=utf-8", "<h1>%d %s</h1>")),
		freedom("routes-app", "other.routes", "Every other path returns 200 with a web application.",
			answered(func(x *exchange) bool { return x.operation == "" }, func(x *exchange) {
				x.Status, x.Answer = 200, []byte("<div id=app></div>")
				x.Header.Set("Content-Type", "text/html")
			})),
		freedom("routes-slash", "other.routes", "A slash at the end of an address makes no difference.",
			handling(func(x *exchange, next func()) {
				if x.Path == "/pets/" {
					x.MoveTo("/pets")
				}
				next()
			})),
		freedom("orders-there", "other.orders", "Store orders can be listed.",
			answered(func(x *exchange) bool { return x.Path == "/store/orders" }, func(x *exchange) { x.Respond(200, []any{map[string]any{"id": mutate.Number(1)}}) })),
	}
}

// valueFreedoms reject valid but unusual values, or accept some that are not quite valid.
func valueFreedoms() []Freedom {
	name := func(f func(string) bool) change {
		return disliking(400, func(name string, _ map[string]any) bool { return f(name) })
	}
	category := func(f func(n int64) bool) change {
		return disliking(400, func(_ string, sent map[string]any) bool { n, ok := numberIn(sent, "categoryId"); return ok && f(n) })
	}
	rune := func(f func(r rune) bool) change {
		return name(func(s string) bool { return strings.ContainsFunc(s, f) })
	}
	media := func(status int, none bool) change {
		return handling(func(x *exchange, next func()) {
			kind, _, _ := mime.ParseMediaType(x.Request.Header.Get("Content-Type"))
			if x.is(createPet) && x.Authorised() && len(x.Body) > 0 && kind != "application/json" && (kind != "" || none) {
				x.fail(status, "media_type", "This media type is not supported.")
				return
			}
			next()
		})
	}
	const refused = "create.value.refused"
	return []Freedom{
		freedom("names-up-to-40", refused, "Names of more than 40 characters are rejected.", name(func(s string) bool { return utf8.RuneCountInString(s) > 40 })),
		freedom("names-up-to-255", refused, "Names of more than 255 bytes are rejected.", name(func(s string) bool { return len(s) > 255 })),
		freedom("names-not-blank", refused, "Empty and blank names are rejected.", name(func(s string) bool { return strings.TrimSpace(s) == "" })),
		freedom("names-without-controls", refused, "Control characters in a name are rejected.", rune(unicode.IsControl)),
		freedom("names-ascii", refused, "Names outside ASCII are rejected.", rune(func(r int32) bool { return r > unicode.MaxASCII })),
		freedom("names-plain", refused, "Names with quotes, markup, backslashes or per cent signs are rejected.", name(holding("<>&\"'`;\\%{}$"))),
		freedom("names-basic-plane", refused, "Names beyond the basic plane are rejected.", rune(func(r int32) bool { return r > 0xFFFF })),
		freedom("names-without-replacements", refused, "Names with the replacement character are rejected.", name(holding("\ufffd"))),
		freedom("names-once", "create.name.repeated", "A name that another animal has is rejected.", fresh(func() change {
			var taken memo[string, bool]
			return name(func(s string) bool {
				first := false
				_, _ = taken.get(s, func() (bool, error) { first = true; return true, nil })
				return !first
			})
		})),
		freedom("categories-only-1", "create.category.unknown", "Only category 1 exists.", category(func(n int64) bool { return n != 1 })),
		freedom("categories-positive", "create.category.unknown", "A categoryId below 1 is rejected.", category(func(n int64) bool { return n < 1 })),
		freedom("categories-32-bits", "create.category.unknown", "A categoryId beyond 32 bits is rejected.", category(func(n int64) bool { return int64(int32(n)) != n })), //nolint:gosec // the loss is the point
		freedom("fields-unknown-refused", "create.field.unknown", "An undefined field is rejected.",
			disliking(400, func(_ string, sent map[string]any) bool {
				for field := range sent {
					if field != "name" && field != "categoryId" && field != "status" {
						return true
					}
				}
				return false
			})),
		freedom("fields-unknown-kept", "create.field.unknown", "An undefined field is returned in the response.",
			answered(on(201, createPet), func(x *exchange) {
				sent := x.Sent()
				x.editItems(func(_ int, pet map[string]any) {
					for field, v := range sent {
						if _, there := pet[field]; !there {
							pet[field] = v
						}
					}
				})
			})),
		freedom("keys-repeated-accepted", "create.key.repeated", "The last value of a repeated field counts.",
			mended(func(body []byte) []byte {
				tree, ok := mutate.ReadJSON(body)
				if !ok || !utf8.Valid(body) || !bytes.Equal(body, eachHalf(body, func(string) string { return "" })) {
					return nil // anything but a string stays as it was sent
				}
				return mutate.WriteJSON(tree)
			})),
		freedom("integers-in-any-form", "create.integer.form", "A categoryId written 1.0 or 1e0 counts as 1.",
			member("categoryId", func(v any, _ bool) (any, bool) {
				return mutate.Number(1), v == rawNumber("1.0") || v == rawNumber("1e0")
			})),
		freedom("media-415", "create.media-type", "A creation with another Content-Type gets 415.", media(415, false)),
		freedom("media-400-or-missing", "create.media-type", "A creation without the Content-Type of JSON is rejected.", media(400, true)),
		freedom("no-media-415", "create.media-type", "A creation without a Content-Type gets 415, with or without a body.",
			handling(func(x *exchange, next func()) {
				if x.is(createPet) && x.Authorised() && x.Request.Header.Get("Content-Type") == "" {
					x.fail(415, "media_type", "The Content-Type is missing.")
					return
				}
				next()
			})),
		freedom("location-absent", "create.location", "The response to a creation has no Location.",
			answered(on(201, createPet), func(x *exchange) { x.Header.Del("Location") })),
	}
}
