package scenario

import (
	"slices"

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
	return out.Value, []check.Result{j.told(ex, out)}
}

// told merges what was judged of a response under each rule by which it is reported.
func (j *judgement) told(ex *spec.Exchange, out promise.Judged) check.Result {
	var told check.Result
	for _, f := range out.Findings {
		f.Rule = j.catalogue.ResolveFinding(f)
		told.Findings = append(told.Findings, f)
	}
	var shown func(place string) bool // nil until it is needed
	about := func(part string) bool {
		place := spec.PlaceOf(part)
		if place == "" {
			return true
		}
		if shown == nil {
			shown = j.promises.Shows(ex, out.Value.Tree)
		}
		return shown(place)
	}
	for _, rule := range out.Exercised {
		told.Exercised = append(told.Exercised, j.catalogue.ResolveWithin(rule, about)...)
	}
	for _, f := range told.Findings { // what breaks a rule has put it to the test
		if !slices.Contains(told.Exercised, f.Rule) {
			told.Exercised = append(told.Exercised, f.Rule)
		}
	}
	for _, u := range out.Unjudged {
		u.Rule = j.catalogue.Resolve(u.Rule, u.Pointer)
		told.Unjudged = append(told.Unjudged, u)
	}
	return told
}
