package view

import (
	"cmp"
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// Case is a scenario as a test case.
type Case struct {
	Sorted
	// Outcome is Failed when something fails the run, Errored when nothing can be said of the target, Passed or Skipped.
	Outcome record.Outcome
	// Excused tells of one that passed that it holds breaches, all of which are known violations: it did neither pass nor
	// fail.
	Excused bool
	// Message says why in a line, in words that can be shown; empty when there is nothing to say.
	Message string
	// Mark is INTERMITTENT where no repetition showed again, or not each one, what the case fails for or warns of.
	Mark string
}

// Case judges a scenario as a test case: by what is held against the target, which is not what the scenario saw.
func (v *View) Case(sc *record.Scenario) Case {
	c := Case{Sorted: v.Sort(sc), Outcome: record.Passed}
	switch {
	case len(c.Failing) > 0:
		c.Outcome, c.Mark = record.Failed, v.Mark(sc, c.Failing)
		c.Message = Marked(c.Mark, Headline(c.Failing))
	case sc.Outcome == record.Errored:
		c.Outcome, c.Message = record.Errored, prose.Visible(cmp.Or(sc.Reason, "no reason was given"))
	case sc.Outcome == record.Failed && len(sc.Findings) == 0:
		c.Outcome, c.Message = record.Errored, "the scenario failed without a finding"
	case sc.Outcome == record.Skipped:
		c.Outcome, c.Message = record.Skipped, prose.Visible(cmp.Or(sc.Reason, "no reason was given"))
	case len(c.Known) > 0:
		c.Excused, c.Message = true, prose.Visible(acceptedBecause(v.Record, c.Known))
	case len(c.Warning) > 0:
		c.Mark = v.Mark(sc, c.Warning)
	}
	return c
}

// Marked puts a mark before a text, if there is one.
func Marked(mark, text string) string {
	if mark == "" {
		return text
	}
	return mark + ": " + text
}

// Difference tells expected and actual of a finding in a line.
func Difference(f spec.Finding) string {
	const most = 80
	return "expected " + prose.Cut(prose.Visible(f.Expected), most) + ", actual " + prose.Cut(prose.Visible(f.Actual), most)
}

// Headline is the first finding in a line, the rule first: readers list, sort and group by this line.
func Headline(findings []spec.Finding) string {
	text := prose.Visible(findings[0].Rule) + ": " + record.Message(findings[0])
	if n := len(findings) - 1; n > 0 {
		text += ", and " + prose.Plural(n, "more finding")
	}
	return text
}

// Trouble is something that went wrong with the run itself.
type Trouble struct {
	// Name says what should have been, Message what was.
	Name, Message string
}

// Troubles are what went wrong with the run itself. A report that has no place for them would show an interrupted run as
// a small good one.
func (v *View) Troubles() []Trouble {
	var all []Trouble
	for i, f := range v.Result.Failures {
		name := "the harness works"
		if i > 0 {
			name += " (" + prose.Number(i+1) + ")" // readers take equal names for one test
		}
		all = append(all, Trouble{name, f})
	}
	if lost := v.Record.Lost; lost != "" {
		all = append(all, Trouble{"the target can be judged to the end", "the target was lost: " + lost})
	}
	switch {
	case v.Record.Complete:
	case v.Record.Stopped != "":
		all = append(all, Trouble{"the run reaches its end", v.Record.Stopped + ", and " + verdict.Unfinished(v.Record)})
	case v.Record.Cut != "":
		all = append(all, Trouble{"the record holds the whole run", v.Record.Cut})
	default:
		all = append(all, Trouble{"the run reaches its end", "the run was ended before its end; what is missing here was not asked"})
	}
	return all
}

// acceptedBecause is the reason why a scenario whose only breaches are known counts as skipped.
func acceptedBecause(rec *record.Record, found []spec.Finding) string {
	k := verdict.NewKnown(rec)
	var parts []string
	said := map[string]bool{}
	for _, f := range found {
		d, _ := k.Find(f)
		text := d.Rule + " until " + d.Expires + ": " + d.Reason + " (" + d.Link + ")"
		if !said[text] {
			said[text] = true
			parts = append(parts, text)
		}
	}
	return "known violation from " + strings.Join(parts, "; ")
}
