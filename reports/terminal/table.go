package terminal

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/layout"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// table writes the rules by area. It omits empty columns, except the two that readers look for, and areas that a partial run did not
// touch.
func (t *renderer) table() {
	shown := t.view.Columns()
	first := text.Columns("rules")
	for _, r := range t.view.Result.Rules {
		first = max(first, text.Columns(spec.Rule{ID: r.Rule}.Area()))
	}
	first = max(first, 10)
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
	for _, a := range t.view.Areas() {
		cells := []string{text.Pad(a.Name, first)}
		for i, v := range shown {
			cells = append(cells, t.cell(v, a.Counts[v], text.Columns(heads[i])))
		}
		t.Line(strings.Join(cells, "  "))
	}
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
