package session

import (
	"errors"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// uncalled returns the operations that the run will not see succeed, each with the reason: those held back, those
// whose credential is missing, and those for which the contract documents no success.
func (p *preparation) uncalled() []record.Uncalled {
	operations, from := p.Contract.Operations(), resource.Of(p.Contract)
	var all []record.Uncalled
	for i := range operations {
		op := &operations[i]
		one := record.Uncalled{Operation: op.ID, Reason: p.heldBack(op, from)}
		if missing := (scheme.Missing{}); one.Reason == "" && errors.As(p.run.Target.Keyring.Lacks(op, p.run.Target.Role), &missing) {
			one.Reason, one.Remedy = missing.Error(), missing.Remedy()
		}
		if one.Reason != "" {
			all = append(all, one)
		}
	}
	return all
}

// heldBack returns why no success of an operation can be expected, regardless of credentials; empty if one can.
func (p *preparation) heldBack(op *spec.Operation, from *resource.Map) string {
	reads := op.Method == http.MethodGet || op.Method == http.MethodHead
	succeeds := func(a spec.DocumentedResponse) bool { return a.Class() < 4 }
	switch {
	case p.run.Target.ReadOnly && !reads:
		return "the run is read-only"
	case len(op.Responses) > 0 && !slices.ContainsFunc(op.Responses, succeeds):
		return "the contract documents no successful response of it"
	}
	why, held := scenario.NeverCalled(op, p.promises, from, p.run.Target.BaseURL, p.run.Target.Allowed)
	if held {
		why += "; --allow " + text.ShellQuote(op.ID) + " calls it"
	}
	return why
}
