package scenario

import (
	"context"
	"fmt"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/budget"
	"hallmark/steps/check"
	"hallmark/steps/suite"
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

	// share is the part of the run's budget that the scenario draws on; repeats reports whether it was played before.
	share   string
	repeats bool
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

// IsRepetition reports whether the scenario was played before.
func (s *Scenario) IsRepetition() bool { return s.repeats }

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
	if r.Promises != nil && a.Request != nil && len(ex.Expect.Statuses) == 0 {
		ex.Expect.Statuses = a.Request.Operation.Statuses()
	}
	value, results := r.judgement.response(a)
	for _, j := range results {
		s.conclude(ex, j)
		r.unjudged.note(ex.Operation, j.Unjudged)
	}
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

// Expect sets the statuses that are right here and the rule that requires them, judges the response by it, and
// reports whether the status is right.
func (s *Scenario) Expect(a *Answer, rule string, statuses ...int) bool {
	ex := a.Exchange
	ex.Expect = spec.Expect{Statuses: statuses, Rule: rule}
	j := s.Run.judgement.status(a, rule, statuses)
	if len(j.Findings) == 0 {
		s.conclude(ex, j)
		s.Run.doubts.answered(s.Pickle.Phase(), a)
		return true
	}
	broken := j.Findings[0].Rule
	s.follow(ex, broken)
	s.conclude(ex, j)
	if broken != "answer.status" && s.Run.NeverAnswers(ex.Operation, a.Status()) && a.Path != nil {
		s.Run.doubts.keep(s.Pickle.Phase(), Doubt{a, broken, statuses})
	}
	return false
}

// Trial returns a scenario within the scenario, whose findings are inspected before they count. A spare one draws
// on the unreserved budget.
func (s *Scenario) Trial(spare bool) *Scenario {
	share := s.share
	if spare {
		share = ""
	}
	t := s.Run.newScenario(s.Pickle, s.Rule, share, s.repeats)
	t.started = s.started
	return t
}

// Absorb takes over what a trial did, except its findings.
func (s *Scenario) Absorb(t *Scenario) {
	s.Ledger.absorb(t.Ledger)
	s.Caller.absorb(t.Caller)
	if t.Budget.IsCutShort() {
		s.Budget.CutShort()
	}
}

// CutToBudget returns the error that ends a scenario which would create more than the run may.
func (s *Scenario) CutToBudget(plural string, of, tried int) error {
	s.Budget.CutShort()
	i := s.Run.Interface
	stop := Stop{Tried: fmt.Sprintf("%d of %d generated %s", tried, of, plural), Excused: tried > 0}
	stop.Reason = fmt.Sprintf("%s were tried: the run may create no more %ss (--max-created)", stop.Tried, i.Noun())
	return stop
}
