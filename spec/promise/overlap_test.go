package promise

import (
	"net/http"
	"testing"

	"hallmark/spec"
	"hallmark/spec/openapi"
)

// TestOverlappingAlternatives accuses nobody of a value that keeps several alternatives of a oneOf, and says that it was not judged.
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
		judged := p.Response(&spec.Exchange{
			Operation: "a", Request: spec.Request{Method: http.MethodGet},
			Response: &spec.Response{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body), Size: len(body)},
		})
		if got := [2]int{len(judged.Findings), len(judged.Unjudged)}; got != want {
			t.Errorf("%s: %d findings, %d not judged, want %v", body, got[0], got[1], want)
		}
	}
}
