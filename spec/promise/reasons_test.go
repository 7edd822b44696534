package promise_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

func TestSaysOtherReason(t *testing.T) {
	for _, test := range []struct {
		status int
		text   string
		want   bool
	}{
		{400, "Bad request", false},
		{400, "Body missing required fields or containing invalid values", false},
		{400, "Invalid ID supplied", false},
		{400, "The body cannot be parsed, or a value is too long", false},
		{400, "The room is already booked", true},
		{400, "Insufficient funds", true},
		{400, "The two dates do not fit, or overlap", true},
		{422, "Validation Error", false},
		{422, "Unprocessable Entity", false},
		{422, "Validation failed: a field is missing or of the wrong format", false},
		{422, "The request can be read; something in it is not right.", false},
		{422, "The input to the operation was not valid", false},
		{422, "The request can be read, but there is no such book.", true},
		{422, "Of this form, but it cannot be booked so.", true},
		{422, "A car needs seats", true},
		{422, "The tariff does not exist", true},
		{415, "No JSON, which cannot be accepted", false},
	} {
		op := spec.Operation{Responses: []spec.DocumentedResponse{{Key: "400", Status: 400, Description: "Not of this form."}, {Key: "415", Status: 415}, {Key: "422", Status: 422}}}
		op.ResponseFor(test.status).Description = test.text
		if got := promise.SaysOtherReason(&op, test.status); got != test.want {
			t.Errorf("%d, %q: %v, want %v", test.status, test.text, got, test.want)
		}
	}
	alone := spec.Operation{Responses: []spec.DocumentedResponse{{Key: "422", Status: 422, Description: "A car needs seats"}}}
	if promise.SaysOtherReason(&alone, 422) {
		t.Error("the only refusal of an operation is for what a schema says as well")
	}
	byDefault := spec.Operation{Responses: []spec.DocumentedResponse{{Key: "default", Description: "It exists already"}}}
	if promise.SaysOtherReason(&byDefault, 400) {
		t.Error("a default says nothing of one status")
	}
}

func TestDisordered(t *testing.T) {
	op := spec.Operation{ID: "find", Method: "GET", Path: "/"}
	for _, test := range []struct {
		low, high string
		a, b      any
		want      bool
	}{
		{"start", "end", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", true},
		{"start", "end", "2026-01-02T00:00:00+02:00", "2026-01-01T23:00:00Z", false},
		{"dateFrom", "dateTo", "2026-01-02", "2026-01-01", true},
		{"start_date", "end_date", "2026-01-02", "2026-01-02", false},
		{"startdate", "enddate", "2026-01-02", "2026-01-01", true},
		{"filter[created][gte]", "filter[created][lte]", json.Number("5"), json.Number("4"), true},
		{"minPrice", "maxPrice", json.Number("9007199254740993"), json.Number("9007199254740992"), true},
		{"price_min", "price_max", json.Number("1"), json.Number("2"), false},
		{"since", "until", "10:00", "09:00", true},
		{"createdAfter", "createdBefore", "2026-01-02", "2026-01-01", true},
		{"beginAt", "finishAt", "2026-01-02", "2026-01-01", true},
		{"lower", "upper", json.Number("2"), json.Number("1"), true},
		{"firstDay", "lastDay", "2026-01-02", "2026-01-01", true},
		{"after", "before", "b2Zmc2V0", "YWFh", false}, // cursors
		{"end", "start", "2026-01-02", "2026-01-01", false},
		{"height", "width", json.Number("2"), json.Number("1"), false},
		{"min", "maxPrice", json.Number("2"), json.Number("1"), false},
	} {
		r := request.New(&op).With(request.Place{In: "query", Name: test.low}, test.a).With(request.Place{In: "query", Name: test.high}, test.b)
		if got := promise.Disordered(r) != ""; got != test.want {
			t.Errorf("%s %v, %s %v: %v, want %v", test.low, test.a, test.high, test.b, got, test.want)
		}
		body := request.New(&op).WithBody("application/json", map[string]any{"list": []any{map[string]any{test.low: test.a, test.high: test.b}}})
		if got := promise.Disordered(body) != ""; got != test.want {
			t.Errorf("in a body, %s %v, %s %v: %v, want %v", test.low, test.a, test.high, test.b, got, test.want)
		}
	}
	const later, earlier = "2026-01-02", "2026-01-01"
	in := func(place string, r request.Request, name, value string) request.Request {
		return r.With(request.Place{In: place, Name: name}, value)
	}
	object := func(names ...string) map[string]any {
		all := map[string]any{}
		for i := 0; i+1 < len(names); i += 2 {
			all[names[i]] = names[i+1]
		}
		return all
	}
	plain := request.New(&op)
	for name, test := range map[string]struct {
		r    request.Request
		want string
	}{
		"query and body":  {in("query", plain, "start", later).WithBody("application/json", object("end", earlier)), "start is after end"},
		"body and query":  {in("query", plain, "until", earlier).WithBody("application/json", object("since", later)), "since is after until"},
		"path and body":   {in("path", plain, "from", later).WithBody("application/json", object("to", earlier)), "from is after to"},
		"in order":        {in("path", plain, "from", earlier).WithBody("application/json", object("to", later)), ""},
		"two objects":     {plain.WithBody("application/json", map[string]any{"start": object("date", later), "end": object("date", earlier)}), "start.date is after end.date"},
		"objects beside":  {plain.WithBody("application/json", map[string]any{"arrival": object("from", later), "leave": object("to", earlier)}), "from is after to"},
		"with their own":  {plain.WithBody("application/json", map[string]any{"a": object("from", later, "to", later), "b": object("from", earlier, "to", earlier)}), ""},
		"in a parameter":  {plain.With(request.Place{In: "query", Name: "filter"}, map[string]any{"from": object("day", later), "to": object("day", earlier)}), "filter.from.day is after filter.to.day"},
		"items of a list": {plain.WithBody("application/json", []any{object("start", later, "end", later), object("start", earlier, "end", earlier)}), ""},
	} {
		if got := promise.Disordered(test.r); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	apart := request.New(&op).WithBody("application/json", map[string]any{"start": "2026-01-02", "other": map[string]any{"end": "2026-01-01"}})
	if promise.Disordered(apart) != "" {
		t.Error("members of different objects are no range")
	}
}

// Plain requests keep the ends of ranges in order, whatever the examples are.
func TestPlainRequestsKeepRangesInOrder(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/a: {get: {operationId: list, parameters: [
	  {name: start, in: query, required: true, schema: {type: string, format: date}}, {name: end, in: query, required: true, schema: {type: string, format: date}, example: "1999-01-01"},
	  {name: minSize, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 5}, example: 4}, {name: maxSize, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 5}, example: 2}],
	  responses: {"200": {description: d}}}, post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [from, to], properties: {
	    from: {type: string, format: date-time}, to: {type: string, format: date-time, example: "1980-01-01T00:00:00Z"}}}}}}, responses: {"200": {description: d}}}}, "/b/{start}": {put: {operationId: move, parameters: [
	  {name: start, in: path, required: true, schema: {type: string, format: date}, example: "2030-01-01"}, {name: minSize, in: query, required: true, schema: {type: integer}, example: 4}],
	  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [end, maxSize, begin, finish], properties: {
	    end: {type: string, format: date, example: "1999-01-01"}, maxSize: {type: integer, example: 2}, begin: {$ref: '#/components/schemas/Late'}, finish: {$ref: '#/components/schemas/Early'}}}}}},
	  responses: {"200": {description: d}}}}}, components: {schemas: {Late: {type: object, required: [at], properties: {at: {type: string, format: date-time, example: "2030-01-01T00:00:00Z"}}},
	    Early: {type: object, required: [at], properties: {at: {type: string, format: date-time, example: "1980-01-01T00:00:00Z"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"list", "add", "move"} {
		op, _ := c.Operation(name)
		all, err := promise.Of(c, 1, 0).Requests(op)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if says := promise.Disordered(r); says != "" {
				w, _ := r.Write("-")
				t.Errorf("%s: %s %s", says, w.Query, w.Body)
			}
		}
	}
}

func TestEnded(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	prose := resource.Life{Creator: resource.Producer{Operation: &spec.Operation{Description: "Opens a session, which is deleted after 5 minutes."}}, Reader: &spec.Operation{}}
	plain := resource.Life{Creator: resource.Producer{Operation: &spec.Operation{Description: "Adds a note after the last."}}, Reader: &spec.Operation{}}
	for _, test := range []struct {
		life  resource.Life
		shown map[string]any
		since time.Duration
		seen  bool
		want  bool
	}{
		{plain, nil, time.Minute, true, false},
		{prose, nil, time.Second, true, true},
		{prose, nil, time.Second, false, false},
		{prose, nil, time.Minute, false, true},
		{plain, map[string]any{"expiresAt": "2026-11-25T11:59:59Z"}, time.Second, false, true},
		{prose, map[string]any{"expires_at": "2026-11-25T12:00:01Z"}, time.Second, true, false},
		{plain, map[string]any{"ttl": json.Number("2")}, 3 * time.Second, true, true},
		{plain, map[string]any{"ttl": json.Number("2")}, time.Second, true, false},
		{plain, map[string]any{"title": json.Number("2")}, time.Hour, true, false},
	} {
		if got := promise.Ended(test.life, test.shown, now, test.since, test.seen); (got != "") != test.want {
			t.Errorf("%v after %s, seen %v: %q, want %v", test.shown, test.since, test.seen, got, test.want)
		}
	}
}

// A 404 that every operation documents in the same words says little of one.
func TestBoilerplateOf404IsInferred(t *testing.T) {
	level := func(other string) spec.Level {
		c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {'/a/{id}': {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
		  responses: {"200": {description: d}, "404": {description: Not found}}}}, /a: {get: {operationId: list, responses: {"200": {description: d}, ` + other + `}}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		rules := promise.Rules(c)
		i := slices.IndexFunc(rules, func(r spec.Rule) bool { return r.ID == "read.not-found" })
		if inferred := strings.HasPrefix(rules[i].Source, "inferred: "); inferred != (rules[i].Level == spec.Inferred) {
			t.Errorf("the source is %q", rules[i].Source)
		}
		return rules[i].Level
	}
	for other, want := range map[string]spec.Level{`"404": {description: Not found}`: spec.Inferred, `"404": {description: There is no list}`: spec.Must, `"400": {description: Not found}`: spec.Must} {
		if got := level(other); got != want {
			t.Errorf("beside %s it is %s, want %s", other, got, want)
		}
	}
}
