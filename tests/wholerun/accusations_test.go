package wholerun_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// service answers requests by a function that returns a status and a body.
func service(answer func(r *http.Request, body []byte) (status int, media, text string)) inMemory {
	return inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status, media, text := answer(r, body)
		if media != "" {
			w.Header().Set("Content-Type", media)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})}
}

const bookings = `{openapi: 3.0.3, info: {title: Bookings, version: "1"}, paths: {/bookings: {post: {operationId: book,
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [kind, adults], properties: {
    kind: {type: string, enum: [room, car, boat]}, seats: {type: integer, minimum: 1, maximum: 7, description: Of a car.}, adults: {type: integer, minimum: 1, maximum: 6}}}}}},
  responses: {"200": {description: Booked.}, "400": {description: Not of this form.}, "415": {description: No JSON.}, "422": {description: "Of this form, but it cannot be booked so."}}}}}}`

// A documented refusal that the document gives another reason for than the schema is no breach.
func TestRefusedForADocumentedReason(t *testing.T) {
	t.Parallel()
	for status, want := range map[int][]string{422: nil, 400: {"book.accepted"}} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			rec, catalogue := trial{contract: []byte(bookings), service: service(func(r *http.Request, body []byte) (int, string, string) {
				var sent map[string]any
				err := json.Unmarshal(body, &sent)
				within := func(name string, high float64) bool {
					n, ok := sent[name].(float64)
					return ok && n == float64(int(n)) && n >= 1 && n <= high
				}
				kind, _ := sent["kind"].(string)
				_, seats := sent["seats"]
				switch {
				case r.URL.Path != "/bookings":
					return 404, "", ""
				case r.Method != http.MethodPost:
					return 405, "", ""
				case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
					return 415, "", ""
				case err != nil || !slices.Contains([]string{"room", "car", "boat"}, kind) || !within("adults", 6) || seats && !within("seats", 7):
					return 400, "", ""
				case kind == "car" && !seats:
					return status, "", ""
				}
				return 200, "", ""
			})}.judge(t)
			if found := slices.Sorted(maps.Keys(failing(rec, catalogue))); !slices.Equal(found, want) {
				t.Errorf("a car without seats is refused with %d: %v are violated, want %v", status, found, want)
			}
		})
	}
}

const spans = `{openapi: 3.1.0, info: {title: Spans, version: "1"}, paths: {/spans: {get: {operationId: span, parameters: [
  {name: start, in: query, required: true, schema: {type: string, format: date-time}, example: "2026-01-02T12:37:00Z"},
  {name: end, in: query, required: true, schema: {type: string, format: date-time}, examples: {a: {value: "2026-01-02T13:37:00Z"}, b: {value: "2023-07-21T20:20:30Z"}}},
  {name: minPrice, in: query, schema: {type: integer, minimum: 0, maximum: 100}}, {name: maxPrice, in: query, schema: {type: integer, minimum: 0, maximum: 100}},
  {name: colour, in: query, schema: {type: string, enum: [red, blue]}}], responses: {"200": {description: d}, "400": {description: Wrong}}},
  post: {operationId: plan, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [period], properties: {period: {type: object, required: [date_from, date_to], properties: {
    date_from: {type: string, format: date, example: "2026-05-01"}, date_to: {type: string, format: date}, lower: {type: integer, minimum: 1, maximum: 9}, upper: {type: integer, minimum: 1, maximum: 9}}}}}}}},
  responses: {"200": {description: d}, "400": {description: Wrong}}}}}}`

// A range that ends before it begins may be refused, wherever it stands. Other values may not.
func TestRangesAreKeptInOrder(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"": nil, "refuses blue": {"span.accepted"}} {
		t.Run(name, func(t *testing.T) {
			before := func(low, high any) bool {
				switch a := low.(type) {
				case string:
					b, _ := high.(string)
					x, err := time.Parse(time.RFC3339, a)
					y, err2 := time.Parse(time.RFC3339, b)
					if err != nil || err2 != nil {
						return a < b
					}
					return x.Before(y)
				case float64:
					b, _ := high.(float64)
					return a < b
				}
				return false
			}
			rec, catalogue := trial{contract: []byte(spans), service: service(func(r *http.Request, body []byte) (int, string, string) {
				q := r.URL.Query()
				if r.Method == http.MethodPost {
					var sent struct{ Period map[string]any }
					if json.Unmarshal(body, &sent) != nil || !before(sent.Period["date_from"], sent.Period["date_to"]) {
						return 400, "", ""
					}
					if low, ok := sent.Period["lower"]; ok && sent.Period["upper"] != nil && !before(low, sent.Period["upper"]) {
						return 400, "", ""
					}
					for _, member := range []string{"date_from", "date_to"} {
						if text, _ := sent.Period[member].(string); len(text) != len(time.DateOnly) {
							return 400, "", ""
						}
					}
					return 200, "", ""
				}
				start, err := time.Parse(time.RFC3339, q.Get("start"))
				end, err2 := time.Parse(time.RFC3339, q.Get("end"))
				price := func(name string, otherwise int) (int, bool) {
					if !q.Has(name) {
						return otherwise, true
					}
					n, err := strconv.Atoi(q.Get(name))
					return n, err == nil && n >= 0 && n <= 100
				}
				low, ok := price("minPrice", 0)
				high, ok2 := price("maxPrice", 100)
				colour := !q.Has("colour") || q.Get("colour") == "red" || q.Get("colour") == "blue" && name == ""
				if err != nil || err2 != nil || !start.Before(end) || !ok || !ok2 || low > high || !colour {
					return 400, "", ""
				}
				return 200, "", ""
			})}.judge(t)
			found := failing(rec, catalogue)
			maps.DeleteFunc(found, func(rule string, _ spec.Finding) bool { return strings.Contains(rule, ".refused.") })
			if rules := slices.Sorted(maps.Keys(found)); !slices.Equal(rules, want) {
				t.Errorf("%v are violated, want %v", rules, want)
			}
			for _, operation := range []string{"span", "plan"} {
				if !slices.Contains(reached(rec), operation) {
					t.Errorf("%s never succeeded", operation)
				}
			}
		})
	}
}

const colours = `{openapi: 3.0.3, info: {title: Places, version: "1"}, paths: {
  '/colours/{colour}/flags': {get: {operationId: listFlags, parameters: [{name: colour, in: path, required: true, schema: {type: string}, example: red}],
    responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {type: string}}}}}, "404": {description: There is no such colour}}}},
  /flags: {post: {operationId: addFlag, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}}}},
  '/flags/{flagId}': {get: {operationId: readFlag, parameters: [{name: flagId, in: path, required: true, schema: {type: integer}}],
    responses: {"200": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, "404": {description: There is no such flag}}}}},
  components: {schemas: {Flag: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`

// Where no value was known to exist a parameter may be a filter, which finds nothing. What was created was known to exist.
func TestAFilterInThePathFindsNothing(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"": nil, "knows every flag": {"readFlag.not-found"}} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var names []string
			rec, catalogue := trial{contract: []byte(colours), service: service(func(r *http.Request, body []byte) (int, string, string) {
				mu.Lock()
				defer mu.Unlock()
				show := func(status, id int, name string) (int, string, string) {
					text, _ := json.Marshal(map[string]any{"id": id, "name": name})
					return status, "application/json", string(text)
				}
				switch id, isFlag := strings.CutPrefix(r.URL.Path, "/flags/"); {
				case isFlag:
					n, err := strconv.Atoi(id)
					switch {
					case err == nil && n >= 1 && n <= len(names):
						return show(200, n, names[n-1])
					case err == nil && name != "":
						return show(200, n, "any")
					}
					return 404, "", ""
				case r.Method == http.MethodPost:
					var sent struct{ Name string }
					_ = json.Unmarshal(body, &sent)
					names = append(names, sent.Name)
					return show(201, len(names), sent.Name)
				}
				return 200, "application/json", "[]"
			})}.judge(t)
			found := failing(rec, catalogue)
			maps.DeleteFunc(found, func(rule string, _ spec.Finding) bool { return !strings.HasSuffix(rule, ".not-found") })
			if rules := slices.Sorted(maps.Keys(found)); !slices.Equal(rules, want) {
				t.Errorf("%v are violated, want %v", rules, want)
			}
		})
	}
}

// Swagger 2.0 names the media types of all responses at once: an error of another one is a warning, a success is not.
func TestErrorsOfAnotherMediaTypeInSwagger2(t *testing.T) {
	t.Parallel()
	const document = `{swagger: "2.0", info: {title: Old, version: "1"}, produces: [application/json], paths: {/things: {get: {operationId: things, parameters: [{name: limit, in: query, type: integer, minimum: 1}],
	  responses: {"200": {description: d, schema: {type: array, items: {type: string}}}, "400": {description: Wrong, schema: {type: string}}}}}}}`
	for name, want := range map[string]string{"": "", "success": "things.media-type"} {
		rec, catalogue := trial{contract: []byte(document), service: service(func(r *http.Request, _ []byte) (int, string, string) {
			if n, err := strconv.Atoi(r.URL.Query().Get("limit")); r.URL.Query().Has("limit") && (err != nil || n < 1) {
				return 400, "text/plain; charset=utf-8", "limit is wrong"
			}
			if name == "success" {
				return 200, "text/plain", "[]"
			}
			return 200, "application/json", "[]"
		})}.judge(t)
		found, warned := failing(rec, catalogue), advised(rec, catalogue)
		if rules := slices.Sorted(maps.Keys(found)); strings.Join(rules, " ") != want {
			t.Errorf("%s: %v are violated, want %q", name, rules, want)
		}
		if _, ok := warned["things.error-media-type"]; !ok {
			t.Errorf("%s: nothing is said of the media type of errors: %v", name, slices.Sorted(maps.Keys(warned)))
		}
	}
}

const tickets = `{openapi: 3.0.3, info: {title: Tickets, version: "1"}, paths: {
  /tickets: {post: {operationId: draw, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, example: Ada}}}}}},
    responses: {"201": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}, links: {self: {operationId: readTicket, parameters: {ticketId: $response.body#/id}}}},
      "400": {description: Wrong}, "409": {description: There are none left}}}},
  '/tickets/{ticketId}': {get: {operationId: readTicket, parameters: [{name: ticketId, in: path, required: true, schema: {type: integer}}],
    responses: {"200": {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Ticket'}}}}, "404": {description: There is no such ticket}}}}},
  components: {schemas: {Ticket: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`

// Other clients may remove what a link leads to, and a service that makes no other one shows nothing of its links. A link that leads
// nowhere whenever it is followed is broken.
func TestALinkToWhatIsGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// lost is how many of the first tickets are gone at once, made how many can be made at all.
		lost, made int
		// status is that of what is gone.
		status int
		want   []string
	}{
		{"the first is gone, and there are no others", 1, 1, 404, nil},
		{"the first four are gone, and refused for that", 4, 1 << 20, 422, nil},
		{"all are gone, and there are no others", 3, 3, 404, nil},
		{"each is gone at once", 1 << 20, 1 << 20, 404, []string{"draw.link.self"}},
		{"each is gone at once, and refused for that", 1 << 20, 1 << 20, 422, []string{"draw.link.self"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			var names []string
			rec, catalogue := trial{contract: []byte(tickets), service: service(func(r *http.Request, body []byte) (int, string, string) {
				mu.Lock()
				defer mu.Unlock()
				ticket := func(n int) string { return `{"id": ` + strconv.Itoa(n) + `, "name": ` + names[n-1] + `}` }
				if id, reads := strings.CutPrefix(r.URL.Path, "/tickets/"); reads {
					n, err := strconv.Atoi(id)
					switch {
					case r.Method != http.MethodGet:
						return 405, "", ""
					case err == nil && n <= c.lost && n <= len(names):
						return c.status, "", ""
					case err != nil || n > len(names):
						return 404, "", ""
					}
					return 200, "application/json", ticket(n)
				}
				var sent struct{ Name *string }
				switch {
				case r.URL.Path != "/tickets":
					return 404, "", ""
				case r.Method != http.MethodPost:
					return 405, "", ""
				case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") || json.Unmarshal(body, &sent) != nil || sent.Name == nil:
					return 400, "", ""
				case len(names) == c.made:
					return 409, "", ""
				}
				name, _ := json.Marshal(*sent.Name)
				names = append(names, string(name))
				return 201, "application/json", ticket(len(names))
			})}.judge(t)
			found := failing(rec, catalogue)
			maps.DeleteFunc(found, func(rule string, _ spec.Finding) bool { return !strings.Contains(rule, ".link.") })
			if rules := slices.Sorted(maps.Keys(found)); !slices.Equal(rules, c.want) {
				t.Errorf("%v are violated, want %v", rules, c.want)
			}
		})
	}
}
