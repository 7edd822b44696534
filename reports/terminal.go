package reports

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// Look is how text is laid out.
type Look struct {
	// Width is that of the terminal, in columns; 0 stands for an unknown one.
	Width int
	// Colour allows colours. The text says the same without.
	Colour bool
	// Detail is how much is told.
	Detail Detail
}

// Detail is how much is told of a run.
type Detail int

// The details.
const (
	// Usual tells a good run on one screen, and each failure at length.
	Usual Detail = iota
	// Brief tells the verdict, and each failure in a line.
	Brief
	// Full tells all observations besides.
	Full
)

// Terminal writes the final text of a run for people: the rules by area, notes, every failure, the warnings, and in the last
// line the verdict. What is to be acted on stands at the end, where a terminal shows it. Nothing from the service reaches
// the terminal raw.
func Terminal(w io.Writer, v *View, look Look) error {
	rec, res := v.Record, &v.Result
	s := newSheet(look.Width, look.Colour)
	failing, warning := res.Split(rec)
	if look.Detail == Brief {
		s.brief(failing, warning, v)
	} else {
		s.whole(failing, warning, v, look.Detail)
	}
	s.verdict(rec, res)
	_, err := io.WriteString(w, s.out.String())
	return err
}

// whole writes everything but the verdict.
func (s *sheet) whole(failing, warning []verdict.Cause, v *View, d Detail) {
	rec, res, b, g := v.Record, &v.Result, v.book, v.gallery
	s.heading(rec)
	s.table(res, rec.Filtered())
	s.blank()
	s.notes(rec, res, b, d)
	for _, c := range failing {
		s.blank()
		bl := causeBlock(c, b, g)
		if len(rec.Deviations) > 0 {
			bl.message = c.Message
		}
		s.block(bl)
	}
	s.deviationsFailing(res, b)
	s.errors(rec, res)
	s.warnings(warning, v, d)
	s.deviationsKnown(res)
	s.blank()
	s.patience(rec)
	if len(failing) > 1 {
		s.heads(failing)
		s.blank()
	}
}

// warnings tells what does not fail the run, a line each; only in full they are told at length.
func (s *sheet) warnings(all []verdict.Cause, v *View, d Detail) {
	if d != Full && len(all) > 0 {
		s.blank()
	}
	for i := range all {
		if d != Full {
			s.warning(&all[i], v)
			continue
		}
		bl := causeBlock(all[i], v.book, v.gallery)
		// A warning is kept short: its exchanges are in the other reports.
		bl.label, bl.style, bl.proof = "WARN", yellow, nil
		s.blank()
		s.block(bl)
	}
}

// heads sums up several failures, a line each: the first of them may have left the screen.
func (s *sheet) heads(causes []verdict.Cause) {
	s.line(s.paint(bold, "CAUSES") + "  " + prose.Number(len(causes)) + ", the most telling first")
	wide := 0
	for _, c := range causes {
		wide = max(wide, prose.Columns(c.Rule))
	}
	for _, c := range causes {
		text := prose.Pad(c.Rule, wide) + "  " + Marked(c.Mark(), Difference(c.Lead))
		if prose.Columns(text) > s.width-indent {
			text, _ = prose.Split(text, s.width-indent-1)
			text += "…"
		}
		s.line(strings.Repeat(" ", indent) + text)
	}
}

// Difference tells expected and actual of a finding in a line.
func Difference(f spec.Finding) string {
	const most = 80
	return "expected " + prose.Cut(prose.Visible(f.Expected), most) + ", actual " + prose.Cut(prose.Visible(f.Actual), most)
}

// warning writes a line for a cause that does not fail the run, cut where the terminal ends.
func (s *sheet) warning(c *verdict.Cause, v *View) {
	text := "WARN  " + c.Rule + "  " + string(c.Level) + "  " +
		Marked(c.Mark(), strings.TrimSuffix(v.Rule(c.Rule).Says, ".")) + " · " + Difference(c.Lead)
	if s.measured && prose.Columns(text) > s.width {
		text, _ = prose.Split(text, s.width-1)
		text = strings.TrimRight(text, " ") + "…"
	}
	rest, _ := strings.CutPrefix(text, "WARN  "+c.Rule)
	if rest == text { // the rule's id itself was cut
		s.line(text)
		return
	}
	s.line(s.paint(yellow, "WARN") + "  " + s.paint(bold, c.Rule) + rest)
}

// brief writes a line for each failure, for each that is excused as intermittent, and for each error of the harness.
func (s *sheet) brief(failing, warning []verdict.Cause, v *View) {
	rec, res := v.Record, &v.Result
	for _, c := range failing {
		r := v.Rule(c.Rule)
		s.line(s.paint(red, "FAIL") + "  " + s.paint(bold, r.ID) + "  " + string(r.Level) + "  " + Marked(c.Mark(), strings.TrimSuffix(r.Says, ".")) + " · " + Difference(c.Lead))
	}
	for i := range warning {
		if warning[i].Excused {
			s.warning(&warning[i], v)
		}
	}
	for _, d := range res.Deviations {
		if d.Fails {
			s.line(s.paint(red, deviationLabel(d)) + "  " + s.paint(bold, d.Rule) + "  " + prose.Phrase(d.Says))
		}
	}
	for _, f := range res.Failures {
		s.line(s.paint(red, "ERROR") + " " + prose.Phrase(f))
	}
	by := errored(rec)
	for _, reason := range sortedKeys(by) {
		s.line(s.paint(red, "ERROR") + " " + prose.Phrase(cmp.Or(reason, "no reason was given")) + " (" + prose.Plural(len(by[reason]), "scenario") + ")")
	}
}

// heading says who judged whom, by how much of the suite, and what is known of the implementation.
func (s *sheet) heading(rec *record.Record) {
	s.paragraph(0, 2, plain, strings.Join(scope(rec), " · "))
	if text := rec.Target.Implementation.Words(); text != "" {
		s.paragraph(0, 2, plain, text)
	}
	s.blank()
}

// errors tells what went wrong on our side or on the way, which is nothing to hold against the target.
func (s *sheet) errors(rec *record.Record, res *verdict.Result) {
	for _, f := range res.Failures {
		s.blank()
		s.line(s.paint(red, "ERROR") + " the harness failed, so that this run proves nothing")
		s.paragraph(indent, 0, plain, prose.Phrase(f))
	}
	by := errored(rec)
	for _, reason := range sortedKeys(by) {
		ids := by[reason]
		slices.SortFunc(ids, record.ScenarioOrder)
		s.blank()
		s.line(s.paint(red, "ERROR") + " " + prose.Plural(len(ids), "scenario") + " could not be judged")
		s.paragraph(indent, 0, plain, prose.Phrase(cmp.Or(reason, "no reason was given")))
		s.list(indent, ids, 6, "more")
	}
}

// errored are the ids of the scenarios that could not be judged, by the reason for it.
func errored(rec *record.Record) map[string][]string {
	by := map[string][]string{}
	for i := range rec.Scenarios {
		if sc := &rec.Scenarios[i]; sc.Outcome == record.Errored {
			by[sc.Reason] = append(by[sc.Reason], sc.ID)
		}
	}
	return by
}

// list writes short texts, separated by commas; those beyond limit are only counted. 0 stands for no limit.
func (s *sheet) list(from int, items []string, limit int, more string) {
	if limit > 0 && len(items) > limit {
		items = append(slices.Clone(items[:limit]), "and "+prose.Number(len(items)-limit)+" "+more)
	}
	s.paragraph(from, 0, dim, prose.Visible(strings.Join(items, ", ")))
}

// verdict writes the last line; only a terminal breaks it.
func (s *sheet) verdict(rec *record.Record, res *verdict.Result) {
	st := green
	switch res.Verdict {
	case verdict.Violated, verdict.Outdated:
		st = red
	case verdict.Conformant:
	default:
		st = yellow
	}
	parts := []string{prose.Phrase(res.Because)}
	if n := len(res.Causes); n > 0 && res.Verdict == verdict.Violated {
		failing := 0
		for _, c := range res.Causes {
			if c.Fails(rec) {
				failing++
			}
		}
		parts[0] += " (" + prose.Plural(failing, "cause") + ")"
	}
	parts = append(parts, tally(res), work(rec), "seed "+seed(rec))
	width := s.width
	if !s.measured {
		width = math.MaxInt // logs and scripts find the whole verdict in the last line
	}
	s.titled(st, res.Verdict.Word(), strings.Join(parts, " · "), width, 2)
}

// tally counts rules by verdict: "64 conform, 2 violated, 19 observed".
func tally(res *verdict.Result) string {
	var parts []string
	for _, v := range []verdict.Verdict{verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Intermittent, verdict.Deviates, verdict.Observed, verdict.NotExercised, verdict.NotApplicable} {
		n := res.Count(v, "")
		if n == 0 {
			continue
		}
		word := string(v)
		switch {
		case v == verdict.Conforms && n != 1:
			word = "conform"
		case v == verdict.Deviates && n != 1:
			word = "deviate"
		}
		parts = append(parts, prose.Number(n)+" "+word)
	}
	if len(parts) == 0 {
		return "no rules"
	}
	return strings.Join(parts, ", ")
}

// work says how much was done: "213 scenarios (2 skipped), 1,204 exchanges, 0.8 s".
func work(rec *record.Record) string {
	skipped := 0
	for i := range rec.Scenarios {
		if rec.Scenarios[i].Outcome == record.Skipped {
			skipped++
		}
	}
	text := prose.Plural(rec.Played(), "scenario")
	if skipped > 0 {
		text += " (" + prose.Number(skipped) + " skipped)"
	}
	text += ", " + prose.Plural(len(rec.Exchanges), "exchange")
	if d := elapsed(rec); d > 0 {
		text += ", " + prose.Duration(d)
	}
	return text
}

// elapsed is how long a run took, or has taken so far as the record knows.
func elapsed(rec *record.Record) time.Duration {
	if rec.Ended.IsZero() || rec.Started.IsZero() {
		return 0
	}
	return rec.Ended.Sub(rec.Started)
}

// patience tells what was waited for.
func (s *sheet) patience(rec *record.Record) {
	for _, text := range rec.Patience.Sentences() {
		s.paragraph(0, 2, plain, prose.Phrase(text))
	}
}
