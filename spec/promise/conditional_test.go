package promise_test

import (
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// Rules about responses that no service has to give are conditional: errors of an operation whose success has no body, optional headers, and
// undocumented statuses.
func TestConditionalRules(t *testing.T) {
	contract, err := openapi.Load([]byte(`
openapi: 3.1.0
info: {title: Things, version: 1.0.0}
paths:
  /things:
    get:
      operationId: list
      responses:
        "200": {description: ok, headers: {X-Maybe: {schema: {type: integer}}}, content: {application/json: {schema: {type: array}}}}
    post:
      operationId: add
      responses:
        "201": {description: ok, headers: {X-Total: {required: true, schema: {type: integer}}}}
        default: {description: an error, content: {application/json: {schema: {type: object}}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var conditional []string
	catalogue, err := promise.Of(contract, 1, 0).Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range catalogue.Rules {
		if r.Conditional {
			conditional = append(conditional, r.ID)
		}
	}
	const want = "list.documented list.headers add.documented add.media-type add.body"
	if got := strings.Join(conditional, " "); got != want {
		t.Errorf("%s are conditional, not %s", got, want)
	}
}
