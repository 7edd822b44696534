package steps

import (
	"context"
	"errors"
	"fmt"
	"math/rand" //nolint:depguard // a seed gives the order that godog gives
	"sync"

	"hallmark/reports/record"
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
		open := func(p *suite.Scenario) bool {
			mu.Lock()
			defer mu.Unlock()
			return left[p.ID()] && (!ordered || !interrupted) && chosen(p)
		}
		prepare := func(s *scenario.Scenario) {
			mu.Lock()
			defer mu.Unlock()
			s.Resume(lost[s.ID()])
		}
		over := func(ctx context.Context, err error) {
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
		}
		p := &round{engine: r, number: int(r.rounds.Add(1)), forms: v, chosen: open, ordered: ordered, prepare: prepare, done: over}
		if err := p.play(ctx); err != nil || ended == 0 {
			return err
		}
	}
	return nil
}

// round is some scenarios of a run that are played, each once.
type round struct {
	*engine
	// number is the round's, from 1.
	number int
	forms  *formSet
	chosen func(*suite.Scenario) bool
	// ordered is set where they are played in the order of the files and one at a time, else in any order and at the same time.
	ordered bool
	// Each begins with prepare, which is given its state, and ends with done.
	prepare func(*scenario.Scenario)
	done    func(context.Context, error)
}

// play plays the scenarios of a round.
func (p *round) play(ctx context.Context) error {
	if p.cfg.player != nil {
		return p.cfg.player(ctx, p)
	}
	var running sync.WaitGroup
	for i := range p.cfg.Suite.Features {
		for _, s := range p.inTurn(&p.cfg.Suite.Features[i]) {
			if p.ordered {
				p.scenario(ctx, s)
				continue
			}
			end := p.Client.Gate.Begin(ctx)
			running.Go(func() {
				defer end()
				p.scenario(ctx, s)
			})
		}
	}
	running.Wait()
	return nil
}

// inTurn returns the scenarios of a feature that are to be played, in the order in which they begin: that of the file, or one that the
// seed gives, which is godog's.
func (p *round) inTurn(f *suite.File) []*suite.Scenario {
	var all []*suite.Scenario
	for _, s := range f.Scenarios {
		if p.chosen(s) {
			all = append(all, s)
		}
	}
	if p.ordered || len(all) == 0 {
		return all
	}
	mixed := make([]*suite.Scenario, len(all))
	for i, at := range rand.New(rand.NewSource(p.Seed)).Perm(len(all)) {
		mixed[at] = all[i]
	}
	return mixed
}

// scenario plays one: step by step, up to the first that ends it.
func (p *round) scenario(ctx context.Context, s *suite.Scenario) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	ctx, begun := p.begin(ctx, s)
	var err error
	for i := 0; begun && err == nil && i < len(s.Steps); i++ {
		err = p.step(ctx, s.Steps[i].Text)
		noteStep(ctx, s.Steps[i].Text, err)
	}
	p.done(ctx, err)
}

// step plays one step. One that panics has failed.
func (p *round) step(ctx context.Context, text string) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
	}()
	if err := p.halted(ctx); err != nil {
		return err
	}
	return p.forms.play(ctx, text)
}

// begin prepares a scenario's state, and reports whether its steps are to be played. What is no longer chosen leaves no record.
func (p *round) begin(ctx context.Context, planned *suite.Scenario) (_ context.Context, begun bool) {
	if !p.chosen(planned) {
		return ctx, false
	}
	rule, _ := p.Catalogue.Rule(planned.Rules[0])
	begin := p.NewScenario
	if p.repeating {
		begin = p.NewRepetition
	}
	s := begin(planned, rule)
	if s.Round = p.number; p.ordered {
		s.Round = int(p.rounds.Add(1)) // each is played by itself
	}
	p.prepare(s)
	ctx = context.WithValue(ctx, scenario.Key{}, s)
	if ctx.Err() != nil {
		s.Skip(scenario.EndedBefore, false)
		return ctx, false
	}
	if limit := p.Client.Limiter.Reached(); limit != "" {
		s.Skip(scenario.NotAsked(limit), false)
		return ctx, false
	}
	for _, op := range planned.Operations() {
		if reason, gone := p.Removed[op]; gone {
			s.Skip(reason, true)
			return ctx, false
		}
	}
	return ctx, true
}

// halted returns the error by which the scenario ends before its next step; nil if it goes on.
func (p *round) halted(ctx context.Context) error {
	if s := scenario.From(ctx); s != nil && p.cfg.halt != nil {
		return p.cfg.halt(ctx, s, s.Played())
	}
	return nil
}

// noteStep notes what became of a step that was played.
func noteStep(ctx context.Context, text string, err error) {
	s := scenario.From(ctx)
	step := record.Step{Text: text, Outcome: record.Passed}
	if n := s.Played(); n < len(s.Pickle.Steps) {
		step.Keyword = s.Pickle.Steps[n].Keyword
	}
	switch {
	case errors.As(err, new(scenario.Stop)):
		step.Outcome = record.Skipped
	case err != nil:
		step.Outcome = record.Errored
	case s.NewFindings():
		step.Outcome = record.Failed
	}
	s.AddStep(step)
}
