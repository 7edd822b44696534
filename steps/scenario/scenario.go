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

// Scenario is one scenario while it is played. It travels in the context, and puts together what steps use: the state that they
// leave each other, the caller that asks, the account that bounds what is created, and the ledger that collects what is seen.
// What a response breaks is a matter of the run's Judgement.
type Scenario struct {
	*State
	*Caller
	*Ledger
	Budget *budget.Account

	Run    *Run
	Pickle *suite.Scenario
	// Rule is the one that the scenario is about: the first that its tags name.
	Rule spec.Rule

	// share is the part of the run's budget that the scenario draws from; repeats reports whether it was played before.
	share   string
	repeats bool
	// Round is which of the parts of the run that are played one after another it belongs to, from 1; 0 is none.
	Round int

	started time.Time
	steps   []record.Step
	// before is what is left of the times that it was played before, and lost on the way; nil for none.
	before *Attempts
	// skipped is why the scenario was not begun; empty when it was. excused reports whether nothing was left unasked by that.
	skipped string
	excused bool
}

// Attempts are what is left of a scenario that was lost, perhaps several times.
type Attempts struct {
	times     int
	exchanges []int
	// findings were made before the loss: they stand, whether the next time shows them again or not.
	findings []spec.Finding
	lost     string
	// by is the operation by which the scenario was lost last, row how often in a row.
	by  string
	row int
}

// PreflightID is the preflight's in records.
const PreflightID = "preflight"

// ID is the scenario's id.
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

// Key is the key by which a context holds the scenario that it belongs to.
type Key struct{}

// From returns the scenario that a context belongs to; nil for none.
func From(ctx context.Context) *Scenario {
	s, _ := ctx.Value(Key{}).(*Scenario)
	return s
}

// Operation returns an operation of the contract; it ends the scenario when the operation was removed.
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

// Judge judges a response by the rules that hold for all of them, and keeps what comes of it.
func (s *Scenario) Judge(a *Answer) {
	r, ex := s.Run, a.Exchange
	defer r.keeper.admit(len(ex.Response.Body))()
	value, results := r.judgement.Response(a)
	for _, j := range results {
		s.Conclude(ex, j)
		r.unjudged.note(ex.Operation, j.Unjudged)
	}
	if value.Err != nil {
		s.leaveUnjudged(value.Err)
		if exactjson.ExceedsLimit(value.Err) { // anything else is a failure of ours
			r.noteLostText(fmt.Sprintf("%s could not be judged: %v", check.Place(ex), value.Err))
		}
	}
	items, _ := value.Array()
	a.Items, a.Value = len(items), r.keeper.lightened(value)
}

// Expect says which statuses keep the contract here, by which rule, and judges the response by it.
func (s *Scenario) Expect(a *Answer, rule string, statuses ...int) bool {
	ex := a.Exchange
	ex.Expect = spec.Expect{Statuses: statuses, Rule: rule}
	j := s.Run.judgement.Status(a, rule, statuses)
	if len(j.Findings) == 0 {
		s.Conclude(ex, j)
		s.Run.doubts.answered(s.Pickle.Phase(), a)
		return true
	}
	broken := j.Findings[0].Rule
	s.follow(ex, broken)
	s.Conclude(ex, j)
	if broken != "answer.status" && s.Run.NeverAnswers(ex.Operation, a.Status()) && a.Path != nil {
		s.Run.doubts.add(s.Pickle.Phase(), Doubt{a, broken, statuses})
	}
	return false
}

// Trial is a scenario within the scenario: what it finds out is looked at before it counts. A spare one draws from what nobody
// has reserved.
func (s *Scenario) Trial(spare bool) *Scenario {
	share := s.share
	if spare {
		share = ""
	}
	t := s.Run.newScenario(s.Pickle, s.Rule, share, s.repeats)
	t.started = s.started
	return t
}

// Absorb takes over what a trial did, but for its findings.
func (s *Scenario) Absorb(t *Scenario) {
	s.Ledger.absorb(t.Ledger)
	s.Caller.absorb(t.Caller)
	if t.Budget.IsCutShort() {
		s.Budget.CutShort()
	}
}

// CutToBudget ends a scenario that would create more than the run may.
func (s *Scenario) CutToBudget(plural string, of, tried int) error {
	s.Budget.CutShort()
	i := s.Run.Interface
	stop := Stop{Tried: fmt.Sprintf("%d of %d generated %s", tried, of, plural), Excused: tried > 0}
	stop.Reason = fmt.Sprintf("%s were tried: the run may create no more %ss (--max-created)", stop.Tried, i.Noun())
	return stop
}
