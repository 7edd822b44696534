package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cucumber/godog"

	"hallmark/steps/client"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Stage is where a scenario stands: before the step of the index Step, of Steps steps. Then is the index of the first Then
// step; -1 for none.
type Stage struct {
	Scenario          string
	Step, Steps, Then int

	run *scenario.Run
}

// Limit is the error by which a scenario ends when a limit of the run is reached, and reaches that limit.
func (at Stage) Limit() error {
	return at.run.Client.Limiter.Stop(client.LimitError{Limit: "the test's limit"})
}

// HaltBefore ends each scenario of a run before the first step for which halt returns an error.
func HaltBefore(c *Config, halt func(ctx context.Context, at Stage) error) {
	c.halt = func(ctx context.Context, s *scenario.Scenario, step int) error {
		all := s.Pickle.Steps
		return halt(ctx, Stage{
			Scenario: s.Pickle.ID(), Step: step, Steps: len(all), run: s.Run,
			Then: slices.IndexFunc(all, func(st suite.Step) bool { return st.Keyword == "Then" }),
		})
	}
}

// The errors by which steps end a scenario early: it cannot be asked to its end, its case does not exist, or the suite
// fails.
var (
	ErrStopped = scenario.Stopf("the test stops it here")
	ErrExcused = scenario.Excusef("the test says that there is no such case")
	ErrHarness = errors.New("the test fails here")
)

// PlayByGodog has godog play the scenarios of a run, by the texts of their features: it parses them, and each form is a step definition
// of its own, which it finds by its pattern.
func PlayByGodog(c *Config) {
	c.player = func(ctx context.Context, p *round) error {
		options := &godog.Options{
			Strict: true, Format: "progress", Output: io.Discard, NoColors: true,
			Concurrency: p.Client.Gate.Most(), Randomize: p.Seed, DefaultContext: ctx,
		}
		if p.part.in != nil {
			options.Concurrency, options.Randomize = 1, 0
		}
		planned := map[string]*suite.Scenario{}
		for _, f := range p.cfg.Suite.Features {
			if text := f.Only(p.part.chosen); text != "" {
				options.FeatureContents = append(options.FeatureContents, godog.Feature{Name: f.Name, Contents: []byte(text)})
			}
			for _, s := range f.Scenarios {
				planned[s.ID()] = s
			}
		}
		if options.FeatureContents == nil {
			return nil
		}
		run := godog.TestSuite{Name: "hallmark", Options: options, TestSuiteInitializer: func(tc *godog.TestSuiteContext) {
			sc := tc.ScenarioContext()
			for _, form := range p.forms.steps {
				sc.Step("^"+form.Pattern+"$", form.Do)
			}
			sc.Before(func(ctx context.Context, g *godog.Scenario) (context.Context, error) {
				ctx, begun := p.begin(ctx, planned[fmt.Sprintf("%s:%d", g.Uri, g.Location.Line)])
				if !begun {
					return ctx, godog.ErrSkip
				}
				return ctx, nil
			})
			sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) { return ctx, p.halted(ctx) })
			sc.StepContext().After(func(ctx context.Context, st *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
				if s := scenario.From(ctx); s != nil && status != godog.StepSkipped {
					noteStep(ctx, st.Text, err)
				}
				return ctx, nil
			})
			sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
				if errors.Is(err, godog.ErrSkip) {
					err = nil // the scenario knows why
				}
				p.part.done(ctx, err)
				return ctx, nil
			})
		}}
		if code := run.Run(); code > 1 {
			return fmt.Errorf("godog ended with %d", code)
		}
		return nil
	}
}
