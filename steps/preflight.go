package steps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/doctor"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// runPreflight finds out whether there is anything to judge: a connection, at least one operation that accepts the
// key, and a response that a service of this interface could give. Everything else is left to the suite.
func runPreflight(ctx context.Context, r *engine) (err error) {
	s := r.NewScenario(&suite.Scenario{}, spec.Rule{})
	defer func() {
		if errors.As(err, new(Unreachable)) {
			s.Discard() // somebody else answered
		}
		recordPreflight(r, s)
		if err == nil {
			r.repeatPreflight(ctx, s)
		}
	}()
	seen := probeResults{}
	for _, op := range r.probes(http.MethodGet) {
		var way doctor.Route
		a, err := tryKey(ctx, r, s, op, &way)
		if away, ok := errors.AsType[Unreachable](err); ok && away.silent {
			seen.hung = cmp.Or(seen.hung, err)
			if seen.silent++; seen.silent < mostHung {
				continue // another operation may answer
			}
			return seen.hung
		}
		if unasked(err) {
			continue
		}
		if err != nil || a == nil {
			return err
		}
		s.ForgetLost()
		refused := seen.refuses(a)
		if !refused || a.Status() == http.StatusUnauthorized { // nothing is judged after other refusals
			seen.warn = append(seen.warn, func() { noticeWarnings(r, &way, a) })
		}
		switch {
		case refused:
		case foreignKind(s, a) != "":
			seen.foreign = append(seen.foreign, a)
		default:
			each(seen.warn)
			return nil
		}
	}
	if len(seen.foreign) > 0 && len(seen.refusals) == 0 && seen.hung == nil {
		if away, nothing, err := nothingHere(ctx, r, s, seen.foreign); err != nil {
			return err
		} else if nothing {
			return away
		}
		s.ForgetLost() // somebody is there
	}
	each(seen.warn)
	if len(seen.foreign) > 0 {
		return nil
	}
	if !r.Target.ReadOnly {
		for _, op := range r.probes(http.MethodPost) {
			var way doctor.Route
			a, err := tryKey(ctx, r, s, op, &way)
			if unasked(err) {
				continue
			}
			if err != nil || a == nil {
				return cmp.Or(seen.hung, err)
			}
			s.ForgetLost()
			refused := seen.refuses(a)
			if !refused || a.Status() == http.StatusUnauthorized {
				noticeWarnings(r, &way, a)
			}
			if refused {
				continue
			}
			if len(seen.refusals) == 0 && seen.hung == nil { // nothing can be read
				if away, nothing, err := nothingHere(ctx, r, s, []*scenario.Answer{a}); err != nil {
					return err
				} else if nothing {
					return away
				}
			}
			return nil
		}
	}
	return seen.conclude(r)
}

// mostProbes is how many operations of a method are tried before the run if none accepts it: a contract may have
// hundreds. mostHung is how many of them may time out, since each takes time.
const mostProbes, mostHung = 25, 5

// lockedRank sorts operations after all others: no path has as many parameters.
const lockedRank = 1 << 20

func each(all []func()) {
	for _, f := range all {
		f()
	}
}

// tryKey calls an operation plainly, and traces the connection. The answer is nil if the response was unreadable.
func tryKey(ctx context.Context, r *engine, s *scenario.Scenario, op spec.Operation, way *doctor.Route) (*scenario.Answer, error) {
	a, err := s.AskPlain(httptrace.WithClientTrace(ctx, way.Trace()), op, "before the run")
	if errors.Is(err, scenario.ErrUnreadable) {
		return nil, nil //nolint:nilnil // an unreadable response is a finding
	}
	if a != nil && a.Exchange.Lost != "" {
		if strings.HasPrefix(a.Exchange.Lost, client.Postponed) {
			return nil, Unreachable{Reason: fmt.Sprintf("%s accepts no requests: %s", r.Target.BaseURL, a.Exchange.Lost), Remedy: checkSilence(r, a.Exchange.Lost).Remedy}
		}
		away := Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.Target.BaseURL, a.Exchange.Lost), silent: a.TimedOut || s.LostBy() != ""}
		for _, c := range append([]doctor.Check{checkSilence(r, a.Exchange.Lost)}, checkRoute(r, way, doctor.ProxyOf(r.Transport, r.Target.BaseURL), a.Exchange.Lost)...) {
			if c.State == doctor.Failed {
				away.Remedy = c.Remedy // the last one is about the connection, and more specific
			}
		}
		return nil, away
	}
	if err != nil {
		return nil, err
	}
	if c, is := checkStranger(r, a); is {
		return nil, Unreachable{Reason: fmt.Sprintf("%s cannot be reached: %s", r.Target.BaseURL, r.Client.Redactor.Text(c.Says)), Remedy: c.Remedy}
	}
	return a, nil
}

// recordPreflight records the preflight: its exchanges are judged like any others.
func recordPreflight(r *engine, s *scenario.Scenario) {
	out := record.Scenario{
		ID: scenario.PreflightID, Feature: "Preflight", Name: "the target responds and accepts the key", Outcome: record.Passed,
		Findings: s.Findings(),
	}
	if s.Breached() {
		out.Outcome = record.Failed
	}
	r.noteGatewayAnswers(s)
	s.Cover()
	for _, ex := range s.Exchanges() {
		ex.Scenario = out.ID
		out.Exchanges = append(out.Exchanges, ex.Seq)
		out.Started = ex.Started
		r.Recorder.AddExchange(r.Redact(*ex))
	}
	s.LetGo()
	if lost := s.Lost(); lost != "" {
		out.Outcome, out.Reason = record.Errored, lost
	}
	r.Recorder.ExercisedAll(s.Exercised())
	r.RedactScenario(&out)
	r.Recorder.AddScenario(out)
}
