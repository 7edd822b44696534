package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/cucumber/godog"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/suite"
)

// phases runs what was chosen, phase by phase.
func (r *run) phases(ctx context.Context, v *vocabulary) error {
	for _, phase := range []string{suite.PhaseFirst, "", suite.PhaseSmall, suite.PhaseFilling, suite.PhaseStocked, suite.PhaseLast, suite.PhaseEnd} {
		chosen := func(p *suite.Scenario) bool { return p.Phase() == phase && r.chosen.Run[p.ID()] != nil }
		if ctx.Err() != nil {
			r.unplayed(chosen)
			continue
		}
		var err error
		if phase == suite.PhaseFirst || phase == suite.PhaseSmall {
			err = r.playEarly(ctx, v, chosen)
		} else {
			err = r.playWhole(ctx, v, chosen, false, r.after)
		}
		if err != nil {
			return err
		}
	}
	var outage errOutage
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &outage):
		r.mu.Lock()
		r.lostText = outage.text // it says more than what was lost before
		r.mu.Unlock()
		return nil
	case errors.Is(cause, errFailFast):
		return nil
	}
	return ctx.Err()
}

// unplayed records the scenarios of a phase that the run ended before: a rule that they ask about does not conform without
// them.
func (r *run) unplayed(chosen func(*suite.Scenario) bool) {
	for _, f := range r.Suite.Features {
		for _, p := range f.Scenarios {
			if chosen(p) {
				s := &scenario{run: r, pickle: p, started: time.Now(), skipped: endedBefore}
				r.Recorder.AddScenario(s.ended(nil))
			}
		}
	}
}

// errFailFast ends a run at its first violation, as it was asked to.
var errFailFast = errors.New("a must rule was broken (--fail-fast)")

// play runs the chosen scenarios by godog: in the order of the files and one at a time, or in any order and at the same
// time. Each begins with prepare, which is given its state, and ends with done.
func (r *run) play(ctx context.Context, v *vocabulary, chosen func(*suite.Scenario) bool, ordered bool, prepare func(*scenario), done func(context.Context, error)) error {
	var features []godog.Feature
	for _, f := range r.Suite.Features {
		if slices.ContainsFunc(f.Scenarios, chosen) {
			features = append(features, godog.Feature{Name: f.Name, Contents: f.Content})
		}
	}
	if len(features) == 0 {
		return nil
	}
	options := &godog.Options{
		Strict: true, Format: "progress", Output: io.Discard, NoColors: true,
		Concurrency: max(r.Concurrency, 1), Randomize: r.Seed,
		FeatureContents: features, DefaultContext: ctx,
	}
	if ordered {
		options.Concurrency, options.Randomize = 1, 0
	}
	var harness error
	suite := godog.TestSuite{
		Name: "hallmark", Options: options,
		// Once for the suite: an initializer for scenarios would register every step again for each of them.
		TestSuiteInitializer: func(tc *godog.TestSuiteContext) {
			sc := tc.ScenarioContext()
			v.register(sc)
			sc.Before(func(ctx context.Context, g *godog.Scenario) (context.Context, error) {
				return r.before(ctx, g, chosen, prepare)
			})
			if r.halt != nil {
				sc.StepContext().Before(r.beforeStep)
			}
			sc.StepContext().After(afterStep)
			sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
				done(ctx, err)
				return ctx, nil
			})
		},
	}
	if code := suite.Run(); code > 1 {
		harness = fmt.Errorf("the features could not be run (godog ended with %d)", code)
	}
	return harness
}

// before prepares a scenario's state. What was not chosen is skipped, and leaves no record.
func (r *run) before(ctx context.Context, g *godog.Scenario, chosen func(*suite.Scenario) bool, prepare func(*scenario)) (context.Context, error) {
	line := 0
	if g.Location != nil {
		line = int(g.Location.Line)
	}
	p := r.chosen.Run[g.Uri+":"+strconv.Itoa(line)]
	if p == nil || !chosen(p) {
		return ctx, godog.ErrSkip
	}
	rule, _ := r.catalogue.Rule(p.Rules[0])
	s := &scenario{
		run: r, pickle: p, rule: rule, started: time.Now(),
		credential: credentials.Right(r.target.Key), earlier: map[string]*answer{}, repeats: r.repeating,
	}
	prepare(s)
	ctx = context.WithValue(ctx, scenarioKey{}, s)
	if ctx.Err() != nil {
		s.skipped = endedBefore
		return ctx, godog.ErrSkip
	}
	if limit := r.client.Limiter.Reached(); limit != "" {
		s.skipped = notAsked(limit)
		return ctx, godog.ErrSkip
	}
	for _, op := range p.Operations() {
		if reason, gone := r.removed[op]; gone {
			s.skipped, s.excused = reason, true
			return ctx, godog.ErrSkip
		}
	}
	return ctx, nil
}

// beforeStep ends the scenario here if halt says so.
func (r *run) beforeStep(ctx context.Context, _ *godog.Step) (context.Context, error) {
	s := from(ctx)
	if s == nil {
		return ctx, nil
	}
	return ctx, r.halt(ctx, s, len(s.steps))
}

// afterStep notes what became of a step.
func afterStep(ctx context.Context, st *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	s := from(ctx)
	if s == nil {
		return ctx, nil
	}
	step := record.Step{Text: st.Text, Outcome: record.Skipped}
	if n := len(s.steps); n < len(s.pickle.Steps) {
		step.Keyword = s.pickle.Steps[n].Keyword
	}
	switch status {
	case godog.StepPassed:
		step.Outcome = record.Passed
		if s.newFindings() {
			step.Outcome = record.Failed
		}
	case godog.StepFailed, godog.StepUndefined, godog.StepPending, godog.StepAmbiguous:
		step.Outcome = record.Errored
		if errors.As(err, new(stop)) {
			step.Outcome = record.Skipped
		}
	case godog.StepSkipped:
	}
	s.steps = append(s.steps, step)
	return ctx, nil
}

// newFindings reports whether findings were added since it was last asked.
func (s *scenario) newFindings() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.countSerious()
	more := n > s.told
	s.told = n
	return more
}

func (s *scenario) countSerious() int {
	n := 0
	for _, f := range s.findings {
		if r, ok := s.run.catalogue.Rule(f.Rule); ok && r.Level == spec.Must {
			n++
		}
	}
	return n
}

// after turns a scenario's state into its record.
func (r *run) after(ctx context.Context, err error) {
	s := from(ctx)
	if s == nil {
		return
	}
	out := s.ended(err)
	s.recordExchanges()
	r.budget.Release(s.id())
	r.Recorder.ExercisedAll(s.exercised)
	r.Recorder.AddScenario(out)
	if r.FailFast && out.Outcome == record.Failed && r.news(out.Findings) {
		r.cancel(errFailFast)
	}
}

// ended is the record of a scenario that has ended, with its secrets masked.
func (s *scenario) ended(err error) record.Scenario {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.run
	s.joinAttempts()
	out := r.describe(s.pickle)
	out.Steps, out.Started, out.Elapsed = s.allSteps(), s.started, time.Since(s.started)
	out.Findings, out.Observations = s.chained(), s.observations
	var halt stop
	switch {
	case s.countSerious() > 0:
		out.Outcome = record.Failed
	case s.failure != "":
		out.Outcome, out.Reason = record.Errored, s.failure
	case s.losses > 0 || s.before != nil && errors.Is(err, godog.ErrSkip) && s.skipped == endedBefore:
		out.Outcome, out.Reason = record.Errored, "the connection was lost: "+s.lost
	case s.skipped != "":
		out.Outcome, out.Reason, out.Excused = record.Skipped, s.skipped, s.excused
	case client.IsLimit(err):
		out.Outcome, out.Reason = record.Skipped, notAsked(r.client.Limiter.Reached())
	case errors.Is(err, context.Canceled):
		out.Outcome, out.Reason = record.Skipped, endedBefore
	case errors.As(err, &halt):
		out.Outcome, out.Reason, out.Excused = record.Skipped, halt.reason, halt.excused
	case err != nil && !errors.Is(err, godog.ErrSkip):
		out.Outcome, out.Reason = record.Errored, err.Error()
	default:
		out.Outcome = record.Passed
	}
	if s.before != nil {
		out.Exchanges, out.Replays = slices.Clone(s.before.exchanges), s.before.times
	}
	for _, ex := range s.exchanges {
		out.Exchanges = append(out.Exchanges, ex.Seq)
	}
	if out.Outcome == record.Errored && s.losses > 0 {
		r.noteLostText(s.lost)
	}
	r.maskScenario(&out)
	return out
}

// news reports whether something is among the findings that was not known beforehand.
func (r *run) news(findings []spec.Finding) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool {
		rule, _ := r.catalogue.Rule(f.Rule)
		return rule.Level == spec.Must && (r.Known == nil || !r.Known(f))
	})
}

// endedBefore is the reason of scenarios that an early end of the run left out.
const endedBefore = "the run ended before it"

// notAsked is the reason of scenarios that a limit of the run kept from being asked, or from being asked to their end.
func notAsked(limit string) string { return limit + " before it was done" }

// allSteps are the steps that were played, and those that were not, as skipped ones.
func (s *scenario) allSteps() []record.Step {
	all := s.steps
	for _, st := range s.pickle.Steps[min(len(all), len(s.pickle.Steps)):] {
		all = append(all, record.Step{Keyword: st.Keyword, Text: st.Text, Outcome: record.Skipped})
	}
	return all
}

// describe is the part of a scenario's record that is known before it runs.
func (r *run) describe(p *suite.Scenario) record.Scenario {
	return record.Scenario{
		ID: p.ID(), Feature: p.Feature, Sentence: p.Sentence, Name: p.Name, Tags: p.Tags, Rules: p.Rules,
		Operations: p.Operations(),
	}
}

// leftOut is the record of a scenario that the run must not execute.
func (r *run) leftOut(p *suite.Scenario) record.Scenario {
	out := r.describe(p)
	out.Outcome, out.Reason, out.Excused = record.Skipped, r.chosen.Reasons[p.ID()], true
	out.Started = time.Now()
	return out
}
