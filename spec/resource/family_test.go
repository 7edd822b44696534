package resource_test

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Operations belong to one family if their paths share a segment, or if a body names what the other creates; and
// to different ones if nothing connects them.
func TestFamilies(t *testing.T) {
	contract, err := openapi.Load([]byte(`
openapi: 3.1.0
info: {title: Families, version: "1"}
paths:
  /api/v1/orders:
    get: {operationId: orders, responses: {"200": {description: all}}}
    post:
      operationId: order
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [customer_id], properties: {customer_id: {type: integer}}}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /api/v1/orders/{id}/lines:
    get: {operationId: lines, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: all}}}
  /api/v1/customers:
    post:
      operationId: customer
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}
  /api/v1/customers/{id}:
    get: {operationId: one, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: it, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}
  /health:
    get: {operationId: health, responses: {"200": {description: up}}}
  /api/v1/notes:
    get: {operationId: notes, responses: {"200": {description: all}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	of := resource.Families(resource.Of(contract))
	for _, id := range []string{"order", "lines", "customer", "one"} {
		if of[id] != of["orders"] || of[id] == "" {
			t.Errorf("%s is of the family %q, orders of %q", id, of[id], of["orders"])
		}
	}
	if of["notes"] == of["orders"] || of["notes"] == of["health"] || of["health"] == of["orders"] {
		t.Errorf("families are joined by nothing: %v", of)
	}
}
