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

// Scenarios about generated cases. rapid makes the cases, each from a seed of its own, so that a run's seed
// reproduces them. Failing cases are shrunk here and not by rapid: a try costs requests, and often a resource in
// somebody's store, so tries must be counted, while rapid limits them by time and by flags of the whole process.

// maxTries bounds the tries of a scenario to shrink failing cases.
const maxTries = 60

// maxTriesEach bounds the tries for one defect.
const maxTriesEach = 24

// Property is something that holds for every case.
type Property[C any] struct {
	// Noun and Plural name cases in words: "body", "valid bodies".
	Noun, Plural string
	// Ask tries a case with a trial, which collects the findings. It returns the part of the case that it completed.
	Ask func(ctx context.Context, t *scenario.Scenario, c C) (C, error)
	// Smaller returns simpler cases, those that remove most first.
	Smaller func(c C) []C
	// Creates returns how many resources a try creates at most, when all goes well.
	Creates func(c C) int
	// kind is equal for findings that show the same defect in different cases.
	kind func(f spec.Finding) string
	// rule returns the rule that a case is about; a case is skipped if its rule has been broken already. May be nil.
	rule func(c C) string
}

// Exploration tries cases of a property, and reports each defect once, with the smallest case that shows it.
type Exploration[C any] struct {
	Property[C]
	s *scenario.Scenario
	// reported holds the kinds of findings and the rules that were reported.
	reported map[string]bool
	tries    int
	// findings holds the findings of all tries of a case. A defect is reported once but concerns all that showed it:
	// an id that names two resources explains more than the example.
	findings []spec.Finding
}

// NewExploration returns an exploration that has tried nothing yet.
func NewExploration[C any](s *scenario.Scenario, p Property[C]) *Exploration[C] {
	if p.kind == nil {
		p.kind = defectOf
	}
	return &Exploration[C]{Property: p, s: s, reported: map[string]bool{}, tries: maxTries}
}

// defectOf identifies a defect by the rule and, if relevant, the status.
func defectOf(f spec.Finding) string {
	if f.Status != 0 {
		return fmt.Sprintf("%s, status %d", f.Rule, f.Status)
	}
	return f.Rule
}

// Explore tries the cases, several at a time, and evaluates the results in order.
func (e *Exploration[C]) Explore(ctx context.Context, cases []C) error {
	for first := 0; first < len(cases); {
		wave, next := e.wave(cases, first)
		if len(wave) == 0 && next < len(cases) {
			return e.s.CutToBudget(e.Plural, len(cases), next)
		}
		first = next
		tries := make([]attempt[C], len(wave))
		_ = e.s.Run.Lanes.Do(len(wave), func(i int) error {
			tries[i] = e.tryCase(ctx, cases[wave[i]], false)
			return nil // each try has its own error
		})
		var err error
		for i, made := range tries {
			if e.rule == nil || !e.reported[e.rule(cases[wave[i]])] {
				err = errors.Join(err, e.conclude(ctx, wave[i], made))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostAtOnce is how many cases are tried at a time; a defect that several of them show is reported once.
const mostAtOnce = 10

// wave returns the numbers of the next cases to try at a time, and where the following ones begin. It is empty if
// no more resources may be created.
func (e *Exploration[C]) wave(cases []C, first int) (wave []int, next int) {
	creates := 0
	for next = first; next < len(cases) && len(wave) < mostAtOnce; next++ {
		c := cases[next]
		if e.rule != nil && e.reported[e.rule(c)] {
			continue
		}
		if creates += e.Creates(c); !e.s.Budget.Room(creates) {
			break
		}
		wave = append(wave, next)
	}
	return wave, next
}

// conclude reports what a case showed, after shrinking it.
func (e *Exploration[C]) conclude(ctx context.Context, number int, made attempt[C]) error {
	e.findings = slices.Clone(made.t.Findings())
	e.reportRemarks(made.t)
	for _, kind := range e.kinds(made.t) {
		if e.reported[kind] {
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
		e.report(best, kind, check.Traces(head, e.s.Run.Interface.Noun(), best.Exchanges()))
	}
	for _, f := range e.findings {
		e.s.Concerns(f.Rule, f.About)
	}
	return made.err
}

// attempt is one try of a case: its findings, how far it came, and why it ended early.
type attempt[C any] struct {
	t    *scenario.Scenario
	done C
	err  error
}

// tryCase tries one case in a trial, and keeps everything but the findings. A spare try draws on the unreserved
// budget.
func (e *Exploration[C]) tryCase(ctx context.Context, c C, spare bool) (made attempt[C]) {
	made.err = e.s.Anew(ctx, func() error {
		made.t = e.s.Trial(spare)
		var err error
		made.done, err = e.Ask(ctx, made.t, c)
		e.s.Absorb(made.t)
		if errors.Is(err, scenario.ErrLost) && len(e.kinds(made.t)) > 0 {
			return lostAfterward{err} // keep what was found
		}
		return err
	})
	if later, ok := errors.AsType[lostAfterward](made.err); ok {
		made.err = later.error
	}
	if errors.As(made.err, new(scenario.Stop)) {
		made.err = nil // this case could not be completed
	}
	return made
}

// lostAfterward ends a trial whose connection was lost after it had found something.
type lostAfterward struct{ error }

// kinds returns the kinds of findings of a trial that make the run fail. Consequences do not count besides their
// causes.
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

// shrink searches for the smallest case that shows the same kind of finding. If it does not recur, the case stays
// as it is.
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
			u := e.tryCase(ctx, next, true)
			e.findings = append(e.findings, u.t.Findings()...)
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

// report adds the findings of a trial to the scenario's, with the story of the requests.
func (e *Exploration[C]) report(t *scenario.Scenario, kind string, story []string) {
	for _, f := range t.Findings() {
		if k := e.kind(f); e.s.Run.Fails(f) && (k == kind || !e.reported[k]) {
			f.Story = story
			e.s.Report(nil, f)
		}
	}
	for _, f := range t.Findings() {
		e.reported[e.kind(f)], e.reported[f.Rule] = true, true
	}
	e.reported[kind] = true
}

// reportRemarks adds findings of a trial that do not make the run fail, each once.
func (e *Exploration[C]) reportRemarks(t *scenario.Scenario) {
	for _, f := range t.Findings() {
		if key := "remark: " + f.Cause; !e.s.Run.Fails(f) && !e.reported[key] {
			e.reported[key] = true
			e.s.Report(nil, f)
		}
	}
}
