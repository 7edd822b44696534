package steps

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
)

// Scenarios on what is generated. rapid makes the cases, each from a seed of its own, so that a run's seed repeats them.
// What fails is made smaller here and not by rapid: a try costs requests, and often an animal of somebody's store, so
// tries have to be counted, and rapid counts by the clock and by flags of the whole process.

const (
	// DefaultExamples is how many valid bodies are tried when nobody says otherwise.
	DefaultExamples = 10
	// maxTries bounds the tries of a scenario to make failing cases smaller, maxTriesEach those for one defect.
	maxTries, maxTriesEach = 60, 24
)

// property is something that holds for every case.
type property[C any] struct {
	// noun names a case in words, plural many of them: "body", "valid bodies".
	noun, plural string
	// ask tries a case by means of a trial, which gathers what is found. It answers with the part that it came to.
	ask func(ctx context.Context, t *scenario, c C) (C, error)
	// smaller lists simpler cases, those that take most away first.
	smaller func(c C) []C
	// animals is how many a try creates at most, when all is as it should be.
	animals func(c C) int
	// kind is equal for findings that show the same defect in different cases.
	kind func(f spec.Finding) string
	// rule is the one that a case is about; a case is left out when that rule has been broken already. May be nil.
	rule func(c C) string
}

// exploration tries cases of a property, and tells each defect once, by the smallest case that shows it.
type exploration[C any] struct {
	property[C]
	s *scenario
	// told are the kinds of findings and the rules that were told.
	told  map[string]bool
	tries int
}

func newExploration[C any](s *scenario, p property[C]) *exploration[C] {
	if p.kind == nil {
		p.kind = kindOf
	}
	return &exploration[C]{property: p, s: s, told: map[string]bool{}, tries: maxTries}
}

// kindOf tells findings apart by their rule and, where that is the matter, the status.
func kindOf(f spec.Finding) string {
	if f.Status != 0 {
		return fmt.Sprintf("%s, status %d", f.Rule, f.Status)
	}
	return f.Rule
}

// explore tries the cases, one after the other.
func (e *exploration[C]) explore(ctx context.Context, cases []C) error {
	for i, c := range cases {
		if e.rule != nil && e.told[e.rule(c)] {
			continue
		}
		if !e.room(c) {
			return e.s.cut(e.plural, len(cases), i)
		}
		t, done, err := e.try(ctx, c, false)
		e.remark(t)
		for _, kind := range e.kinds(t) {
			if e.told[kind] {
				continue
			}
			best, tries := t, 0
			if err == nil && !e.s.repeats {
				best, tries = e.shrink(ctx, done, t, kind)
			}
			head := fmt.Sprintf("%s %d of --seed %d", e.noun, i+1, e.s.run.Seed)
			if tries > 0 {
				head += fmt.Sprintf(", made smaller in %d tries", tries)
			}
			e.tell(best, kind, check.Traces(head, best.exchanges))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cut ends a scenario that would create more than the run may.
func (s *scenario) cut(plural string, of, tried int) error {
	s.cutShort = true
	return stop{reason: fmt.Sprintf("%d of %d generated %s%s", tried, of, plural, cutShort), excused: tried > 0}
}

// cutShort ends the reason of a scenario that tried fewer generated cases than it was asked to.
const cutShort = " were tried: the run may create no more animals (--max-animals)"

// CutShort reports whether a scenario was skipped since it tried fewer generated cases than it was asked to, and how many of
// what it tried: "3 of 10 generated valid bodies".
func CutShort(s record.Scenario) (tried string, cut bool) {
	tried, cut = strings.CutSuffix(s.Reason, cutShort)
	return tried, cut && s.Outcome == record.Skipped
}

// room reports whether a case may still be tried without coming near the animals that the run may create.
func (e *exploration[C]) room(c C) bool { return e.s.room(e.animals(c)) }

// room reports whether the scenario may create n animals more.
func (s *scenario) room(n int) bool { return s.run.budget.Room(s.share(), n) }

// try asks about one case apart from the scenario's findings, and keeps everything else. What a spare try creates comes from
// what nobody has reserved.
func (e *exploration[C]) try(ctx context.Context, c C, spare bool) (*scenario, C, error) {
	var t *scenario
	var done C
	err := e.s.anew(ctx, func() error {
		t = e.s.trial()
		t.spare = spare
		var err error
		done, err = e.ask(ctx, t, c)
		e.s.absorb(t)
		if errors.Is(err, errLost) && len(e.kinds(t)) > 0 {
			return lostAfterward{err} // what was found must not get lost, too
		}
		return err
	})
	if later, ok := errors.AsType[lostAfterward](err); ok {
		err = later.error
	}
	if errors.As(err, new(stop)) {
		err = nil // this case could not be asked to its end
	}
	return t, done, err
}

// lostAfterward ends a trial whose connection was lost when it had found something already.
type lostAfterward struct{ error }

// kinds lists what a trial found out, what the run fails for only. Consequences do not count beside their causes.
func (e *exploration[C]) kinds(t *scenario) []string {
	var causes, all []string
	for _, f := range t.findings {
		if !e.s.run.fails(f) {
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
func (e *exploration[C]) shrink(ctx context.Context, c C, t *scenario, kind string) (*scenario, int) {
	tried := map[string]bool{fmt.Sprintf("%+v", c): true}
	tries := 0
	for again := true; again; {
		again = false
		for _, next := range e.smaller(c) {
			key := fmt.Sprintf("%+v", next)
			if tried[key] {
				continue
			}
			if e.tries == 0 || tries == maxTriesEach || !e.s.run.budget.Room("", max(e.animals(next), 1)) || ctx.Err() != nil {
				return t, tries
			}
			tried[key] = true
			e.tries--
			tries++
			u, done, err := e.try(ctx, next, true)
			if err != nil {
				return t, tries
			}
			found := false
			for _, k := range e.kinds(u) {
				found = found || k == kind
			}
			if found {
				c, t, again = done, u, true
				break
			}
		}
	}
	return t, tries
}

// tell adds the findings of a trial to the scenario's, with the story of how it came to them.
func (e *exploration[C]) tell(t *scenario, kind string, story []string) {
	for _, f := range t.findings {
		if k := e.kind(f); e.s.run.fails(f) && (k == kind || !e.told[k]) {
			f.Story = story
			e.s.report(nil, f)
		}
	}
	for _, f := range t.findings {
		e.told[e.kind(f)], e.told[f.Rule] = true, true
	}
	e.told[kind] = true
}

// remark adds what a trial found that is no breach: each once.
func (e *exploration[C]) remark(t *scenario) {
	for _, f := range t.findings {
		if key := "remark: " + f.Cause; !e.s.run.fails(f) && !e.told[key] {
			e.told[key] = true
			e.s.report(nil, f)
		}
	}
}

// storyOf tells the exchanges of the scenario that a finding cites.
func (s *scenario) storyOf(head string, f spec.Finding) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var cited []*spec.Exchange
	for _, seq := range f.Exchanges {
		for _, ex := range s.exchanges {
			if ex.Seq == seq {
				cited = append(cited, ex)
			}
		}
	}
	return check.Traces(head, cited)
}

// fails reports whether a finding makes the run fail.
func (r *run) fails(f spec.Finding) bool {
	rule, ok := r.catalogue.Rule(f.Rule)
	return ok && rule.Level == spec.Must
}

// trial is a scenario within the scenario: what it finds out is looked at before it counts.
func (s *scenario) trial() *scenario {
	return &scenario{
		run: s.run, pickle: s.pickle, rule: s.rule, started: s.started,
		credential: credentials.Right(s.run.target.Key), earlier: map[string]*answer{}, repeats: s.repeats,
	}
}

// absorb takes over what a trial did, but for its findings. Observations that say the same are kept once.
func (s *scenario) absorb(t *scenario) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	s.exchanges = append(s.exchanges, t.exchanges...)
	s.bodies += t.bodies
	t.bodies = 0
	s.exercised = append(s.exercised, t.exercised...)
	for _, o := range t.observations {
		known := false
		for _, p := range s.observations {
			known = known || p.Rule == o.Rule && p.Asked == o.Asked && p.Answer == o.Answer
		}
		if !known {
			s.observations = append(s.observations, o)
		}
	}
	if t.lost != "" {
		s.lost = t.lost
	}
	if t.skipped != "" {
		s.skipped = t.skipped
	}
	s.losses += t.losses
	s.silent = s.silent || t.silent
	t.losses = 0
	s.cutShort = s.cutShort || t.cutShort
	if t.failure != "" {
		s.failure = t.failure
	}
}

// examples is how many valid bodies are to be tried.
func (r *run) examples() int {
	if r.Examples > 0 {
		return r.Examples
	}
	return DefaultExamples
}

// seedOf is the seed of a generated case: another one for each place and number, the same in each run of that seed.
func (r *run) seedOf(what string, i int) int {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", r.Seed, what, i)
	return int(h.Sum64() >> 1)
}
