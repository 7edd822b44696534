package terminal

import (
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/failure"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// Look configures the layout of text.
type Look struct {
	// Width is the width of the terminal in columns; 0 if unknown.
	Width int
	// Colour allows colours. The text is complete without them.
	Colour bool
	// Detail is the level of detail.
	Detail Detail
	// Replayable reports whether "hallmark replay" finds the run: its journal is that of the last run.
	Replayable bool
}

// Detail is a level of detail.
type Detail int

// The levels of detail.
const (
	// Usual shows a successful run on one screen, and each failure in detail.
	Usual Detail = iota
	// Brief shows the verdict, and a line per failure.
	Brief
	// Full also shows all observations.
	Full
)

// Write writes the final text of a run: what is broken, then the rules by area and what was not asked, and the verdict on the last line. Text
// of the service is always made visible first.
func Write(w io.Writer, v *view.View, look Look) error {
	t := renderer{layout.New(look.Width, look.Colour), v, look.Detail, look.Replayable}
	failing, warning := v.Causes()
	if t.detail == Brief {
		t.brief(failing, warning)
	} else {
		t.whole(failing, warning)
	}
	t.left()
	t.verdict()
	_, err := io.WriteString(w, t.String())
	return err
}

// renderer writes a view to a page.
type renderer struct {
	*layout.Page
	view       *view.View
	detail     Detail
	replayable bool
}

// failuresShown is the maximum number of failures in detail, unless in full.
const failuresShown = 8

// whole writes everything except the verdict.
func (t *renderer) whole(failing, warning []verdict.Cause) {
	t.heading()
	t.lost()
	if len(failing) > 1 {
		t.Blank()
		t.heads(failing)
	}
	for i := range failing {
		if i == failuresShown && t.detail != Full {
			t.Blank()
			t.Line("The other " + text.Count(len(failing)-i, "cause") + " in detail: hallmark report --verbose")
			break
		}
		t.Blank()
		b := failure.OfCause(t.view, &failing[i])
		if len(t.view.Record.Deviations) > 0 && failing[i].Lead.Kind != "" {
			b.Entry = record.NewDeviation(failing[i].Lead).Entry()
		}
		if t.replayable {
			b.Replay = "hallmark replay " + failing[i].ID
		}
		t.block(&b)
	}
	t.deviationsFailing()
	t.errors()
	t.warnings(warning)
	t.deviationsKnown()
	t.Blank()
	t.table()
	t.Blank()
	t.notes()
	t.Blank()
	t.patience()
}

// blockLines is the maximum number of lines of a failure, unless in full.
const blockLines = 25

// block writes a failure, in full with its whole script.
func (t *renderer) block(b *failure.Block) {
	if t.detail == Full {
		b.Write(t.Page)
		return
	}
	b.WriteWithin(t.Page, blockLines)
}

// lost writes how the target was lost, and after which requests.
func (t *renderer) lost() {
	lost := t.view.Record.Lost
	if lost == "" {
		return
	}
	t.Blank()
	t.Note(layout.Red, "LOST", text.Visible(lost))
	suspects, curl := t.view.Suspects()
	first := "the first of them"
	switch len(suspects) {
	case 0:
		return
	case 1:
		first = "this request"
		t.Paragraph(layout.Indent, 0, layout.Plain, "One request was in flight, and may have brought the target down:")
	default:
		t.Paragraph(layout.Indent, 0, layout.Plain, "These requests were in flight, the most likely cause first:")
	}
	for _, s := range suspects {
		t.Paragraph(layout.Indent+2, 2, layout.Plain, s)
	}
	if curl != "" {
		t.Paragraph(layout.Indent, 0, layout.Plain, "To find out, start the target again and send it "+first+":")
		t.Verbatim(layout.Indent+2, layout.Plain, text.Visible(curl))
	}
}

// warnings writes what does not fail the run, on a line each unless in full.
func (t *renderer) warnings(all []verdict.Cause) {
	if t.detail != Full && len(all) > 0 {
		t.Blank()
	}
	lines := 0
	for i := range all {
		if t.detail != Full && !all[i].Undecided {
			if lines++; lines <= warningsShown {
				t.warning(&all[i])
			}
			continue
		}
		b := failure.OfCause(t.view, &all[i])
		if all[i].Undecided { // the reader has to decide
			if b.Label, b.Style = verdict.UndecidedMark, layout.Yellow; i > 0 || t.detail == Full {
				t.Blank()
			}
			t.block(&b)
			continue
		}
		// Warnings are short: their exchanges are in other reports.
		b.Label, b.Style, b.Exchanges = "WARN", layout.Yellow, nil
		t.Blank()
		b.Write(t.Page)
	}
	if more := lines - warningsShown; more > 0 {
		t.Line(t.Paint(layout.Yellow, "WARN") + "  " + text.Number(more) + " more (hallmark report --verbose)")
	}
}

// headsShown is the maximum number of failures in the list at the beginning, warningsShown that of warnings, unless in full.
const headsShown, warningsShown = 20, 12

// heads lists several failures on a line each.
func (t *renderer) heads(causes []verdict.Cause) {
	t.Line(t.Paint(layout.Bold, "CAUSES") + "  " + text.Number(len(causes)) + ", the most telling first")
	wide := 0
	for _, c := range causes {
		wide = max(wide, text.Columns(c.Rule))
	}
	for i, c := range causes {
		if i == headsShown && t.detail != Full {
			t.Line(strings.Repeat(" ", layout.Indent) + "and " + text.Number(len(causes)-i) + " more (hallmark report --verbose)")
			break
		}
		line := text.Pad(c.Rule, wide) + "  " + view.Marked(c.Mark(), view.Difference(c.Lead))
		t.Line(strings.Repeat(" ", layout.Indent) + text.TruncateColumns(line, t.Width()-layout.Indent))
	}
}

// warning writes a line for a cause that does not fail the run, truncated to the width of the terminal.
func (t *renderer) warning(c *verdict.Cause) {
	line := "WARN  " + c.Rule + "  " + c.ID + "  " + string(c.Level) + "  " +
		view.Marked(c.Mark(), strings.TrimSuffix(t.view.Rule(c.Rule).Says, ".")) + " · " + view.Difference(c.Lead)
	if t.Measured() {
		line = text.TruncateColumns(line, t.Width())
	}
	rest, _ := strings.CutPrefix(line, "WARN  "+c.Rule)
	if rest == line { // the rule's id itself was truncated
		t.Line(line)
		return
	}
	t.Line(t.Paint(layout.Yellow, "WARN") + "  " + t.Paint(layout.Bold, c.Rule) + rest)
}

// brief writes a line for each failure, each cause that is excused as intermittent or is undecided, and each error of the harness.
func (t *renderer) brief(failing, warning []verdict.Cause) {
	res := &t.view.Result
	if lost := t.view.Record.Lost; lost != "" {
		t.Line(t.Paint(layout.Red, "LOST") + "  " + text.Visible(strings.TrimPrefix(verdict.LostPhrase(t.view.Record), "the target was lost: ")))
	}
	for _, c := range failing {
		r := t.view.Rule(c.Rule)
		t.Line(t.Paint(layout.Red, "FAIL") + "  " + t.Paint(layout.Bold, r.ID) + "  " + c.ID + "  " + string(r.Level) + "  " + view.Marked(c.Mark(), strings.TrimSuffix(r.Says, ".")) + " · " + view.Difference(c.Lead))
	}
	for i := range warning {
		if warning[i].Excused || warning[i].Undecided {
			t.warning(&warning[i])
		}
	}
	for _, d := range res.Deviations {
		if d.Fails {
			t.Line(t.Paint(layout.Red, deviationLabel(d)) + "  " + t.Paint(layout.Bold, d.Rule) + "  " + text.Short(d.Says))
		}
	}
	for _, f := range res.Failures {
		t.Line(t.Paint(layout.Red, "ERROR") + " " + text.Short(f))
	}
	by := t.view.Errored()
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		t.Line(t.Paint(layout.Red, "ERROR") + " " + text.Short(cmp.Or(reason, "no reason was given")) + " (" + text.Count(len(by[reason]), "scenario") + ")")
	}
}

// heading writes who judged whom, with how much of the suite, and what is known about the implementation.
func (t *renderer) heading() {
	if res := &t.view.Result; res.ExitCode == verdict.ExitIncomplete { // the first line alone must not look like success
		t.Titled(layout.Red, res.Verdict.Word(), text.Visible(res.Because), t.Width(), 2)
		t.Blank()
	}
	t.Paragraph(0, 2, layout.Plain, strings.Join(t.view.Scope(), " · "))
	if text := t.view.Record.Target.Implementation.Words(); text != "" {
		t.Paragraph(0, 2, layout.Plain, text)
	}
}

// errors writes errors of the harness and of the connection, which do not count against the target.
func (t *renderer) errors() {
	for _, f := range t.view.Result.Failures {
		t.Blank()
		t.Line(t.Paint(layout.Red, "ERROR") + " hallmark itself failed, so this run proves nothing")
		t.Paragraph(layout.Indent, 0, layout.Plain, text.Short(f))
	}
	by := t.view.Errored()
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		ids := by[reason]
		slices.SortFunc(ids, record.ScenarioOrder)
		t.Blank()
		t.Line(t.Paint(layout.Red, "ERROR") + " " + text.Count(len(ids), "scenario") + " could not be judged")
		t.Paragraph(layout.Indent, 0, layout.Plain, text.Short(cmp.Or(reason, "no reason was given")))
		t.items(layout.Indent, ids, 6, "more")
	}
}

// items writes short texts separated by commas; those beyond limit are only counted. 0 means no limit.
func (t *renderer) items(from int, items []string, limit int, more string) {
	if limit > 0 && len(items) > limit {
		items = append(slices.Clone(items[:limit]), "and "+text.Number(len(items)-limit)+" "+more)
	}
	t.Paragraph(from, 0, layout.Dim, text.Visible(strings.Join(items, ", ")))
}

// left writes what the run created and did not remove.
func (t *renderer) left() {
	if left := t.view.Left(); left != "" {
		t.Line(t.Paint(layout.Yellow, "LEFT") + "  " + left)
	}
}

// longestBecause is the maximum length of the reason in the last line, in characters.
const longestBecause = 400

// verdict writes the last line, which is wrapped only on a terminal.
func (t *renderer) verdict() {
	res := &t.view.Result
	st := layout.Green
	switch res.Verdict {
	case verdict.Violated, verdict.Outdated:
		st = layout.Red
	case verdict.Conformant:
	default:
		st = layout.Yellow
	}
	if res.ExitCode == verdict.ExitIncomplete {
		st = layout.Red
	}
	parts := []string{text.Elide(text.Visible(res.Because), longestBecause)}
	if n := len(res.Causes); n > 0 && res.Verdict == verdict.Violated {
		failing := 0
		for _, c := range res.Causes {
			if t.view.Fails(c) {
				failing++
			}
		}
		parts[0] += " (" + text.Count(failing, "cause") + ")"
	}
	parts = append(parts, t.view.Counts(), t.view.Work())
	if t.view.Record.Traffic == nil {
		parts = append(parts, "seed "+t.view.Seed())
	}
	width := t.Width()
	if !t.Measured() {
		width = math.MaxInt // logs and scripts expect the whole verdict on the last line
	}
	t.Titled(st, res.Verdict.Word(), strings.Join(parts, " · "), width, 2)
}

// patience writes what the run waited for.
func (t *renderer) patience() {
	for _, text := range t.view.Waited() {
		t.Paragraph(0, 2, layout.Plain, text)
	}
}
