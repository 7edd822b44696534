package scenario

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/budget"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/suite"
)

// Scenario is the state of one scenario while it runs. It travels in the context.
type Scenario struct {
	Run    *Run
	Pickle *suite.Scenario
	// Rule is the one that the scenario is about: the first that its tags name.
	Rule spec.Rule

	Started time.Time
	Steps   []record.Step
	// Before is what is left of the times that it was played before, and lost on the way; nil for none.
	Before *Attempts

	// What the Given steps prepared for the next call.
	Credential credentials.Credential
	Body       *generate.Plan

	// Answers are those of the last When step, in order; Earlier those that Given steps asked for, by operation.
	Answers []*Answer
	Earlier map[string]*Answer
	// State is what the steps of the interface keep; see Extension.Begin.
	State any
	// LinkedFrom is the exchange from whose response the last arguments were taken; 0 for none.
	LinkedFrom int
	// Repeated are the doubts that answers belong to, in their order.
	Repeated []Doubt

	mu           sync.Mutex // guards what follows, which concurrent exchanges add to
	Exchanges    []*spec.Exchange
	Findings     []spec.Finding
	Observations []spec.Observation
	Exercised    []string
	// origins are the exchanges that what a request names came from, by the request's number, where it does not name it word
	// for word.
	origins map[int]int
	// told is how many serious findings the steps so far have told.
	told int
	// bodies is how much of the run's room for bodies the scenario takes, in bytes.
	bodies int64
	// Skipped is why the scenario was not played to its end; empty when it was.
	Skipped string
	// Excused reports whether nothing was left unasked by skipping it.
	Excused bool
	// Lost says how the last lost exchange was lost, Losses counts those that no part was played again for.
	Lost   string
	Losses int
	// Silent reports whether the last one got no response in time.
	Silent  bool
	failure string
	// Repeats is set when the scenario was played before: what it creates comes from the share of repetitions. With Spare it
	// comes from no share. CutShort is set when it created fewer resources than it was to.
	Repeats, Spare, CutShort bool
}

// Share names the part of the budget that the scenario draws from.
func (s *Scenario) Share() string {
	switch {
	case s.Spare:
		return ""
	case s.Repeats:
		return budget.Confirming
	}
	return s.ID()
}

// ID is the scenario's id.
func (s *Scenario) ID() string {
	if s.Pickle.URI == "" {
		return PreflightID
	}
	return s.Pickle.ID()
}

// Last is the only response of the last When step.
func (s *Scenario) Last() (*Answer, error) {
	if len(s.Answers) == 0 {
		return nil, fmt.Errorf("no operation has been called before this step")
	}
	return s.Answers[len(s.Answers)-1], nil
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

// Latest is the scenario's last exchange; nil before the first.
func (s *Scenario) Latest() *spec.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.Exchanges) == 0 {
		return nil
	}
	return s.Exchanges[len(s.Exchanges)-1]
}

// Breached reports whether the scenario has found what makes the run fail.
func (s *Scenario) Breached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Violations() > 0
}

// Trial is a scenario within the scenario: what it finds out is looked at before it counts.
func (s *Scenario) Trial() *Scenario {
	t := s.Run.NewScenario(s.Pickle, s.Rule)
	t.Started, t.Repeats = s.Started, s.Repeats
	return t
}

// Absorb takes over what a trial did, but for its findings. Observations that say the same are kept once.
func (s *Scenario) Absorb(t *Scenario) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	s.Exchanges = append(s.Exchanges, t.Exchanges...)
	s.bodies += t.bodies
	t.bodies = 0
	s.Exercised = append(s.Exercised, t.Exercised...)
	for _, o := range t.Observations {
		known := false
		for _, p := range s.Observations {
			known = known || p.Rule == o.Rule && p.Asked == o.Asked && p.Answer == o.Answer
		}
		if !known {
			s.Observations = append(s.Observations, o)
		}
	}
	if t.Lost != "" {
		s.Lost = t.Lost
	}
	if t.Skipped != "" {
		s.Skipped = t.Skipped
	}
	s.Losses += t.Losses
	s.Silent = s.Silent || t.Silent
	t.Losses = 0
	s.CutShort = s.CutShort || t.CutShort
	if t.failure != "" {
		s.failure = t.failure
	}
}

// Planned is the body in the making.
func (s *Scenario) Planned() *generate.Plan {
	if s.Body == nil {
		s.Body = &generate.Plan{}
	}
	return s.Body
}

// Story tells the exchanges of the scenario that a finding cites.
func (s *Scenario) Story(head string, f spec.Finding) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var cited []*spec.Exchange
	for _, seq := range f.Exchanges {
		for _, ex := range s.Exchanges {
			if ex.Seq == seq {
				cited = append(cited, ex)
			}
		}
	}
	return check.Traces(head, cited)
}

// Room reports whether the scenario may create n resources more.
func (s *Scenario) Room(n int) bool { return s.Run.Budget.Room(s.Share(), n) }

// Key is the key by which a context holds the scenario that it belongs to.
type Key struct{}

// From returns the scenario that a context belongs to; nil for none.
func From(ctx context.Context) *Scenario {
	s, _ := ctx.Value(Key{}).(*Scenario)
	return s
}

// PreflightID is the preflight's in records.
const PreflightID = "preflight"

// CutToBudget ends a scenario that would create more than the run may.
func (s *Scenario) CutToBudget(plural string, of, tried int) error {
	s.CutShort = true
	i := s.Run.Interface
	stop := Stop{Tried: fmt.Sprintf("%d of %d generated %s", tried, of, plural), Excused: tried > 0}
	stop.Reason = fmt.Sprintf("%s were tried: the run may create no more %ss%s", stop.Tried, cmp.Or(i.Resource, "resource"), i.maxHint())
	return stop
}
