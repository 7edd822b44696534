package steps

import (
	"context"
	"errors"
	"slices"

	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Stage is the position of a scenario: before the step with the index Step, of Steps steps. Then is the index of
// the first Then step, or -1.
type Stage struct {
	Scenario          string
	Step, Steps, Then int

	run *scenario.Run
}

// Limit reaches a limit of the run, and returns the error with which a scenario ends then.
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

// The errors with which steps end a scenario early: it cannot be completed, it does not apply, or the suite fails.
var (
	ErrStopped = scenario.Stopf("the test stops it here")
	ErrExcused = scenario.Excusef("the test says that there is no such case")
	ErrHarness = errors.New("the test fails here")
)
