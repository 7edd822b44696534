package reports

import (
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// deviationsFailing tells which entries of the list of known violations make the run fail.
func (s *sheet) deviationsFailing(res *verdict.Result, b *verdict.Index) {
	for _, d := range res.Deviations {
		if d.Fails {
			r, _ := b.Rule(d.Rule)
			s.blank()
			s.title(deviationLabel(d), red, r)
			s.deviation(d)
		}
	}
}

// deviationsKnown lists what is known beforehand: apart from the failures, and never as something that conforms.
func (s *sheet) deviationsKnown(res *verdict.Result) {
	first := true
	for _, d := range res.Deviations {
		if d.Fails {
			continue
		}
		if first {
			s.blank()
			s.line(s.paint(bold, "KNOWN VIOLATIONS") + "  accepted for a reason and until a date (--deviations)")
			first = false
		}
		s.paragraph(indent, 2, plain, d.Rule+" ("+string(d.State)+")")
		s.deviation(d)
	}
}

func deviationLabel(d verdict.DeviationVerdict) string { return strings.ToUpper(string(d.State)) }

// deviation writes what is said of one, below its title.
func (s *sheet) deviation(d verdict.DeviationVerdict) {
	s.field("message", prose.Phrase(d.Message))
	s.field("verdict", prose.Phrase(d.Says))
	if d.State != verdict.Deviating {
		s.field("reason", prose.Phrase(d.Reason))
	}
	s.field("link", prose.Phrase(d.Link))
	if d.Findings > 0 {
		s.field("seen", prose.Plural(d.Findings, "time")+" in "+prose.Plural(len(d.Scenarios), "scenario")+", first in "+prose.Visible(d.Scenarios[0]))
	}
}

// excused is the reason why a scenario counts as skipped, whose only breaches are known.
func excused(rec *record.Record, found []spec.Finding) string {
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
