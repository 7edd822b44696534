package session

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// statusStep is a step that expects certain statuses.
var statusStep = regexp.MustCompile(`^(?:the|each|at least one) response is (\d{3}(?: or \d{3})*)$`)

// commonRefusals are the statuses that rules of a contract may require even if an operation does not document them.
var commonRefusals = []int{304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 429}

// checkWritten refuses a written scenario that expects a status under a rule that follows from the contract, where no operation of the
// contract documents that status: what the scenario expects is then a rule of its authors, who have to name it and choose its level.
func checkWritten(s *suite.Suite, catalogue *spec.Catalogue, contract *spec.Contract) error {
	operations := contract.Operations()
	for i := range s.Features {
		for _, sc := range s.Features[i].Scenarios {
			if sc.Has(suite.Derived) || len(sc.Rules) == 0 {
				continue
			}
			rule, _ := catalogue.Rule(sc.Rules[0])
			if len(rule.Cases) == 0 { // a rule of rules.yaml
				continue
			}
			for _, step := range sc.Steps {
				if status := undocumented(step.Text, operations); status != 0 {
					return fmt.Errorf("%s:%d: the scenario %q expects status %d, which the contract documents for no operation, under %s, a rule of the contract; "+
						"add a rule of your own to rules.yaml, with a level, and tag the scenario with it", sc.URI, step.Line, sc.Name, status, rule.ID)
				}
			}
		}
	}
	return nil
}

// undocumented returns the first status that a step expects if none that it expects may come from the contract; 0 otherwise.
func undocumented(step string, operations []spec.Operation) int {
	m := statusStep.FindStringSubmatch(step)
	if m == nil {
		return 0
	}
	first := 0
	for word := range strings.SplitSeq(m[1], " or ") {
		status, err := strconv.Atoi(word)
		if err != nil || slices.Contains(commonRefusals, status) ||
			slices.ContainsFunc(operations, func(op spec.Operation) bool { return op.ResponseFor(status) != nil }) {
			return 0
		}
		if first == 0 {
			first = status
		}
	}
	return first
}
