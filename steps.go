package hallmark

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/cucumber/godog"

	"github.com/hallmark-kit/hallmark/internal/inprocess"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Steps registers hallmark's sentences with a godog suite, beside steps of your own ("hallmark steps" lists them). Call it in the suite's
// ScenarioInitializer. The document judges each response, too. A scenario that finds a rule broken fails after its last step; then the
// resources that it created are removed. A tag such as @rule:addBook.created.kept names the rule that a scenario is about.
func Steps(sc *godog.ScenarioContext, o Options) {
	p := &play{options: o}
	sc.Before(p.before)
	steps.Register(sc)
	sc.StepContext().After(p.afterStep)
	sc.After(p.after)
}

// play is one scenario of a godog suite that hallmark does not run.
type play struct {
	options Options
	single  *session.Single
	server  *inprocess.Server
	// prepared reports whether Before succeeded, so that After has something to put back.
	prepared bool
}

// before prepares the state of the scenario.
func (p *play) before(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
	env := p.options.environment()
	env.Stdout, env.Stderr, env.Commands = io.Discard, io.Discard, io.Discard
	settings, err := p.options.settings(env)
	if err != nil {
		return ctx, err
	}
	if p.options.Handler != nil {
		p.server = inprocess.Serve(p.options.Handler)
		settings.Network.Through(p.server.Dial)
	}
	if p.options.Before != nil {
		if err := p.options.Before(ctx); err != nil {
			return ctx, err
		}
	}
	p.prepared = true
	if p.single, err = session.ForSteps(env, settings); err != nil {
		return ctx, err
	}
	planned := &suite.Scenario{URI: sc.Uri, Name: sc.Name}
	if sc.Location != nil {
		planned.Line = int(sc.Location.Line)
	}
	for _, step := range sc.Steps {
		planned.Steps = append(planned.Steps, suite.Step{Text: step.Text})
	}
	for _, tag := range sc.Tags {
		planned.Tags = append(planned.Tags, tag.Name)
		if id, ok := strings.CutPrefix(tag.Name, "@rule:"); ok {
			planned.Rules = append(planned.Rules, id)
		}
	}
	run := p.single.Run
	about := spec.Rule{ID: sc.Name, Level: spec.Must, Says: sc.Name}
	if len(planned.Rules) > 0 {
		var known bool
		if about, known = run.Catalogue.Rule(planned.Rules[0]); !known {
			return ctx, errors.New("there is no rule " + planned.Rules[0] + "; \"hallmark rules --contract " + p.options.Contract + "\" lists them")
		}
	}
	ctx, _ = run.Bind(ctx) // godog ends the context of the scenario
	return context.WithValue(ctx, scenario.Key{}, run.NewScenario(planned, about)), nil
}

// afterStep records a step that was played.
func (p *play) afterStep(ctx context.Context, step *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
	if s := scenario.From(ctx); s != nil && status != godog.StepSkipped {
		steps.Note(s, step.Text, err)
	}
	return ctx, nil
}

// after ends the scenario, removes what it created, and returns an error that says what it found.
func (p *play) after(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
	if p.server != nil {
		defer p.server.Close() //nolint:errcheck // the scenario has ended
	}
	after := func() error {
		if p.options.After == nil || !p.prepared {
			return nil
		}
		return p.options.After(context.WithoutCancel(ctx))
	}
	s := scenario.From(ctx)
	if s == nil {
		return ctx, after()
	}
	run := p.single.Run
	p.single.Ended(s, err)
	run.CleanUp(context.WithoutCancel(ctx))
	if err := after(); err != nil {
		return ctx, err
	}
	var own []spec.Rule
	if _, known := run.Catalogue.Rule(s.Rule.ID); !known {
		own = append(own, s.Rule)
	}
	v := p.single.View(own...)
	var all strings.Builder
	for i := range v.Result.Causes {
		cause := v.Result.Causes[i]
		cause.Rerun, cause.Curl = "", ""
		if v.Fails(cause) {
			all.WriteString("\n" + failure.CauseText(v, &cause, "FAIL"))
		}
	}
	if all.Len() > 0 {
		return ctx, errors.New(all.String())
	}
	if stop, ok := errors.AsType[scenario.Stop](err); ok {
		return ctx, errors.New("hallmark could not judge it: " + stop.Reason)
	}
	return ctx, nil
}
