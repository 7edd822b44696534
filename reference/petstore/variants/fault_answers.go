package variants

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// rewritten changes the bytes of the selected responses.
func rewritten(m match, f func(body []byte) []byte) change {
	return answered(m, func(x *exchange) { x.Answer = f(x.Answer) })
}

func anyOf(operations ...string) match { return on(0, operations...) }

func appended(text string) func([]byte) []byte {
	return func(body []byte) []byte { return append(bytes.Clone(body), text...) }
}

func before(text string) func([]byte) []byte {
	return func(body []byte) []byte { return append([]byte(text), body...) }
}

// plainError responds with text or a page instead of an Error body.
func plainError(m match, media, text string) change {
	return answered(m, func(x *exchange) {
		x.Header.Set("Content-Type", media)
		x.Answer = fmt.Appendf(nil, text, x.Status, http.StatusText(x.Status))
	})
}

func hasQuery(name string) match {
	return func(x *exchange) bool {
		return x.is(listPets) && x.Status >= 400 && x.Authorised() && x.Query().Has(name)
	}
}

func answerFaults() []Fault {
	const page = "<html><body><h1>%d %s</h1></body></html>"
	return []Fault{
		fault("json-brace-behind", "answer.json", "Animals that are read are followed by a brace.", rewritten(on(200, getPet), appended("}"))),
		fault("json-twice", "answer.json", "The response to a creation contains the animal twice.",
			rewritten(on(201, createPet), func(b []byte) []byte { return append(bytes.Clone(b), b...) })),
		fault("json-warning-before", "answer.json", "A warning precedes every list.", rewritten(on(200, listPets), before("Warning: deprecated call in line 12\n"))),
		fault("json-guard-before", "answer.json", "Lists are guarded against being run as a script.", rewritten(on(200, listPets), before(")]}',\n"))),
		fault("json-callback", "answer.json", "Animals are wrapped in a call of a function.",
			rewritten(on(200, getPet), func(b []byte) []byte { return append(append([]byte("callback("), b...), ')') })),
		fault("json-single-quotes", "error.body", "Errors are written with single quotes.",
			rewritten(on(401, listPets, createPet, getPet), func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"`), []byte(`'`)) })),
		fault("json-comma-at-the-end", "answer.json", "Lists end in a comma.",
			rewritten(on(200, listPets), func(b []byte) []byte { return bytes.Replace(b, []byte("}]"), []byte("},]"), 1) })),
		fault("json-lines", "answer.json", "Lists have one animal a line and no brackets.",
			rewritten(on(200, listPets), func(b []byte) []byte {
				return bytes.ReplaceAll(bytes.Trim(b, "[]"), []byte("},{"), []byte("}\n{"))
			})),
		fault("json-cut-when-long", "answer.json", "Lists of more than four thousand bytes are cut off.",
			rewritten(on(200, listPets), func(b []byte) []byte { return b[:min(len(b), 4096)] })),
		fault("json-leading-zero", "answer.json", "Ids are written with a leading zero.",
			rewritten(on(200, getPet), func(b []byte) []byte { return bytes.Replace(b, []byte(`"id":`), []byte(`"id":0`), 1) })),
		fault("json-raw-controls", "answer.json", "Control characters in names are not escaped.",
			rewritten(anyOf(createPet, getPet), func(b []byte) []byte {
				return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`\t`), []byte("\t")), []byte(`\n`), []byte("\n"))
			})),
		fault("json-utf-16", "answer.json", "Responses are encoded in UTF-16.",
			rewritten(on(200, getPet), func(b []byte) []byte {
				var out []byte
				for _, unit := range utf16.Encode([]rune(string(b))) {
					out = binary.LittleEndian.AppendUint16(out, unit)
				}
				return out
			})),
		fault("json-latin-1", "answer.json", "Names are encoded in Latin-1.",
			rewritten(anyOf(createPet, getPet), func(b []byte) []byte {
				var out []byte
				for _, r := range string(b) {
					if r < 0x80 || r > 0xFF {
						out = append(out, string(r)...)
					} else {
						out = append(out, byte(r))
					}
				}
				return out
			})),
		fault("json-gzip-unsaid", "answer.json", "Lists are compressed without a Content-Encoding.",
			rewritten(on(200, listPets), zipped)),
		fault("body-none-on-unknown-id", "error.body", "The response to an unknown id has no body.",
			rewritten(on(404, getPet), func([]byte) []byte { return nil })),
		fault("body-none-on-missing-key", "error.body", "The response to a request without credentials has no body.",
			handling(func(x *exchange, next func()) {
				next()
				if _, _, present := x.Credential(); !present && x.Status == 401 {
					x.Answer = nil
				}
			})),
		fault("body-none-on-malformed", "error.body", "The response to a malformed creation has no body.",
			answered(on(400, createPet), func(x *exchange) {
				if _, ok := mutate.ReadJSON(x.Body); !ok {
					x.Answer = nil
				}
			})),
		fault("body-none-for-one", "answer.body", "A list of one animal has no body.",
			answered(on(200, listPets), func(x *exchange) {
				tree, _ := mutate.ReadJSON(x.Answer)
				if items, ok := tree.([]any); ok && len(items) == 1 {
					x.Answer = nil
				}
			})),
		fault("body-blank", "answer.json", "The response to a read is a line feed.",
			rewritten(on(200, getPet), func([]byte) []byte { return []byte("\n") })),
		fault("body-none-on-sold", "answer.body", "The response to a creation with the status sold has no body.",
			answered(on(201, createPet), func(x *exchange) {
				if x.Sent()["status"] == string(petstore.Sold) {
					x.Answer = nil
				}
			})),
		fault("media-html-on-error", "answer.media-type", "Errors are labelled as HTML.",
			answered(anyOf(listPets, createPet, getPet), func(x *exchange) {
				if x.Status >= 400 {
					x.Header.Set("Content-Type", "text/html")
				}
			})),
		fault("media-problem", "answer.media-type", "Errors are labelled as problem details.",
			answered(anyOf(listPets, createPet, getPet), func(x *exchange) {
				if x.Status >= 400 {
					x.Header.Set("Content-Type", "application/problem+json")
				}
			})),
		fault("media-vendor", "answer.media-type", "Responses have a vendor media type.",
			answered(anyOf(listPets, createPet, getPet), func(x *exchange) { x.Header.Set("Content-Type", "application/vnd.pets.v1+json") })),
		fault("error-page-on-odd-id", "error.body", "The response to an id that is not a number is an HTML page labelled as JSON.",
			plainError(func(x *exchange) bool { return x.is(getPet) && x.Status == 400 }, "application/json", `"%d %s"`)),
		fault("error-page-on-odd-limit", "error.body", "The response to an invalid limit is an HTML page.",
			plainError(hasQuery("limit"), "text/html", page)),
		fault("error-text-on-odd-status", "error.body", "The response to an unknown status in the query is plain text.",
			plainError(hasQuery("status"), "text/plain", "%d %s")),
		fault("error-listed-on-odd-limit", "error.body", "The response to an invalid limit is a list of errors.",
			answered(hasQuery("limit"), func(x *exchange) { x.Edit(func(tree any) any { return []any{tree} }) })),
	}
}

func zipped(body []byte) []byte {
	var b bytes.Buffer
	w, _ := zippers.Get().(*gzip.Writer)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer accepts everything
	_ = w.Close()
	zippers.Put(w)
	return b.Bytes()
}

// zippers are reused: each takes a megabyte.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// failed selects the error responses of the three operations.
func failed(x *exchange) bool { return x.operation != "" && x.Status >= 400 }

// mislabelled changes the Error bodies of the selected responses.
func mislabelled(m match, f func(status int, body map[string]any)) change {
	return answered(m, func(x *exchange) { x.editError(func(body map[string]any) { f(x.Status, body) }) })
}

// says puts another status into Error bodies.
func says(f func(status int) int) func(int, map[string]any) {
	return func(status int, body map[string]any) { body["status"] = mutate.Number(int64(f(status))) }
}

func errorFaults() []Fault {
	constant := func(n int) func(int) int { return func(int) int { return n } }
	return []Fault{
		fault("error-status-500", "error.status.same", "Every Error says 500.", mislabelled(failed, says(constant(500)))),
		fault("error-status-0", "error.status.same", "Every Error says 0.", mislabelled(failed, says(constant(0)))),
		fault("error-status-403-on-401", "error.status.same", "The Error of a 401 says 403.",
			mislabelled(on(401, listPets, createPet, getPet), says(constant(403)))),
		fault("error-status-401-swapped", "error.status.same", "The Error of a creation without credentials says 400.",
			mislabelled(on(401, createPet), says(constant(400)))),
		fault("error-status-422-on-400", "error.status.same", "The Error of a 400 says 422.", mislabelled(on(400, createPet), says(constant(422)))),
		fault("error-status-200-on-404", "error.status.same", "The Error of a 404 says 200.", mislabelled(on(404, getPet), says(constant(200)))),
		fault("error-status-own-number", "error.status.same", "Errors contain numbers of the service's own instead of the status.",
			mislabelled(failed, says(func(status int) int { return 4000 + status }))),
		fault("error-status-on-odd-limit", "error.status.same", "The Error for an invalid limit says 422.", mislabelled(hasQuery("limit"), says(constant(422)))),
		fault("error-status-seldom", "error.status.same", "Each seventh Error says 500.",
			mislabelled(func(x *exchange) bool { return failed(x) && every(x.Nth, 7) }, says(constant(500)))),
		fault("error-code-number", "error.code", "The code is the number of the status.",
			mislabelled(failed, func(status int, body map[string]any) { body["code"] = mutate.Number(int64(status)) })),
		fault("error-code-missing-for-prefix", "error.code", "The Error for a key that is nearly right has no code.",
			mislabelled(func(x *exchange) bool {
				_, token, _ := x.Credential()
				return x.Status == 401 && len(token) > 1 && strings.HasPrefix(x.Key, token)
			}, func(_ int, body map[string]any) { delete(body, "code") })),
		fault("error-message-list", "error.message", "The message is a list of sentences.",
			mislabelled(on(400, createPet), func(_ int, body map[string]any) { body["message"] = []any{body["message"]} })),
		fault("error-message-object", "error.message", "The message is an object by language.",
			mislabelled(failed, func(_ int, body map[string]any) { body["message"] = map[string]any{"en": body["message"]} })),
		fault("error-message-null-on-404", "error.message", "The message for an unknown id is null.",
			mislabelled(on(404, getPet), func(_ int, body map[string]any) { body["message"] = nil })),
		fault("error-status-text", "error.status", "The status is a string.",
			mislabelled(failed, func(status int, body map[string]any) { body["status"] = mutate.Number(int64(status)).String() })),
		fault("error-status-words", "error.status", "The status is its name in words.",
			mislabelled(failed, func(status int, body map[string]any) { body["status"] = http.StatusText(status) })),
		fault("error-nested", "error.body", "Errors are nested in a member named error.",
			answered(failed, func(x *exchange) { x.Edit(func(tree any) any { return []any{map[string]any{"error": tree}} }) })),
		fault("error-string", "error.body", "Errors are a single string.",
			answered(failed, func(x *exchange) { x.SetJSON("Something went wrong.") })),
	}
}
