package steps

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/promise"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// phases runs what was chosen, phase by phase. What may move money, or change settings, comes after everything else, and what may end the
// credential or the service after that.
func (r *engine) phases(ctx context.Context, v *formSet) error {
	harm := r.harm()
	for _, level := range []harmful{harmless, last} {
		if err := r.phasesOf(ctx, v, func(p *suite.Scenario) bool { return harm(p) == level }); err != nil {
			return err
		}
	}
	if err := r.playSuspects(ctx, v); err != nil {
		return err
	}
	switch {
	case r.noteOutage(ctx), errors.Is(context.Cause(ctx), errFailFast):
		return nil
	}
	return ctx.Err()
}

// noteOutage reports whether the target was lost for good, and notes why: that says more than what was lost before.
func (r *engine) noteOutage(ctx context.Context) bool {
	outage, is := errors.AsType[scenario.Outage](context.Cause(ctx))
	if is {
		r.SetLost(outage.Text)
		r.gone = true
	}
	return is
}

// harmful says what an operation that a run calls may do.
type harmful int

const (
	harmless harmful = iota
	// last may move money, or change what all share and the run may go on with.
	last
	// ending may end the credential or the service.
	ending
)

// harm returns what the operations of a scenario may do.
func (r *engine) harm() func(*suite.Scenario) harmful {
	of := map[string]harmful{}
	if r.Promises == nil {
		return func(*suite.Scenario) harmful { return harmless }
	}
	for _, op := range r.Contract.Operations() {
		danger, is := r.Danger(&op)
		switch allowed := is && slices.Contains(r.Target.Allowed, op.ID); {
		case allowed && danger.Ends:
			of[op.ID] = ending
		case allowed || resource.Pays(&op):
			of[op.ID] = last
		}
	}
	return func(p *suite.Scenario) harmful {
		worst := harmless
		for _, id := range p.Operations() {
			worst = max(worst, of[id])
		}
		return worst
	}
}

// endings runs what may end the credential or the service, when nothing else is to be asked any more: that an operation does so is no
// reason to judge less.
func (r *engine) endings(ctx context.Context, v *formSet) error {
	r.Closing()
	chosen := r.isEnding()
	// What compares with a request that succeeds goes before what asks for a success only: that may come once.
	for _, compares := range []bool{true, false} {
		err := r.playWhole(ctx, v, part{done: r.after, chosen: func(p *suite.Scenario) bool {
			return chosen(p) && compares != about(p, promise.Success)
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// about reports whether a scenario asks about a rule of a kind.
func about(p *suite.Scenario, k promise.Kind) bool {
	return slices.ContainsFunc(p.Rules, func(id string) bool { return strings.HasSuffix(id, "."+string(k)) })
}

// isEnding returns what reports whether a scenario was chosen that may end the credential or the service.
func (r *engine) isEnding() func(*suite.Scenario) bool {
	harm := r.harm()
	return func(p *suite.Scenario) bool { return harm(p) == ending && r.chosen.Run[p.ID()] != nil }
}

// phasesOf runs some of what was chosen, phase by phase. What does not depend on the store is played beside the phases that need one of
// some size; a run that has one request under way at a time has nothing to gain by that, and keeps its order.
func (r *engine) phasesOf(ctx context.Context, v *formSet, some func(*suite.Scenario) bool) (err error) {
	of := func(phase string) func(*suite.Scenario) bool {
		return func(p *suite.Scenario) bool { return p.Phase() == phase && r.chosen.Run[p.ID()] != nil && some(p) }
	}
	fills, whenever := of(suite.PhaseFilling), of(suite.PhaseAny)
	beside := besides{play: func(chosen func(*suite.Scenario) bool) error {
		return r.playWhole(ctx, v, part{chosen: chosen, beside: true, done: r.after, suspects: r.addSuspect})
	}}
	defer func() { err = errors.Join(err, beside.end()) }()
	begin := func() {}
	if r.Client.Gate.Most() > 1 && ctx.Err() == nil {
		// What reads one begins when something was written, so that it is there.
		beside.begin(func(p *suite.Scenario) bool { return whenever(p) && !r.readsOne(p) })
		begin = sync.OnceFunc(func() { beside.begin(func(p *suite.Scenario) bool { return whenever(p) && r.readsOne(p) }) })
	}
	for _, phase := range []string{
		suite.PhaseFirst, suite.PhaseAny, "", suite.PhaseSmall, suite.PhaseFilling, suite.PhaseStocked, suite.PhaseLast, suite.PhaseEnd,
	} {
		chosen := of(phase)
		switch {
		case phase == suite.PhaseAny && len(beside.ended) > 0:
			begin()
			continue
		case phase == suite.PhaseFilling && r.fillsBeside():
			continue // with the next one
		case phase == suite.PhaseStocked && r.fillsBeside():
			stocked := chosen
			chosen = func(p *suite.Scenario) bool { return fills(p) || stocked(p) }
		case phase == suite.PhaseLast && beside.end() != nil:
			return nil // it is told at the end
		}
		if ctx.Err() != nil {
			r.unplayed(chosen)
			continue
		}
		switch phase {
		case suite.PhaseFirst, suite.PhaseSmall:
			err = r.playEarly(ctx, v, early{chosen: chosen, most: maxRepeated, wrote: begin})
			if err == nil { // what somebody wrote finds a store that nothing was put into
				err = r.playEarly(ctx, v, early{chosen: chosen, derived: true, together: r.lookingAtLists(), most: maxRepeatedLists, wrote: begin})
			}
		case suite.PhaseStocked:
			err = r.playWhole(ctx, v, part{chosen: chosen, before: fills, in: r.lookingAtLists(), done: r.after, suspects: r.addSuspect})
		default:
			longer := func(p *suite.Scenario) bool { return !p.Has(suite.Derived) }
			err = r.playWhole(ctx, v, part{chosen: chosen, before: longer, done: r.after, suspects: r.addSuspect})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readsOne reports whether a scenario asks about an operation on one resource, or about none in particular.
func (r *engine) readsOne(p *suite.Scenario) bool {
	ids := p.Operations()
	return len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool {
		op, known := r.Contract.Operation(id)
		return !known || strings.Contains(op.Path, "{")
	})
}

// besides are parts of a run that are played beside its phases.
type besides struct {
	play  func(chosen func(*suite.Scenario) bool) error
	ended []func() error
}

// begin begins a part.
func (b *besides) begin(chosen func(*suite.Scenario) bool) {
	ended := make(chan error, 1)
	go func() { ended <- b.play(chosen) }()
	b.ended = append(b.ended, sync.OnceValue(func() error { return <-ended }))
}

// end waits until all parts that were begun have ended.
func (b *besides) end() (err error) {
	for _, ended := range b.ended {
		err = errors.Join(err, ended())
	}
	return err
}

// fillsBeside reports whether what fills the store is played beside what needs a full one, which begins later, and waits for nothing but the
// animals that it needs itself. A run that has one request under way at a time has nothing to gain by that, and what is derived looks at
// lists that nothing else may change.
func (r *engine) fillsBeside() bool { return r.Promises == nil && r.Client.Gate.Most() > 1 }

// lookingAtLists returns how scenarios take turns that look at what lists show. Of what is created side by side, each of three may be the
// one that a list leaves out: what is derived looks in turn at the lists of resources that have to do with each other.
func (r *engine) lookingAtLists() turns {
	if r.Promises == nil {
		return nil
	}
	of := r.Families()
	return func(p *suite.Scenario) string {
		if ids := p.Operations(); len(ids) > 0 {
			return of[ids[0]]
		}
		return ""
	}
}

// early is what is played of a phase that needs a store as it is at that time.
type early struct {
	// chosen are the scenarios of the phase, derived which of them: those that follow from the contract, or those that were written.
	chosen  func(*suite.Scenario) bool
	derived bool
	// together says how those take turns that may be played at the same time.
	together turns
	// most is how many are repeated at once of what found something.
	most int
	// wrote is called as soon as something was written: what is read from then on finds something.
	wrote func()
}

// playEarly plays scenarios that need a store as it is at that time: in their order, but for neighbours that may be played at the same time.
// What found something is repeated at once: later the store is another one. What creates much is repeated after the others, which need a
// small store.
func (r *engine) playEarly(ctx context.Context, v *formSet, some early) error {
	var mu sync.Mutex
	ended, later := map[string]bool{}, map[string]bool{}
	chosen := func(p *suite.Scenario) bool {
		return p.Has(suite.Derived) == some.derived && some.chosen(p) && !ended[p.ID()]
	}
	select {
	case <-ctx.Done():
		r.unplayed(chosen)
		return nil
	default:
	}
	for {
		next, atOnce := r.cfg.Suite.Together(chosen)
		if len(next) == 0 {
			r.atMost(some.most, later)
			return r.playAgain(ctx, v, later)
		}
		before, found := len(ended), map[string]bool{}
		writes := false
		open := func(p *suite.Scenario) bool {
			mu.Lock()
			defer mu.Unlock()
			return next[p.ID()] && !ended[p.ID()] && (atOnce || len(found) == 0)
		}
		in := oneByOne
		if atOnce {
			in = some.together
		}
		aside := func(s suspect) {
			r.addSuspect(s)
			mu.Lock()
			defer mu.Unlock()
			ended[s.scenario.ID()] = true
		}
		err := r.playWhole(ctx, v, part{chosen: open, in: in, suspects: aside, done: func(ctx context.Context, err error) {
			r.after(ctx, err)
			s := scenario.From(ctx)
			if s == nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ended[s.ID()] = true
			writes = writes || !s.Pickle.Has("@read-only")
			switch {
			case len(s.Findings()) == 0 || r.cfg.Confirm < 1 || some.derived && !ownAmong(s.Findings(), s.Pickle):
			case s.Pickle.Phase() == suite.PhaseSmall && !s.Pickle.Has("@read-only"):
				later[s.ID()] = true
			default:
				found[s.ID()] = true
			}
		}})
		if err != nil || ctx.Err() != nil {
			r.unplayed(chosen)
			return err
		}
		if writes {
			some.wrote()
		}
		r.atMost(some.most, found)
		if err := r.playAgain(ctx, v, found); err != nil {
			return err
		}
		if len(ended) == before {
			maps.Copy(ended, next) // they cannot be played
		}
	}
}

// atMost leaves out what is too much to be repeated at once, in the order of the files: it is repeated never, since the store is another one
// later.
func (r *engine) atMost(most int, found map[string]bool) {
	most = min(most, maxRepeated-len(r.repeated))
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if !found[p.ID()] {
				continue
			}
			if most--; most < 0 {
				delete(found, p.ID())
				r.unrepeated[p.ID()] = true
			}
		}
	}
}

// ownAmong reports whether a breach of the rule that a scenario asks about is among what was found. What else a derived one finds does not
// depend on what the store holds.
func ownAmong(findings []spec.Finding, p *suite.Scenario) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool { return slices.Contains(p.Rules, f.Rule) })
}

// after turns a scenario's state into its record.
func (r *engine) after(ctx context.Context, err error) {
	s := scenario.From(ctx)
	if s == nil {
		return
	}
	out := s.Ended(err)
	r.noteGatewayAnswers(s)
	exchanges := map[int]*spec.Exchange{}
	if r.cfg.FailFast && out.Outcome == record.Failed {
		for _, ex := range s.Exchanges() {
			shown := r.Redact(*ex)
			exchanges[shown.Seq] = &shown
		}
	}
	s.RecordExchanges()
	s.Budget.Release()
	r.Recorder.ExercisedAll(s.Exercised())
	r.Recorder.AddScenario(out)
	if r.cfg.FailFast && out.Outcome == record.Failed && r.news(out.Findings, exchanges) || r.cfg.Until != nil && slices.ContainsFunc(out.Findings, r.cfg.Until) {
		r.End(errFailFast)
	}
}

// news reports whether something is among the findings that was not known beforehand, and that the second judge does not doubt: a run does
// not end at what it would then leave undecided. The exchanges are those of the scenario, by their numbers.
func (r *engine) news(findings []spec.Finding, exchanges map[int]*spec.Exchange) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool {
		rule, _ := r.Catalogue.Rule(f.Rule)
		if !rule.Level.Fails() || r.cfg.Known != nil && r.cfg.Known(f) {
			return false
		}
		o, asked := r.second.Opinion(f, rule, exchanges[f.Decisive()])
		return !asked || !o.Doubts()
	})
}

// leftOut is the record of a scenario that the run must not execute.
func (r *engine) leftOut(p *suite.Scenario) record.Scenario {
	out := scenario.Describe(p)
	out.Outcome, out.Reason, out.Excused = record.Skipped, r.chosen.Reasons[p.ID()], true
	out.Started = time.Now()
	return out
}

// unplayed records the scenarios of a phase that the run ended before: a rule that they ask about does not conform without
// them.
func (r *engine) unplayed(chosen func(*suite.Scenario) bool) {
	for _, f := range r.cfg.Suite.Features {
		for _, p := range f.Scenarios {
			if chosen(p) {
				s := r.NewScenario(p, spec.Rule{})
				s.Skip(scenario.EndedBefore, false)
				r.Recorder.AddScenario(s.Ended(nil))
			}
		}
	}
}

// errFailFast ends a run at its first violation, as it was asked to; Until has no other one, since its runs are shown to nobody.
var errFailFast = errors.New("a must rule was broken (--fail-fast)")
