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

	"github.com/hallmark-kit/hallmark/steps/pathguard"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// This package imports godog, so godog is initialized by now, and PATH can be restored.
func init() { //nolint:gochecknoinits // PATH must be restored before main begins, also in tests
	pathguard.Restore()
}

// featureRun plays scenarios of one feature file with godog, from the text of the file. It is a godog suite of its
// own, since godog keeps what it has played in memory until a suite ends. Each scenario waits there for its turn.
type featureRun struct {
	round *round
	file  *suite.File
	// places holds the scenarios to be played, by line; left counts those that have not ended.
	places map[int]*playSlot
	left   int
	begun  bool
	// ended is closed when godog has finished, or failed; err says why.
	ended chan struct{}
	err   error
}

// playSlot is the place of a scenario in the godog run of its feature.
type playSlot struct {
	scenario *suite.Scenario
	// turn is closed when the scenario may begin, and over when it has ended.
	turn, over chan struct{}
	// ctx is the context of the part of the run, and that of the scenario once it has begun; halted is why a test
	// ended it before a step.
	ctx    context.Context //nolint:containedctx // godog's hooks hand it on to each other
	halted error
}

// featuresOf returns the feature runs of the chosen scenarios, by file name.
func (p *round) featuresOf(chosen []*suite.Scenario) map[string]*featureRun {
	all := map[string]*featureRun{}
	for _, s := range chosen {
		f := all[s.URI]
		if f == nil {
			f = &featureRun{round: p, places: map[int]*playSlot{}, ended: make(chan struct{})}
			all[s.URI] = f
		}
		f.places[s.Line] = &playSlot{scenario: s, turn: make(chan struct{}), over: make(chan struct{})}
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

// begin makes godog play the feature.
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
		// A scenario initializer would register everything again for each scenario.
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
			default: // the file was parsed when the suite was loaded
				f.err = fmt.Errorf("%s:%d could not be played (godog ended with %d)", f.file.Name, line, code)
			}
		}
		// godog leaves them set but empty.
		_ = os.Unsetenv("GODOG_SEED")
		_ = os.Unsetenv("GODOG_TESTED_PACKAGE")
	}()
}

// play lets a scenario of the feature begin, and waits until it has ended.
func (f *featureRun) play(ctx context.Context, s *suite.Scenario) {
	at := f.places[s.Line]
	at.ctx = ctx
	close(at.turn)
	select {
	case <-at.over:
	case <-f.ended:
	}
}

// before waits for the turn of a scenario, and prepares its state. It skips a scenario that is no longer to be
// played.
func (f *featureRun) before(ctx context.Context, g *godog.Scenario) (context.Context, error) {
	at := f.places[int(g.Location.Line)]
	<-at.turn
	if at.ctx.Err() != nil {
		ctx = at.ctx // it ends before the contexts that godog derived from it
	}
	ctx, begun := f.round.begin(f.round.asking(ctx, at.scenario), at.scenario)
	if at.ctx = ctx; !begun {
		return nil, godog.ErrSkip
	}
	return ctx, nil
}

// beforeStep ends the scenario if a test says so.
func (f *featureRun) beforeStep(ctx context.Context, _ *godog.Step) (context.Context, error) {
	s := scenario.From(ctx)
	if s == nil {
		return ctx, nil
	}
	at := f.places[s.Pickle.Line]
	at.halted = f.round.cfg.halt(ctx, s, s.Played())
	return ctx, at.halted
}

// afterStep records a step that was played.
func afterStep(ctx context.Context, step *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	if s := scenario.From(ctx); s != nil && status != godog.StepSkipped {
		Note(s, step.Text, err)
	}
	return ctx, nil
}

// after ends a scenario. godog still goes through the steps that were not reached; their context belongs to no
// scenario.
func (f *featureRun) after(ctx context.Context, g *godog.Scenario, err error) (context.Context, error) {
	at := f.places[int(g.Location.Line)]
	switch {
	case at.halted != nil:
		err = at.halted
	case errors.Is(err, godog.ErrSkip):
		err = nil // the scenario knows why
	}
	f.round.part.done(at.ctx, err)
	at.ctx = nil // release what the scenario held
	close(at.over)
	return context.WithValue(ctx, scenario.Key{}, nil), nil
}

// silent is the name of the godog format that prints nothing: the record says what happened.
const silent = "hallmark-silent"

// registerSilent registers the format with godog.
var registerSilent = sync.OnceFunc(func() {
	godog.Format(silent, "nothing is said", func(string, io.Writer) godog.Formatter { return silence{} })
})

// silence is a formatter that prints nothing.
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
