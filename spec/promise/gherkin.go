package promise

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// features yields a feature file for each operation with the cases that take returns. The catalogue holds the
// rules of Rules, perhaps modified; cases of missing rules are left out.
func features(names Names, operations []spec.Operation, catalogue *spec.Catalogue, take func(operation string) []Case) iter.Seq[feature.File] {
	return func(yield func(feature.File) bool) {
		order := make(map[string]int, len(catalogue.Rules))
		for i, r := range catalogue.Rules {
			order[r.ID] = i
		}
		var w writer
		for i := range operations {
			op := &operations[i]
			file := w.render(op, blocks(op, names, catalogue, order, take(op.ID)))
			if file.Content == "" {
				continue
			}
			file.Name = fileName(names, op)
			if !yield(file) {
				return
			}
		}
	}
}

func fileName(names Names, op *spec.Operation) string { return names[op.ID] + ".feature" }

const header = `# Derived from the contract by "hallmark derive"; "hallmark derive --check" reports when it is out of date.
# To change it, change the contract or its rules.yaml.
`

// block is a rule and its cases.
type block struct {
	rule  spec.Rule
	cases []Case
}

// blocks groups cases by rule, in the order of the catalogue.
func blocks(op *spec.Operation, names Names, catalogue *spec.Catalogue, order map[string]int, cases []Case) []block {
	var all []block
	at := map[string]int{}
	for _, c := range cases {
		derived := names.Rule(op.ID, c.Kind)
		id := catalogue.Resolve(derived, spec.PartsOf(append(slices.Clip(c.Contract), c.Part)...)...)
		i, known := at[id]
		if !known {
			rule, ok := catalogue.Rule(id)
			if i = -1; ok && rule.Untestable == "" && rule.Off == "" {
				i = len(all)
				all = append(all, block{rule: rule})
			}
			at[id] = i
		}
		if i >= 0 {
			if id != derived {
				c.covered = derived
			}
			c.Aspect = c.Aspect.forLevel(all[i].rule.Level)
			all[i].cases = append(all[i].cases, c)
		}
	}
	slices.SortStableFunc(all, func(a, b block) int { return order[a.rule.ID] - order[b.rule.ID] })
	return all
}

// forLevel returns the expected outcome of a request by a rule of a level: refusing a fault, or accepting an
// allowed value, may be open in one file of rules and a must in another.
func (a Aspect) forLevel(level spec.Level) Aspect {
	switch {
	case a == Open && level != spec.Open:
		return Breaks
	case a == Lives:
	case a != Keeps && level == spec.Open:
		return Open
	}
	return a
}

// render returns the feature file of an operation, without content if no rule has a case. It overwrites the result
// of the previous call.
func (w *writer) render(op *spec.Operation, all []block) feature.File {
	if len(all) == 0 {
		return feature.File{}
	}
	w.text = append(w.text[:0], header...)
	w.line("@derived @operation:" + tagOf(op.ID))
	w.line("Feature: " + text.Elide(title(op), longestText))
	if op.Summary != "" {
		w.line("  " + described(op.Summary) + ".")
	}
	for _, one := range all {
		w.line("")
		w.line("  @rule:" + one.rule.ID + " @level:" + string(one.rule.Level))
		w.line("  Rule: " + text.Elide(strings.TrimSpace(strings.TrimSuffix(oneLine(one.rule.Says), ".")), longestText))
		for _, outline := range outlines(one.cases) {
			w.line("")
			w.scenario(op, outline)
		}
	}
	return feature.File{Content: string(w.text)}
}

// longestText is the maximum length of a title, sentence or description in a feature file, in characters; longer
// ones are elided in the middle.
const longestText = 10_000

// described returns a summary as the description of a feature, without the full stop. It must not begin like a
// Gherkin keyword.
func described(summary string) string {
	line := text.Elide(strings.TrimSuffix(oneLine(summary), "."), longestText)
	word, _, colon := strings.Cut(line, ":")
	if strings.ContainsAny(line[:min(len(line), 1)], "@#") || colon && slices.Contains(reservedWords, word) {
		return "Summary: " + line
	}
	return line
}

// reservedWords are the words that begin a part of a feature if a colon follows.
var reservedWords = []string{"Rule", "Background", "Scenario", "Scenario Outline", "Scenario Template", "Example"}

// tagOf returns an operation's id in a form that tags allow: they end at a space.
func tagOf(id string) string { return tagEscaper.Replace(oneLine(id)) }

// tagEscaper escapes what ends a tag or begins another.
var tagEscaper = strings.NewReplacer(" ", "%20", "@", "%40")

func title(op *spec.Operation) string {
	if op.ID == op.Method+" "+op.Path {
		return op.ID
	}
	return oneLine(op.ID) + ", " + op.Method + " " + op.Path
}

// outlines groups cases whose steps differ only in their values, in order.
func outlines(cases []Case) [][]Case {
	var all [][]Case
	at := map[string]int{}
	for _, c := range cases {
		key := fmt.Sprintf("%s\x00%d\x00%s\x00%s\x00%v", c.covered, c.Aspect, c.Change.outline(), c.Change.Behind, c.Change.Value == "")
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

// writer writes a feature file.
type writer struct{ text []byte }

func (w *writer) line(text string) { w.text = append(append(w.text, text...), '\n') }

// placeholder is the column of the value in an outline, and namePlaceholder that of the name.
const (
	placeholder     = "<value>"
	namePlaceholder = "<case>"
)

// scenario adds cases as a scenario, or as an outline with one row each.
func (w *writer) scenario(op *spec.Operation, cases []Case) {
	first := cases[0]
	var tags []string
	if first.covered != "" {
		tags = append(tags, feature.CoveredTag+first.covered)
	}
	if readsOnly(op, first) {
		tags = append(tags, "@read-only")
	}
	if tags = append(tags, strings.Fields(first.Phase)...); len(tags) > 0 {
		w.line("    " + strings.Join(tags, " "))
	}
	if len(cases) == 1 {
		w.line("    Scenario: " + oneLine(first.Title))
		w.steps(op, first, first.Change.Step())
		return
	}
	w.line("    Scenario Outline: " + namePlaceholder)
	w.steps(op, first, first.Change.outline())
	w.line("")
	w.line("      Examples:")
	w.table(cases)
}

// steps adds the request, and its expected outcome.
func (w *writer) steps(op *spec.Operation, c Case, change string) {
	add := func(keyword, text string) { w.line("      " + keyword + " " + text) }
	switch c.Aspect {
	case Keeps, Open:
		add("Given", PlainRequest.Write(op.ID))
	case Elsewhere: // the request is not one of an operation
	case Lives:
		if c.Given != "" {
			add("Given", c.Given)
		}
	default:
		add("Given", PlainRequest.Write(op.ID)+Succeeded)
	}
	if c.First != (Change{}) {
		add("And", c.First.Step())
		add("And", SucceedsSo)
	}
	if change != "" {
		keyword := "But"
		if c.Aspect == Keeps || c.Aspect == Differs || c.Aspect == Allowed || c.Aspect == Lives {
			keyword = "And"
		}
		add(keyword, change)
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
			add(keyword, text)
			keyword = "And"
		}
	}
}

// readsOnly reports whether a case changes nothing.
func readsOnly(op *spec.Operation, c Case) bool {
	return (op.Method == "GET" || op.Method == "HEAD") && !c.Writes
}

// PlainRequest begins a request to an operation.
const PlainRequest sentence.Sentence = "a plain request to {name}"

// Steps about requests.
const (
	Succeeded = " that succeeds"
	Sent      = "it is sent"
	// SentTwice sends the same request again, with the same names.
	SentTwice = "it is sent twice, word for word"
	// SucceedsSo makes the changed request the one that succeeds.
	SucceedsSo = "it succeeds so as well"
)

// Outcome returns the step with the expected outcome of a request.
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
	case LetIn:
		return "that lets in as well"
	case Ignores:
		return "its credential changes nothing"
	case Follows:
		return "it leads to a success"
	case Elsewhere:
		return "the method is not allowed"
	case Unclear:
		return "it is accepted or refused"
	case Unlisted:
		return "no server error comes of it"
	case LikeGet:
		return "it is no reason to break"
	case Open, Lives:
	}
	return "what comes of it is the service's own choice"
}

// oneLine returns a text of the document on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// table adds the rows of an outline with aligned columns.
func (w *writer) table(cases []Case) {
	rows := make([][2]string, 0, len(cases)+1)
	rows = append(rows, [2]string{"case", "value"})
	for _, c := range cases {
		rows = append(rows, [2]string{cellEscaper.Replace(oneLine(c.Title)), cellEscaper.Replace(c.Change.Value)})
	}
	var widths [2]int
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(text), widest))
		}
	}
	for _, row := range rows {
		w.text = append(w.text, "        |"...)
		for i, text := range row {
			w.text = append(append(w.text, ' '), text...)
			for range widths[i] - utf8.RuneCountInString(text) {
				w.text = append(w.text, ' ')
			}
			w.text = append(w.text, " |"...)
		}
		w.line("")
	}
}

// cellEscaper escapes what ends a cell or a row of a table.
var cellEscaper = strings.NewReplacer(`\`, `\\`, "|", `\|`, "\n", `\n`)

// widest is the maximum width of an aligned column, in characters; longer cells exceed it.
const widest = 60
