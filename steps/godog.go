package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"hallmark/steps/lanes"
	"hallmark/steps/pathguard"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// This package imports godog, so godog is initialized by now, and PATH can come back.
func init() { //nolint:gochecknoinits // PATH has to be back before main begins, and tests have no main of ours
	pathguard.Restore()
}

// featureRun is a feature file of which godog plays scenarios, from the text of the file: a suite of godog's for itself, since godog keeps what it
// has played in memory until a suite ends. Each scenario waits there for its turn.
type featureRun struct {
	round *round
	file  *suite.File
	// places are those of the scenarios that are to be played, by the lines where they stand; left counts those that have not ended.
	places map[int]*place
	left   int
	begun  bool
	// ended is closed when godog has gone through all of them, or cannot; err says why not.
	ended chan struct{}
	err   error
}

// place is where a scenario of a feature is played.
type place struct {
	scenario *suite.Scenario
	// turn is closed when the scenario may begin, and over when it has ended.
	turn, over chan struct{}
	// ctx is what the scenario is played with, from its beginning; halted is why a test ended it before a step.
	ctx    context.Context //nolint:containedctx // godog's hooks hand it on to each other
	halted error
}

// featuresOf returns the features of some scenarios, by the names of their files.
func (p *round) featuresOf(chosen []*suite.Scenario) map[string]*featureRun {
	all := map[string]*featureRun{}
	for _, s := range chosen {
		f := all[s.URI]
		if f == nil {
			f = &featureRun{round: p, places: map[int]*place{}, ended: make(chan struct{})}
			all[s.URI] = f
		}
		f.places[s.Line] = &place{scenario: s, turn: make(chan struct{}), over: make(chan struct{})}
		f.left++
	}
	for i := range p.cfg.Suite.Features {
		file := &p.cfg.Suite.Features[i]
		if f := all[file.Name]; f != nil {
			f.file = file
		}
	}
	return all
}

// begin has godog play the feature.
func (f *featureRun) begin(ctx context.Context) {
	f.begun = true
	needed := map[*stepForm]bool{}
	for _, at := range f.places {
		for _, step := range at.scenario.Steps {
			needed[f.round.forms.calls[step.Text]] = true
		}
	}
	text := f.file.Only(func(s *suite.Scenario) bool { return f.places[s.Line] != nil })
	run := godog.TestSuite{
		Name: f.file.Name,
		Options: &godog.Options{
			Strict: true, Format: silent, Output: io.Discard, NoColors: true, Concurrency: len(f.places), DefaultContext: ctx,
			FeatureContents: []godog.Feature{{Name: f.file.Name, Contents: []byte(text)}},
		},
		// An initializer for scenarios would register everything again for each of them.
		TestSuiteInitializer: func(all *godog.TestSuiteContext) {
			sc := all.ScenarioContext()
			f.round.forms.register(sc, func(form *stepForm) bool { return needed[form] })
			sc.Before(f.before)
			if f.round.cfg.halt != nil {
				sc.StepContext().Before(f.beforeStep)
			}
			sc.StepContext().After(afterStep)
			sc.After(f.after)
		},
	}
	registerSilent()
	go func() {
		defer close(f.ended)
		code := run.Run()
		for line, at := range f.places {
			select {
			case <-at.over:
			default: // it was read when the suite was loaded
				f.err = fmt.Errorf("%s:%d could not be played (godog ended with %d)", f.file.Name, line, code)
			}
		}
		// godog leaves them empty.
		_ = os.Unsetenv("GODOG_SEED")
		_ = os.Unsetenv("GODOG_TESTED_PACKAGE")
	}()
}

// play lets a scenario of the feature begin, and waits until it has ended.
func (f *featureRun) play(s *suite.Scenario) {
	at := f.places[s.Line]
	close(at.turn)
	select {
	case <-at.over:
	case <-f.ended:
	}
}

// before waits for the turn of a scenario, and prepares its state. What is not to be played any more is skipped.
func (f *featureRun) before(ctx context.Context, g *godog.Scenario) (context.Context, error) {
	at := f.places[int(g.Location.Line)]
	<-at.turn
	lanes.Deepen()
	ctx, begun := f.round.begin(f.round.asking(ctx, at.scenario), at.scenario)
	if at.ctx = ctx; !begun {
		return nil, godog.ErrSkip
	}
	return ctx, nil
}

// beforeStep ends the scenario here if a test says so.
func (f *featureRun) beforeStep(ctx context.Context, _ *godog.Step) (context.Context, error) {
	s := scenario.From(ctx)
	if s == nil {
		return ctx, nil
	}
	at := f.places[s.Pickle.Line]
	at.halted = f.round.cfg.halt(ctx, s, s.Played())
	return ctx, at.halted
}

// afterStep notes what became of a step that was played.
func afterStep(ctx context.Context, step *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	if s := scenario.From(ctx); s != nil && status != godog.StepSkipped {
		noteStep(s, step.Text, err)
	}
	return ctx, nil
}

// after ends a scenario. godog goes through the steps that it was not played to; their context belongs to no scenario.
func (f *featureRun) after(ctx context.Context, g *godog.Scenario, err error) (context.Context, error) {
	at := f.places[int(g.Location.Line)]
	switch {
	case at.halted != nil:
		err = at.halted
	case errors.Is(err, godog.ErrSkip):
		err = nil // the scenario knows why
	}
	f.round.part.done(at.ctx, err)
	at.ctx = nil // so that nothing keeps what was asked
	close(at.over)
	return context.WithValue(ctx, scenario.Key{}, nil), nil
}

// silent is the format by which godog says nothing: the record says what happened.
const silent = "hallmark-silent"

// registerSilent makes the format known to godog.
var registerSilent = sync.OnceFunc(func() {
	godog.Format(silent, "nothing is said", func(string, io.Writer) godog.Formatter { return silence{} })
})

// silence is a format that says nothing.
type silence struct{}

func (silence) TestRunStarted()                                                      {}
func (silence) Feature(*messages.GherkinDocument, string, []byte)                    {}
func (silence) Pickle(*messages.Pickle)                                              {}
func (silence) Defined(*godog.Scenario, *godog.Step, *godog.StepDefinition)          {}
func (silence) Failed(*godog.Scenario, *godog.Step, *godog.StepDefinition, error)    {}
func (silence) Passed(*godog.Scenario, *godog.Step, *godog.StepDefinition)           {}
func (silence) Skipped(*godog.Scenario, *godog.Step, *godog.StepDefinition)          {}
func (silence) Undefined(*godog.Scenario, *godog.Step, *godog.StepDefinition)        {}
func (silence) Pending(*godog.Scenario, *godog.Step, *godog.StepDefinition)          {}
func (silence) Ambiguous(*godog.Scenario, *godog.Step, *godog.StepDefinition, error) {}
func (silence) Summary()                                                             {}
