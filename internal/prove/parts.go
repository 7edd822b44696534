package prove

import "github.com/hallmark-kit/hallmark/steps/suite"

// parts returns the parts of the suite that judge a case, tried in order until one has the expected result. A whole proof has one part,
// everything selected. A short one tries the scenario that found the fault before, then those that exercise the rule it breaks, and finally
// all: only then has a fault survived or been misdiagnosed. Cases to be accepted are always judged by all scenarios, since any of them may
// report something.
func parts(p *Prover, c Case) []suite.Selection {
	var all []suite.Selection
	if p.Short && c.Kind == Fault && p.Selection.Whole() {
		if id := p.Finders[c.Name]; p.Suite.Has(id) {
			all = append(all, suite.Selection{Only: []string{id}})
		}
		if p.Suite.Rules()[c.Rule] > 0 {
			all = append(all, suite.Selection{Rules: []string{c.Rule}})
		}
	}
	return append(all, p.Selection)
}
