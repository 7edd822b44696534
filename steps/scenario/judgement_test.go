package scenario_test

import (
	"testing"

	"hallmark/spec"
	"hallmark/steps/scenario"
)

func TestStatusFindings(t *testing.T) {
	for name, test := range map[string]struct {
		right    bool
		status   int
		statuses []int
		rule     string
		cause    string
	}{
		"another status":          {true, 404, []int{200}, "get.found", "get.found: status 404"},
		"the right key refused":   {true, 401, []int{200}, "auth.accepted", "auth.accepted: status 401"},
		"a bad one let in":        {false, 200, []int{401}, "get.found", "get.found: let in"},
		"a bad one let in so far": {false, 404, []int{401}, "get.found", "get.found: let in"},
		"a bad one that fails":    {false, 500, []int{401}, "get.found", "get.found: status 500"},
	} {
		t.Run(name, func(t *testing.T) {
			ex := &spec.Exchange{Operation: "getPet", Request: spec.Request{Method: "GET", URL: "http://h/v1/pets/1"}, Response: &spec.Response{Status: test.status}}
			f := scenario.StatusFinding(&scenario.Answer{Exchange: ex, Right: test.right}, "get.found", test.statuses, spec.About{Shows: spec.Missing})
			if f.Rule != test.rule || f.Cause != test.cause || f.Status != test.status || f.Kind != spec.KindStatus || f.Operation != "getPet" || f.About.Shows != spec.Missing {
				t.Errorf("%+v", f)
			}
		})
	}
}
