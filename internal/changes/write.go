package changes

import (
	"fmt"
	"io"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// mostLines is the maximum number of lines of a list.
const mostLines = 60

// mostTitles is the maximum number of scenarios named for a rule.
const mostTitles = 3

// Write writes the changes as text.
func (c *Changes) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s → %s: ", text.Visible(c.Old), text.Visible(c.New))
	if c.Unread != "" {
		fmt.Fprintf(&b, "%s\n", c.Unread)
	} else {
		fmt.Fprintf(&b, "%s, %d that may break clients, %s\n",
			text.Count(c.Breaking(), "breaking change"), c.count(MayBreak), text.Count(c.count(Compatible), "compatible change"))
	}
	for _, part := range []struct {
		effect Effect
		title  string
	}{{Breaking, "Breaking"}, {MayBreak, "May break clients"}, {Compatible, "Compatible"}} {
		var lines []string
		for _, one := range c.Contract {
			if one.Effect != part.effect {
				continue
			}
			where := ""
			if one.Operation != "" {
				where = one.Operation + ": "
			}
			lines = append(lines, "  "+where+one.Says)
		}
		list(&b, part.title, lines)
	}
	c.writeRules(&b)
	c.writeScenarios(&b)
	c.writeLost(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// list writes a list with a title, or nothing if it is empty.
func list(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for i, line := range lines {
		if i == mostLines {
			fmt.Fprintf(b, "  … and %d more (--json lists all)\n", len(lines)-i)
			return
		}
		b.WriteString(text.Visible(line) + "\n")
	}
}

func (c *Changes) writeRules(b *strings.Builder) {
	r := c.Rules
	lines := ruleLines("+", "new", r.Added, r.added)
	lines = append(lines, ruleLines("-", "removed", r.Removed, r.removed)...)
	for _, one := range r.Changed {
		line := "  ~ " + one.After.ID + ":"
		if one.Before.Level != one.After.Level {
			line += fmt.Sprintf(" %s becomes %s;", one.Before.Level, one.After.Level)
		}
		if one.Before.Says != one.After.Says {
			line += fmt.Sprintf(" “%s” becomes “%s”", one.Before.Says, one.After.Says)
		}
		lines = append(lines, strings.TrimSuffix(line, ";"))
	}
	section(b, "Rules", len(r.Added), len(r.Removed), len(r.Changed), r.Before, r.After, lines)
}

// ruleLines returns a line for each rule, or a single line for all rules of an operation that only one version has.
func ruleLines(mark, what string, rules []Rule, operations map[string]bool) []string {
	var lines []string
	for i := 0; i < len(rules); i++ {
		area := areaOf(rules[i].ID)
		if !operations[area] {
			lines = append(lines, fmt.Sprintf("  %s %s (%s): %s", mark, rules[i].ID, rules[i].Level, rules[i].Says))
			continue
		}
		first := i
		for i+1 < len(rules) && areaOf(rules[i+1].ID) == area {
			i++
		}
		lines = append(lines, fmt.Sprintf("  %s %s.*: %s of a %s operation", mark, area, text.Count(i+1-first, "rule"), what))
	}
	return lines
}

func (c *Changes) writeScenarios(b *strings.Builder) {
	s := c.Scenarios
	lines := scenarioLines("+", "new", s.Added, c.Rules.added)
	lines = append(lines, scenarioLines("-", "removed", s.Removed, c.Rules.removed)...)
	lines = append(lines, scenarioLines("~", "", s.Changed, nil)...)
	section(b, "Scenarios", len(s.Added), len(s.Removed), len(s.Changed), s.Before, s.After, lines)
}

// scenarioLines returns a line for the scenarios of each rule, or a single line for all of an operation that only one version has.
func scenarioLines(mark, what string, all []Scenario, operations map[string]bool) []string {
	var lines []string
	for i := 0; i < len(all); {
		area, end := areaOf(all[i].Rule), i
		for end < len(all) && (all[end].Rule == all[i].Rule || operations[area] && areaOf(all[end].Rule) == area) {
			end++
		}
		if operations[area] {
			lines = append(lines, fmt.Sprintf("  %s %s.*: %s of a %s operation", mark, area, text.Count(end-i, "scenario"), what))
			i = end
			continue
		}
		var titles []string
		for _, one := range all[i:min(end, i+mostTitles)] {
			titles = append(titles, one.Title)
		}
		line := fmt.Sprintf("  %s %s: %s", mark, all[i].Rule, strings.Join(titles, "; "))
		if more := end - i - len(titles); more > 0 {
			line += fmt.Sprintf("; and %d more", more)
		}
		lines = append(lines, line)
		i = end
	}
	return lines
}

// section writes the number of differences and the lines that describe them.
func section(b *strings.Builder, name string, added, removed, changed, before, after int, lines []string) {
	if added+removed+changed == 0 {
		fmt.Fprintf(b, "\n%s: the same %s\n", name, text.Number(after))
		return
	}
	list(b, fmt.Sprintf("%s: %s added, %s removed, %s changed (%s before, %s now)",
		name, text.Number(added), text.Number(removed), text.Number(changed), text.Number(before), text.Number(after)), lines)
}
