package scenario

import (
	"context"
	"errors"
	"slices"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/suite"
)

// NewFindings reports whether findings were added since it was last asked.
func (s *Scenario) NewFindings() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.Violations()
	more := n > s.told
	s.told = n
	return more
}

// Violations counts the findings that break must rules.
func (s *Scenario) Violations() int {
	n := 0
	for _, f := range s.Findings {
		if r, ok := s.Run.Catalogue.Rule(f.Rule); ok && r.Level == spec.Must {
			n++
		}
	}
	return n
}

// Ended is the record of a scenario that has ended by an error of a step, or without one, with its secrets masked.
func (s *Scenario) Ended(err error) record.Scenario {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.Run
	s.joinAttempts()
	out := Describe(s.Pickle)
	out.Steps, out.Started, out.Elapsed = s.allSteps(), s.Started, time.Since(s.Started)
	out.Findings, out.Observations = s.chained(), s.Observations
	var halt Stop
	switch {
	case s.Violations() > 0:
		out.Outcome = record.Failed
	case s.failure != "":
		out.Outcome, out.Reason = record.Errored, s.failure
	case s.Losses > 0 || s.Before != nil && s.Skipped == EndedBefore:
		out.Outcome, out.Reason = record.Errored, "the connection was lost: "+s.Lost
	case s.Skipped != "":
		out.Outcome, out.Reason, out.Excused = record.Skipped, s.Skipped, s.Excused
	case client.IsLimit(err):
		out.Outcome, out.Reason = record.Skipped, NotAsked(r.Client.Limiter.Reached())
	case errors.Is(err, context.Canceled):
		out.Outcome, out.Reason = record.Skipped, EndedBefore
	case errors.As(err, &halt):
		out.Outcome, out.Reason, out.Excused, out.Tried = record.Skipped, halt.Reason, halt.Excused, halt.Tried
	case err != nil:
		out.Outcome, out.Reason = record.Errored, err.Error()
	default:
		out.Outcome = record.Passed
	}
	if s.Before != nil {
		out.Exchanges, out.Replays = slices.Clone(s.Before.exchanges), s.Before.times
	}
	for _, ex := range s.Exchanges {
		out.Exchanges = append(out.Exchanges, ex.Seq)
	}
	if out.Outcome == record.Errored && s.Losses > 0 {
		r.noteLostText(s.Lost)
	}
	r.RedactScenario(&out)
	return out
}

// allSteps are the steps that were played, and those that were not, as skipped ones.
func (s *Scenario) allSteps() []record.Step {
	all := s.Steps
	for _, st := range s.Pickle.Steps[min(len(all), len(s.Pickle.Steps)):] {
		all = append(all, record.Step{Keyword: st.Keyword, Text: st.Text, Outcome: record.Skipped})
	}
	return all
}

// Describe is the part of a scenario's record that is known before it runs.
func Describe(p *suite.Scenario) record.Scenario {
	return record.Scenario{
		ID: p.ID(), Feature: p.Feature, Sentence: p.Sentence, Name: p.Name, Tags: p.Tags, Rules: p.Rules,
		Operations: p.Operations(),
	}
}

// EndedBefore is the reason of scenarios that an early end of the run left out.
const EndedBefore = "the run ended before it"

// NotAsked is the reason of scenarios that a limit of the run kept from being asked, or from being asked to their end.
func NotAsked(limit string) string { return limit + " before it was done" }

// MaxReplays is how often a scenario, or a part of one, is played again, maxSilentReplays the same where a response took too
// long.
const MaxReplays, maxSilentReplays = 6, 1

// Attempts are what is left of a scenario that was lost, perhaps several times.
type Attempts struct {
	times     int
	exchanges []int
	// Findings were made before the loss: they stand, whether the next time shows them again or not.
	findings []spec.Finding
	lost     string
}

// mostReplays is how often what was lost is played again: a request that is never answered holds up the rest. The caller
// holds the lock.
func (s *Scenario) mostReplays() int {
	if s.Silent {
		return maxSilentReplays
	}
	return MaxReplays
}

// Attempts is what is left of a scenario that was lost now, and may have been before.
func (s *Scenario) Attempts() *Attempts {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.joinAttempts()
	all := &Attempts{times: 1, findings: s.Findings, lost: s.Lost}
	if s.Before != nil {
		all.times += s.Before.times
		all.exchanges = slices.Clone(s.Before.exchanges)
	}
	for _, ex := range s.Exchanges {
		all.exchanges = append(all.exchanges, ex.Seq)
	}
	return all
}

// joinAttempts adds the findings of the times before that did not show again. The caller holds the lock.
func (s *Scenario) joinAttempts() {
	if s.Before == nil {
		return
	}
	if s.Lost == "" {
		s.Lost = s.Before.lost
	}
	for _, f := range s.Before.findings {
		if !slices.ContainsFunc(s.Findings, func(g spec.Finding) bool { return g.Rule == f.Rule && g.Cause == f.Cause }) {
			s.Findings = append(s.Findings, f)
		}
	}
}

// RecordExchanges puts the scenario's exchanges into the record.
func (s *Scenario) RecordExchanges() {
	for _, ex := range s.Exchanges {
		s.Run.Recorder.AddExchange(s.Run.Redact(*ex))
	}
	s.LetGo()
}

// LetGo gives back what the scenario took of the room for bodies.
func (s *Scenario) LetGo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Run.openBodies.Add(-s.bodies)
	s.bodies = 0
}

// chained returns the scenario's findings, each with the exchanges that it takes to see it again: where a request names
// something, the exchange that created it or showed it first is cited too. It is called with the lock held.
func (s *Scenario) chained() []spec.Finding {
	if len(s.Findings) == 0 {
		return s.Findings
	}
	asked := make(map[int]*spec.Exchange, len(s.Exchanges))
	for _, ex := range s.Exchanges {
		asked[ex.Seq] = ex
	}
	out := slices.Clone(s.Findings)
	for i := range out {
		f := &out[i]
		for _, seq := range f.Exchanges {
			for _, from := range s.originsOf(asked[seq]) {
				if !slices.Contains(f.Exchanges, from) {
					f.Exchanges = append([]int{from}, f.Exchanges...)
				}
			}
		}
	}
	return out
}

// originsOf are the exchanges that showed first what a request names, the earliest last.
func (s *Scenario) originsOf(ex *spec.Exchange) []int {
	if ex == nil {
		return nil
	}
	var all []int
	if from := s.origins[ex.Seq]; from != 0 {
		all = append(all, from)
	}
	if from := s.Run.Extension.Origin(ex); from != 0 && !slices.Contains(all, from) {
		all = append(all, from)
	}
	slices.SortFunc(all, func(x, y int) int { return y - x })
	return all
}

// PlaysAgain reports whether the scenario, which has ended, is to be played again.
func (s *Scenario) PlaysAgain(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	times := 0
	if s.Before != nil {
		times = s.Before.times
	}
	return s.Losses > 0 && ctx.Err() == nil && times < s.mostReplays() && s.Run.Contact.Replay()
}
