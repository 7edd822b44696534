package variants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

func labelled(value string) change {
	return answered(anyOf(listPets, createPet, getPet), func(x *exchange) { x.Header.Set("Content-Type", value) })
}

// escapedJSON writes every character of every string as an escape.
func escapedJSON(body []byte) []byte {
	tree, ok := mutate.ReadJSON(body)
	if !ok {
		return body
	}
	var b bytes.Buffer
	inside, plain := false, string(mutate.WriteJSON(tree))
	for i, r := range plain {
		switch {
		case r == '"' && (i == 0 || !inside || plain[i-1] != '\\' || evenSlashes(plain[:i])):
			inside = !inside
			b.WriteRune(r)
		case inside && r > '~':
			b.WriteString(jsonEscape(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

// evenSlashes reports whether a text ends in an even number of backslashes.
func evenSlashes(text string) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 0
}

func jsonEscape(r rune) string {
	if r > 0xFFFF {
		r -= 0x10000
		return fmt.Sprintf(`\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

func answerFreedoms() []Freedom {
	all := anyOf(listPets, createPet, getPet)
	ofErrors := func(f func(status int, body map[string]any)) change { return mislabelled(failed, f) }
	return []Freedom{
		freedom("pets-with-more", "pet.object", "Animals have many more fields, some like those that are documented.",
			editShown(func(i int, pet map[string]any) {
				pet["Id"], pet["category"], pet["tags"], pet["photoUrls"], pet["rank"] = nil, map[string]any{"id": "1", "name": nil}, []any{}, nil, mutate.Number(int64(i))
			}, listPets, createPet, getPet)),
		freedom("pets-that-tell-the-time", "get.stable", "Animals show the time of the request, so no two responses are equal.",
			editShown(func(_ int, pet map[string]any) { pet["seenAt"] = time.Now().Format(time.RFC3339Nano) }, listPets, createPet, getPet)),
		freedom("lists-with-less", "pet.object", "Only single animals have further fields, lists do not.",
			editShown(func(_ int, pet map[string]any) { pet["notes"] = []any{"vaccinated"} }, createPet, getPet)),
		freedom("errors-with-more", "error.body", "Errors have further fields, like those of problem details.",
			ofErrors(func(status int, body map[string]any) {
				body["type"], body["title"], body["errors"], body["trace"] = "about:blank", http.StatusText(status), []any{map[string]any{"status": "bad"}}, nil
			})),
		freedom("errors-own-codes", "error.code.values", "Error codes are numbers as strings.",
			ofErrors(func(status int, body map[string]any) { body["code"] = "PET-" + strconv.Itoa(10*status) })),
		freedom("errors-empty", "error.message", "Codes and messages are empty.",
			ofErrors(func(_ int, body map[string]any) { body["code"], body["message"] = "", "" })),
		freedom("errors-in-czech", "error.message", "Messages are in Czech.",
			ofErrors(func(_ int, body map[string]any) { body["message"] = "Takhle to nepůjde, zkuste to jinak." })),
		freedom("errors-in-japanese", "error.code.values", "Codes and messages are in Japanese.",
			ofErrors(func(_ int, body map[string]any) {
				body["code"], body["message"] = "不正", "もう一度どうぞ 🙇"
			})),
		freedom("errors-status-point-zero", "error.status", "The status of an Error is written 400.0, which JSON Schema counts as an integer.",
			ofErrors(func(status int, body map[string]any) { body["status"] = rawNumber(strconv.Itoa(status) + ".0") })),
		freedom("label-charset", "answer.media-type", "The Content-Type names its charset.", labelled("application/json; charset=utf-8")),
		freedom("label-case", "answer.media-type", "The Content-Type is in mixed case.", labelled(`Application/JSON;Charset="UTF-8"`)),
		freedom("json-pretty", "answer.json", "Bodies are indented.",
			rewritten(all, func(body []byte) []byte {
				var b bytes.Buffer
				if json.Indent(&b, body, "", "  ") != nil {
					return body
				}
				return append(b.Bytes(), '\n')
			})),
		freedom("json-space-around", "answer.json", "There are blanks and line feeds around bodies.",
			rewritten(all, func(body []byte) []byte { return append(append([]byte("\r\n\t "), body...), "\n\n"...) })),
		freedom("json-escaped", "answer.json", "Non-ASCII characters are escaped.", rewritten(all, escapedJSON)),
		freedom("json-html-escaped", "answer.json", "Markup in names is escaped.",
			rewritten(all, func(body []byte) []byte {
				var b bytes.Buffer
				json.HTMLEscape(&b, body)
				return b.Bytes()
			})),
		freedom("json-ids-point-zero", "pet.id", "Integers are written 1.0, which JSON Schema counts as integers.",
			editShown(func(_ int, pet map[string]any) {
				for _, field := range []string{"id", "categoryId"} {
					if n, ok := pet[field].(json.Number); ok {
						pet[field] = n + ".0"
					}
				}
			}, listPets, createPet, getPet)),
		freedom("headers-many", "answer.media-type", "Responses carry many headers that the interface does not name.",
			answered(all, func(x *exchange) {
				for name, value := range map[string]string{
					"X-Total-Count": "12345", "Link": `</v1/pets?page=2>; rel="next"`, "ETag": `"` + strconv.FormatInt(x.Nth, 10) + `"`,
					"Set-Cookie": "session=1; Path=/", "X-RateLimit-Remaining": "0", "Content-Language": "tlh", "Warning": `299 - "old"`,
				} {
					x.Header.Set(name, value)
				}
			})),
		freedom("retry-after-always", "answer.status", "Every response carries Retry-After, successes too.",
			answered(all, func(x *exchange) { x.Header.Set("Retry-After", "3600") })),
	}
}

// transportFreedoms returns freedoms of HTTP itself.
func transportFreedoms() []Freedom {
	based := func(path string) change { return optioned(func(o *petstore.Options) { o.BasePath = path }) }
	all := func(*exchange) bool { return true }
	pressed := func(status int, times int64, header string) change {
		return fresh(func() change {
			var n atomic.Int64
			return handling(func(x *exchange, next func()) {
				if every(n.Add(1), 40) && x.Nth < 40*times+40 {
					x.fail(status, "busy", "Please come back in a moment.")
					if header != "" {
						x.Header.Set("Retry-After", header)
					}
					return
				}
				next()
			})
		})
	}
	secure := wired("tls", "answer.status", "The service speaks https.", based("/v1"))
	secure.TLS = true
	return []Freedom{
		secure,
		freedom("prefix-deep", "address.version", "The service lives under a long prefix.", based("/shops/prague/api/v1")),
		freedom("prefix-twice", "address.version", "The prefix repeats v1.", based("/v1/v1")),
		freedom("prefix-other-version", "address.version", "The prefix holds another version before the last.", based("/v2/pets/v1")),
		wired("network", "answer.status", "The service as it is, over a network.", based("/v1")),
		wired("gzip", "answer.body", "Responses are compressed if the client allows it.",
			handling(func(x *exchange, next func()) {
				next()
				if x.Request.Header.Get("Accept-Encoding") != "" {
					x.Answer = zipped(x.Answer)
					x.Header.Set("Content-Encoding", "gzip")
				}
			})),
		wired("connection-close", "answer.status", "Each connection serves one request.",
			answered(all, func(x *exchange) { x.Header.Set("Connection", "close") })),
		wired("chunked", "answer.body", "Responses are chunked, without a Content-Length.",
			answered(all, func(x *exchange) { x.Header.Set("Transfer-Encoding", "chunked") })),
		freedom("slow", "answer.status", "Each response takes two milliseconds.",
			handling(func(x *exchange, next func()) { wait(x.Request.Context(), 2*time.Millisecond); next() })),
		freedom("slow-unevenly", "answer.status", "Some responses take much longer than others.",
			handling(func(x *exchange, next func()) {
				wait(x.Request.Context(), time.Duration(scrambled(x.Nth)&3)*time.Millisecond)
				next()
			})),
		freedom("busy-429", "answer.status", "Occasionally a request gets 429, to be repeated at once.", pressed(429, 1000, "0")),
		freedom("busy-429-a-second", "answer.status", "One request gets 429, to be repeated after a second.", pressed(429, 1, "1")),
		freedom("busy-429-silent", "answer.status", "Occasionally a request gets 429 without Retry-After.", pressed(429, 1000, "")),
		freedom("busy-503", "answer.status", "Occasionally a request gets 503, to be repeated at once.", pressed(503, 1000, "0")),
	}
}

// removalFreedoms are judged after the removal of getPet, or just before it.
func removalFreedoms() []Freedom {
	gone := func(status int) change {
		return handling(func(x *exchange, next func()) {
			if x.is(getPet) && x.Authorised() {
				x.fail(status, "gone", "This operation was removed.")
				return
			}
			next()
		})
	}
	const rule = "get.removed"
	return []Freedom{
		onDay("2030-12-05", freedom("removed-404", rule, "On the day of its removal getPet returns 404.", gone(404))),
		onDay("2031-03-01", freedom("removed-410", rule, "After its removal getPet returns 410.", gone(410))),
		onDay("2031-03-01", freedom("removed-501", rule, "After its removal getPet returns 501.", gone(501))),
		onDay("2035-01-01", freedom("removed-route", rule, "After its removal getPet returns an HTML page.",
			plainError(on(0, getPet), "text/html", "<h1>%d %s</h1>"))),
		onDay("2031-03-01", freedom("removed-full", rule, "After its removal getPet is gone, and the store is full.", gone(404), filled(many))),
		onDay("2031-03-01", freedom("removed-late", rule, "The day has come, but getPet still works.")),
		onDay("2030-12-04", freedom("removed-tomorrow", rule, "It is the last day of getPet.")),
	}
}
