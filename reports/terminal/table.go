package terminal

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// mostAreas is the maximum number of areas in the table, unless in full.
const mostAreas = 12

// table writes the rules by area. It omits empty columns, except the two that readers look for, and areas that a partial run did not
// touch. Of many areas, it shows only those in which something is wrong, and the total.
func (t *renderer) table() {
	shown := t.view.Columns()
	areas := t.view.Areas()
	if len(areas) > mostAreas && t.detail != Full {
		areas = summarized(areas)
	}
	first := max(text.Columns("rules"), 10)
	for _, a := range areas {
		first = max(first, text.Columns(a.Name))
	}
	heads := make([]string, len(shown))
	for i, v := range shown {
		heads[i] = string(v)
	}
	if width := first + len(strings.Join(heads, "  ")) + 2; width > t.Width() {
		for i, v := range shown {
			heads[i] = shortHead(v)
		}
	}
	t.Line(t.Paint(layout.Dim, strings.Join(append([]string{text.Pad("rules", first)}, heads...), "  ")))
	for _, a := range areas {
		cells := []string{text.Pad(a.Name, first)}
		for i, v := range shown {
			cells = append(cells, t.cell(v, a.Counts[v], text.Columns(heads[i])))
		}
		t.Line(strings.Join(cells, "  "))
	}
}

// summarized returns the areas in which something is wrong, at most mostAreas, and the total of all.
func summarized(areas []view.Area) []view.Area {
	total := view.Area{Name: "all " + text.Number(len(areas)), Counts: map[verdict.Verdict]int{}}
	var wrong []view.Area
	for _, a := range areas {
		for of, n := range a.Counts {
			total.Counts[of] += n
		}
		if a.Counts[verdict.Violated]+a.Counts[verdict.Warned]+a.Counts[verdict.Doubtful]+a.Counts[verdict.Intermittent]+a.Counts[verdict.Deviates] > 0 {
			wrong = append(wrong, a)
		}
	}
	slices.SortStableFunc(wrong, func(x, y view.Area) int { return y.Counts[verdict.Violated] - x.Counts[verdict.Violated] })
	return append(wrong[:min(len(wrong), mostAreas-1)], total)
}

// cell returns a right-aligned number for a column; zero is a dot, so that other numbers stand out.
func (t *renderer) cell(v verdict.Verdict, n, width int) string {
	if n == 0 {
		return strings.Repeat(" ", width-1) + t.Paint(layout.Dim, "·")
	}
	text := text.Number(n)
	st := layout.Plain
	switch v {
	case verdict.Violated:
		st = layout.Red
	case verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates:
		st = layout.Yellow
	default:
	}
	return strings.Repeat(" ", max(width-len(text), 0)) + t.Paint(st, text)
}

// shortHead returns the heading of a column on a narrow terminal.
func shortHead(v verdict.Verdict) string {
	switch v {
	case verdict.Conforms:
		return "ok"
	case verdict.Violated:
		return "fail"
	case verdict.Warned:
		return "warn"
	case verdict.Doubtful:
		return "doubt"
	case verdict.Intermittent:
		return "flaky"
	case verdict.Deviates:
		return "known"
	case verdict.Observed:
		return "seen"
	case verdict.NotExercised:
		return "not run"
	case verdict.NotApplicable:
		return "n/a"
	default:
		return string(v)
	}
}
