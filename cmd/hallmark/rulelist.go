package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"hallmark/internal/text"
)

func writeRulesJSON(w io.Writer, rules []listed) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(rules)
}

// leastSentence is the narrowest that the column of the sentences gets, in columns.
const leastSentence = 40

// writeRulesTable lists the rules, an area after the other; sentences are wrapped to the width, or not when there is none.
func writeRulesTable(w io.Writer, rules []listed, width int) error {
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
		out.WriteString(strings.Join(text.Wrap(sentence, room), "\n"+strings.Repeat(" ", indent)))
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

// writeRulesMarkdown lists the rules with a heading and a table for each area.
func writeRulesMarkdown(w io.Writer, rules []listed) error {
	var out strings.Builder
	area := ""
	for _, r := range rules {
		if r.Area() != area {
			if area != "" {
				out.WriteByte('\n')
			}
			area = r.Area()
			fmt.Fprintf(&out, "## %s\n\n| Rule | Level | Says | Section | Scenarios |\n|---|---|---|---|---|\n", area)
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", r.ID, r.Level, cell(sentence(r)), cell(r.Section), r.asked())
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// sentence is what a rule says, with the question that an open one asks, and why another cannot be tested.
func sentence(r listed) string {
	text := r.Says
	if r.Asks != "" {
		text += " " + r.Asks
	}
	if r.Untestable != "" {
		text += " (" + strings.TrimSuffix(r.Untestable, ".") + ".)"
	}
	return strings.Join(strings.Fields(text), " ")
}

// cell keeps a text within its cell of a Markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text)
}
