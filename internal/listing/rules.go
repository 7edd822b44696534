package listing

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Rule is a rule with its coverage.
type Rule struct {
	spec.Rule
	// Scenarios is the number of scenarios that name the rule, counting each row of an outline.
	Scenarios int `json:"scenarios"`
}

// Covered reports whether the rule is tested, or cannot be.
func (r Rule) Covered() bool { return r.Scenarios > 0 || r.Always || r.Untestable != "" || r.Off != "" }

// asked says what tests the rule.
func (r Rule) asked() string {
	switch {
	case r.Untestable != "":
		return "untestable"
	case r.Off != "":
		return "off"
	case r.Scenarios > 0 && r.Always:
		return fmt.Sprintf("every response, %d", r.Scenarios)
	case r.Always:
		return "every response"
	}
	return fmt.Sprint(r.Scenarios)
}

// Rules lists rules in one of the formats, by area. Tables are wrapped to width columns, or not if width is 0.
func Rules(w io.Writer, rules []Rule, format string, width int) error {
	switch format {
	case JSON:
		return encode(w, rules)
	case Markdown:
		return rulesMarkdown(w, rules)
	}
	return rulesTable(w, rules, width)
}

// rulesTable lists the rules by area. Sentences are wrapped to the width, if there is one.
func rulesTable(w io.Writer, rules []Rule, width int) error {
	head := [3]string{"RULE", "LEVEL", "SCENARIOS"}
	var wide [3]int
	for i, h := range head {
		wide[i] = len(h)
	}
	for _, r := range rules {
		for i, cell := range [3]string{r.ID, string(r.Level), r.asked()} {
			wide[i] = max(wide[i], len(cell))
		}
	}
	indent := wide[0] + wide[1] + wide[2] + 6
	room := 0
	if width > 0 {
		room = max(width-indent, leastSentence)
	}
	var out strings.Builder
	row := func(cells [3]string, sentence string) {
		fmt.Fprintf(&out, "%-*s  %-*s  %-*s  ", wide[0], cells[0], wide[1], cells[1], wide[2], cells[2])
		out.WriteString(strings.Join(text.Wrap(text.Visible(sentence), room), "\n"+strings.Repeat(" ", indent)))
		out.WriteByte('\n')
	}
	if len(rules) > 0 {
		row(head, "SAYS")
	}
	area := ""
	for _, r := range rules {
		if area != "" && r.Area() != area {
			out.WriteByte('\n')
		}
		area = r.Area()
		row([3]string{r.ID, string(r.Level), r.asked()}, sentence(r))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// rulesMarkdown lists the rules with a heading and a table for each area.
func rulesMarkdown(w io.Writer, rules []Rule) error {
	var out strings.Builder
	area := ""
	for _, r := range rules {
		if r.Area() != area {
			if area != "" {
				out.WriteByte('\n')
			}
			area = r.Area()
			fmt.Fprintf(&out, "## %s\n\n| Rule | Level | Says | Section | Scenarios |\n|---|---|---|---|---|\n", text.Visible(area))
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Level, text.TableCell(sentence(r)), text.TableCell(r.Section), r.asked())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// sentence returns what a rule says, with the question of an open rule, and why an untestable one cannot be tested.
func sentence(r Rule) string {
	text := r.Says
	if question := strings.TrimSuffix(r.Asks, "?"); question != "" && !strings.HasSuffix(strings.ToLower(strings.TrimSuffix(text, ".")), strings.ToLower(question)) {
		text = strings.TrimSuffix(text, ".") + ". " + r.Asks
	}
	if r.Untestable != "" {
		text += " (" + strings.TrimSuffix(r.Untestable, ".") + ".)"
	}
	if r.Off != "" {
		text += " (Switched off: " + strings.TrimSuffix(r.Off, ".") + ".)"
	}
	return strings.Join(strings.Fields(text), " ")
}
