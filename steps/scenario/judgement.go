package scenario

import (
	"fmt"
	"slices"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/judge"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/steps/check"
	"hallmark/steps/truncate"
)

// judgement says which rules a response breaks and keeps, by the contract and by the extension of the interface.
// It sends no requests and keeps no state; what a run remembers of earlier responses is the extension's.
type judgement struct {
	contract  *spec.Contract
	catalogue *spec.Catalogue
	judge     *judge.Judge
	// promises, if set, replaces judge: the rules follow from the contract.
	promises  *promise.Promises
	extension Extension
}

// response judges a response by the rules that hold for every response, and returns its value. There are no
// results if the value could not be decoded.
func (j *judgement) response(a *Answer) (exactjson.Value, []check.Result) {
	ex := a.Exchange
	if j.promises != nil {
		return j.promised(ex)
	}
	value, findings, exercised := j.judge.Answer(ex)
	value.Tree = truncate.Value(value.Tree)
	if value.Err != nil {
		return value, nil
	}
	contract := check.Result{Findings: findings, Exercised: exercised}
	var seen []check.Result
	if ex.Operation != "" {
		seen = j.extension.Judge(a, value, &contract)
	}
	return value, slices.Concat([]check.Result{contract}, j.documented(ex, value.Tree), seen)
}

// documented judges a response by what the contract says about errors and deprecation.
func (j *judgement) documented(ex *spec.Exchange, value any) []check.Result {
	op, ok := j.contract.Operation(ex.Operation)
	if !ok {
		return nil
	}
	return []check.Result{check.Error(ex, *op, value), check.Deprecation(ex, *op)}
}

// promised judges a response by the rules that follow from the contract.
func (j *judgement) promised(ex *spec.Exchange) (exactjson.Value, []check.Result) {
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

// status judges a response by the expected statuses and the rule that requires them. A status that breaks another
// rule does not count for this one.
func (j *judgement) status(a *Answer, rule string, statuses []int) check.Result {
	var out check.Result
	if slices.Contains(statuses, a.Status()) {
		out.Kept(rule)
		if rule != "answer.status" {
			out.Kept("answer.status")
		}
		if a.Right && !slices.Contains(statuses, 401) {
			out.Kept("auth.accepted")
		}
		return out
	}
	f := StatusFinding(a, rule, statuses, j.extension.About(a))
	if why := j.extension.After(a, f.Rule); why != f.Rule {
		f.After = why
	}
	out.Find(f)
	out.Kept("answer.status") // the narrower rule reports violations of the wider one
	return out
}

// StatusFinding returns the finding for an unexpected status, and what that means for the resources of the
// interface. Refusing the right key is always reported under a rule of its own.
func StatusFinding(a *Answer, rule string, statuses []int, about spec.About) spec.Finding {
	if a.Right && a.Status() == 401 && !slices.Contains(statuses, 401) {
		rule = "auth.accepted"
	}
	where := check.Place(a.Exchange)
	if a.Exchange.About != "" {
		where = where.In(a.Exchange.About)
	}
	cause := fmt.Sprintf("%s: status %d", rule, a.Status())
	if !a.Right && slices.Equal(statuses, []int{401}) && letIn(a.Status()) {
		// Whether an accepted request then got 200, 400 or 404 depends on the request, not on the credential.
		cause = rule + ": let in"
	}
	return spec.Finding{
		Rule: rule, Operation: a.Exchange.Operation, Kind: spec.KindStatus, Expected: phrase.Of("status {}", phrase.Status(statuses...)),
		Actual: phrase.Of("status {}", phrase.Status(a.Status())), Status: a.Status(), Where: where, Cause: cause, About: about,
	}
}

// letIn reports whether a status shows that the credential was accepted.
func letIn(status int) bool { return status/100 == 2 || status == 400 || status == 404 }
