package reports

import (
	"io"
	"slices"
	"strings"
	"time"

	"hallmark/spec"
)

// Look is how text is laid out.
type Look struct {
	// Width is that of the terminal, in columns; 0 stands for an unknown one.
	Width int
	// Colour allows colours. The text says the same without.
	Colour bool
}

// Terminal writes the final text of a run for people: the rules by area, every failure, what was observed, warnings,
// what was not exercised, and in the last line the verdict. Nothing from the service reaches the terminal raw.
func Terminal(w io.Writer, rec *Record, res Result, rules []spec.Rule, look Look) error {
	s := newSheet(look.Width, look.Colour)
	b, g := newBook(rules), newGallery(rec)
	s.heading(rec)
	s.table(&res, filtered(rec))
	for _, c := range res.Causes {
		if c.fails(rec) {
			s.blank()
			bl := causeBlock(c, b, g)
			if len(rec.Deviations) > 0 {
				bl.message = c.Message
			}
			s.block(bl)
		}
	}
	s.deviations(&res, b)
	s.errors(rec, &res)
	s.observations(rec, b)
	for _, c := range res.Causes {
		if !c.fails(rec) {
			bl := causeBlock(c, b, g)
			// A warning is kept short: its exchanges are in the other reports.
			bl.label, bl.style, bl.proof = "WARN", yellow, nil
			s.blank()
			s.block(bl)
		}
	}
	s.unasked("NOT EXERCISED", NotExercised, rec, &res)
	s.unasked("NOT APPLICABLE", NotApplicable, rec, &res)
	s.blank()
	s.foot(&res)
	s.verdict(rec, &res)
	_, err := io.WriteString(w, s.out.String())
	return err
}

// heading says who judged whom, and by how much of the suite.
func (s *sheet) heading(rec *Record) {
	parts := []string{visible(strings.TrimSpace("hallmark " + rec.Suite.Version)), visible(orElse(rec.Target.BaseURL, "no target"))}
	if rec.Target.ReadOnly {
		parts = append(parts, "read-only")
	}
	for _, words := range rec.Target.Words() {
		parts = append(parts, phrase(words))
	}
	if rec.Options.Tags != "" {
		parts = append(parts, "only tags "+phrase(rec.Options.Tags))
	}
	if len(rec.Options.Rules) > 0 {
		parts = append(parts, "only "+phrase(strings.Join(rec.Options.Rules, ", ")))
	}
	if len(rec.Options.Operations) > 0 {
		parts = append(parts, "only "+phrase(strings.Join(rec.Options.Operations, ", ")))
	}
	if n := len(rec.Deviations); n > 0 {
		parts = append(parts, plural(n, "known deviation"))
	}
	s.paragraph(0, 2, plain, strings.Join(parts, " · "))
	s.blank()
}

// fails tells whether a cause makes the run fail; otherwise it is a warning.
func (c Cause) fails(rec *Record) bool { return c.Level != spec.Should || rec.Options.Strict }

// errors tells what went wrong on our side or on the way, which is nothing to hold against the target.
func (s *sheet) errors(rec *Record, res *Result) {
	for _, f := range res.Failures {
		s.blank()
		s.line(s.paint(red, "ERROR") + " the harness failed, so that this run proves nothing")
		s.paragraph(indent, 0, plain, phrase(f))
	}
	by := map[string][]string{}
	for i := range rec.Scenarios {
		if sc := &rec.Scenarios[i]; sc.Outcome == Errored {
			by[sc.Reason] = append(by[sc.Reason], sc.ID)
		}
	}
	for _, reason := range sortedKeys(by) {
		ids := by[reason]
		slices.SortFunc(ids, scenarioOrder)
		s.blank()
		s.line(s.paint(red, "ERROR") + " " + plural(len(ids), "scenario") + " could not be judged")
		s.paragraph(indent, 0, plain, phrase(orElse(reason, "no reason was given")))
		s.list(indent, ids, 6, "more")
	}
}

// unasked lists the must rules of a verdict, by the reason for it.
func (s *sheet) unasked(title string, v Verdict, rec *Record, res *Result) {
	by := map[string][]string{}
	n := 0
	for _, r := range res.Rules {
		if r.Verdict == v && r.Level == spec.Must {
			by[r.Reason] = append(by[r.Reason], r.Rule)
			n++
		}
	}
	if n == 0 {
		return
	}
	s.blank()
	s.line(s.paint(bold, title) + "  " + plural(n, "must rule"))
	for _, reason := range sortedKeys(by) {
		if reason == notSelected && filtered(rec) {
			// Who asked for a part does not want to read what the rest is.
			s.paragraph(indent, 2, plain, reason+": "+plural(len(by[reason]), "rule"))
			continue
		}
		s.paragraph(indent, 2, plain, phrase(reason)+":")
		s.list(indent+2, by[reason], 0, "")
	}
}

// list writes short texts, separated by commas; those beyond limit are only counted. 0 stands for no limit.
func (s *sheet) list(from int, items []string, limit int, more string) {
	if limit > 0 && len(items) > limit {
		items = append(slices.Clone(items[:limit]), "and "+itoa(len(items)-limit)+" "+more)
	}
	s.paragraph(from, 0, dim, visible(strings.Join(items, ", ")))
}

// foot says what the verdict rests on.
func (s *sheet) foot(res *Result) {
	if res.Proof != nil {
		s.paragraph(0, 0, dim, visible(res.Proof.Says))
		s.blank()
	}
}

// verdict writes the last line.
func (s *sheet) verdict(rec *Record, res *Result) {
	st := green
	switch res.Verdict {
	case Violated, Outdated:
		st = red
	case Conformant:
	default:
		st = yellow
	}
	parts := []string{phrase(res.Because)}
	if n := len(res.Causes); n > 0 && res.Verdict == Violated {
		failing := 0
		for _, c := range res.Causes {
			if c.fails(rec) {
				failing++
			}
		}
		parts[0] += " (" + plural(failing, "cause") + ")"
	}
	parts = append(parts, tally(res), work(rec), "seed "+seed(rec))
	s.line(s.paint(st, res.Verdict.word()) + "  " + strings.Join(parts, " · "))
}

// tally counts rules by verdict: "64 conform, 2 violated, 19 observed".
func tally(res *Result) string {
	var parts []string
	for _, v := range []Verdict{Conforms, Violated, Warned, Deviates, Observed, NotExercised, NotApplicable} {
		n := res.Count(v, "")
		if n == 0 {
			continue
		}
		word := string(v)
		switch {
		case v == Conforms && n != 1:
			word = "conform"
		case v == Deviates && n != 1:
			word = "deviate"
		}
		parts = append(parts, itoa(n)+" "+word)
	}
	if len(parts) == 0 {
		return "no rules"
	}
	return strings.Join(parts, ", ")
}

// work says how much was done: "213 scenarios (2 skipped), 1,204 exchanges, 0.8 s".
func work(rec *Record) string {
	skipped := 0
	for i := range rec.Scenarios {
		if rec.Scenarios[i].Outcome == Skipped {
			skipped++
		}
	}
	text := plural(len(rec.Scenarios), "scenario")
	if skipped > 0 {
		text += " (" + itoa(skipped) + " skipped)"
	}
	text += ", " + plural(len(rec.Exchanges), "exchange")
	if d := elapsed(rec); d > 0 {
		text += ", " + duration(d)
	}
	return text
}

// elapsed is how long a run took, or has taken so far as the record knows.
func elapsed(rec *Record) time.Duration {
	if rec.Ended.IsZero() || rec.Started.IsZero() {
		return 0
	}
	return rec.Ended.Sub(rec.Started)
}
