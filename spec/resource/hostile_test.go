package resource_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Schemas that lead back to themselves by many ways are looked into within bounds.
func TestManyWaysBackAreBounded(t *testing.T) {
	var members strings.Builder
	for i := range 400 {
		fmt.Fprintf(&members, "        pets%d: {$ref: '#/components/schemas/Node'}\n        pet%d: {type: array, items: {$ref: '#/components/schemas/Node'}}\n", i, i)
	}
	c := contract(t, "paths:\n  /pets:\n    get: {operationId: list, "+answer("200", "{$ref: '#/components/schemas/Node'}")+"}\n  /pets/{petId}:\n    "+id+
		"\n    get: {operationId: get, "+answer("200", "{$ref: '#/components/schemas/Node'}")+"}\ncomponents:\n  schemas:\n    Node:\n      allOf: [{$ref: '#/components/schemas/Node'}]\n      properties:\n"+members.String())
	op, _ := c.Operation("get")
	began := time.Now()
	resource.Of(c).Producers(resource.SlotsOf(op)[0])
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it takes %v", took)
	}
}
