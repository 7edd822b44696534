package promise

import (
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// Responses judges responses by what the contract documents: media type, body, headers. It is safe for concurrent
// use.
type Responses struct {
	contract *spec.Contract
	names    Names
}

// Judged is the result of judging a response.
type Judged struct {
	// Value is the decoded body; it is not valid if there is none that could be decoded.
	Value    exactjson.Value
	Findings []spec.Finding
	// Exercised holds the ids of the rules that the response could have broken, except those that Unjudged leaves
	// open.
	Exercised []string
	// Unjudged says what the response could not be judged by, and which rule that leaves open.
	Unjudged []spec.Unjudged
}

// settle removes rules from Exercised that a hole leaves open. A violation counts whatever else was not judged.
func (j *Judged) settle() {
	j.Exercised = slices.DeleteFunc(j.Exercised, func(rule string) bool {
		return slices.ContainsFunc(j.Unjudged, func(u spec.Unjudged) bool { return u.Rule == rule }) &&
			!slices.ContainsFunc(j.Findings, func(f spec.Finding) bool { return f.Rule == rule })
	})
}

// Judge judges a response. It does not judge exchanges outside the contract or without a complete response.
// Whether the status was right depends on the request; see the function Judge.
func (r *Responses) Judge(ex *spec.Exchange) (out Judged) {
	defer func() {
		if p := recover(); p != nil {
			// A defect of hallmark or of a library must never appear as one of the service.
			out = Judged{Value: exactjson.Value{Err: fmt.Errorf("judging a response failed, which is a defect of hallmark: %v", p)}}
		}
	}()
	op, ok := r.contract.Operation(ex.Operation)
	switch {
	case ex.Response == nil || ex.Lost != "":
		return Judged{}
	case !ok || ex.Response.BackPressure():
		return Judged{Value: spec.Decode(ex.Response)}
	}
	judged := r.judgeAs(op, ex)
	if len(judged.Findings) == 0 {
		return judged
	}
	for _, twin := range twins(op, r.contract.Operations()) {
		if other := r.judgeAs(twin, ex); len(other.Findings) == 0 && twin.ResponseFor(ex.Response.Status) != nil {
			return Judged{Value: other.Value} // either operation may have been meant
		}
	}
	return judged
}

// judgeAs judges a response as one of an operation.
func (r *Responses) judgeAs(op *spec.Operation, ex *spec.Exchange) Judged {
	x := responseJudge{Responses: r, op: op, ex: ex, answer: op.ResponseFor(ex.Response.Status)}
	x.conventions()
	x.headers()
	x.body()
	x.settle()
	return x.Judged
}

// responseJudge is the state of judging one response.
type responseJudge struct {
	*Responses
	Judged
	op *spec.Operation
	ex *spec.Exchange
	// answer is the documented response for the status, or nil.
	answer *spec.DocumentedResponse
}

// exercised records that a kind of promise was evaluated.
func (x *responseJudge) exercised(k Kind) {
	if rule := x.names.Rule(x.op.ID, k); !slices.Contains(x.Exercised, rule) {
		x.Exercised = append(x.Exercised, rule)
	}
}

// find adds a finding about a kind of promise.
func (x *responseJudge) find(k Kind, f spec.Finding) {
	x.exercised(k)
	f.Rule, f.Operation, f.Exchanges = x.names.Rule(x.op.ID, k), x.op.ID, []int{x.ex.Seq}
	if f.Where.IsZero() {
		f.Where = x.place()
	}
	if f.Cause == "" {
		f.Cause = f.Rule + " " + f.Contract + " " + string(f.Kind) + " " + f.Detail
	}
	x.Findings = append(x.Findings, f)
}

// place returns the place of the response.
func (x *responseJudge) place() phrase.Place {
	return phrase.Place{Method: x.ex.Request.Method, Path: address(x.ex, x.op), Status: x.ex.Response.Status}
}

// Why values cannot be judged.
const (
	noSchema     = "the schema cannot be judged by"
	manyReadings = "the content can be read in more ways than are looked at"
)

// hole records that a value could not be judged by a place of the document, which leaves a kind of promise open.
func (x *responseJudge) hole(k Kind, pointer, reason string) {
	x.unjudged(k, []schema.Hole{{Pointer: pointer, Line: x.contract.Line(pointer), Reason: reason}})
}

func (x *responseJudge) unjudged(k Kind, holes []schema.Hole) {
	for _, h := range holes {
		if u := (spec.Unjudged{Rule: x.names.Rule(x.op.ID, k), Hole: h}); !slices.Contains(x.Unjudged, u) {
			x.Unjudged = append(x.Unjudged, u)
		}
	}
}
