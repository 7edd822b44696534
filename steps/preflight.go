package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptrace"

	"hallmark/reports"
	"hallmark/spec"
)

// preflight finds out whether there is anything to judge: a connection, and one operation at least that lets the key in.
// Anything else that is odd is the suite's to judge.
func (r *run) preflight(ctx context.Context) error {
	s := &scenario{run: r, pickle: &pickle{}, earlier: map[string]*answer{}}
	defer func() { r.recordPreflight(s) }()
	for _, op := range r.contract.Operations() {
		if _, gone := r.removed[op.ID]; gone || op.Method != "GET" {
			continue
		}
		refused, err := r.tryKey(ctx, s, op)
		if err != nil || !refused {
			return err
		}
	}
	if !r.target.ReadOnly {
		for _, op := range r.contract.Operations() {
			if _, gone := r.removed[op.ID]; gone || op.Method == "GET" {
				continue
			}
			refused, err := r.tryKey(ctx, s, op)
			if err != nil || !refused {
				return err
			}
		}
	}
	return Unreachable{Reason: fmt.Sprintf("the key was refused: every operation of %s answered 401; check %s: is it the key of this service, and whole?",
		r.target.BaseURL, r.target.keyPlace())}
}

// tryKey calls an operation plainly and tells whether the key was refused.
func (r *run) tryKey(ctx context.Context, s *scenario, op spec.Operation) (bool, error) {
	var way route
	a, err := s.perform(httptrace.WithClientTrace(ctx, way.trace()), op, arguments{}, nil, rightCredential(r.target.Key), "before the run")
	if errors.Is(err, errUnreadable) {
		return false, nil // somebody is there, and answers nonsense: a finding
	}
	if a != nil && a.ex.Lost != "" {
		away := Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.target.BaseURL, a.ex.Lost)}
		for _, c := range append([]Check{r.checkSilence(a.ex.Lost)}, r.checks(&way, proxyOf(r.Transport, r.target.BaseURL), a.ex.Lost)...) {
			if c.State == CheckFailed {
				away.Remedy = c.Remedy // the last is that of the way, which says more
			}
		}
		return false, away
	}
	if err != nil {
		return false, err
	}
	if c, is := r.stranger(a); is {
		return false, Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.target.BaseURL, r.client.secrets.hide(c.Says)), Remedy: c.Remedy}
	}
	r.warnings(&way, a)
	return a.status() == 401, nil
}

// preflightID is the preflight's in records.
const preflightID = "preflight"

// recordPreflight keeps what the preflight saw: its exchanges are judged like any others.
func (r *run) recordPreflight(s *scenario) {
	out := reports.Scenario{
		ID: preflightID, Feature: "Preflight", Name: "the target answers and lets the key in", Outcome: reports.Passed,
		Findings: s.findings,
	}
	if s.countSerious() > 0 {
		out.Outcome = reports.Failed
	}
	for _, ex := range s.exchanges {
		ex.Scenario = out.ID
		out.Exchanges = append(out.Exchanges, ex.Seq)
		out.Started = ex.Started
		r.Recorder.AddExchange(r.masked(*ex))
	}
	s.letGo()
	if s.lost != "" {
		out.Outcome, out.Reason = reports.Errored, s.lost
	}
	r.Recorder.ExercisedAll(s.exercised)
	r.maskScenario(&out)
	r.Recorder.AddScenario(out)
}
