package promise_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
)

// What is unusual keeps the contract: a value that a schema rules out is never among it.
func TestUnusualValuesAreAllowed(t *testing.T) {
	c, err := openapi.Load([]byte(`{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {/things: {post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {
	  type: object, required: [code, size, kind, note], additionalProperties: false, properties: {
	    code: {type: string, pattern: '^[a-z]{2}$'}, size: {type: integer, minimum: 0, maximum: 10}, kind: {enum: [a, b]}, note: {type: string, maxLength: 100, minLength: 1}}}}}},
	  responses: {"201": {description: Added}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	text := p.Features(catalogue)[0].Content
	_, text, _ = strings.Cut(text, "Rule: add answers a request that keeps the contract without a server error")
	text, _, _ = strings.Cut(text, "\n  @rule:")
	for _, want := range []string{"size is 0", "note is a blank", "note holds the null character"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no case in which %s:\n%s", want, text)
		}
	}
	for _, not := range []string{"code", "kind", "negative", "note is empty", "300 characters", "hallmarkUnknown"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is asked though the schema rules it out:\n%s", not, text)
		}
	}
}

// A body means the same in each way to write it.
func TestWritten(t *testing.T) {
	body := map[string]any{"a": json.Number("1"), "b": map[string]any{"c": "x, y"}}
	for way, want := range map[string]string{
		promise.SeveralLines: "{\n  \"a\" : 1,\n  \"b\" : {\"c\":\"x, y\"}\n}",
		promise.ReverseOrder: `{"b":{"c":"x, y"},"a":1}`,
	} {
		if text, err := promise.Written(body, way); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v, want %q", way, text, err, want)
		}
	}
	if _, err := promise.Written("text", promise.ReverseOrder); err == nil {
		t.Error("a text has members")
	}
}

const fragments = `
openapi: 3.1.0
info: {title: T, version: "1"}
components: {securitySchemes: {key: {type: apiKey, in: header, name: K}}}
security: [{key: []}]
paths:
  /things:
    get: {operationId: things, responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: file}}}}}}, '400': {description: d}}}
  /things#web:
    get:
      operationId: webThings
      parameters: [{name: fields, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: web}}}}}}, '400': {description: d}, '401': {description: d}}
  /list:
    get:
      operationId: list
      security: []
      parameters: [{name: marker, in: query, schema: {type: string}, example: JV9I}, {name: order, in: query, schema: {type: string}, example: asc}]
      responses: {'200': {description: d}, '400': {description: d}}
`

// A service that goes by the other operation of the same path keeps the contract too.
func TestTwinsAreNotHeldAgainst(t *testing.T) {
	c, err := openapi.Load([]byte(fragments))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range catalogue.Rules {
		if r.Level.Fails() && (strings.HasPrefix(r.ID, "webThings.refused") || strings.HasPrefix(r.ID, "webThings.credential")) {
			t.Errorf("%s is a %s", r.ID, r.Level)
		}
	}
	for body, findings := range map[string]int{`{"type":"file"}`: 0, `{"type":"web"}`: 0, `{"type":"none"}`: 1} {
		judged := p.Response(&spec.Exchange{Operation: "webThings", Request: spec.Request{Method: "GET", URL: "http://h/things"}, Response: &spec.Response{
			Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: spec.Bytes(body),
		}})
		if len(judged.Findings) != findings {
			t.Errorf("%s: %d findings, want %d", body, len(judged.Findings), findings)
		}
	}
}

// A document's example of a position in a list is one of another service.
func TestCursorsAreNotMadeUp(t *testing.T) {
	c, err := openapi.Load([]byte(fragments))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range p.Features(catalogue) {
		text += f.Content
	}
	if !strings.Contains(text, `order is "asc", the example`) || strings.Contains(text, `marker is "JV9I"`) {
		t.Error("what is asked of the example of an order, and not of that of a marker, is not so:\n" + text)
	}
}
