package reports

import (
	"cmp"
	"slices"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// What formats that tell a scenario as a test case say of it.

const (
	// caseWidth is the width of the blocks of a case, in columns, and caseBlocks how many findings of one scenario are told
	// at length.
	caseWidth  = 100
	caseBlocks = 8
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
		c.Excused, c.Message = true, prose.Visible(excused(v.Record, c.Known))
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

// Headline is the first finding in a line, the rule first: readers list, sort and group by this line.
func Headline(findings []spec.Finding) string {
	text := prose.Visible(findings[0].Rule) + ": " + record.Message(findings[0])
	if n := len(findings) - 1; n > 0 {
		text += ", and " + prose.Plural(n, "more finding")
	}
	return text
}

// Tell tells findings of a scenario at length, in the same form as the terminal does: FAIL, WARN or KNOWN, the rule, what
// was expected and what came, the exchange, and how to see it again.
func (v *View) Tell(sc *record.Scenario, findings []spec.Finding, label string) string {
	s := newSheet(caseWidth, false)
	for i, f := range findings {
		if i == caseBlocks {
			s.line("and " + prose.Plural(len(findings)-i, "more finding"))
			break
		}
		if i > 0 {
			s.blank()
		}
		bl := block{label: label, rule: v.Rule(f.Rule), lead: f, proof: v.Cited(f), extent: []string{sc.ID}}
		bl.curl = v.Record.Target.Script(bl.proof)
		if c := v.CauseOf(sc, f); c != nil {
			if said := c.Confirmation.Sentence(); said != "" {
				bl.extent = append(bl.extent, said)
			}
		}
		asked := f.Rule
		if !slices.Contains(sc.Rules, asked) && len(sc.Rules) > 0 {
			asked = sc.Rules[0]
		}
		bl.rerun = verdict.Rerun(v.Record, asked)
		s.block(bl)
	}
	return s.out.String()
}

// TellCause tells a cause at length, as the terminal does.
func (v *View) TellCause(c *verdict.Cause, label string) string {
	s := newSheet(caseWidth, false)
	bl := causeBlock(*c, v.book, v.gallery)
	bl.label = label
	s.block(bl)
	return s.out.String()
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
