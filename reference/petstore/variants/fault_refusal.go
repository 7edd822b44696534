package variants

import (
	"bytes"
	"math/big"
	"net/url"
	"regexp"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// mended accepts creations that must be rejected: f repairs a bad body, or returns nil.
func mended(f func(body []byte) []byte) change {
	return asked(func(x *exchange) {
		if good := f(x.Body); good != nil {
			x.Body = good
		}
	}, createPet)
}

// member changes a member of the request's object if f says how.
func member(name string, f func(v any, there bool) (any, bool)) change {
	return mended(func(body []byte) []byte {
		tree, _ := mutate.ReadJSON(body)
		sent, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		v, there := sent[name]
		if v, ok = f(v, there); !ok {
			return nil
		}
		sent[name] = v
		return mutate.WriteJSON(sent)
	})
}

// nameInText finds the name in a body that cannot be read as JSON.
var nameInText = regexp.MustCompile(`"name":\s*"([^"]*)"`)

// retained responds with 400 but stores the animals selected by f.
func retained(f func(x *exchange) bool) change {
	return handling(func(x *exchange, next func()) {
		next()
		if !x.is(createPet) || x.Status != 400 || !f(x) {
			return
		}
		status, header, answer, body := x.Status, x.Header, x.Answer, x.Body
		name := nameOfSent(x)
		if name == "" { // an unreadable body is searched for its name
			if found := nameInText.FindSubmatch(body); found != nil {
				name = string(found[1])
			}
		}
		if name != "" {
			x.Body = mutate.WriteJSON(map[string]any{"name": name, "categoryId": mutate.Number(1)})
			next()
		}
		x.Status, x.Header, x.Answer, x.Body = status, header, answer, body
	})
}

func lacking(names ...string) func(x *exchange) bool {
	return func(x *exchange) bool {
		sent := x.Sent()
		for _, name := range names {
			if _, there := sent[name]; !there && sent != nil {
				return true
			}
		}
		return false
	}
}

func refusalFaults() []Fault {
	always := func(*exchange) bool { return true }
	exact := func(v any) (*big.Rat, bool) {
		n, ok := v.(interface{ String() string })
		if !ok {
			return nil, false
		}
		if s := n.String(); len(s) > 40 || strings.ContainsAny(s, "eE") {
			return nil, false
		}
		return new(big.Rat).SetString(n.String())
	}
	return []Fault{
		fault("refused-but-stored", "create.no-trace", "Rejected animals are stored.", retained(always)),
		fault("refused-no-category-stored", "create.no-trace", "An animal without a categoryId is rejected, but stored.", retained(lacking("categoryId"))),
		fault("refused-bad-status-stored", "create.no-trace", "An animal with a bad status is rejected, but stored.",
			retained(func(x *exchange) bool { _, there := x.Sent()["status"]; return there })),
		fault("refused-bad-category-stored", "create.no-trace", "An animal with a bad categoryId is rejected, but stored.",
			retained(func(x *exchange) bool {
				v, there := x.Sent()["categoryId"]
				_, isNumber := v.(interface{ String() string })
				return there && !isNumber
			})),
		fault("refused-malformed-stored", "create.no-trace", "A body that ends in rubbish is rejected, but the animal before it is stored.",
			retained(func(x *exchange) bool { return x.Sent() == nil && len(x.Body) > 0 })),
		fault("accepts-trailing-text", "create.body.json", "Text after the object is ignored.",
			mended(func(body []byte) []byte {
				if i := bytes.IndexByte(body, '}'); i >= 0 && i < len(body)-1 {
					return body[:i+1]
				}
				return nil
			})),
		fault("accepts-cut-body", "create.body.json", "A missing brace at the end is tolerated.",
			mended(func(body []byte) []byte {
				if bytes.HasPrefix(body, []byte("{")) && !bytes.Contains(body, []byte("}")) {
					return append(bytes.Clone(body), '}')
				}
				return nil
			})),
		fault("accepts-comma", "create.body.json", "A comma before the last brace is tolerated.",
			mended(func(body []byte) []byte { return bytes.Replace(body, []byte(",}"), []byte("}"), 1) })),
		fault("accepts-single-quotes", "create.body.json", "Single quotes are treated as double quotes.",
			mended(func(body []byte) []byte {
				if _, ok := mutate.ReadJSON(body); ok {
					return nil
				}
				return bytes.ReplaceAll(body, []byte("'"), []byte(`"`))
			})),
		fault("accepts-form", "create.body.json", "A form labelled as JSON is accepted.",
			mended(func(body []byte) []byte {
				form, err := url.ParseQuery(string(body))
				if err != nil || !form.Has("name") || !form.Has("categoryId") {
					return nil
				}
				return mutate.WriteJSON(map[string]any{"name": form.Get("name"), "categoryId": rawNumber(form.Get("categoryId"))})
			})),
		fault("accepts-array", "create.body.object", "An array of one animal is accepted.",
			mended(func(body []byte) []byte {
				tree, _ := mutate.ReadJSON(body)
				if items, ok := tree.([]any); ok && len(items) == 1 {
					return mutate.WriteJSON(items[0])
				}
				return nil
			})),
		fault("accepts-no-name", "create.name.required", "An animal without a name is called Unnamed.",
			member("name", func(_ any, there bool) (any, bool) { return "Unnamed", !there })),
		fault("accepts-null-name", "create.name.required", "A name that is null becomes the word null.",
			member("name", func(v any, there bool) (any, bool) { return "null", there && v == nil })),
		fault("accepts-number-name", "create.name.type", "A name may be a number, and becomes its digits.",
			member("name", func(v any, _ bool) (any, bool) {
				n, ok := v.(interface{ String() string })
				if !ok {
					return nil, false
				}
				return n.String(), true
			})),
		fault("accepts-boolean-name", "create.name.type", "A name may be true or false.",
			member("name", func(v any, _ bool) (any, bool) { _, ok := v.(bool); return "true", ok })),
		fault("accepts-no-category", "create.categoryId.required", "An animal without a categoryId gets the category 0.",
			member("categoryId", func(_ any, there bool) (any, bool) { return mutate.Number(0), !there })),
		fault("accepts-null-category", "create.categoryId.required", "A categoryId that is null becomes 0.",
			member("categoryId", func(v any, there bool) (any, bool) { return mutate.Number(0), there && v == nil })),
		fault("accepts-quoted-category", "create.categoryId.type", "A categoryId may be a string.",
			member("categoryId", func(v any, _ bool) (any, bool) {
				text, ok := v.(string)
				n, isInteger := petstore.ParseInteger(text)
				return mutate.Number(n), ok && isInteger
			})),
		fault("accepts-boolean-category", "create.categoryId.type", "A categoryId may be true or false.",
			member("categoryId", func(v any, _ bool) (any, bool) { _, ok := v.(bool); return mutate.Number(1), ok })),
		fault("accepts-fraction", "create.categoryId.type", "A fraction is truncated to an integer.",
			member("categoryId", func(v any, _ bool) (any, bool) {
				r, ok := exact(v)
				if !ok || r.IsInt() {
					return nil, false
				}
				return rawNumber(new(big.Int).Quo(r.Num(), r.Denom()).String()), true
			})),
		fault("accepts-wrapped-category", "create.categoryId.int64", "A categoryId outside int64 wraps around.",
			member("categoryId", func(v any, _ bool) (any, bool) {
				r, ok := exact(v)
				if !ok || !r.IsInt() || r.Num().IsInt64() {
					return nil, false
				}
				wrapped := new(big.Int).And(r.Num(), new(big.Int).SetUint64(1<<64-1))
				return mutate.Number(int64(wrapped.Uint64())), true //nolint:gosec // the wrapping is the point
			})),
		fault("accepts-null-status", "create.status.type", "The status null counts as missing.",
			member("status", func(v any, there bool) (any, bool) { return string(petstore.Available), there && v == nil })),
		fault("accepts-number-status", "create.status.type", "A status may be a number, counted from 0.",
			member("status", func(v any, _ bool) (any, bool) {
				_, ok := v.(interface{ String() string })
				return string(petstore.Available), ok
			})),
		fault("accepts-status-case", "create.status.values", "The status is read without regard to case.",
			member("status", func(v any, _ bool) (any, bool) {
				text, ok := v.(string)
				return strings.ToLower(text), ok && petstore.Status(strings.ToLower(text)).Valid()
			})),
		fault("accepts-empty-status", "create.status.values", "An empty status counts as missing.",
			member("status", func(v any, _ bool) (any, bool) { return string(petstore.Available), v == "" })),
		fault("accepts-padded-status", "create.status.values", "Blanks around a status are ignored.",
			member("status", func(v any, _ bool) (any, bool) {
				text, ok := v.(string)
				return strings.TrimSpace(text), ok && petstore.Status(strings.TrimSpace(text)).Valid()
			})),
		fault("accepts-any-status", "create.status.values", "A status that is none of the three becomes available.",
			member("status", func(v any, _ bool) (any, bool) {
				text, ok := v.(string)
				return string(petstore.Available), ok && !petstore.Status(text).Valid()
			})),
		fault("accepts-no-body", "create.body.required", "A creation without a body adds a blank animal.",
			mended(func(body []byte) []byte {
				if len(bytes.TrimSpace(body)) > 0 {
					return nil
				}
				return []byte(`{"name": "Nobody", "categoryId": 1}`)
			})),
		fault("refuses-with-422", "create.refused", "An invalid body gets 422.",
			answered(on(400, createPet), func(x *exchange) { restatus(x, 422) })),
		fault("refuses-with-500", "create.refused", "An invalid body is a server error.",
			answered(on(400, createPet), func(x *exchange) { restatus(x, 500) })),
		fault("malformed-fails", "create.body.json", "A body that is not JSON is a server error.",
			answered(on(400, createPet), func(x *exchange) {
				if _, ok := mutate.ReadJSON(x.Body); !ok && len(x.Body) > 0 {
					restatus(x, 500)
				}
			})),
		fault("no-body-fails", "create.body.required", "A creation without a body is a server error.",
			answered(on(400, createPet), func(x *exchange) {
				if len(bytes.TrimSpace(x.Body)) == 0 {
					restatus(x, 500)
				}
			})),
		fault("large-category-500", "create.categoryId.int64", "A categoryId outside int64 is a server error.",
			answered(on(400, createPet), func(x *exchange) {
				if r, ok := exact(x.Sent()["categoryId"]); ok && !r.Num().IsInt64() {
					restatus(x, 500)
				}
			})),
	}
}

// restatus changes the status of a response, including that in its Error body.
func restatus(x *exchange, status int) {
	x.Status = status
	x.editError(func(body map[string]any) { body["status"] = mutate.Number(int64(status)) })
}
