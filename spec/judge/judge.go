package judge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/schema"
)

// Judge checks single answers against the contract. Any number of goroutines may use it.
type Judge struct {
	contract *spec.Contract
	// plans say how a response is judged, by operation and key of the documented response; otherErrors and otherSuccesses
	// stand for the statuses that the operation does not document.
	plans map[string]map[string]*plan

	mu       sync.Mutex
	unjudged map[string]schema.Hole
}

// plan is how the responses of an operation with one status are judged.
type plan struct {
	// documented reports whether the operation documents the status, place where (what holds the content).
	documented bool
	place      string
	media      []string
	// schema is nil when nothing is said about the body's form.
	schema    *spec.Schema
	validator *schema.Schema
	// item is the schema of the items of a list; nil where there is none.
	item *schema.Schema
	root *location
	// unjudged is told what a value could not be judged by.
	unjudged func([]schema.Hole)
	// thorough leaves nothing out of long lists, see doubtful; tests compare the two ways.
	thorough bool
}

// Keys of plans for statuses that an operation does not document.
const (
	otherErrors    = "other errors"
	otherSuccesses = "other successes"
)

// New returns a judge of responses to the operations of a contract. It fails when the catalogue lacks a rule that a
// violation would belong to, so that no response can turn out to break nothing.
func New(contract *spec.Contract, catalogue *spec.Catalogue) (*Judge, error) {
	if contract == nil || catalogue == nil {
		return nil, errors.New("a judge needs a contract and a catalogue")
	}
	for _, id := range []string{spec.RuleStatus, spec.RuleBody, spec.RuleMediaType, spec.RuleJSON, spec.RuleErrorBody} {
		if r, ok := catalogue.Rule(id); !ok || !r.Always {
			return nil, fmt.Errorf("the catalogue has no rule %s that always holds; every response is judged by it", id)
		}
	}
	j := &Judge{contract: contract, plans: map[string]map[string]*plan{}}
	for _, op := range contract.Operations() {
		plans := map[string]*plan{}
		for _, a := range op.Responses {
			p := &plan{unjudged: j.noteUnjudged, documented: true, place: a.Definition(), media: a.MediaTypes(), schema: a.Schema()}
			if p.schema != nil {
				p.validator = contract.Validator(p.schema)
				if item := p.schema.Item(); item != nil {
					p.item = contract.Validator(item)
				}
				var err error
				if p.root, err = newLocation(catalogue, op.ID, a.JSON().Edge, append([]string{a.Pointer}, a.Via...)); err != nil {
					return nil, err
				}
			}
			plans[a.Key] = p
		}
		plans[otherSuccesses] = shared(op, plans, 2)
		plans[otherErrors] = shared(op, plans, 4, 5)
		j.plans[op.ID] = plans
	}
	return j, nil
}

// Unjudged returns what in the schemas responses could not be judged by so far, in the order of the document. It is never held
// against a response.
func (j *Judge) Unjudged() []schema.Hole {
	j.mu.Lock()
	all := slices.Collect(maps.Values(j.unjudged))
	j.mu.Unlock()
	slices.SortFunc(all, func(a, b schema.Hole) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Pointer, b.Pointer))
	})
	return all
}

func (j *Judge) noteUnjudged(holes []schema.Hole) {
	if len(holes) == 0 {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.unjudged == nil {
		j.unjudged = map[string]schema.Hole{}
	}
	for _, h := range holes {
		j.unjudged[h.Pointer] = h
	}
}

// shared returns the plan for a status that an operation does not document: the schema that its documented answers of the
// same kind have in common, if they do.
func shared(op spec.Operation, plans map[string]*plan, classes ...int) *plan {
	other := &plan{place: jsonpointer.Join(op.Pointer, "responses")}
	for _, a := range op.Responses {
		if !slices.Contains(classes, a.Class()) {
			continue
		}
		p := plans[a.Key]
		if p.schema == nil || other.schema != nil && other.schema.Pointer != p.schema.Pointer {
			return &plan{place: other.place}
		}
		other.schema, other.validator, other.root, other.unjudged = p.schema, p.validator, p.root, p.unjudged
	}
	return other
}

// plan returns how a response of that status is judged.
func (j *Judge) plan(op *spec.Operation, status int) *plan {
	plans := j.plans[op.ID]
	if a := op.ResponseFor(status); a != nil {
		return plans[a.Key]
	}
	switch {
	case status >= 400:
		return plans[otherErrors]
	case status >= 200 && status <= 299:
		return plans[otherSuccesses]
	}
	return &plan{place: jsonpointer.Join(op.Pointer, "responses")}
}

// Answer judges one response: its body is there, is of the documented media type, is one JSON text and matches the schema
// of the documented response. Whether its status was the right one is for the caller to say (Exchange.Expect). It answers
// with the decoded body, one finding for each kind of breach, and the ids of the rules that this response put to the test.
//
// Exchanges outside the contract are not judged, nor are those without a whole response, nor back-pressure.
func (j *Judge) Answer(ex *spec.Exchange) (body exactjson.Value, findings []spec.Finding, exercised []string) {
	defer func() {
		if r := recover(); r != nil {
			// A defect of hallmark or of a library must never read as one of the service.
			body = exactjson.Value{Err: fmt.Errorf("judging a response failed, which is a defect of hallmark: %v", r)}
			findings, exercised = nil, nil
		}
	}()
	switch {
	case ex.Response == nil || ex.Lost != "":
		return exactjson.Value{}, nil, nil
	case ex.Operation == "" || ex.Response.BackPressure():
		return spec.Decode(ex.Response), nil, nil
	}
	op, ok := j.contract.Operation(ex.Operation)
	if !ok {
		return exactjson.Value{Err: fmt.Errorf("the contract has no operation %s", ex.Operation)}, nil, nil
	}
	x := &judgement{exchange: ex, operation: op, plan: j.plan(op, ex.Response.Status), exercised: map[string]bool{}}
	body = x.judge()
	return body, x.findings, slices.Sorted(maps.Keys(x.exercised))
}

// mediaTypes returns the media types of a response's Content-Type header, in lower case and without parameters. There should
// be one; a header that is sent twice, or a list, gives several.
func mediaTypes(r *spec.Response) []string {
	var types []string
	for name, lines := range r.Header {
		if !strings.EqualFold(name, "Content-Type") {
			continue
		}
		for _, line := range lines {
			line, _, _ = strings.Cut(line, ";")
			for t := range strings.SplitSeq(line, ",") {
				if t = strings.ToLower(strings.TrimSpace(t)); t != "" && !slices.Contains(types, t) {
					types = append(types, t)
				}
			}
		}
	}
	return types
}
