package reports

import (
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// areaCount counts the verdicts of the rules of one area.
type areaCount struct {
	area   string
	counts map[verdict.Verdict]int
	total  int // without untestable rules
}

// areas counts the verdicts by area, in the catalogue's order.
func areas(res *verdict.Result) []areaCount {
	var all []areaCount
	at := map[string]int{}
	for _, v := range res.Rules {
		area := spec.Rule{ID: v.Rule}.Area()
		i, known := at[area]
		if !known {
			i = len(all)
			at[area] = i
			all = append(all, areaCount{area: area, counts: map[verdict.Verdict]int{}})
		}
		all[i].counts[v.Verdict]++
		if v.Verdict != verdict.Untestable {
			all[i].total++
		}
	}
	return all
}

// table writes the rules by area. Columns that would be empty are left out, except the two that a reader looks for.
// So are areas that a run of a part of the suite did not touch.
func (s *sheet) table(res *verdict.Result, partly bool) {
	rows := areas(res)
	shown := occurring(res)
	first := prose.Columns("rules")
	for _, r := range rows {
		first = max(first, prose.Columns(r.area))
	}
	first = max(first, 10)
	heads := make([]string, len(shown))
	for i, v := range shown {
		heads[i] = string(v)
	}
	if width := first + len(strings.Join(heads, "  ")) + 2; width > s.width {
		for i, v := range shown {
			heads[i] = shortHead(v)
		}
	}
	s.line(s.paint(dim, strings.Join(append([]string{prose.Pad("rules", first)}, heads...), "  ")))
	for _, r := range rows {
		if r.total == 0 || partly && r.counts[verdict.NotExercised] == r.total {
			continue
		}
		cells := []string{prose.Pad(r.area, first)}
		for i, v := range shown {
			cells = append(cells, s.cell(v, r.counts[v], prose.Columns(heads[i])))
		}
		s.line(strings.Join(cells, "  "))
	}
}

// cell is a number at the right of its column; nought is a dot, so that what is there stands out.
func (s *sheet) cell(v verdict.Verdict, n, width int) string {
	if n == 0 {
		return strings.Repeat(" ", width-1) + s.paint(dim, "·")
	}
	text := prose.Number(n)
	st := plain
	switch v {
	case verdict.Violated:
		st = red
	case verdict.Warned, verdict.Intermittent, verdict.Deviates:
		st = yellow
	default:
	}
	return strings.Repeat(" ", max(width-len(text), 0)) + s.paint(st, text)
}

// shortHead is a column's heading on a narrow terminal.
func shortHead(v verdict.Verdict) string {
	switch v {
	case verdict.Conforms:
		return "ok"
	case verdict.Violated:
		return "fail"
	case verdict.Warned:
		return "warn"
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
