package steps

import (
	"cmp"
	"context"
	"errors"
	"math/rand" //nolint:depguard // a seed gives an order
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// A scenario whose exchange was lost is replayed from its beginning, with new names. A creation with an unknown
// outcome is never resent by itself.

// turns returns the name of the group in which a scenario takes turns: scenarios of a group are played one at a
// time, in the order of the files. If it is nil, all are played in any order and concurrently.
type turns func(*suite.Scenario) string

// oneByOne puts all scenarios into one group.
func oneByOne(*suite.Scenario) string { return "" }

// part is a set of scenarios that are played together.
type part struct {
	chosen func(*suite.Scenario) bool
	turns  turns
	// before selects the scenarios that begin before all others; nil selects none.
	before func(*suite.Scenario) bool
	// done is called for each scenario that ended.
	done func(context.Context, error)
	// repeating plays them again to confirm findings; beside plays them while others with priority are played.
	repeating, beside bool
	// suspects, if set, takes scenarios that were lost repeatedly, to be played by themselves.
	suspects func(suspect)
}

// playWhole plays a part of the run, and replays scenarios whose connection was lost: at once if the order
// matters, otherwise when the others are done.
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
	quiet := !which.beside && which.suspects != nil // only parts beside all others are played after a round has ended
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
			return left[p.ID()] && (which.turns == nil || !interrupted) && which.chosen(p) && (!quiet || !r.suspected())
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

// round plays a set of scenarios once each.
type round struct {
	*engine
	forms *formSet
	part  part
	// begun counts the scenarios that have begun, by group of turns.
	mu    sync.Mutex
	begun map[string]int
	// features holds the feature runs that still have scenarios to play, by file name; failed is why one of them
	// could not be played.
	features map[string]*featureRun
	failed   error
	// prepare is called with the state of each scenario that begins.
	prepare func(*scenario.Scenario)
}

// play plays the scenarios of a round: each begins when those before it have begun, and the gate has room.
func (p *round) play(ctx context.Context) error {
	var running sync.WaitGroup
	var names []string
	turn := map[string][]*suite.Scenario{}
	order := p.inOrder()
	p.features = p.featuresOf(order)
	for _, s := range order {
		if p.part.turns != nil {
			name := p.part.turns(s)
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

// scenario plays one scenario within its feature run, which begins with the first scenario and is released with
// the last.
func (p *round) scenario(ctx context.Context, s *suite.Scenario) {
	p.mu.Lock()
	f := p.features[s.URI]
	if !f.begun && ctx.Err() == nil {
		f.begin(ctx)
	}
	begun := f.begun
	p.mu.Unlock()
	if begun {
		f.play(ctx, s)
	} else { // the feature does not run any more
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

// asking returns the context of a scenario's requests. Derived scenarios send few requests each, and fill the gaps
// that longer ones leave.
func (p *round) asking(ctx context.Context, s *suite.Scenario) context.Context {
	if p.part.before != nil && s.Has(suite.Derived) {
		return client.Later(ctx)
	}
	return ctx
}

// aheadBy is how much earlier one scenario of a derived feature begins than its position says, in widths of the
// gate. Until it has found a request to the operation that succeeds, every other scenario of the feature that has
// begun waits for it, and holds up others.
const aheadBy = 2

// inOrder returns the scenarios in the order in which they begin: feature by feature, except for one scenario of
// each derived feature, which begins ahead, and for those that begin before all others.
func (p *round) inOrder() []*suite.Scenario {
	var all []*suite.Scenario
	width, place := p.Client.Gate.Most(), map[*suite.Scenario]int{}
	for i := range p.cfg.Suite.Features {
		for j, s := range p.inTurn(&p.cfg.Suite.Features[i]) {
			place[s] = len(all)
			if j == 0 && p.part.turns == nil && s.Has(suite.Derived) {
				place[s] -= aheadBy * width
			}
			all = append(all, s)
		}
	}
	if width == 1 { // another order gains nothing
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

// roundNumber returns the number of the consecutive parts of the run that a scenario beginning now belongs to.
func (p *round) roundNumber(s *suite.Scenario) int {
	if p.part.beside {
		return record.Beside
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.part.turns == nil {
		p.begun[""] = 1
		return p.rounds + 1
	}
	name := p.part.turns(s)
	p.begun[name]++
	return p.rounds + p.begun[name]
}

// length returns how many consecutive parts the round took: the size of its largest group.
func (p *round) length() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	longest := 0
	for _, n := range p.begun {
		longest = max(longest, n)
	}
	return longest
}

// inTurn returns the scenarios of a feature in the order in which they begin: that of the file, or one determined
// by the seed.
func (p *round) inTurn(f *suite.File) []*suite.Scenario {
	var all []*suite.Scenario
	for _, s := range f.Scenarios {
		if p.part.chosen(s) {
			all = append(all, s)
		}
	}
	if p.part.turns != nil || len(all) == 0 {
		return all
	}
	mixed := make([]*suite.Scenario, len(all))
	for i, at := range rand.New(rand.NewSource(p.Seed)).Perm(len(all)) {
		mixed[at] = all[i]
	}
	return mixed
}

// begin prepares a scenario's state, and reports whether its steps are to be played. A scenario that is no longer
// chosen leaves no record.
func (p *round) begin(ctx context.Context, planned *suite.Scenario) (_ context.Context, begun bool) {
	if !p.part.chosen(planned) {
		return ctx, false
	}
	rule := ruleOf(p.Catalogue, planned)
	begin := p.NewScenario
	if p.part.repeating {
		begin = p.NewRepetition
	}
	s := begin(planned, rule)
	s.Round = p.roundNumber(planned)
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
	if err := p.beforeEach(ctx, planned); err != nil {
		s.Skip(scenario.EndedBefore, false)
		return ctx, false
	}
	return ctx, true
}

// Note records a step of a scenario that was played.
func Note(s *scenario.Scenario, text string, err error) {
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

// ruleOf returns the rule that a scenario is about. Where that covers a derived rule which the scenario tries, it is about what that one is
// about, and no more.
func ruleOf(catalogue *spec.Catalogue, p *suite.Scenario) spec.Rule {
	rule, _ := catalogue.Rule(p.Rules[0])
	if covered, ok := catalogue.Covered(p.Covered); ok {
		rule.Cases, rule.Operations = covered.Cases, covered.Operations
	}
	return rule
}
