package terminal

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// deviationsFailing writes the entries of the list of known violations that fail the run.
func (t *renderer) deviationsFailing() {
	for _, d := range t.view.Result.Deviations {
		if d.Fails {
			t.Blank()
			failure.Title(t.Page, deviationLabel(d), layout.Red, t.view.Rule(d.Rule), "")
			t.deviation(d)
		}
	}
}

// deviationsKnown lists the known violations, separately from the failures and never as conforming.
func (t *renderer) deviationsKnown() {
	first := true
	for _, d := range t.view.Result.Deviations {
		if d.Fails {
			continue
		}
		if first {
			t.Blank()
			t.Line(t.Paint(layout.Bold, "KNOWN VIOLATIONS") + "  accepted for a reason and until a date (--deviations)")
			first = false
		}
		t.Paragraph(layout.Indent, 2, layout.Plain, d.Rule+" ("+string(d.State)+")")
		t.deviation(d)
	}
}

func deviationLabel(d verdict.DeviationVerdict) string { return strings.ToUpper(string(d.State)) }

// deviation writes the details of an entry below its title.
func (t *renderer) deviation(d verdict.DeviationVerdict) {
	t.Field("message", text.Short(d.Message))
	t.Field("verdict", text.Short(d.Says))
	if d.State != verdict.Deviating {
		t.Field("reason", text.Short(d.Reason))
	}
	t.Field("link", text.Short(d.Link))
	if d.Findings > 0 {
		t.Field("seen", text.Count(d.Findings, "time")+" in "+text.Count(len(d.Scenarios), "scenario")+", first in "+text.Visible(d.Scenarios[0]))
	}
}
