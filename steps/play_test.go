package steps

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cucumber/godog"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// withForms adds steps for the features of the run.
func withForms(t *testing.T, forms ...scenario.Form) func(*Config) {
	t.Helper()
	return func(c *Config) {
		all := &formSet{slices.Concat(allForms(), compiled(forms)), map[string]*stepForm{}}
		if err := all.check(c.Suite); err != nil {
			t.Fatal(err)
		}
		c.Compiled = &Compiled{c.Suite, all}
	}
}

// outcomesOf returns the outcomes of the steps of a scenario.
func outcomesOf(s record.Scenario) (all []record.Outcome) {
	for _, step := range s.Steps {
		all = append(all, step.Outcome)
	}
	return all
}

// A step that panics or fails ends its scenario with its message; the other scenarios are completed.
func TestAScenarioEndsWithAStepThatFails(t *testing.T) {
	for _, concurrency := range []int{1, 8} {
		var played atomic.Int64
		p := playRun(t, t.Context(), rehearse.Answering(200, "[]"), with(t, `@rule:list.accepted
Feature: F
  Scenario: panics
    Given a step that panics
    When it goes on
    Then it goes on
  Scenario: fails
    Given it goes on
    When a step that fails
    Then it goes on
  Scenario: goes on
    Given it goes on
    Then it goes on
`), withForms(t,
			scenario.Form{Pattern: `a step that panics`, Do: func(context.Context) error { panic("out of order") }},
			scenario.Form{Pattern: `a step that fails`, Do: func(context.Context) error { return errors.New("no more of it") }},
			scenario.Form{Pattern: `it goes on`, Do: func(context.Context) error { played.Add(1); return nil }},
		), func(c *Config) { c.Concurrency = concurrency; c.Selection.Rules = []string{"list.accepted"} })
		if p.err != nil {
			t.Fatal(p.err)
		}
		for name, want := range map[string]struct {
			outcome record.Outcome
			reason  string
			steps   []record.Outcome
		}{
			"panics":  {record.Errored, "out of order", []record.Outcome{record.Errored, record.Skipped, record.Skipped}},
			"fails":   {record.Errored, "no more of it", []record.Outcome{record.Passed, record.Errored, record.Skipped}},
			"goes on": {record.Passed, "", []record.Outcome{record.Passed, record.Passed}},
		} {
			s := p.scenario(t, name)
			if s.Outcome != want.outcome || s.Reason != want.reason || !slices.Equal(outcomesOf(s), want.steps) {
				t.Errorf("%s by %d: %s (%s), %v", name, concurrency, s.Outcome, s.Reason, outcomesOf(s))
			}
		}
		if played.Load() != 3 {
			t.Errorf("%d steps were played", played.Load())
		}
	}
}

// The text of the features is what is played.
func TestTheTextIsPlayed(t *testing.T) {
	service := rehearse.Answering(200, "[]")
	p := playRun(t, t.Context(), service, with(t, "@rule:list.accepted\nFeature: F\n  Scenario: S\n    When listPets is called with limit 3\n"), func(c *Config) {
		f := &c.Suite.Features[0]
		f.Content = strings.Replace(f.Content, "limit 3", "limit 7", 1)
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	if s := p.scenario(t, "S"); !strings.HasSuffix(s.Steps[0].Text, "limit 7") || service.Latest().Query != "limit=7" {
		t.Errorf("played was %q, and sent %q", s.Steps[0].Text, service.Latest().Query)
	}
}

// Any godog suite plays the registered steps, in a context with a scenario.
func TestRegisteredStepsArePlayedByAnySuite(t *testing.T) {
	service := rehearse.NewShop()
	rehearsed := rehearse.New(t, "list.accepted", service)
	registerSilent()
	code := godog.TestSuite{
		Name: "own", ScenarioInitializer: func(sc *godog.ScenarioContext) { Register(sc) },
		Options: &godog.Options{
			Strict: true, Format: silent, Output: io.Discard, DefaultContext: rehearsed.Context,
			FeatureContents: []godog.Feature{{Name: "own.feature", Contents: []byte(`Feature: F
  Scenario: S
    When listPets is called with limit 3
    Then the response is 200
`)}},
		},
	}.Run()
	if code != 0 || service.Latest().Query != "limit=3" {
		t.Errorf("godog ended with %d, and sent was %q", code, service.Latest().Query)
	}
	rehearsed.Judged("list.accepted")
	rehearsed.Finds()
}

// godog sets environment variables; those that the user set must survive.
func TestTheEnvironmentIsLeftAsItWas(t *testing.T) {
	if p := playRun(t, t.Context(), rehearse.NewShop(), with(t, "@rule:list.accepted\nFeature: F\n  Scenario: S\n    When listPets is called\n")); p.err != nil {
		t.Fatal(p.err)
	}
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "GODOG_") {
			t.Errorf("left is %s", entry)
		}
	}
}
