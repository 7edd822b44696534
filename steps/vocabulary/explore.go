package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
)

// Scenarios on what is generated. rapid makes the cases, each from a seed of its own, so that a run's seed repeats them.
// What fails is made smaller here and not by rapid: a try costs requests, and often a resource of somebody's store, so
// tries have to be counted, and rapid counts by the clock and by flags of the whole process.

// maxTries bounds the tries of a scenario to make failing cases smaller.
const maxTries = 60

// maxTriesEach bounds those for one defect.
const maxTriesEach = 24

// Property is something that holds for every case.
type Property[C any] struct {
	// Noun names a case in words, Plural many of them: "body", "valid bodies".
	Noun, Plural string
	// Ask tries a case by means of a trial, which gathers what is found. It answers with the part that it came to.
	Ask func(ctx context.Context, t *scenario.Scenario, c C) (C, error)
	// Smaller lists simpler cases, those that take most away first.
	Smaller func(c C) []C
	// Creates is how many a try creates at most, when all is as it should be.
	Creates func(c C) int
	// kind is equal for findings that show the same defect in different cases.
	kind func(f spec.Finding) string
	// rule is the one that a case is about; a case is left out when that rule has been broken already. May be nil.
	rule func(c C) string
}

// Exploration tries cases of a property, and tells each defect once, by the smallest case that shows it.
type Exploration[C any] struct {
	Property[C]
	s *scenario.Scenario
	// told are the kinds of findings and the rules that were told.
	told  map[string]bool
	tries int
	// shown are the findings of the tries of a case. What is told once concerns all that showed it: an id that names two
	// resources explains more than the example.
	shown []spec.Finding
}

// NewExploration returns an exploration that has tried nothing yet.
func NewExploration[C any](s *scenario.Scenario, p Property[C]) *Exploration[C] {
	if p.kind == nil {
		p.kind = defectOf
	}
	return &Exploration[C]{Property: p, s: s, told: map[string]bool{}, tries: maxTries}
}

// defectOf tells findings apart by their rule and, where that is the matter, the status.
func defectOf(f spec.Finding) string {
	if f.Status != 0 {
		return fmt.Sprintf("%s, status %d", f.Rule, f.Status)
	}
	return f.Rule
}

// Explore tries the cases, several at the same time, and looks at what came of them in their order.
func (e *Exploration[C]) Explore(ctx context.Context, cases []C) error {
	for first := 0; first < len(cases); {
		wave, next := e.wave(cases, first)
		if len(wave) == 0 && next < len(cases) {
			return e.s.CutToBudget(e.Plural, len(cases), next)
		}
		first = next
		tries := make([]attempt[C], len(wave))
		_ = e.s.Run.Lanes.Do(len(wave), func(i int) error {
			tries[i] = e.try(ctx, cases[wave[i]], false)
			return nil // each try has its own
		})
		var err error
		for i, made := range tries {
			if e.rule == nil || !e.told[e.rule(cases[wave[i]])] {
				err = errors.Join(err, e.conclude(ctx, wave[i], made))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostAtOnce is how many cases are tried at the same time, so that what they show in common is told once.
const mostAtOnce = 10

// wave returns the next cases to be tried at the same time, by their numbers, and where the ones after them begin. There is none
// where no more may be created.
func (e *Exploration[C]) wave(cases []C, first int) (wave []int, next int) {
	creates := 0
	for next = first; next < len(cases) && len(wave) < mostAtOnce; next++ {
		c := cases[next]
		if e.rule != nil && e.told[e.rule(c)] {
			continue
		}
		if creates += e.Creates(c); !e.s.Budget.Room(creates) {
			break
		}
		wave = append(wave, next)
	}
	return wave, next
}

// conclude tells what a case showed, made smaller.
func (e *Exploration[C]) conclude(ctx context.Context, number int, made attempt[C]) error {
	e.shown = slices.Clone(made.t.Findings())
	e.remark(made.t)
	for _, kind := range e.kinds(made.t) {
		if e.told[kind] {
			continue
		}
		best, tries := made.t, 0
		if made.err == nil && !e.s.IsRepetition() {
			best, tries = e.shrink(ctx, made.done, made.t, kind)
		}
		head := fmt.Sprintf("%s %d of --seed %d", e.Noun, number+1, e.s.Run.Seed)
		if tries > 0 {
			head += fmt.Sprintf(", made smaller in %d tries", tries)
		}
		e.tell(best, kind, check.Traces(head, e.s.Run.Interface.Noun(), best.Exchanges()))
	}
	for _, f := range e.shown {
		e.s.Concerns(f.Rule, f.About)
	}
	return made.err
}

// attempt is one try of a case: what it found, how far it came, and why it ended early.
type attempt[C any] struct {
	t    *scenario.Scenario
	done C
	err  error
}

// try asks about one case apart from the scenario's findings, and keeps everything else. What a spare try creates comes from
// what nobody has reserved.
func (e *Exploration[C]) try(ctx context.Context, c C, spare bool) (made attempt[C]) {
	made.err = e.s.Anew(ctx, func() error {
		made.t = e.s.Trial(spare)
		var err error
		made.done, err = e.Ask(ctx, made.t, c)
		e.s.Absorb(made.t)
		if errors.Is(err, scenario.ErrLost) && len(e.kinds(made.t)) > 0 {
			return lostAfterward{err} // what was found must not get lost, too
		}
		return err
	})
	if later, ok := errors.AsType[lostAfterward](made.err); ok {
		made.err = later.error
	}
	if errors.As(made.err, new(scenario.Stop)) {
		made.err = nil // this case could not be asked to its end
	}
	return made
}

// lostAfterward ends a trial whose connection was lost when it had found something already.
type lostAfterward struct{ error }

// kinds lists what a trial found out, what the run fails for only. Consequences do not count beside their causes.
func (e *Exploration[C]) kinds(t *scenario.Scenario) []string {
	var causes, all []string
	for _, f := range t.Findings() {
		if !e.s.Run.Fails(f) {
			continue
		}
		all = append(all, e.kind(f))
		if f.After == "" {
			causes = append(causes, e.kind(f))
		}
	}
	if len(causes) > 0 {
		return causes
	}
	return all
}

// shrink looks for the smallest case that shows the same kind of finding. What does not show again stays as it was.
func (e *Exploration[C]) shrink(ctx context.Context, c C, t *scenario.Scenario, kind string) (*scenario.Scenario, int) {
	tried := map[string]bool{fmt.Sprintf("%+v", c): true}
	tries := 0
	for again := true; again; {
		again = false
		for _, next := range e.Smaller(c) {
			key := fmt.Sprintf("%+v", next)
			if tried[key] {
				continue
			}
			if e.tries == 0 || tries == maxTriesEach || !e.s.Run.Budget().Room("", max(e.Creates(next), 1)) || ctx.Err() != nil {
				return t, tries
			}
			tried[key] = true
			e.tries--
			tries++
			u := e.try(ctx, next, true)
			e.shown = append(e.shown, u.t.Findings()...)
			if u.err != nil {
				return t, tries
			}
			if slices.Contains(e.kinds(u.t), kind) {
				c, t, again = u.done, u.t, true
				break
			}
		}
	}
	return t, tries
}

// tell adds the findings of a trial to the scenario's, with the story of how it came to them.
func (e *Exploration[C]) tell(t *scenario.Scenario, kind string, story []string) {
	for _, f := range t.Findings() {
		if k := e.kind(f); e.s.Run.Fails(f) && (k == kind || !e.told[k]) {
			f.Story = story
			e.s.Report(nil, f)
		}
	}
	for _, f := range t.Findings() {
		e.told[e.kind(f)], e.told[f.Rule] = true, true
	}
	e.told[kind] = true
}

// remark adds what a trial found that is no breach: each once.
func (e *Exploration[C]) remark(t *scenario.Scenario) {
	for _, f := range t.Findings() {
		if key := "remark: " + f.Cause; !e.s.Run.Fails(f) && !e.told[key] {
			e.told[key] = true
			e.s.Report(nil, f)
		}
	}
}
