package view

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Case is a scenario as a test case.
type Case struct {
	Sorted
	// Outcome is Failed if something fails the run, Errored if the target could not be judged, Passed or Skipped.
	Outcome record.Outcome
	// Excused reports whether all of its violations are known, so that it neither passed nor failed.
	Excused bool
	// Message is the printable reason on one line, or "".
	Message string
	// Mark is INTERMITTENT if what the case fails or warns about did not show again in all repetitions.
	Mark string
}

// Marked prefixes a text with a mark, if there is one.
func Marked(mark, s string) string {
	if mark == "" {
		return s
	}
	return mark + ": " + s
}

// Difference returns the expected and the actual value of a finding on one line.
func Difference(f spec.Finding) string {
	const most = 80
	return "expected " + text.Elide(text.Visible(f.Expected.String()), most) + ", actual " + text.Elide(text.Visible(f.Actual.String()), most)
}

// Headline returns the first finding on one line, starting with the rule, because readers list, sort and group by this line.
func Headline(findings []spec.Finding) string {
	s := text.Visible(findings[0].Rule) + ": " + record.Message(findings[0])
	if n := len(findings) - 1; n > 0 {
		s += ", and " + text.Count(n, "more finding")
	}
	return s
}

// Trouble is a problem of the run itself.
type Trouble struct {
	// Name is what should have happened, Message what happened.
	Name, Message string
	// More are further sentences.
	More []string
}

// acceptedBecause is why a scenario with only known violations counts as skipped.
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
