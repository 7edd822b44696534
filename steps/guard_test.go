package steps

import (
	"slices"
	"testing"

	"hallmark/spec"
	"hallmark/steps/petstore/rehearse"
)

// TestEveryRuleIsAskedAbout: a rule that no scenario names can be selected by nobody, and would be judged by chance. One
// that is judged on every exchange may go without a scenario if it is no must, and so may those that are judged of
// whatever open questions are answered with.
func TestEveryRuleIsAskedAbout(t *testing.T) {
	catalogue, named := rehearse.Must(t, rehearse.Catalogue), rehearse.Must(t, rehearse.Suite).Rules()
	asked := map[string]bool{}
	for id := range named {
		for id != "" && !asked[id] {
			asked[id] = true
			rule, ok := catalogue.Rule(id)
			if !ok {
				t.Errorf("a scenario names %s, which is no rule", id)
			}
			id = rule.Within // who asks about a part asks about the whole
		}
	}
	byTheWay := []string{"list.robust", "create.robust", "get.petId.refused", "create.value.refused"}
	for _, rule := range catalogue.Rules {
		switch {
		case rule.Level != spec.Must && slices.Contains(byTheWay, rule.ID):
		case rule.Untestable != "" && named[rule.ID] > 0:
			t.Errorf("%s is said to be untestable, and %d scenarios name it", rule.ID, named[rule.ID])
		case rule.Untestable != "" || asked[rule.ID]:
		case rule.Always && rule.Level != spec.Must:
		default:
			t.Errorf("no scenario asks about %s (%s)", rule.ID, rule.Level)
		}
	}
}
