package promise

import (
	"strings"
	"testing"
)

// Each documented media type of a success is asked for alone, where there are several.
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
			if c.Change.Before == AsksFor {
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
