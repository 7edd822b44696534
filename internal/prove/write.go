package prove

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
	"github.com/hallmark-kit/hallmark/spec"
)

// Text writes a proof for people: the figures, the faults led by another rule, and the problems.
func Text(w io.Writer, p Measurement) error {
	var b strings.Builder
	for _, line := range append(figures(p), filledFigures(p)...) {
		fmt.Fprintf(&b, "%-34s %s\n", line[0], line[1])
	}
	if len(p.Figures.Misled) > 0 && !p.Short {
		fmt.Fprintf(&b, "\nFound and named, but led by another rule:\n")
		rules := map[string]string{}
		for _, o := range p.Outcomes {
			rules[o.Name] = o.Rule
		}
		for _, name := range slices.Sorted(maps.Keys(p.Figures.Misled)) {
			own := ""
			if rules[name] != "" {
				own = rules[name] + ", "
			}
			fmt.Fprintf(&b, "  %-36s %sled by %s\n", name, own, p.Figures.Misled[name])
		}
	}
	if len(p.Figures.Several) > 0 && !p.Short {
		fmt.Fprintf(&b, "\nReported as more than one cause:\n")
		for _, name := range slices.Sorted(maps.Keys(p.Figures.Several)) {
			fmt.Fprintf(&b, "  %-36s %s\n", name, strings.Join(p.Figures.Several[name], ", "))
		}
	}
	if len(p.Problems) > 0 {
		fmt.Fprintf(&b, "\nNot as expected:\n")
		for _, problem := range p.Problems {
			fmt.Fprintf(&b, "  %s\n", problem)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// filledFigures returns the lines for filled stores.
func filledFigures(p Measurement) [][2]string {
	lines := make([][2]string, 0, len(p.Filled))
	for _, f := range p.Filled {
		lines = append(lines, f.figure())
	}
	return lines
}

// figures returns the lines of the summary. For what a short proof does not measure, they show the kept values.
func figures(p Measurement) [][2]string {
	f := p.Figures
	if len(p.Outcomes) == 0 && len(p.Filled) > 0 {
		return nil // nothing was judged on an empty store
	}
	kept := ""
	if p.Short {
		kept = ", by the last whole proof (--full)"
	}
	lines := [][2]string{{"faults killed", ratio(f.Killed, f.Faults)}, {"faults diagnosed (own rule named)", ratio(f.Diagnosed, f.Faults)}}
	if !p.Short || !p.Partial {
		lines = append(lines, [2]string{"faults led by their own rule", ratio(f.Leading, f.Faults) + kept},
			[2]string{"faults reported as one cause", ratio(f.OneCause, f.Faults) + kept})
	}
	lines = append(lines, [2]string{"freedoms accepted", ratio(f.Accepted, f.Freedoms) + inGroups(p.Outcomes)})
	if !p.Partial {
		lines = append(lines, [2]string{"must rules with a fault", ratio(f.Covered, f.Rules)},
			[2]string{"scenarios that kill nothing", fmt.Sprint(len(f.Idle)) + kept})
	}
	if q := f.Quick; q != nil {
		lines = append(lines,
			[2]string{"found by the quick part", ratio(q.Found, f.Faults) + missedBy(q) + kept},
			[2]string{"accepted by the quick part", ratio(q.Accepted, f.Freedoms) + kept},
			[2]string{"size of the quick part", fmt.Sprintf("%d of %d scenarios, %d of %d exchanges, %d of %d ms", q.Part.Scenarios, q.Whole.Scenarios,
				q.Part.Exchanges, q.Whole.Exchanges, q.Part.Milliseconds, q.Whole.Milliseconds) + kept})
	}
	return lines
}

// inGroups says in how many services freedoms were judged, if there were fewer services than freedoms.
func inGroups(outcomes []Outcome) string {
	n := services(outcomes)
	if n == 0 {
		return ""
	}
	return ", in " + text.Count(n, "group")
}

// missedBy names the faults that the quick part misses.
func missedBy(q *spec.Quick) string {
	if len(q.Missed) == 0 {
		return ""
	}
	return ", all but " + text.Enumerate(q.Missed, "and")
}

func ratio(n, all int) string {
	if all == 0 {
		return "none were judged"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, all, 100*float64(n)/float64(all))
}

// Markdown writes a proof as a page: the figures and the matrix.
func Markdown(w io.Writer, p Measurement) error {
	var b strings.Builder
	b.WriteString("# What the suite can detect\n\n| | |\n|---|---|\n")
	for _, line := range append(figures(p), filledFigures(p)...) {
		fmt.Fprintf(&b, "| %s | %s |\n", line[0], line[1])
	}
	if len(p.Problems) > 0 {
		b.WriteString("\n## Not as expected\n\n")
		for _, problem := range p.Problems {
			fmt.Fprintf(&b, "- %s\n", text.TableCell(problem))
		}
	}
	b.WriteString("\n## Rules, their faults, and the scenarios that kill them\n\n| Rule | Level | Faults | Scenarios |\n|---|---|---|---|\n")
	for _, row := range p.Rows {
		names := make([]string, 0, len(row.Faults))
		for _, o := range row.Faults {
			name := "`" + o.Name + "`"
			switch {
			case !o.Killed:
				name += " **survives**"
			case !o.Diagnosed:
				name += " **misdiagnosed**"
			case !o.Leading:
				name += " (led by `" + o.Lead + "`)"
			}
			names = append(names, name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", row.Rule, row.Level, strings.Join(names, ", "), shortened(row.Killers))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shortened names the first few of many.
func shortened(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// JSON writes a whole proof.
func JSON(w io.Writer, p Measurement) error { return encode(w, p) }

// Keep writes the figures of a proof.
func Keep(w io.Writer, f spec.Proven) error { return encode(w, f) }

func encode(w io.Writer, v any) error {
	return jsonout.Encode(w, v)
}
