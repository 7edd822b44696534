package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// How a scenario is played and recorded.

// AddStep records a step.
func (s *Scenario) AddStep(st record.Step) {
	if s.steps == nil {
		s.steps = make([]record.Step, 0, len(s.Pickle.Steps))
	}
	s.steps = append(s.steps, st)
}

// Played returns the number of recorded steps.
func (s *Scenario) Played() int { return len(s.steps) }

// Skip records why the scenario is not played, and whether that leaves nothing untested.
func (s *Scenario) Skip(reason string, excused bool) { s.skipped, s.excused = reason, excused }

// Ended returns the record of a scenario that ended with the error of a step, or nil, with its secrets redacted.
func (s *Scenario) Ended(err error) record.Scenario {
	r := s.Run
	r.resources.returnLoans(s)
	r.resources.end(s.Caller.scenario)
	s.joinAttempts()
	out := Describe(s.Pickle)
	out.Steps, out.Round, out.Started, out.Elapsed = s.allSteps(), s.Round, s.started, time.Since(s.started)
	out.Findings, out.Observations = s.Findings(), s.Observations()
	lost, skipped := s.losses(), cmp.Or(s.skipped, s.hanging)
	var halt Stop
	switch {
	case s.Breached():
		out.Outcome = record.Failed
	case s.unjudged != "":
		out.Outcome, out.Reason = record.Errored, s.unjudged
	case lost.count > 0 || s.before != nil && skipped == EndedBefore:
		out.Outcome, out.Reason = record.Errored, "the connection was lost: "+lost.text
	case skipped != "":
		out.Outcome, out.Reason, out.Excused = record.Skipped, skipped, s.excused
	case client.IsLimit(err):
		out.Outcome, out.Reason = record.Skipped, NotAsked(r.Client.Limiter.Reached())
	case errors.Is(err, context.Canceled):
		out.Outcome, out.Reason = record.Skipped, EndedBefore
	case errors.As(err, &halt):
		out.Outcome, out.Reason, out.Excused, out.Inapplicable, out.Tried = record.Skipped, halt.Reason, halt.Excused, halt.Inapplicable, halt.Tried
	case err != nil:
		out.Outcome, out.Reason = record.Errored, err.Error()
	default:
		out.Outcome = record.Passed
		s.keepOthers()
	}
	if s.before != nil {
		out.Exchanges, out.Replays = slices.Clone(s.before.exchanges), s.before.times
	}
	for _, ex := range s.Exchanges() {
		out.Exchanges = append(out.Exchanges, ex.Seq)
	}
	if out.Outcome == record.Errored && lost.count > 0 {
		words := lost.text
		if s.before != nil && s.before.times >= MaxReplays {
			words = fmt.Sprintf("%s, each of the %d times that it was tried", words, s.before.times+1)
		}
		r.noteLostText(words)
	}
	r.RedactScenario(&out)
	return out
}

// keepOthers counts the other rules that a written scenario is tagged with as exercised, if its first one was. The
// steps know the first rule only, and the author says that the scenario tests all of them.
func (s *Scenario) keepOthers() {
	if s.Derived() || !slices.Contains(s.Exercised(), s.Rule.ID) || len(s.Findings()) > 0 {
		return
	}
	for _, id := range s.Pickle.Rules {
		if r, _ := s.Run.Catalogue.Rule(id); id != s.Rule.ID && r.Level != spec.Open {
			s.Kept(id)
		}
	}
}

// allSteps returns the steps that were played, and the rest as skipped.
func (s *Scenario) allSteps() []record.Step {
	all := s.steps
	for _, st := range s.Pickle.Steps[min(len(all), len(s.Pickle.Steps)):] {
		all = append(all, record.Step{Keyword: st.Keyword, Text: st.Text, Outcome: record.Skipped})
	}
	return all
}

// Describe returns the part of a scenario's record that is known before it runs.
func Describe(p *suite.Scenario) record.Scenario {
	return record.Scenario{
		ID: p.ID(), Feature: p.Feature, Sentence: p.Sentence, Name: p.Name, Tags: p.Tags, Rules: p.Rules,
		Operations: p.Operations(),
	}
}

// EndedBefore is the reason given for scenarios that were not played because the run ended early.
const EndedBefore = "the run ended before it"

// NotAsked returns the reason given for scenarios that a limit of the run stopped before or while they were
// played.
func NotAsked(limit string) string { return limit + " before it was done" }

// PlaysAgain reports whether the scenario, which has ended, is to be replayed.
func (s *Scenario) PlaysAgain(ctx context.Context) bool {
	times := 0
	if s.before != nil {
		times = s.before.times
	}
	lost := s.losses()
	return lost.count > 0 && ctx.Err() == nil && times < lost.mostReplays() && s.Run.contact.Replay()
}

// Attempts returns what remains of a scenario that was lost, including earlier attempts.
func (s *Scenario) Attempts() *Attempts {
	s.joinAttempts()
	all := &Attempts{times: 1, findings: s.Findings(), lost: s.Lost(), operation: s.LostBy(), inARow: 1}
	if s.before != nil {
		if s.before.operation == all.operation {
			all.inARow += s.before.inARow
		}
		all.times += s.before.times
		all.exchanges = slices.Clone(s.before.exchanges)
	}
	for _, ex := range s.Exchanges() {
		all.exchanges = append(all.exchanges, ex.Seq)
	}
	return all
}

// Resume continues from earlier attempts; nil means there were none.
func (s *Scenario) Resume(before *Attempts) { s.before = before }

// joinAttempts adds the findings of earlier attempts that did not show again.
func (s *Scenario) joinAttempts() {
	if s.before == nil {
		return
	}
	s.Caller.recall(s.before.lost)
	s.Ledger.recall(s.before.findings)
}

// Cover counts what the scenario's exchanges put to the test, once it is known whether they were right.
func (s *Scenario) Cover() { s.cover(&s.Run.coverage) }

// RecordExchanges adds the scenario's exchanges to the record, and counts what they cover.
func (s *Scenario) RecordExchanges() {
	s.Cover()
	for _, ex := range s.Exchanges() {
		s.Run.Recorder.AddExchange(s.Run.Redact(*ex))
	}
	s.LetGo()
}
