package steps

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// phases plays the chosen scenarios, phase by phase. What may move money or change settings comes after everything
// else, and what may revoke the credential or stop the service after that.
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

// noteOutage reports whether the target was lost for good, and records why, which is more specific than earlier
// losses.
func (r *engine) noteOutage(ctx context.Context) bool {
	outage, is := errors.AsType[scenario.Outage](context.Cause(ctx))
	if is {
		r.SetLost(outage.Text)
		r.underWay = outage.Suspects
		r.gone = true
	}
	return is
}

// harmful is the harm that an operation may do.
type harmful int

const (
	harmless harmful = iota
	// last may move money, or change something shared with which the run may still go on.
	last
	// ending may revoke the credential or stop the service.
	ending
)

// harm returns a function that returns the harm that the operations of a scenario may do.
func (r *engine) harm() func(*suite.Scenario) harmful {
	of := map[string]harmful{}
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

// endings plays scenarios that may revoke the credential or stop the service, once nothing else is left. Such operations are judged like
// all others.
func (r *engine) endings(ctx context.Context, v *formSet) error {
	r.Closing()
	chosen := r.isEnding()
	// Run comparisons first: a one-shot operation succeeds only once.
	for _, compares := range []bool{true, false} {
		err := r.playWhole(ctx, v, part{done: r.finishScenario, chosen: func(p *suite.Scenario) bool {
			return chosen(p) && compares != testsKind(p, promise.Success)
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// testsKind reports whether a scenario tests a rule of a kind.
func testsKind(p *suite.Scenario, k promise.Kind) bool {
	return slices.ContainsFunc(append(slices.Clip(p.Rules), p.Covered), func(id string) bool { return strings.HasSuffix(id, "."+string(k)) })
}

// isEnding returns a function that reports whether a chosen scenario may revoke the credential or stop the
// service.
func (r *engine) isEnding() func(*suite.Scenario) bool {
	harm := r.harm()
	return func(p *suite.Scenario) bool { return harm(p) == ending && r.chosen.Run[p.ID()] != nil }
}

// phasesOf plays some of the chosen scenarios, phase by phase. Scenarios that do not depend on the store are
// played beside the phases that need a store of some size. A run with one request at a time gains nothing by that,
// and keeps its order.
func (r *engine) phasesOf(ctx context.Context, v *formSet, some func(*suite.Scenario) bool) (err error) {
	of := func(phase string) func(*suite.Scenario) bool {
		return func(p *suite.Scenario) bool { return p.Phase() == phase && r.chosen.Run[p.ID()] != nil && some(p) }
	}
	whenever := of(suite.PhaseAny)
	beside := besideParts{play: func(chosen func(*suite.Scenario) bool) error {
		return r.playWhole(ctx, v, part{chosen: chosen, beside: true, done: r.finishScenario, suspects: r.addSuspect})
	}}
	defer func() { err = errors.Join(err, beside.end()) }()
	begin := func() {}
	if r.Client.Gate.Most() > 1 && ctx.Err() == nil {
		// Scenarios that read a single resource begin once something was written, so they find one.
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
		case phase == suite.PhaseLast && beside.end() != nil:
			return nil // beside.end reports the error at the end
		}
		r.betweenPhases(ctx, phase, chosen)
		if ctx.Err() != nil {
			r.unplayed(chosen)
			continue
		}
		switch phase {
		case suite.PhaseFirst, suite.PhaseSmall:
			err = r.playEarly(ctx, v, earlyPart{chosen: chosen, most: maxRepeated, wrote: begin})
			if err == nil { // written scenarios need a store without the resources of derived ones
				err = r.playEarly(ctx, v, earlyPart{chosen: chosen, derived: true, together: r.lookingAtLists(), most: maxRepeatedLists, wrote: begin})
			}
		case suite.PhaseStocked:
			reads := func(p *suite.Scenario) bool { return chosen(p) && p.Has(suite.ReadOnly) }
			err = r.playWhole(ctx, v, part{chosen: reads, done: r.finishScenario, suspects: r.addSuspect})
			if err == nil {
				writes := func(p *suite.Scenario) bool { return chosen(p) && !p.Has(suite.ReadOnly) }
				err = r.playWhole(ctx, v, part{chosen: writes, turns: r.lookingAtLists(), done: r.finishScenario, suspects: r.addSuspect})
			}
		default:
			longer := func(p *suite.Scenario) bool { return !p.Has(suite.Derived) }
			err = r.playWhole(ctx, v, part{chosen: chosen, before: longer, done: r.finishScenario, suspects: r.addSuspect})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readsOne reports whether a scenario tests an operation on one resource, or none in particular.
func (r *engine) readsOne(p *suite.Scenario) bool {
	ids := p.Operations()
	return len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool {
		op, known := r.Contract.Operation(id)
		return !known || strings.Contains(op.Path, "{")
	})
}

// besideParts holds parts of a run that are played beside its phases.
type besideParts struct {
	play  func(chosen func(*suite.Scenario) bool) error
	ended []func() error
}

// begin starts a part.
func (b *besideParts) begin(chosen func(*suite.Scenario) bool) {
	ended := make(chan error, 1)
	go func() { ended <- b.play(chosen) }()
	b.ended = append(b.ended, sync.OnceValue(func() error { return <-ended }))
}

// end waits until all started parts have ended.
func (b *besideParts) end() (err error) {
	for _, ended := range b.ended {
		err = errors.Join(err, ended())
	}
	return err
}

// lookingAtLists returns how scenarios about lists take turns. Of resources created concurrently, each of three
// may be the one that a list omits, so derived scenarios about related resources look at their lists in turn. Of written ones, those do that
// are about an operation which lists.
func (r *engine) lookingAtLists() turns {
	of := r.Families()
	lists := func(id string) bool {
		op, known := r.Contract.Operation(id)
		return !known || op.Method == http.MethodGet && !strings.HasSuffix(op.Path, "}")
	}
	return func(p *suite.Scenario) string {
		ids := p.Operations()
		switch {
		case len(ids) == 0:
			return ""
		case !p.Has(suite.Derived) && !slices.ContainsFunc(ids, lists):
			return p.ID() // no other takes turns with it
		case testsKind(p, promise.NoTrace):
			return p.ID() // it stores nothing, and looks for what it sent
		}
		return of[ids[0]]
	}
}

// earlyPart is the part of a phase that needs the store as it is at that time.
type earlyPart struct {
	// chosen selects the scenarios of the phase; derived says whether those that follow from the contract are meant,
	// or the written ones.
	chosen  func(*suite.Scenario) bool
	derived bool
	// together says which scenarios take turns; others may be played concurrently.
	together turns
	// most is how many scenarios with findings are repeated at once.
	most int
	// wrote is called as soon as something was written, so that reads find something.
	wrote func()
}

// playEarly plays scenarios that need the store as it is at that time: in order, except for neighbours that may be
// played concurrently. Scenarios with findings are repeated at once, since the store changes later. Those that
// create much are repeated after the others, which need a small store.
func (r *engine) playEarly(ctx context.Context, v *formSet, some earlyPart) error {
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
		err := r.playWhole(ctx, v, part{chosen: open, turns: in, suspects: aside, done: func(ctx context.Context, err error) {
			r.finishScenario(ctx, err)
			s := scenario.From(ctx)
			if s == nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ended[s.ID()] = true
			writes = writes || !s.Pickle.Has(suite.ReadOnly)
			switch {
			case len(s.Findings()) == 0 || r.cfg.Confirm < 1 || some.derived && !ownAmong(s.Findings(), s.Pickle):
			case s.Pickle.Phase() == suite.PhaseSmall && !s.Pickle.Has(suite.ReadOnly):
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

// atMost removes scenarios beyond a number from those to be repeated at once, in the order of the files. They are
// never repeated, since the store changes.
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

// ownAmong reports whether the findings include a breach of the scenario's own rules. Other findings of a derived
// scenario do not depend on the store.
func ownAmong(findings []spec.Finding, p *suite.Scenario) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool { return slices.Contains(p.Rules, f.Rule) })
}

// finishScenario turns a scenario's state into its record.
func (r *engine) finishScenario(ctx context.Context, err error) {
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
	if r.cfg.FailFast && out.Outcome == record.Failed && r.hasNewBreach(out.Findings, exchanges) || r.cfg.Until != nil && slices.ContainsFunc(out.Findings, r.cfg.Until) {
		r.End(errFailFast)
	}
}

// hasNewBreach reports whether the findings include one that fails the run, is not known, and that the second
// judge does not doubt: a run must not end at what it would then leave undecided. exchanges are those of the
// scenario, by number.
func (r *engine) hasNewBreach(findings []spec.Finding, exchanges map[int]*spec.Exchange) bool {
	return slices.ContainsFunc(findings, func(f spec.Finding) bool {
		rule, _ := r.Catalogue.Rule(f.Rule)
		if !rule.Level.Fails() || r.cfg.Known != nil && r.cfg.Known(f) {
			return false
		}
		o, asked := r.second.Opinion(f, rule, exchanges[f.Decisive()])
		return !asked || !o.Doubts()
	})
}

// leftOutRecord returns the record of a scenario that the run must not play.
func (r *engine) leftOutRecord(p *suite.Scenario) record.Scenario {
	out := scenario.Describe(p)
	out.Outcome, out.Reason, out.Excused = record.Skipped, r.chosen.Reasons[p.ID()], true
	out.Started = time.Now()
	return out
}

// unplayed records the scenarios that were not played because the run ended before: without them their rules do
// not conform.
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

// errFailFast ends a run at its first violation. Until uses it too, since its runs are shown to nobody.
var errFailFast = errors.New("a must rule was broken (--fail-fast)")
