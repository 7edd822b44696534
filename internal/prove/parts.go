package prove

import "hallmark/steps/suite"

// parts returns the parts of the suite that judge a case, one after the other until one finds what it should. A
// whole proof has only one part, everything that is selected. A short one looks for a fault with the scenario that
// found it before, then with those that exercise the rule it breaks, and finally with all: only after that has a
// fault survived, or been misdiagnosed. Cases to be accepted are always judged by all scenarios, since any of them
// may report something.
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
