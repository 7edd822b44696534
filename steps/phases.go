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
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// phases runs what was chosen, phase by phase.
func (r *engine) phases(ctx context.Context, v *formSet) error {
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
	var outage scenario.Outage
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &outage):
		r.SetLost(outage.Text) // it says more than what was lost before
		return nil
	case errors.Is(cause, errFailFast):
		return nil
	}
	return ctx.Err()
}

// unplayed records the scenarios of a phase that the run ended before: a rule that they ask about does not conform without
// them.
func (r *engine) unplayed(chosen func(*suite.Scenario) bool) {
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if chosen(p) {
				s := r.NewScenario(p, spec.Rule{})
				s.Skip(scenario.EndedBefore, false)
				r.Recorder.AddScenario(s.Ended(nil))
			}
		}
	}
}

// errFailFast ends a run at its first violation, as it was asked to.
var errFailFast = errors.New("a must rule was broken (--fail-fast)")

// play runs the chosen scenarios by godog: in the order of the files and one at a time, or in any order and at the same
// time. Each begins with prepare, which is given its state, and ends with done.
func (r *engine) play(ctx context.Context, v *formSet, chosen func(*suite.Scenario) bool, ordered bool, prepare func(*scenario.Scenario), done func(context.Context, error)) error {
	var features []godog.Feature
	for _, f := range r.cfg.Suite.Features {
		if slices.ContainsFunc(f.Scenarios, chosen) {
			features = append(features, godog.Feature{Name: f.Name, Contents: f.Content})
		}
	}
	if len(features) == 0 {
		return nil
	}
	options := &godog.Options{
		Strict: true, Format: "progress", Output: io.Discard, NoColors: true,
		Concurrency: max(r.cfg.Concurrency, 1), Randomize: r.Seed,
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
			if r.cfg.halt != nil {
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
func (r *engine) before(ctx context.Context, g *godog.Scenario, chosen func(*suite.Scenario) bool, prepare func(*scenario.Scenario)) (context.Context, error) {
	line := 0
	if g.Location != nil {
		line = int(g.Location.Line)
	}
	p := r.chosen.Run[g.Uri+":"+strconv.Itoa(line)]
	if p == nil || !chosen(p) {
		return ctx, godog.ErrSkip
	}
	rule, _ := r.Catalogue.Rule(p.Rules[0])
	begin := r.NewScenario
	if r.repeating {
		begin = r.NewRepetition
	}
	s := begin(p, rule)
	prepare(s)
	ctx = context.WithValue(ctx, scenario.Key{}, s)
	if ctx.Err() != nil {
		s.Skip(scenario.EndedBefore, false)
		return ctx, godog.ErrSkip
	}
	if limit := r.Client.Limiter.Reached(); limit != "" {
		s.Skip(scenario.NotAsked(limit), false)
		return ctx, godog.ErrSkip
	}
	for _, op := range p.Operations() {
		if reason, gone := r.Removed[op]; gone {
			s.Skip(reason, true)
			return ctx, godog.ErrSkip
		}
	}
	return ctx, nil
}

// beforeStep ends the scenario here if halt says so.
func (r *engine) beforeStep(ctx context.Context, _ *godog.Step) (context.Context, error) {
	s := scenario.From(ctx)
	if s == nil {
		return ctx, nil
	}
	return ctx, r.cfg.halt(ctx, s, s.Played())
}

// afterStep notes what became of a step.
func afterStep(ctx context.Context, st *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	s := scenario.From(ctx)
	if s == nil {
		return ctx, nil
	}
	step := record.Step{Text: st.Text, Outcome: record.Skipped}
	if n := s.Played(); n < len(s.Pickle.Steps) {
		step.Keyword = s.Pickle.Steps[n].Keyword
	}
	switch status {
	case godog.StepPassed:
		step.Outcome = record.Passed
		if s.NewFindings() {
			step.Outcome = record.Failed
		}
	case godog.StepFailed, godog.StepUndefined, godog.StepPending, godog.StepAmbiguous:
		step.Outcome = record.Errored
		if errors.As(err, new(scenario.Stop)) {
			step.Outcome = record.Skipped
		}
	case godog.StepSkipped:
	}
	s.AddStep(step)
	return ctx, nil
}

// after turns a scenario's state into its record.
func (r *engine) after(ctx context.Context, err error) {
	s := scenario.From(ctx)
	if s == nil {
		return
	}
	out := s.Ended(notSkipped(err))
	s.RecordExchanges()
	s.Budget.Release()
	r.Recorder.ExercisedAll(s.Exercised())
	r.Recorder.AddScenario(out)
	if r.cfg.FailFast && out.Outcome == record.Failed && r.news(out.Findings) {
		r.End(errFailFast)
	}
}

// notSkipped is the error by which a scenario ended; nil for the sign of godog's that it was skipped, of which the scenario knows
// why.
func notSkipped(err error) error {
	if errors.Is(err, godog.ErrSkip) {
		return nil
	}
	return err
}

// news reports whether something is among the findings that was not known beforehand.
func (r *engine) news(findings []spec.Finding) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool {
		rule, _ := r.Catalogue.Rule(f.Rule)
		return rule.Level == spec.Must && (r.cfg.Known == nil || !r.cfg.Known(f))
	})
}

// leftOut is the record of a scenario that the run must not execute.
func (r *engine) leftOut(p *suite.Scenario) record.Scenario {
	out := scenario.Describe(p)
	out.Outcome, out.Reason, out.Excused = record.Skipped, r.chosen.Reasons[p.ID()], true
	out.Started = time.Now()
	return out
}
