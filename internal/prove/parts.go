package prove

import "hallmark/steps/suite"

// parts are the parts of the suite that judge a case, one after the other until one finds what it is to find. A whole proof has but
// one of them, all that is selected. A short one looks for a fault by the scenario that found it before, then by those that ask about
// the rule that it breaks, and at last by all of them: a fault survives, or is misdiagnosed, only after that. What is to be
// accepted is judged by all scenarios in any case, since any of them may accuse it.
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
