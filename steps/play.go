package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/cucumber/godog"

	"hallmark/reports/record"
	"hallmark/steps/pathguard"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// A scenario whose exchange was lost is played again from its beginning, with names of its own. A creation of which nobody
// knows what became is never sent once more by itself.

// playWhole runs the chosen scenarios like play, and plays again what was lost: where the order counts at once, else when
// the others are done.
func (r *engine) playWhole(ctx context.Context, v *formSet, chosen func(*suite.Scenario) bool, ordered bool, done func(context.Context, error)) error {
	var mu sync.Mutex
	left, lost := map[string]bool{}, map[string]*scenario.Attempts{}
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if r.chosen.Run[p.ID()] != nil && chosen(p) {
				left[p.ID()] = true
			}
		}
	}
	for len(left) > 0 {
		interrupted, ended := false, 0
		err := r.play(ctx, v, func(p *suite.Scenario) bool {
			mu.Lock()
			defer mu.Unlock()
			return left[p.ID()] && (!ordered || !interrupted) && chosen(p)
		}, ordered, func(s *scenario.Scenario) {
			mu.Lock()
			defer mu.Unlock()
			s.Resume(lost[s.ID()])
		}, func(ctx context.Context, err error) {
			s := scenario.From(ctx)
			if s == nil {
				return
			}
			again := s.PlaysAgain(ctx)
			mu.Lock()
			ended++
			if again {
				interrupted = true
				lost[s.ID()] = s.Attempts()
			} else {
				delete(left, s.ID())
			}
			mu.Unlock()
			if again {
				s.RecordExchanges()
			} else {
				done(ctx, err)
			}
		})
		if err != nil || ended == 0 {
			return err
		}
	}
	return nil
}

// play runs the chosen scenarios by godog: in the order of the files and one at a time, or in any order and at the same
// time. Each begins with prepare, which is given its state, and ends with done.
func (r *engine) play(ctx context.Context, v *formSet, chosen func(*suite.Scenario) bool, ordered bool, prepare func(*scenario.Scenario), done func(context.Context, error)) error {
	var features []godog.Feature
	for _, f := range r.cfg.Suite.Features {
		if text := f.Only(chosen); text != nil {
			features = append(features, godog.Feature{Name: f.Name, Contents: text})
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

// notSkipped is the error by which a scenario ended; nil for the sign of godog's that it was skipped, of which the scenario knows
// why.
func notSkipped(err error) error {
	if errors.Is(err, godog.ErrSkip) {
		return nil
	}
	return err
}

// This package imports godog, so godog is initialized by now, and PATH can come back.
func init() { //nolint:gochecknoinits // PATH has to be back before main begins, and tests have no main of ours
	pathguard.Restore()
}
