package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/doctor"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Config is everything that a run needs.
type Config struct {
	Target    scenario.Target
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Suite     *suite.Suite
	Selection suite.Selection
	// Interface is the Go code of the interface.
	Interface scenario.Interface
	// Seed fixes the order of the scenarios, and what is generated; it must not be 0.
	Seed int64
	// Examples is how many bodies the scenarios on generated ones try; 0 stands for DefaultExamples. It bounds the other
	// generated cases too: see vocabulary.NewExploration.
	Examples int
	// Concurrency is how many scenarios run at a time.
	Concurrency int
	// Confirm is how often the scenario that shows a finding is repeated; 0 repeats none.
	Confirm int
	// Timeout bounds one request, its response's body included.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// FailFast ends the run after the first scenario that found a must rule broken, other than Known says was known.
	FailFast bool
	Known    func(spec.Finding) bool
	// Transport carries the requests; NewTransport makes one.
	Transport http.RoundTripper
	// Agent is what the User-Agent header begins with; the run and the scenario follow.
	Agent string
	// ID names the run in the target's logs and in the names of its animals; empty makes one (see NewRunID).
	ID string
	// Correlation is the header that carries an id of each exchange; empty sends none.
	Correlation string
	// Limits bound what is asked.
	Limits client.Limits
	// Patience is for how long is waited.
	Patience scenario.Patience
	// Notice is told what a person should know before the run begins; may be nil.
	Notice func(doctor.Check)
	// Recorder takes what happens.
	Recorder *record.Recorder

	// halt may end a scenario before its step of that index, with the error that it returns; nil ends none. Tests set it.
	halt func(ctx context.Context, s *scenario.Scenario, step int) error
}

// options are those of the scenarios.
func (cfg Config) options() scenario.Options {
	return scenario.Options{
		Target: cfg.Target, Contract: cfg.Contract, Catalogue: cfg.Catalogue, Interface: cfg.Interface, Seed: cfg.Seed, Examples: cfg.Examples,
		Timeout: cfg.Timeout, Now: cfg.Now, Transport: cfg.Transport, Agent: cfg.Agent, ID: cfg.ID, Correlation: cfg.Correlation,
		Limits: cfg.Limits, Patience: cfg.Patience, Recorder: cfg.Recorder,
	}
}

// engine plays the scenarios of a run.
type engine struct {
	*scenario.Run
	cfg    Config
	chosen suite.Chosen
	// patience is what was waited for.
	patience record.Patience
	// repeated is what came of playing scenarios again, by their ids; repeating reports whether one is being played again.
	repeated  map[string][]repetition
	repeating bool
}

// newEngine is an engine that has asked nothing yet.
func newEngine(cfg Config) (*engine, error) {
	r, err := scenario.New(cfg.options())
	if err != nil {
		return nil, err
	}
	e := &engine{Run: r, cfg: cfg, repeated: map[string][]repetition{}}
	r.Client.Refused = e.noticeRefusal()
	return e, nil
}

// Unreachable says why a target could not be judged at all: no connection, or the key refused by every operation.
type Unreachable struct {
	Reason string
	// Remedy says what to do about it; may be empty.
	Remedy string
	// silent reports whether no response came in time.
	silent bool
}

func (u Unreachable) Error() string { return u.Reason }

// Run judges a target, and answers how the run ended. It fails when the suite cannot be run (a step that nobody knows,
// nothing selected) or the context ends, and with Unreachable when there is nothing to judge. What the target breaks is in
// the record, not in the error.
func Run(ctx context.Context, cfg Config) (ending record.Ending, err error) {
	all := cfg.Target.Redactor()
	defer func() { // whatever went wrong may quote what was sent or answered
		ending.Lost, err = all.Text(ending.Lost), all.Error(err)
		if away, ok := errors.AsType[Unreachable](err); ok {
			away.Reason, away.Remedy = all.Text(away.Reason), all.Text(away.Remedy)
			err = away
		}
	}()
	r, err := newEngine(cfg)
	if err != nil {
		return ending, err
	}
	if r.chosen, err = cfg.Suite.Select(cfg.Selection, cfg.Catalogue, cfg.Contract); err != nil {
		return ending, err
	}
	forms := newFormSet(cfg.Interface.Forms)
	r.Reserve(cfg.Confirm > 0, r.reservations(forms))
	if err := forms.check(cfg.Suite); err != nil {
		return ending, err
	}
	parent := ctx
	ctx, release := r.Bind(ctx)
	defer release()
	err = awaitReady(ctx, r)
	ending.Patience = r.patience
	if err == nil {
		err = runPreflight(ctx, r)
	}
	if err != nil && !client.IsLimit(err) {
		if away, ok := errors.AsType[Unreachable](err); ok {
			ending.Lost = away.Reason
		}
		return ending, err
	}
	for _, p := range r.chosen.Skipped {
		r.Recorder.AddScenario(r.leftOut(p))
	}
	err = r.phases(ctx, forms)
	ending.Patience.Interrupted = r.Interruptions()
	ending.Stopped, ending.Patience.Settled = r.Client.Limiter.Reached(), r.Settled()
	ending.Complete = err == nil && ctx.Err() == nil && ending.Stopped == ""
	if err == nil && r.LostText() == "" && ending.Stopped == "" {
		// --fail-fast has ended the context of the scenarios; what it found is confirmed all the same.
		again, release := r.Bind(parent)
		defer release()
		err = r.confirm(again, forms)
		ending.Patience.Interrupted = r.Interruptions()
	}
	ending.Lost = r.LostText()
	return ending, err
}

// noticeRefusal says once that the run waits for a connection.
func (r *engine) noticeRefusal() func(string) {
	var once sync.Once
	return func(reason string) {
		once.Do(func() {
			if r.cfg.Notice != nil {
				r.cfg.Notice(doctor.Check{
					Name: "connection", State: doctor.Warned, Says: r.Client.Redactor.Text(reason),
					Remedy: fmt.Sprintf("trying again for %v (--patience)", r.Patience.Reconnect),
				})
			}
		})
	}
}

// NotApplicable returns the rules that do not apply at that moment, since an operation that they speak of was removed or the
// contract says nothing of them, with the reason. Open rules always apply: they only observe.
func NotApplicable(contract *spec.Contract, catalogue *spec.Catalogue, now time.Time) map[string]string {
	removed, out := scenario.RemovedBy(contract, now), map[string]string{}
	for _, rule := range catalogue.Rules {
		for _, op := range rule.Operations {
			if reason, gone := removed[op]; gone && rule.Level != spec.Open {
				out[rule.ID] = reason
			}
		}
		if reason, silent := catalogue.Silent()[rule.ID]; silent && rule.Level != spec.Open {
			out[rule.ID] = reason
		}
	}
	return out
}

// Removed lists the operations whose removal date has come by that moment.
func Removed(contract *spec.Contract, now time.Time) []string {
	return slices.Sorted(maps.Keys(scenario.RemovedBy(contract, now)))
}

// reservations is what each generated scenario that is to be run creates when all is as it should be.
func (r *engine) reservations(v *formSet) map[string]int {
	out := map[string]int{}
	if r.Target.ReadOnly {
		return out
	}
	for _, p := range r.chosen.Run {
		n := 0
		for _, st := range p.Steps {
			n += v.creations(r.Run, st.Text)
		}
		if n > 0 {
			out[p.ID()] = n
		}
	}
	return out
}
