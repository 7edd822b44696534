package steps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/credentials"
	"hallmark/steps/doctor"
	"hallmark/steps/suite"
)

// preflight finds out whether there is anything to judge: a connection, one operation at least that lets the key in, and
// a response that a service of this interface could give. Anything else that is odd is the suite's to judge.
func (r *run) preflight(ctx context.Context) (err error) {
	s := &scenario{run: r, pickle: &suite.Scenario{}, earlier: map[string]*answer{}}
	defer func() {
		if errors.As(err, new(Unreachable)) {
			s.findings, s.exercised = nil, nil // who answered is not who was to be judged
		}
		r.recordPreflight(s)
		if err == nil {
			r.repeatPreflight(ctx, s)
		}
	}()
	var foreign []*answer
	var warn []func() // put off until it is known who answers
	refusals := 0
	var hung error // why an operation gave no response in time
	for _, op := range r.contract.Operations() {
		if _, gone := r.removed[op.ID]; gone || op.Method != "GET" {
			continue
		}
		var way doctor.Route
		a, err := r.tryKey(ctx, s, op, &way)
		if s.silent && errors.As(err, new(Unreachable)) {
			hung, s.silent = cmp.Or(hung, err), false // another operation may answer
			continue
		}
		if err != nil || a == nil {
			return err
		}
		s.lost = ""
		warn = append(warn, func() { r.warnings(&way, a) })
		switch {
		case a.status() == http.StatusUnauthorized:
			refusals++
		case s.foreignKind(a) != "":
			foreign = append(foreign, a)
		default:
			each(warn)
			return nil
		}
	}
	if len(foreign) > 0 && refusals == 0 && hung == nil {
		if away, nothing, err := r.nothingHere(ctx, s, foreign); err != nil {
			return err
		} else if nothing {
			return away
		}
	}
	each(warn)
	if len(foreign) > 0 {
		return nil
	}
	if !r.target.ReadOnly {
		for _, op := range r.contract.Operations() {
			if _, gone := r.removed[op.ID]; gone || op.Method == "GET" {
				continue
			}
			var way doctor.Route
			a, err := r.tryKey(ctx, s, op, &way)
			if err != nil || a == nil {
				return cmp.Or(hung, err)
			}
			s.lost = ""
			r.warnings(&way, a)
			if a.status() != http.StatusUnauthorized {
				return nil
			}
		}
	}
	if hung != nil {
		return hung
	}
	return Unreachable{Reason: fmt.Sprintf("the key was refused: every operation of %s answered 401; check %s: is it the key of this service, and whole?",
		r.target.BaseURL, r.target.keyPlace())}
}

func each(all []func()) {
	for _, f := range all {
		f()
	}
}

// tryKey calls an operation plainly, and notes the way there. The response is nil when somebody answered what no client can
// read.
func (r *run) tryKey(ctx context.Context, s *scenario, op spec.Operation, way *doctor.Route) (*answer, error) {
	a, err := s.perform(httptrace.WithClientTrace(ctx, way.Trace()), op, arguments{}, nil, credentials.Right(r.target.Key), "before the run")
	if errors.Is(err, errUnreadable) {
		return nil, nil //nolint:nilnil // somebody is there, and answers nonsense: a finding
	}
	if a != nil && a.ex.Lost != "" {
		away := Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.target.BaseURL, a.ex.Lost)}
		for _, c := range append([]doctor.Check{r.checkSilence(a.ex.Lost)}, r.checks(way, doctor.ProxyOf(r.Transport, r.target.BaseURL), a.ex.Lost)...) {
			if c.State == doctor.Failed {
				away.Remedy = c.Remedy // the last is that of the way, which says more
			}
		}
		return nil, away
	}
	if err != nil {
		return nil, err
	}
	if c, is := r.stranger(a); is {
		return nil, Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.target.BaseURL, r.client.Redactor.Text(c.Says)), Remedy: c.Remedy}
	}
	return a, nil
}

// preflightID is the preflight's in records.
const preflightID = "preflight"

// recordPreflight keeps what the preflight saw: its exchanges are judged like any others.
func (r *run) recordPreflight(s *scenario) {
	out := record.Scenario{
		ID: preflightID, Feature: "Preflight", Name: "the target responds and accepts the key", Outcome: record.Passed,
		Findings: s.findings,
	}
	if s.countSerious() > 0 {
		out.Outcome = record.Failed
	}
	for _, ex := range s.exchanges {
		ex.Scenario = out.ID
		out.Exchanges = append(out.Exchanges, ex.Seq)
		out.Started = ex.Started
		r.Recorder.AddExchange(r.masked(*ex))
	}
	s.letGo()
	if s.lost != "" {
		out.Outcome, out.Reason = record.Errored, s.lost
	}
	r.Recorder.ExercisedAll(s.exercised)
	r.maskScenario(&out)
	r.Recorder.AddScenario(out)
}
