package promise

import (
	"strings"
	"testing"
)

// Each documented media type of a success is requested separately, if there are several.
func TestEachMediaTypeIsAskedFor(t *testing.T) {
	document := func(content string) string {
		return `
openapi: 3.0.3
info: {title: t, version: "1"}
paths:
  /a:
    get:
      operationId: a
      responses:
        "200": {description: ok, content: {` + content + `}}
        "406": {description: none of these, content: {application/problem+json: {}}}
`
	}
	for content, want := range map[string]string{
		"application/json: {}, text/csv: {}":                       "application/json text/csv",
		"application/json: {}":                                     "",
		"application/json: {}, text/*: {}":                         "",
		"application/vnd.v1+json: {}, application/vnd.v2+json: {}": "application/vnd.v1+json application/vnd.v2+json",
	} {
		var got []string
		for _, c := range casesOf(t, document(content)) {
			if c.Change.Before == AsksFor.Beginning() {
				got = append(got, c.Change.Value)
				if c.Kind != Available || c.Aspect != Allowed {
					t.Errorf("%s: a refusal breaks more than a should", c.Title)
				}
			}
		}
		if len(got) != len(strings.Fields(want)) {
			t.Errorf("%s: %v is asked for, want %s", content, got, want)
		}
	}
}

// Both sides of a condition (if) are tested. A value that was made up for the other side is no promise of the
// contract: a service may know only one country.
func TestConditionsAreTriedOnBothSides(t *testing.T) {
	const rest = `, a: {type: boolean}, b: {type: boolean}}, if: {properties: {kind: {const: x}}}, then: {required: [a]}, else: {required: [b]}}`
	for schema, want := range map[string]bool{
		`{type: object, required: [kind], properties: {kind: {type: string, enum: [x, y]}` + rest:               true,
		`{type: object, required: [kind], properties: {kind: {type: string, example: x}` + rest:                 false,
		`{type: object, properties: {kind: {type: string, example: x}` + rest:                                   false,
		`{allOf: [{type: object, required: [kind], properties: {kind: {type: string, example: x}` + rest + `]}`: false,
	} {
		accepted, refused := 0, 0
		for _, c := range casesOf(t, `
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    post:
      operationId: a
      requestBody: {required: true, content: {application/json: {schema: `+schema+`}}}
      responses: {"200": {description: ok}, "400": {description: refused}}
`) {
			if c.Kind == Accepted && strings.Contains(c.Title, "does not keep if") {
				accepted++
			}
			if c.Kind == PropertyMissing && c.Title == "b is left out" {
				refused++
			}
		}
		if (accepted > 0) != want || refused != 1 {
			t.Errorf("%s: %d values beyond the condition have to be accepted, want any %t; %d without b are to be refused", schema, accepted, want, refused)
		}
	}
}
