package scenario

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// judgement says which rules a response breaks and keeps. It sends no requests and keeps no state.
type judgement struct {
	catalogue *spec.Catalogue
	promises  *promise.Promises
}

// response judges a response by the rules that hold for every response, and returns its value. There are no
// results if the value could not be decoded.
func (j *judgement) response(ex *spec.Exchange) (exactjson.Value, []check.Result) {
	out := j.promises.Response(ex)
	out.Value.Tree = truncate.Value(out.Value.Tree)
	if out.Value.Err != nil {
		return out.Value, nil
	}
	out = j.promises.Attribute(j.catalogue, ex, out)
	return out.Value, []check.Result{{Findings: out.Findings, Exercised: out.Exercised, Unjudged: out.Unjudged}}
}
