package scenario

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// judgement says which rules a response breaks and keeps. It sends no requests and keeps no state.
type judgement struct {
	catalogue *spec.Catalogue
	promises  *promise.Promises
	contract  *spec.Contract
}

// response judges a response by the rules that hold for every response. Only the value is set if it could not be
// decoded. marks says what of the contract the exchange touches; nil for none.
func (j *judgement) response(ex *spec.Exchange) (out promise.Judged, marks *coverage.Marks) {
	out = j.promises.Response(ex)
	marks = j.marks(ex, &out)
	out.Value.Tree = truncate.Value(out.Value.Tree)
	if out.Value.Err != nil {
		return promise.Judged{Value: out.Value}, marks
	}
	return j.promises.Attribute(j.catalogue, ex, out), marks
}

// marks returns what of the contract an exchange touches, or nil for an exchange that is none of an operation, or asks to come back later.
func (j *judgement) marks(ex *spec.Exchange, out *promise.Judged) *coverage.Marks {
	op, known := j.contract.Operation(ex.Operation)
	if !known || ex.Response == nil || ex.Lost != "" || ex.Response.BackPressure() {
		return nil
	}
	m := coverage.Mark(j.contract, op, ex, coverage.Value{
		Tree: out.Value.Tree, Readable: out.Value.Valid && !ex.Response.Cut(), Judged: out.Value.Err == nil && len(out.Unjudged) == 0 && !ex.Response.Cut(),
	})
	return &m
}
