package promise_test

import (
	"strings"
	"testing"
)

// A list that shows one page only is looked at before others fill it; one that can be read to its end afterwards.
func TestWhenAListIsLookedAt(t *testing.T) {
	for parameters, phase := range map[string]string{
		`{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}`:                                                                 "@phase:first @at-once",
		`{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}, {name: offset, in: query, schema: {type: integer, minimum: 0}}`: "@phase:stocked",
		``: "@phase:stocked",
	} {
		text := features(t, `{openapi: 3.1.0, info: {title: T, version: "1"}, paths: {
  /things: {
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
      responses: {"201": {description: Added, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}},
    get: {operationId: list, parameters: [`+parameters+`],
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}},
  "/things/{id}": {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}}}}},
  components: {schemas: {Thing: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}`)
		_, after, _ := strings.Cut(text, "  @rule:add.created.listed ")
		before, _, found := strings.Cut(after, "Scenario: what is created is listed")
		if !found || !strings.Contains(before, phase+"\n") {
			t.Errorf("[%s]: the tags of the scenario are not %s:\n%s", parameters, phase, before)
		}
	}
}
