package steps

import (
	"cmp"
	"context"
	"errors"
	"math/rand" //nolint:depguard // a seed gives an order
	"slices"
	"sync"

	"hallmark/reports/record"
	"hallmark/steps/client"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// A scenario whose exchange was lost is played again from its beginning, with names of its own. A creation of which nobody
// knows what became is never sent once more by itself.

// turns says of each scenario with which others it takes turns: those of the same name are played one at a time, in the order of the files.
// Where it is nil all are played in any order and at the same time.
type turns func(*suite.Scenario) string

// oneByOne lets all take turns.
func oneByOne(*suite.Scenario) string { return "" }

// part is some scenarios of a run that are played together.
type part struct {
	chosen func(*suite.Scenario) bool
	in     turns
	// before reports which of them begin before all others; nil for none.
	before func(*suite.Scenario) bool
	// done is told of each scenario that ended.
	done func(context.Context, error)
	// repeating plays them once more for what they found; beside plays them while others are played that come first.
	repeating, beside bool
	// suspects, if set, takes scenarios that were lost again and again, to be played by themselves.
	suspects func(suspect)
}

// playWhole plays a part of the run, and plays again what was lost: where the order counts at once, else when the others are done.
func (r *engine) playWhole(ctx context.Context, v *formSet, which part) error {
	if which.beside {
		ctx = client.Beside(ctx)
	}
	var mu sync.Mutex
	left, lost := map[string]bool{}, map[string]*scenario.Attempts{}
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if r.chosen.Run[p.ID()] != nil && which.chosen(p) {
				left[p.ID()] = true
			}
		}
	}
	quiet := !which.beside && which.suspects != nil // nothing else is played when a round has ended, but what is played beside all
	for len(left) > 0 {
		if quiet {
			if err := r.playSuspects(ctx, v); err != nil {
				return err
			}
		}
		interrupted, ended := false, 0
		open := func(p *suite.Scenario) bool {
			mu.Lock()
			defer mu.Unlock()
			return left[p.ID()] && (which.in == nil || !interrupted) && which.chosen(p) && (!quiet || !r.suspected())
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
			known := which.repeating && s.FindDeathAgain()
			aside := !known && which.suspects != nil && ctx.Err() == nil && s.Suspect()
			again := !known && !aside && s.PlaysAgain(ctx)
			if aside {
				which.suspects(suspect{s.Pickle, s.Attempts()})
			}
			mu.Lock()
			ended++
			if again {
				interrupted = true
				lost[s.ID()] = s.Attempts()
			} else {
				delete(left, s.ID())
			}
			mu.Unlock()
			if again || aside {
				r.noteGatewayAnswers(s)
				s.RecordExchanges()
			} else {
				which.done(ctx, err)
			}
		}
		now := which
		now.chosen, now.done = open, over
		p := &round{engine: r, forms: v, part: now, begun: map[string]int{}, prepare: prepare}
		err := p.play(ctx)
		if !which.beside {
			r.rounds += p.length()
		}
		if err != nil || ended == 0 && (!quiet || !r.suspected() || ctx.Err() != nil) {
			return err
		}
	}
	return nil
}

// round is some scenarios of a run that are played, each once.
type round struct {
	*engine
	forms *formSet
	part  part
	// begun counts the scenarios that were begun, by what they take turns with.
	mu    sync.Mutex
	begun map[string]int
	// features are those of which something is still to be played, by the names of their files; failed is why one of them could not be played.
	features map[string]*featureRun
	failed   error
	// prepare is given the state of each that begins.
	prepare func(*scenario.Scenario)
}

// play plays the scenarios of a round: each begins when those before it in their order have begun, and the gate lets it in.
func (p *round) play(ctx context.Context) error {
	var running sync.WaitGroup
	var names []string
	turn := map[string][]*suite.Scenario{}
	order := p.inOrder()
	p.features = p.featuresOf(order)
	for _, s := range order {
		if p.part.in != nil {
			name := p.part.in(s)
			if turn[name] == nil {
				names = append(names, name)
			}
			turn[name] = append(turn[name], s)
			continue
		}
		end := p.Client.Gate.Begin(ctx)
		running.Go(func() {
			defer end()
			p.scenario(ctx, s)
		})
	}
	for _, name := range names {
		running.Go(func() {
			for _, s := range turn[name] {
				end := p.Client.Gate.Begin(ctx)
				p.scenario(ctx, s)
				end()
			}
		})
	}
	running.Wait()
	return p.failed
}

// scenario plays one as a part of its feature, which begins with the first of it and is let go of with the last.
func (p *round) scenario(ctx context.Context, s *suite.Scenario) {
	p.mu.Lock()
	f := p.features[s.URI]
	if !f.begun && ctx.Err() == nil {
		f.begin(ctx)
	}
	begun := f.begun
	p.mu.Unlock()
	if begun {
		f.play(s)
	} else { // nothing of the feature will be asked
		ctx, _ = p.begin(ctx, s)
		p.part.done(ctx, nil)
	}
	p.mu.Lock()
	f.left--
	last := f.left == 0
	p.mu.Unlock()
	if !last || !begun {
		return
	}
	<-f.ended
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.features, s.URI)
	p.failed = cmp.Or(p.failed, f.err)
}

// asking returns the context that a scenario asks with. What is derived asks one thing each, and fills the gaps that longer scenarios leave.
func (p *round) asking(ctx context.Context, s *suite.Scenario) context.Context {
	if p.part.before != nil && s.Has(suite.Derived) {
		return client.Later(ctx)
	}
	return ctx
}

// aheadBy is how much earlier one scenario of a derived feature begins than its place says, in widths of the gate. Until it has found a request
// to the operation that succeeds, each other scenario of the feature that begins waits for it, and nothing else is played in its place.
const aheadBy = 2

// inOrder returns the scenarios that are to be played, in the order in which they begin: feature by feature, but for one of each derived
// feature, which begins ahead, and for those that begin before all others.
func (p *round) inOrder() []*suite.Scenario {
	var all []*suite.Scenario
	width, place := p.Client.Gate.Most(), map[*suite.Scenario]int{}
	for i := range p.cfg.Suite.Features {
		for j, s := range p.inTurn(&p.cfg.Suite.Features[i]) {
			place[s] = len(all)
			if j == 0 && p.part.in == nil && s.Has(suite.Derived) {
				place[s] -= aheadBy * width
			}
			all = append(all, s)
		}
	}
	if width == 1 { // one at a time gains nothing by another order
		return all
	}
	if p.part.before != nil {
		for _, s := range all {
			if p.part.before(s) {
				place[s] -= len(all) + aheadBy*width
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *suite.Scenario) int { return place[a] - place[b] })
	return all
}

// number returns which part of the run a scenario belongs to that begins now, of the parts that are played one after another.
func (p *round) number(s *suite.Scenario) int {
	if p.part.beside {
		return record.Beside
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.part.in == nil {
		p.begun[""] = 1
		return p.rounds + 1
	}
	name := p.part.in(s)
	p.begun[name]++
	return p.rounds + p.begun[name]
}

// length returns how many parts of the run the round was: the most that took turns.
func (p *round) length() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	longest := 0
	for _, n := range p.begun {
		longest = max(longest, n)
	}
	return longest
}

// inTurn returns the scenarios of a feature that are to be played, in the order in which they begin: that of the file, or one that the
// seed gives.
func (p *round) inTurn(f *suite.File) []*suite.Scenario {
	var all []*suite.Scenario
	for _, s := range f.Scenarios {
		if p.part.chosen(s) {
			all = append(all, s)
		}
	}
	if p.part.in != nil || len(all) == 0 {
		return all
	}
	mixed := make([]*suite.Scenario, len(all))
	for i, at := range rand.New(rand.NewSource(p.Seed)).Perm(len(all)) {
		mixed[at] = all[i]
	}
	return mixed
}

// begin prepares a scenario's state, and reports whether its steps are to be played. What is no longer chosen leaves no record.
func (p *round) begin(ctx context.Context, planned *suite.Scenario) (_ context.Context, begun bool) {
	if !p.part.chosen(planned) {
		return ctx, false
	}
	rule, _ := p.Catalogue.Rule(planned.Rules[0])
	begin := p.NewScenario
	if p.part.repeating {
		begin = p.NewRepetition
	}
	s := begin(planned, rule)
	s.Round = p.number(planned)
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

// noteStep notes what became of a step that was played.
func noteStep(s *scenario.Scenario, text string, err error) {
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
