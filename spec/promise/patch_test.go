package promise_test

import (
	"strings"
	"testing"

	"hallmark/spec/openapi"
	"hallmark/spec/promise"
)

// Of several media types one is sent whose values can be made: not JSON Patch, even where it is listed first.
func TestJSONPatchIsNotMadeUp(t *testing.T) {
	const document = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /notes/{id}:
    patch:
      operationId: change
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json-patch+json: {schema: &patch {type: object, properties: {text: {type: string}}}}
          application/merge-patch+json: {schema: *patch}
      responses: {'200': {description: Changed.}, '400': {description: Wrong.}}
`
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(c, 1, 0)
	op, _ := c.Operation("change")
	all, err := p.Requests(op)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, r := range all {
		if _, media, _ := r.Body(); media != "application/merge-patch+json" {
			t.Errorf("a plain request is of the media type %s", media)
		}
	}
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Features(catalogue) {
		if strings.Contains(f.Content, "json-patch") {
			t.Errorf("JSON Patch is sent:\n%s", f.Content)
		}
	}
	if all := c.Omissions(); len(all) != 1 || !strings.Contains(all[0].What, "application/json-patch+json") {
		t.Errorf("what is left out is %v", all)
	}
}
