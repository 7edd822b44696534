package promise

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hallmark/spec"
	"hallmark/spec/derive"
)

// features writes a feature file for each operation of a contract. The rules are those of Rules, perhaps changed; cases of rules
// that are not among them are left out.
func features(c *spec.Contract, catalogue *spec.Catalogue, cases map[string][]Case) []derive.File {
	operations := c.Operations()
	names := NamesOf(operations)
	order := make(map[string]int, len(catalogue.Rules))
	for i, r := range catalogue.Rules {
		order[r.ID] = i
	}
	var files []derive.File
	for i := range operations {
		op := &operations[i]
		if content := render(op, blocks(op, names, catalogue, order, cases[op.ID])); content != "" {
			files = append(files, derive.File{Name: names[op.ID] + ".feature", Content: content})
		}
	}
	return files
}

const header = `# Derived from the contract by "hallmark derive"; "hallmark derive --check" reports when it is out of date.
# To change it, change the contract or its rules.yaml.
`

// block is a rule and its cases.
type block struct {
	rule  spec.Rule
	cases []Case
}

// blocks puts cases to their rules, in the order of the catalogue.
func blocks(op *spec.Operation, names Names, catalogue *spec.Catalogue, order map[string]int, cases []Case) []block {
	var all []block
	at := map[Kind]int{}
	for _, c := range cases {
		i, known := at[c.Kind]
		if !known {
			rule, ok := catalogue.Rule(names.Rule(op.ID, c.Kind))
			if i = -1; ok && rule.Untestable == "" && rule.Off == "" {
				i = len(all)
				all = append(all, block{rule: rule})
			}
			at[c.Kind] = i
		}
		if i >= 0 {
			c.Aspect = c.Aspect.at(all[i].rule.Level)
			all[i].cases = append(all[i].cases, c)
		}
	}
	slices.SortStableFunc(all, func(a, b block) int { return order[a.rule.ID] - order[b.rule.ID] })
	return all
}

// at returns what has to come of a request by a rule of a level: whether a fault is refused, and an allowed value accepted, may be
// open in one file of rules and a must in another.
func (a Aspect) at(level spec.Level) Aspect {
	switch {
	case a == Open && level != spec.Open:
		return Breaks
	case a == Lives:
	case a != Keeps && level == spec.Open:
		return Open
	}
	return a
}

// render writes the feature file of an operation; empty when no rule has a case.
func render(op *spec.Operation, all []block) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s@derived @operation:%s\nFeature: %s\n", header, tagOf(op.ID), title(op))
	if op.Summary != "" {
		fmt.Fprintf(&b, "  %s.\n", strings.TrimSuffix(oneLine(op.Summary), "."))
	}
	for _, one := range all {
		fmt.Fprintf(&b, "\n  @rule:%s @level:%s\n  Rule: %s\n", one.rule.ID, one.rule.Level, strings.TrimSuffix(oneLine(one.rule.Says), "."))
		for _, outline := range outlines(one.cases) {
			scenario(&b, op, outline)
		}
	}
	return b.String()
}

// tagOf returns an operation's id as tags can hold it: they end at a blank.
func tagOf(id string) string { return tags.Replace(oneLine(id)) }

// tags escapes what ends a tag or begins another.
var tags = strings.NewReplacer(" ", "%20", "@", "%40")

func title(op *spec.Operation) string {
	if op.ID == op.Method+" "+op.Path {
		return op.ID
	}
	return oneLine(op.ID) + ", " + op.Method + " " + op.Path
}

// outlines puts cases together whose steps differ in their values only, in their order.
func outlines(cases []Case) [][]Case {
	var all [][]Case
	at := map[string]int{}
	for _, c := range cases {
		key := fmt.Sprintf("%d\x00%s\x00%s\x00%v", c.Aspect, c.Change.outline(), c.Change.Behind, c.Change.Value == "")
		if c.First != (Change{}) {
			key += "\x00" + c.First.Step()
		}
		key += "\x00" + strings.Join(c.Then, "\n")
		if c.Change.Value == "" {
			key += "\x00" + strings.Join(c.When, "\n") + "\x00" + c.Title
		}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], c)
	}
	return all
}

// scenario writes cases as a scenario, or as an outline with a row each.
func scenario(b *strings.Builder, op *spec.Operation, cases []Case) {
	first := cases[0]
	b.WriteString("\n")
	if tags := strings.TrimSpace(map[bool]string{true: "@read-only "}[readsOnly(op, first)] + first.Phase); tags != "" {
		b.WriteString("    " + tags + "\n")
	}
	if len(cases) == 1 {
		fmt.Fprintf(b, "    Scenario: %s\n", oneLine(first.Title))
		steps(b, op, first, first.Change.Step())
		return
	}
	b.WriteString("    Scenario Outline: <case>\n")
	steps(b, op, first, first.Change.outline())
	rows := [][]string{{"case", "value"}}
	for _, c := range cases {
		rows = append(rows, []string{oneLine(c.Title), c.Change.Value})
	}
	b.WriteString("\n      Examples:\n")
	table(b, "        ", rows)
}

// steps writes what is sent, and what has to come of it.
func steps(b *strings.Builder, op *spec.Operation, c Case, change string) {
	line := func(keyword, text string) { fmt.Fprintf(b, "      %s %s\n", keyword, text) }
	switch c.Aspect {
	case Keeps, Open:
		line("Given", PlainRequest+Quoted(op.ID))
	case Elsewhere: // what is asked is no request of an operation
	case Lives:
		if c.Given != "" {
			line("Given", c.Given)
		}
	default:
		line("Given", PlainRequest+Quoted(op.ID)+Succeeded)
	}
	if c.First != (Change{}) {
		line("And", c.First.Step())
		line("And", SucceedsSo)
	}
	if change != "" {
		keyword := "But"
		if c.Aspect == Keeps || c.Aspect == Differs || c.Aspect == Allowed || c.Aspect == Lives {
			keyword = "And"
		}
		line(keyword, change)
	}
	if len(c.When) == 0 {
		c.When = []string{Sent}
	}
	if len(c.Then) == 0 {
		c.Then = []string{Outcome(c.Aspect)}
	}
	for _, part := range []struct {
		keyword string
		lines   []string
	}{{"When", c.When}, {"Then", c.Then}} {
		keyword := part.keyword
		for _, text := range part.lines {
			line(keyword, text)
			keyword = "And"
		}
	}
}

// readsOnly reports whether a case changes nothing.
func readsOnly(op *spec.Operation, c Case) bool {
	return (op.Method == "GET" || op.Method == "HEAD") && !c.Writes
}

// Words for requests, which the steps read.
const (
	PlainRequest = "a plain request to "
	Succeeded    = " that succeeds"
	Sent         = "it is sent"
	// SentTwice sends the same again, with the names that it had.
	SentTwice = "it is sent twice, word for word"
	// SucceedsSo goes on with what was changed so far as the request that succeeds.
	SucceedsSo = "it succeeds so as well"
)

// Outcome says what has to come of a request.
func Outcome(aspect Aspect) string {
	switch aspect {
	case Keeps:
		return "the response is a success that the contract documents"
	case Differs:
		return "it is accepted as well"
	case Allowed:
		return "it is answered without a server error"
	case Breaks:
		return "it is refused"
	case Unknown:
		return "nothing is found"
	case Unauthorized:
		return "nobody is let in"
	case Forbidden:
		return "that lets nobody in"
	case Follows:
		return "it leads to a success"
	case Elsewhere:
		return "the method is not allowed"
	case Unlisted:
		return "no server error comes of it"
	case LikeGet:
		return "it is no reason to break"
	case Open, Lives:
	}
	return "what comes of it is the service's own choice"
}

// oneLine makes one line of a text of the document.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// table writes rows with their columns aligned, each line behind the indent.
func table(b *strings.Builder, indent string, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cells.Replace(text)), widest))
		}
	}
	for _, row := range rows {
		b.WriteString(indent + "|")
		for i, text := range row {
			text = cells.Replace(text)
			b.WriteString(" " + text + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(text))) + " |")
		}
		b.WriteString("\n")
	}
}

// cells escapes what ends a cell or a line of a table.
var cells = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

// widest is how wide a column gets to align its cells, in characters; longer ones stand out.
const widest = 60
