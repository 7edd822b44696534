package compare

import (
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Change is what changed in an implementation from one run to the next.
type Change struct {
	// Broke lists the rules that are broken now and were not, or were known violations. Fixed lists the opposite. Still lists those broken
	// in both runs; Steps reports for each whether it is broken in a different way.
	Broke, Fixed, Still []Step
	// Lost lists rules that are no longer judged, Gained those that are judged only now.
	Lost, Gained []Step
	// New and Gone list rules that only one of the suites has.
	New, Gone []Step
	// Questions lists the questions that are answered differently now.
	Questions []Question
	// Appeared and Vanished list ids of scenarios, only for runs of the same suite.
	Appeared, Vanished []string
	// Slower and Quicker list operations whose response times clearly changed. This does not affect any verdict.
	Slower, Quicker []Pace
}

// Step is a rule before and after.
type Step struct {
	Rule          spec.Rule
	Before, After verdict.Verdict
	// Cause is the cause that shows it, from the second run if possible, otherwise from the first; it may be nil.
	Cause *Cause
	// Note adds an explanation as a phrase. It is usually empty.
	Note string
	// Fails reports whether a gate stops at it: the rule is newly broken, and is neither a warning nor a known violation.
	Fails bool
}

// Pace compares an operation's response times before and after.
type Pace struct {
	Operation     string
	Before, After Latency
}

const (
	// A change of response time is reported from paceAnswers responses on, and if the medians differ by at least paceTimes and paceLeast:
	// runs on one machine differ by less.
	paceAnswers = 20
	paceTimes   = 2
	paceLeast   = 5 * time.Millisecond
)

func newChange(c *Comparison) *Change {
	before, after := c.Runs[0], c.Runs[1]
	ch := &Change{}
	for _, row := range c.Rows {
		ch.step(before, after, row)
	}
	for _, q := range c.Questions {
		if q.Rule.Level == spec.Open && q.Differs() {
			ch.Questions = append(ch.Questions, q)
		}
	}
	if before.Suite.Features == after.Suite.Features && before.Suite.Catalogue == after.Suite.Catalogue {
		ch.Appeared, ch.Vanished = missing(after, before), missing(before, after)
	}
	for _, op := range operations(after) {
		p := Pace{op, before.Latency[op], after.Latency[op]}
		if p.Before.Answers < paceAnswers || p.After.Answers < paceAnswers {
			continue
		}
		switch a, b := p.Before.Median, p.After.Median; {
		case b >= paceTimes*a && b-a >= paceLeast:
			ch.Slower = append(ch.Slower, p)
		case a >= paceTimes*b && a-b >= paceLeast:
			ch.Quicker = append(ch.Quicker, p)
		}
	}
	return ch
}

// step records what happened to a rule.
func (ch *Change) step(before, after *Run, row Row) {
	s := Step{Rule: row.Rule, Before: row.Verdicts[0], After: row.Verdicts[1]}
	if before.Void != "" || after.Void != "" {
		return // neither is known
	}
	if s.Cause = after.cause(row.Rule.ID); s.Cause == nil {
		s.Cause = before.cause(row.Rule.ID)
	}
	switch {
	case s.Before == "":
		ch.New = append(ch.New, s)
	case s.After == "":
		ch.Gone = append(ch.Gone, s)
		return
	}
	was, is := standing(s.Before), standing(s.After)
	s.Note = note(before, after, s, was, is)
	switch {
	case is == bad && was != bad:
		s.Fails = s.Rule.Level != spec.Should || after.Strict
		ch.Broke = append(ch.Broke, s)
	case is == known && (was == good || was == none):
		ch.Broke = append(ch.Broke, s)
	case is == bad || is == known:
		ch.Still = append(ch.Still, s)
	case is == good && (was == bad || was == known):
		ch.Fixed = append(ch.Fixed, s)
	case is == none && was != none:
		ch.Lost = append(ch.Lost, s)
	case is == good && was == none && s.Before != "":
		ch.Gained = append(ch.Gained, s)
	}
}

// note explains what the two verdicts alone do not.
func note(before, after *Run, s Step, was, is stand) string {
	switch {
	case is == known && was == bad:
		return "a known violation now"
	case is == known && was != known:
		return "a known violation"
	case is == bad && was == known:
		return "it was a known violation"
	case is == bad && s.Before == "":
		return "the rule is new"
	case is == bad && was == none:
		return "it was not judged before: " + text.Short(before.Rules[s.Rule.ID].Reason)
	case is == bad && was == bad && anotherWay(before, after, s.Rule.ID):
		return "in a different way than before: " + before.cause(s.Rule.ID).Message
	case is == none:
		reason := text.Short(after.Rules[s.Rule.ID].Reason)
		if was == bad {
			return "it was broken, and nothing shows that it is fixed: " + reason
		}
		return reason
	}
	return ""
}

// anotherWay reports whether a rule that leads a cause before and after is now broken by a different defect.
func anotherWay(before, after *Run, rule string) bool {
	was, now, same := false, false, false
	for _, b := range before.Causes {
		was = was || b.Rule == rule
		for _, a := range after.Causes {
			same = same || b.Rule == rule && a.Rule == rule && a.sameDefect(b)
		}
	}
	for _, a := range after.Causes {
		now = now || a.Rule == rule
	}
	return was && now && !same
}

// sameDefect reports whether two causes are of the same kind. Which operation shows it first, and where in its response, is chance. In
// records of earlier versions only the messages distinguish causes.
func (c Cause) sameDefect(other Cause) bool {
	if c.Key.Kind == "" || other.Key.Kind == "" {
		return c.Message == other.Message
	}
	last := func(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }
	return c.Key.Kind == other.Key.Kind && c.Key.Detail == other.Key.Detail && last(c.Key.Place) == last(other.Key.Place)
}

// missing returns the scenarios of one run that another run does not have.
func missing(from, in *Run) []string {
	var all []string
	for id := range from.Scenarios {
		if _, has := in.Scenarios[id]; !has {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

func operations(r *Run) []string {
	var all []string
	for op := range r.Latency {
		all = append(all, op)
	}
	slices.Sort(all)
	return all
}

// Fails returns the steps at which a gate stops.
func (ch *Change) Fails() []Step {
	var all []Step
	for _, s := range ch.Broke {
		if s.Fails {
			all = append(all, s)
		}
	}
	return all
}

// Outcome sums up a comparison of two runs in a word and a reason.
func (c *Comparison) Outcome() (word, because string) {
	if c.Change == nil {
		return c.sideBySide()
	}
	ch, after := c.Change, c.Runs[1]
	for _, r := range c.Runs {
		if r.Void != "" {
			return "UNDECIDED", r.Name + " proves nothing"
		}
	}
	var parts []string
	add := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			parts = append(parts, "1 rule "+one)
		default:
			parts = append(parts, text.Count(n, "rule")+" "+many)
		}
	}
	add(len(ch.Broke), "broke", "broke")
	add(len(ch.Fixed), "was fixed", "were fixed")
	add(len(ch.Still), "is still broken", "are still broken")
	add(len(ch.Lost), "is no longer judged", "are no longer judged")
	because = strings.Join(parts, ", ")
	if because == "" {
		because = "no rule broke, and none was fixed"
	}
	switch {
	case len(ch.Broke) > 0:
		return "WORSE", because
	case after.Verdict == verdict.Inconclusive:
		return "UNDECIDED", after.Name + " is inconclusive; " + because
	case len(ch.Fixed) > 0:
		return "BETTER", because
	case len(ch.Lost) > 0:
		return "LESS JUDGED", because
	}
	return "UNCHANGED", because
}

// sideBySide sums up a comparison of implementations.
func (c *Comparison) sideBySide() (word, because string) {
	differ, asked := c.Count(Differing), len(c.Ambiguities())
	because = text.Count(differ, "rule") + " judged differently, " + text.Count(asked, "question") + " read differently"
	if differ == 0 && asked == 0 {
		return "ALIKE", "all rules are judged alike, and all questions are read alike"
	}
	return "DIFFERENT", because
}

// Gate returns the exit code of a gate that stops at newly broken rules. Without any, an inconclusive second run still does not pass.
func (c *Comparison) Gate() int {
	switch {
	case c.Change == nil:
		return verdict.ExitOK
	case len(c.Change.Fails()) > 0:
		return verdict.ExitViolated
	case c.Runs[0].Void != "" || c.Runs[1].Void != "" || c.Runs[1].Verdict == verdict.Inconclusive:
		return verdict.ExitUnjudged
	}
	return verdict.ExitOK
}
