package promise

import (
	"strings"

	"hallmark/spec"
)

// Scenario is a derived scenario.
type Scenario struct {
	// Rule is the id of the rule that it tries.
	Rule string
	// Title says in a clause what is special about it, and Text is the whole of it as Gherkin.
	Title, Text string
}

// Scenarios calls do with each scenario that puts the rules of a catalogue to the test, in the order of the features.
func (p *Promises) Scenarios(catalogue *spec.Catalogue, do func(Scenario)) {
	operations := p.contract.Operations()
	order := make(map[string]int, len(catalogue.Rules))
	for i, r := range catalogue.Rules {
		order[r.ID] = i
	}
	of := p.derive().of
	for i := range operations {
		op := &operations[i]
		for _, one := range blocks(op, p.Names, catalogue, order, of[op.ID]) {
			for _, c := range one.cases {
				var b strings.Builder
				scenario(&b, op, []Case{c})
				do(Scenario{Rule: one.rule.ID, Title: oneLine(c.Title), Text: b.String()})
			}
		}
	}
}
