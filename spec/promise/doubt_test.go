package promise

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// casesOf returns the cases of the first operation of a document, by their titles.
func casesOf(t *testing.T, document string) map[string]Case {
	t.Helper()
	contract, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Case{}
	for _, c := range Of(contract, 1, 400).derive()[contract.Operations()[0].ID] {
		all[string(c.Kind)+": "+c.Title] = c
	}
	return all
}

// TestDoubtfulCases tries values that a service may interpret differently from what the document seems to say.
func TestDoubtfulCases(t *testing.T) {
	cases := casesOf(t, `
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    post:
      operationId: a
      parameters:
      - {name: open, in: query, required: true, schema: {type: object, properties: {q: {type: string}}}}
      - {name: closed, in: query, required: true, schema: {type: object, required: [r], properties: {r: {type: string}}}}
      - {name: inside, in: query, schema: {type: object, required: [s], properties: {s: {type: string}}}}
      - {name: long, in: query, schema: {oneOf: [{type: string, format: duration}, {type: number}]}, examples: {short: {value: 30s}, iso: {value: PT30S}}}
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: ok}, "400": {description: no}}
`)
	for title, want := range map[string]bool{
		"refused.parameter-missing: open is left out":   false, // an object without members looks the same
		"refused.parameter-missing: closed is left out": true,
		"accepted: inside is left out":                  false, // its member looks like a parameter that is required
		"accepted: long is left out":                    true,
		"refused.body-type: the body is null":           false, // like no body, which is allowed
	} {
		if _, got := cases[title]; got != want {
			t.Errorf("%s: derived is %v", title, got)
		}
	}
	iso := false
	for title, c := range cases {
		iso = iso || strings.Contains(c.Change.Value, "PT30S")
		if strings.Contains(c.Change.Value, "30s") {
			t.Errorf("an example that its format forbids is expected to be taken: %s", title)
		}
		if c.Kind == ParameterValue && strings.HasPrefix(c.Change.Before, "its query parameter open is ") && !strings.HasPrefix(c.Change.Value, "{") {
			t.Errorf("nobody looks for what is sent under the name of an exploded object: %s", title)
		}
	}
	if !iso {
		t.Error("no example is expected to be taken")
	}
}

// Nothing in a request distinguishes these: what one of them refuses the other may accept.
func TestOperationsThatOnlyAFragmentTellsApart(t *testing.T) {
	const document = `
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a/{id}%s:
    get:
      operationId: first
      parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: q, in: query, required: true, schema: {type: integer}}]
      responses: {"200": {description: ok}, "400": {description: no}}
  /a/{key}:
    get:
      operationId: second
      parameters: [{name: key, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: ok}}
`
	for fragment, want := range map[string]Aspect{"#link": Open, "/b": Breaks} {
		c, ok := casesOf(t, fmt.Sprintf(document, fragment))["refused.parameter-missing: q is left out"]
		if !ok || c.Aspect != want {
			t.Errorf("%q: %+v", fragment, c)
		}
	}
}

// got is a GET of the operation a that is answered 200.
func got(header http.Header, body string) *spec.Exchange {
	return &spec.Exchange{
		Operation: "a", Request: spec.Request{Method: http.MethodGet}, Response: &spec.Response{Status: 200, Header: header, Body: []byte(body), Size: len(body)},
	}
}

// TestOverlappingAlternatives checks that a value that matches several alternatives of a oneOf is not reported,
// but listed as not judged.
func TestOverlappingAlternatives(t *testing.T) {
	contract, err := openapi.Load([]byte(`
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: a
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema:
                oneOf:
                - {type: object, properties: {a: {type: integer}}}
                - {type: object, required: [b], properties: {b: {type: integer}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := Of(contract, 1, 0)
	for body, want := range map[string][2]int{
		`{"a":1}`:   {0, 0},
		`{"b":1}`:   {0, 1},
		`{"a":"x"}`: {1, 0},
		`[]`:        {1, 0},
	} {
		judged := p.Response(got(http.Header{"Content-Type": {"application/json"}}, body))
		if got := [2]int{len(judged.Findings), len(judged.Unjudged)}; got != want {
			t.Errorf("%s: %d findings, %d not judged, want %v", body, got[0], got[1], want)
		}
	}
}

// Nothing is left of an empty object in a form, and all other values are right or wrong by themselves: digits are
// a text.
func TestFaultsOfFormsAreThereAsTheyAreRead(t *testing.T) {
	cases := casesOf(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/events: {post: {operationId: add,
	  requestBody: {required: true, content: {application/x-www-form-urlencoded: {encoding: {payload: {style: deepObject, explode: true}},
	    schema: {type: object, required: [payload], properties: {
	      payload: {type: object, additionalProperties: {type: string}}, label: {type: string}, count: {type: integer}}}}}},
	  responses: {"201": {description: Added}, "400": {description: Wrong}}}}}}`)
	for title, want := range map[string]bool{
		"label is a number instead of a string": false, "label is a boolean instead of a string": false, "count is a string instead of an integer": true,
	} {
		if _, there := cases[string(PropertyValue)+": "+title]; there != want {
			t.Errorf("%s: there is such a case: %v, want %v", title, there, want)
		}
	}
}

// TestConditionsInProse tries documents whose prose makes a member depend on something that no schema expresses.
func TestConditionsInProse(t *testing.T) {
	const document = `
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /messages:
    post:
      operationId: send
      description: %q
      requestBody:
        description: %q
        content:
          application/json:
            schema:
              type: object
              description: %q
              required: [text]
              properties: {text: {type: string, example: Hello}, appid: {type: integer, format: int64, example: 5}, loud: {type: boolean, example: true}}
      responses: {"200": {description: ok}, "400": {description: no}}
`
	for _, tt := range []struct {
		prose string
		open  bool
	}{
		{"Sends a message.", false},
		{"With a client token, the request body\nmust include \"appid\". With the token of an application, it follows from that.", true},
		{"- `appid` is required when no application signs in", true},
		{"Either appid or a token names the application.", true},
		{"The text must not be a blank. An appid names the application.", false},
		{"Every appids must be there.", false},
	} {
		for at, texts := range [][]any{{tt.prose, "", ""}, {"", tt.prose, ""}, {"", "", tt.prose}} {
			cases := casesOf(t, fmt.Sprintf(document, texts...))
			if _, got := cases["accepted: appid is left out"]; got == tt.open {
				t.Errorf("%q in place %d: that the member may be left out is promised: %v", tt.prose, at, got)
			}
			if _, got := cases["accepted: loud is left out"]; !got {
				t.Errorf("%q in place %d: nothing is promised of a member that it does not name", tt.prose, at)
			}
		}
	}
}

// Values are compared as their texts are.
func TestSameTexts(t *testing.T) {
	all := []any{
		nil, true, false, "", "a", "1", "<a>", "null", json.Number("1"), json.Number("1.0"), json.Number("10"), 1, 1.5, wire.File{Data: []byte("a")}, []any{}, []any{nil}, []any{"a", json.Number("1")},
		[]any{json.Number("1"), "a"}, map[string]any{}, map[string]any{"a": nil}, map[string]any{"b": nil}, map[string]any{"a": "1"}, map[string]any{"a": json.Number("1")}, map[string]any{"a": 1},
		"\xff", "�", json.Number("01"), json.Number("NaN"), json.Number(""), json.Number("0"), []any{"\xff"}, []any{"�"}, map[string]any{"a": nil, "b": []any{map[string]any{"c": "d"}}}, map[string]any{"a": nil, "b": []any{map[string]any{"c": "e"}}}, []any{wire.File{Data: []byte("a")}},
	}
	for _, a := range all {
		for _, b := range all {
			if got, want := sameText(a, b), jsonText(a) == jsonText(b); got != want {
				t.Errorf("%#v and %#v: %v", a, b, got)
			}
		}
	}
}

// TestExamplesThatBreakTheirSchema checks that what an example or a default of the document itself breaks is not
// reported, and that other breaches of the schema are.
func TestExamplesThatBreakTheirSchema(t *testing.T) {
	contract, err := openapi.Load([]byte(`
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: a
      responses:
        "200":
          description: ok
          headers: {X-Count: {schema: {type: integer, example: "12"}}, X-Day: {schema: {type: string, format: date}, example: 2020/01/02}}
          content:
            application/json:
              example: {things: [{id: 1, size: 12}], total: "1"}
              schema:
                type: object
                properties:
                  total: {type: integer}
                  things: {type: array, items: {$ref: '#/components/schemas/Thing'}}
components:
  schemas:
    Thing:
      type: object
      required: [id, kind]
      example: {id: 2, kind: big, note: null}
      properties:
        id: {type: integer}
        kind: {type: string, enum: [small, big], default: medium}
        note: {type: string}
        made: {type: string, format: date-time, example: "2020-01-02 10:00:00"}
        size: {type: integer, maximum: 10}
        plain: {type: integer, example: 3}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := Of(contract, 1, 0)
	judge := func(body string, header http.Header) [2]int {
		header.Set("Content-Type", "application/json")
		judged := p.Response(got(header, body))
		return [2]int{len(judged.Findings), len(judged.Unjudged)}
	}
	thing := func(members string) string { return `{"things":[{"id":1,"kind":"big"},{"id":1,` + members + `}]}` }
	for body, want := range map[string][2]int{
		`{"total":"1"}`:                                    {0, 1},
		`{"total":"none"}`:                                 {0, 1}, // a text, as the example of the response is
		`{"total":true}`:                                   {1, 0},
		thing(`"size":11`):                                 {0, 2}, // no kind either, as in the example of the response
		thing(`"kind":"big","size":13`):                    {1, 0}, // larger than any that is shown
		thing(`"kind":"medium"`):                           {0, 1},
		thing(`"kind":"huge"`):                             {1, 0},
		thing(`"kind":"big","note":null`):                  {0, 1},
		thing(`"kind":"big","note":1`):                     {1, 0},
		thing(`"kind":"big","plain":"3"`):                  {1, 0},
		thing(`"kind":"big","plain":null`):                 {1, 0},
		thing(`"kind":"big","made":"2021"`):                {1, 0},
		thing(`"kind":"big","made":"2021-11-12 09:08:07"`): {0, 1},
	} {
		if got := judge(body, http.Header{}); got != want {
			t.Errorf("%s: %d findings, %d not judged, want %v", body, got[0], got[1], want)
		}
	}
	for value, want := range map[string][2]int{"13": {0, 0}, "many": {1, 0}} {
		if got := judge(`{}`, http.Header{"X-Count": {value}}); got != want {
			t.Errorf("X-Count: %s: %d findings, %d not judged, want %v", value, got[0], got[1], want)
		}
	}
	for value, want := range map[string][2]int{"2021/03/04": {0, 1}, "2021-03-04": {0, 0}, "yesterday": {1, 0}} {
		if got := judge(`{}`, http.Header{"X-Day": {value}}); got != want {
			t.Errorf("X-Day: %s: %d findings, %d not judged, want %v", value, got[0], got[1], want)
		}
	}
}

// A service may accept what the document shows, so no such value has to be refused.
func TestShownValuesAreNoFaults(t *testing.T) {
	cases := casesOf(t, `{openapi: 3.0.3, info: {title: T, version: "1"}, paths: {/a: {post: {operationId: a,
	  requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
	    age: {type: integer, example: "12"}, name: {type: string, default: null}, other: {type: string}}}}}},
	  responses: {"201": {description: Added}, "400": {description: Wrong}}}}}}`)
	for title, want := range map[string]bool{
		"age is a string instead of an integer": false, "age is a boolean instead of an integer": true, "name is null": false, "other is null": true, "name is a number instead of a string": true,
	} {
		if _, there := cases[string(PropertyValue)+": "+title]; there != want {
			t.Errorf("%s: there is such a case: %v, want %v", title, there, want)
		}
	}
}
