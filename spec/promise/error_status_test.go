package promise_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

func TestErrorsRepeatTheirStatus(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {/a: {get: {operationId: a, responses: {
  '200': {description: d}, '404': {description: d, content: {application/json: {schema: {type: object, properties: {
  %s: {type: integer, description: '%s'}}}, examples: {one: {value: {%s: %d}}}}}}}}}}}`
	for _, test := range []struct {
		name, member, description string
		example                   int
		body                      string
		broken                    bool
	}{
		{"the same status", "status", "The HTTP status, once more.", 404, `{"status": 404}`, false},
		{"another status", "status", "The HTTP status, once more.", 404, `{"status": 400}`, true},
		{"another status in a code", "code", "The HTTP status code", 404, `{"code": 0}`, true},
		{"the status of the response", "code", "Repeats the status of the response.", 404, `{"code": 500}`, true},
		{"no status", "status", "The HTTP status, once more.", 404, `{}`, false},
		{"a number of the service", "code", "The number of the error", 404, `{"code": 17}`, false},
		{"the status of another service", "status", "The HTTP status of the upstream service", 404, `{"status": 500}`, false},
		{"the status of a group of errors", "status", "An HTTP status of the class of the error", 404, `{"status": 400}`, false},
		{"an example that shows something else", "status", "The HTTP status", 4041, `{"status": 4041}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := openapi.Load([]byte(fmt.Sprintf(document, test.member, test.description, test.member, test.example)))
			if err != nil {
				t.Fatal(err)
			}
			judged := promise.Of(c, 1, 0).Response(&spec.Exchange{
				Operation: "a", Request: spec.Request{Method: http.MethodGet, URL: "http://h/a"},
				Response: &spec.Response{Status: http.StatusNotFound, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(test.body), Size: len(test.body)},
			})
			broken := slices.ContainsFunc(judged.Findings, func(f spec.Finding) bool { return f.Rule == "a.error-status" })
			if broken != test.broken {
				t.Errorf("broken is %v, want %v: %v", broken, test.broken, judged.Findings)
			}
			if rule := slices.ContainsFunc(promise.Rules(c), func(r spec.Rule) bool { return r.ID == "a.error-status" && r.Level == spec.Inferred }); test.broken && !rule {
				t.Error("there is no such rule")
			}
		})
	}
}
