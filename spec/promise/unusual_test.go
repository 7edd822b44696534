package promise_test

import (
	"encoding/json"
	"strings"
	"testing"

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
