package promise

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Acted is the promise that what the response to an action on a resource shows is read afterwards.
const Acted Kind = "acted.shown"

// Steps about actions on resources.
const (
	ActsOn       sentence.Sentence = "{name} acts on it"
	ShownAsActed string            = "it is shown as the action showed it"
)

// acts reports whether an operation is an action on the resource of a life.
func (l life) acts(op *spec.Operation) bool {
	return slices.ContainsFunc(l.Actions, func(a *spec.Operation) bool { return a.ID == op.ID }) && len(l.Lasting()) > 0
}

// describeActions adds the inferred rule of an operation that acts on a resource.
func describeActions(d *describer, infer func(l life, k Kind, says, meaning string)) {
	if l, ok := firstLife(d.lives, func(l life) bool { return l.acts(d.op) }); ok {
		infer(l, Acted, l.Reader.ID+" returns what the response of "+d.op.ID+" showed before", d.op.ID+" acts on one and shows it (RFC 9110, section 9.3.3)")
	}
}

// deriveActions adds the scenario about an operation that acts on a resource.
func deriveActions(d *deriver, lives []*life) {
	if l, ok := firstLife(lives, func(l life) bool { return l.acts(d.op) }); ok {
		reads := Reads.Write(l.Reader.ID)
		d.group(Case{
			Kind: Acted, Aspect: Lives, Title: "what an action shows is read", Given: PlainRequest.Write(l.creates.ID) + Succeeded,
			When: []string{Creates, reads, ActsOn.Write(d.op.ID), reads}, Then: []string{ShownAsActed}, Writes: true, Asks: 3,
			Contract: []string{d.op.Pointer, l.Reader.Pointer},
		})
	}
}
