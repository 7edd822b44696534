package session

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
)

// A scenario under a rule of the contract may expect what the contract documents, or what any service may answer.
func TestUndocumented(t *testing.T) {
	operations := []spec.Operation{{ID: "listItems", Responses: []spec.DocumentedResponse{{Key: "200", Status: 200}}}}
	for step, want := range map[string]int{
		"the response is 418":          418,
		"each response is 418 or 507":  418,
		"the response is 200":          0,
		"the response is 418 or 200":   0,
		"the response is 401":          0,
		"the response is a success":    0,
		"in the response, total is 42": 0,
	} {
		if got := undocumented(step, operations); got != want {
			t.Errorf("%s: %d, want %d", step, got, want)
		}
	}
	open := []spec.Operation{{ID: "listItems", Responses: []spec.DocumentedResponse{{Key: "default"}}}}
	if got := undocumented("the response is 418", open); got != 0 {
		t.Errorf("with a default response: %d", got)
	}
}
