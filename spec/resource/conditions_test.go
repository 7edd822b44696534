package resource_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// signs is a contract whose changes have to name the state that they mean.
const signs = `
openapi: 3.1.0
info: {title: Signs, version: "1"}
paths:
  /signs:
    post: {operationId: addSign, responses: {"201": {description: Added, headers: {etag: {schema: {type: string}}}}}}
  /signs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readSign
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      responses: {"200": {description: The sign, headers: {ETag: {schema: {type: string}}}}}
    put:
      operationId: replaceSign
      parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
      responses: {"200": {description: The sign, headers: {ETag: {schema: {type: string}}}}}
    patch:
      operationId: changeSign
      parameters: [{name: if-match, in: header, schema: {type: string}}]
      responses: {"200": {description: The sign, headers: {ETag: {schema: {type: string}}}}, "428": {description: No}}
    delete:
      operationId: removeSign
      parameters: [{name: If-Match, in: header, schema: {type: string}}]
      responses: {"204": {description: Removed}, "412": {description: No}}
  /signs/{id}/lit:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: switchLamp
      parameters: [{name: If-Unmodified-Since, in: header, required: true, schema: {type: string}}]
      responses: {"204": {description: Switched}}
`

// The required header of a change is found in any case and by 428, and so is the header from which a read shows
// the state.
func TestConditions(t *testing.T) {
	c, err := openapi.Load([]byte(signs))
	if err != nil {
		t.Fatal(err)
	}
	m := resource.Of(c)
	for _, want := range []struct {
		operation, demands, reading string
		tagged                      bool
	}{
		{"readSign", "", "readSign", true},
		{"replaceSign", "If-Match", "readSign", true},
		{"changeSign", "if-match", "readSign", true},
		{"removeSign", "", "readSign", false},
		{"switchLamp", "If-Unmodified-Since", "readSign", false},
		{"addSign", "", "", true},
	} {
		op, ok := c.Operation(want.operation)
		if !ok {
			t.Fatalf("there is no operation %s", want.operation)
		}
		demands, reading := "", ""
		if p := resource.Demands(op); p != nil {
			demands = p.Name
		}
		if by := resource.Reading(m, op); by != nil {
			reading = by.ID
		}
		if demands != want.demands || reading != want.reading || resource.Tagged(op) != want.tagged {
			t.Errorf("%s demands %q, is read by %q and tagged: %v", op.ID, demands, reading, resource.Tagged(op))
		}
	}
	for name, is := range map[string]bool{"if-none-match": true, "If-Range": true, "IF-MODIFIED-SINCE": true, "If-Else": false} {
		if resource.IsCondition(spec.Parameter{Name: name, In: "header"}) != is || resource.IsCondition(spec.Parameter{Name: name, In: "query"}) {
			t.Errorf("%s is a condition: %v", name, !is)
		}
	}
}

// A representation may show its entity tag in its body.
func TestTagMember(t *testing.T) {
	for want, body := range map[string]any{
		"a": map[string]any{"etag": "a"}, `W/"b"`: map[string]any{"@odata.etag": `W/"b"`}, "c": map[string]any{"_eTag": "c"}, "": map[string]any{"tag": "d", "etag": 3},
	} {
		if got := resource.TagMember(body); got != want {
			t.Errorf("%v shows %q, want %q", body, got, want)
		}
	}
	if got := resource.TagMember([]any{"etag"}); got != "" {
		t.Errorf("a list shows %q", got)
	}
}
