package view

import (
	"strings"

	"hallmark/internal/text"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// Case is a scenario as a test case.
type Case struct {
	Sorted
	// Outcome is Failed when something fails the run, Errored when nothing can be said of the target, Passed or Skipped.
	Outcome record.Outcome
	// Excused reports whether it holds breaches, all of which are known violations: it did neither pass nor fail.
	Excused bool
	// Message says why in a line, in words that can be shown; empty when there is nothing to say.
	Message string
	// Mark is INTERMITTENT where no repetition showed again, or not each one, what the case fails for or warns of.
	Mark string
}

// Marked puts a mark before a text, if there is one.
func Marked(mark, s string) string {
	if mark == "" {
		return s
	}
	return mark + ": " + s
}

// Difference returns expected and actual of a finding in a line.
func Difference(f spec.Finding) string {
	const most = 80
	return "expected " + text.Elide(text.Visible(f.Expected.String()), most) + ", actual " + text.Elide(text.Visible(f.Actual.String()), most)
}

// Headline is the first finding in a line, the rule first: readers list, sort and group by this line.
func Headline(findings []spec.Finding) string {
	s := text.Visible(findings[0].Rule) + ": " + record.Message(findings[0])
	if n := len(findings) - 1; n > 0 {
		s += ", and " + text.Count(n, "more finding")
	}
	return s
}

// Trouble is something that went wrong with the run itself.
type Trouble struct {
	// Name says what should have been, Message what was.
	Name, Message string
	// More are further sentences.
	More []string
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
