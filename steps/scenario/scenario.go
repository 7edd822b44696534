package scenario

import (
	"context"
	"fmt"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Scenario is one scenario while it is played. It travels in the context, and combines what steps use: the state
// that they pass on, the caller that sends requests, the account that bounds what is created, and the ledger that
// collects findings. The run's Judgement says what a response breaks.
type Scenario struct {
	*State
	*Caller
	*Ledger
	Budget *budget.Account

	Run    *Run
	Pickle *suite.Scenario
	// Rule is the rule that the scenario is about: the first in its tags.
	Rule spec.Rule

	// share is the part of the run's budget that the scenario draws on.
	share string
	// Round is the number of the consecutive parts of the run that the scenario belongs to, from 1; 0 means none.
	Round int

	started time.Time
	steps   []record.Step
	// before is what remains of earlier attempts that were lost, or nil.
	before *Attempts
	// skipped is why the scenario was not played, or empty. excused reports whether that left nothing untested.
	skipped string
	excused bool
}

// Attempts is what remains of a scenario that was lost, perhaps several times.
type Attempts struct {
	times     int
	exchanges []int
	// findings were made before the loss. They count, whether or not the next attempt shows them again.
	findings []spec.Finding
	lost     string
	// operation is the operation by which the scenario was last lost, inARow how often in a row.
	operation string
	inARow    int
}

// PreflightID is the id of the preflight in records.
const PreflightID = "preflight"

// ID returns the scenario's id.
func (s *Scenario) ID() string { return idOf(s.Pickle) }

// Derived reports whether the scenario follows from the contract.
func (s *Scenario) Derived() bool { return s.Pickle.Has(suite.Derived) }

func idOf(p *suite.Scenario) string {
	if p.URI == "" {
		return PreflightID
	}
	return p.ID()
}

// Key is the context key for the scenario.
type Key struct{}

// From returns the scenario in a context, or nil.
func From(ctx context.Context) *Scenario {
	s, _ := ctx.Value(Key{}).(*Scenario)
	return s
}

// Operation returns an operation of the contract. It ends the scenario if the operation was removed.
func (s *Scenario) Operation(id string) (spec.Operation, error) {
	op, ok := s.Run.Contract.Operation(id)
	if !ok {
		return spec.Operation{}, fmt.Errorf("the contract has no operation %q", id)
	}
	if reason, gone := s.Run.Removed[id]; gone {
		return *op, Excusef("%s", reason)
	}
	return *op, nil
}

// Judge judges a response by the rules that hold for every response, and records the result.
func (s *Scenario) Judge(a *Answer) {
	r, ex := s.Run, a.Exchange
	defer r.keeper.admit(len(ex.Response.Body))()
	if a.Request != nil && len(ex.Expect.Statuses) == 0 {
		ex.Expect.Statuses = a.Request.Operation.Statuses()
	}
	judged, marks := r.judgement.response(ex)
	value := judged.Value
	s.touched(ex.Seq, marks)
	s.conclude(ex, judged)
	r.unjudged.Add(ex.Operation, judged.Unjudged)
	if value.Err != nil {
		s.leaveUnjudged(value.Err)
		if exactjson.ExceedsLimit(value.Err) { // anything else is a bug of ours
			r.noteLostText(fmt.Sprintf("%s could not be judged: %v", check.Place(ex), value.Err))
		}
	}
	items, _ := value.Array()
	a.Items, a.Value = len(items), r.keeper.lightened(value)
}

// Expects notes the statuses that a scenario says are right for a response.
func (s *Scenario) Expects(a *Answer, statuses ...int) {
	a.Exchange.Expect = spec.Expect{Statuses: statuses, Rule: s.Rule.ID}
}
