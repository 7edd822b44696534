package score

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/jsonout"
)

// Advice returns a command that shows what would find faults of a rule, and the number of scenarios.
type Advice func(rule string) (line string, scenarios int)

// mostNamed is the maximum number of faults named for a rule.
const mostNamed = 6

// Text writes a measurement for people.
func Text(w io.Writer, m Measurement, advice Advice) error {
	var b strings.Builder
	for _, line := range m.summary() {
		fmt.Fprintf(&b, "%-34s %s\n", line[0], line[1])
	}
	list := func(title string, of func(Part) []string) {
		begun := false
		for _, p := range m.Rules {
			names := of(p)
			if len(names) == 0 {
				continue
			}
			if !begun {
				fmt.Fprintf(&b, "\n%s\n", title)
				begun = true
			}
			fmt.Fprintf(&b, "\n  %s (%s): %s\n", p.Name, p.Level, strings.TrimSuffix(p.Says, "."))
			for line := range slices.Values(text.Wrap(shortened(names), 110)) {
				fmt.Fprintf(&b, "    %s\n", line)
			}
			if line, n := advice(p.Name); n > 0 {
				fmt.Fprintf(&b, "    %s  # %s\n", line, text.Count(n, "scenario"))
			}
		}
	}
	list("Shown to the suite but not found, by the rule that they break:", func(p Part) []string { return p.Survivors })
	if !m.derived() {
		list("Never shown to the suite, although it calls the operation:", func(p Part) []string { return p.Unseen })
	}
	fmt.Fprintf(&b, "\nBy operation:\n")
	rows := [][]string{{"OPERATION", "FOUND", "SURVIVE", "NOT SHOWN"}}
	var idle []string
	for _, p := range m.Operations {
		if p.Unused == p.Faults {
			idle = append(idle, p.Name)
			continue
		}
		rows = append(rows, []string{p.Name, fmt.Sprintf("%d of %d", p.Killed, p.Shown), fmt.Sprint(p.Shown - p.Killed), fmt.Sprint(p.NotExercised)})
	}
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], len(cell))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			line += fmt.Sprintf(" %-*s ", wide[i], cell)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if len(idle) > 0 {
		fmt.Fprintf(&b, "\nNot called: %s.\n", strings.Join(idle, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// derived reports whether the suite is the one derived from the contract.
func (m Measurement) derived() bool { return m.Scenarios > 0 }

// summary returns the first lines.
func (m Measurement) summary() [][2]string {
	f := m.Figures
	all := [][2]string{{"contract", m.Contract}, {"suite", m.Suite}}
	if m.derived() {
		all = append(all, [2]string{"the service itself", fmt.Sprintf("%s, by %s in %s", m.Verdict, text.Count(m.Scenarios, "scenario"), text.Count(m.Exchanges, "exchange"))})
	} else {
		all = append(all, [2]string{"without a fault", fmt.Sprintf("passes, in %s and %v", text.Count(m.Exchanges, "exchange"), m.Clean.Round(10*time.Millisecond))})
	}
	all = append(all, [2]string{"faults shown to the suite", ratio(f.Shown, f.Faults-f.Unused)}, [2]string{"faults found of those shown", ratio(f.Killed, f.Shown)})
	if m.derived() {
		all = append(all, [2]string{"  by the rule that they break", ratio(f.Named, f.Shown)}, [2]string{"freedoms accepted", ratio(m.Accepted, len(m.Freedoms))})
	} else {
		all = append(all, [2]string{"faults found of all", ratio(f.Killed, f.Faults-f.Unused)})
	}
	if f.Unused > 0 {
		all = append(all, [2]string{"faults of operations not called", fmt.Sprint(f.Unused)})
	}
	if f.Failed > 0 {
		all = append(all, [2]string{"faults that could not be tried", fmt.Sprint(f.Failed)})
	}
	if m.Unstable {
		all = append(all, [2]string{"caution", "the suite failed at the end without a fault, so some may have been found by chance"})
	}
	for _, broken := range m.Broken {
		all = append(all, [2]string{"caution: the service breaks", text.Visible(broken)})
	}
	for _, o := range m.Freedoms {
		if o.Fate != Survived {
			all = append(all, [2]string{"accused freedom", o.Name + ": " + strings.Join(o.Broken, ", ")})
		}
	}
	return all
}

func ratio(n, all int) string {
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, all, 100*float64(n)/float64(all))
}

// shortened names the first few of many.
func shortened(names []string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), len(names)-mostNamed)
}

// JSON writes a whole measurement.
func JSON(w io.Writer, m Measurement) error {
	return jsonout.Encode(w, m)
}

//go:embed page.html
var page string

// HTML writes a measurement as a page of its own.
func HTML(w io.Writer, m Measurement, advice Advice) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"share": ratio,
		"advice": func(rule string) string {
			line, n := advice(rule)
			if n == 0 {
				return ""
			}
			return line
		},
		"minus": func(a, b int) int { return a - b },
	}).Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		Measurement
		Summary [][2]string
	}{m, m.summary()})
}
