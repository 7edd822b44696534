package derive

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/feature"
)

// block is a Gherkin Rule: a rule of the catalogue and its cases.
type block struct {
	rule  spec.Rule
	cases []testCase
	asked map[string]bool
}

// add adds a case, unless the rule is asked about in just that way already: two constraints may be broken by one value.
func (b *block) add(c testCase) {
	if key := c.request(); !b.asked[key] {
		b.asked[key] = true
		b.cases = append(b.cases, c)
	}
}

// Features derives one file for each operation of the contract. It fails when a case belongs to no rule of the
// catalogue, or when a rule's level is not what follows from the contract, and then says what to add.
func Features(c *spec.Contract, catalogue *spec.Catalogue) ([]feature.File, error) {
	var files []feature.File
	var errs []error
	for _, op := range c.Operations() {
		m := maker{contract: c, op: op}
		blocks, err := group(op, m.all(), catalogue)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files = append(files, feature.File{Name: op.ID + ".feature", Content: render(op, blocks, catalogue)})
	}
	return files, errors.Join(errs...)
}

// group puts each case to the rule that it belongs to, in the order of the catalogue.
func group(op spec.Operation, cases []testCase, catalogue *spec.Catalogue) ([]block, error) {
	byRule := map[string]*block{}
	var errs []error
	missing := map[string]bool{}
	for _, c := range cases {
		rule, ok := catalogue.ForCase(op.ID, string(c.kind), c.pointers...)
		if !ok {
			last := c.pointers[len(c.pointers)-1]
			if key := string(c.kind) + last; !missing[key] {
				missing[key] = true
				errs = append(errs, fmt.Errorf("%s, %q: no rule of the catalogue has the case %q for %s; add one, or add the case to a rule",
					op.ID, c.title, c.kind, last))
			}
			continue
		}
		open := slices.Contains(c.then, OwnChoice)
		if open != (rule.Level == spec.Open) {
			errs = append(errs, fmt.Errorf("%s, %q: by the contract this case is %s, but its rule %s is %q",
				op.ID, c.title, map[bool]string{true: "open", false: "a must"}[open], rule.ID, rule.Level))
			continue
		}
		if byRule[rule.ID] == nil {
			byRule[rule.ID] = &block{rule: rule, asked: map[string]bool{}}
		}
		byRule[rule.ID].add(c)
	}
	var blocks []block
	for _, r := range catalogue.Rules {
		if b := byRule[r.ID]; b != nil {
			blocks = append(blocks, *b)
		}
	}
	return blocks, errors.Join(errs...)
}

const header = `# Derived from the contract by "hallmark derive"; "hallmark derive --check" tells when it is out of date.
# To change it, change the contract, the catalogue of rules or the deriving (spec/derive).
`

// render writes the feature file of an operation.
func render(op spec.Operation, blocks []block, catalogue *spec.Catalogue) string {
	var b strings.Builder
	b.WriteString(header)
	fmt.Fprintf(&b, "@derived @operation:%s\nFeature: %s, %s %s\n", op.ID, op.ID, op.Method, op.Path)
	if op.Summary != "" {
		fmt.Fprintf(&b, "  %s.\n", strings.TrimSuffix(op.Summary, "."))
	}
	for _, blk := range blocks {
		fmt.Fprintf(&b, "\n  @rule:%s @level:%s\n  Rule: %s\n", blk.rule.ID, blk.rule.Level, strings.TrimSuffix(blk.rule.Says, "."))
		var shapes []string
		byShape := map[string][]testCase{}
		for _, c := range blk.cases {
			s := c.shape()
			if byShape[s] == nil {
				shapes = append(shapes, s)
			}
			byShape[s] = append(byShape[s], c)
		}
		for _, s := range shapes {
			scenario(&b, op, blk.rule, byShape[s], catalogue)
		}
	}
	return b.String()
}

// scenario writes cases of one shape: a scenario, or an outline with a row a case.
func scenario(b *strings.Builder, op spec.Operation, rule spec.Rule, cases []testCase, catalogue *spec.Catalogue) {
	if len(cases) == 1 {
		cases = []testCase{cases[0].filled()}
	}
	first := cases[0]
	b.WriteString("\n")
	if tags := tags(op, rule, first, catalogue); tags != "" {
		b.WriteString("    " + tags + "\n")
	}
	if len(first.row) == 0 {
		fmt.Fprintf(b, "    Scenario: %s\n", first.title)
		first.steps(b, "      ")
		return
	}
	// When every title is made of the columns, the title is the outline's; else it is a column of its own.
	title, named := first.title, strings.Contains(first.title, "<")
	if !named {
		title = "<case>"
	}
	fmt.Fprintf(b, "    Scenario Outline: %s\n", title)
	first.steps(b, "      ")
	var rows [][]string
	var head []string
	if !named {
		head = append(head, "case")
	}
	for _, c := range first.row {
		head = append(head, c.column)
	}
	rows = append(rows, head)
	for _, c := range cases {
		var row []string
		if !named {
			row = append(row, c.title)
		}
		for _, x := range c.row {
			row = append(row, x.text)
		}
		rows = append(rows, row)
	}
	b.WriteString("\n      Examples:\n")
	table(b, "        ", rows)
}

// indifferent reports whether a case that reads is answered alike whatever the store holds: it is refused, or finds nothing.
func (c testCase) indifferent() bool {
	finds := func(then string) bool {
		return strings.HasPrefix(then, "the response is 2") || strings.Contains(then, "own choice") || strings.HasPrefix(then, "it is what")
	}
	return !slices.ContainsFunc(c.given, func(given string) bool { return strings.Contains(given, " has answered ") }) &&
		!slices.ContainsFunc(c.then, finds)
}

// tags returns the further rules that a case exercises, and whether it leaves the store as it is.
func tags(op spec.Operation, rule spec.Rule, c testCase, catalogue *spec.Catalogue) string {
	var out []string
	writes := op.Method != "GET" && op.Method != "HEAD"
	for _, g := range c.given {
		if id, rest, ok := strings.Cut(g, " has answered "); ok && rest != "200" && id != op.ID {
			writes = true
		}
	}
	if !writes {
		out = append(out, "@read-only")
		if c.indifferent() {
			out = append(out, "@phase:any")
		}
	}
	if writes && c.kind == Int64Extreme {
		out = append(out, "@phase:filling") // there are many, and a service may store what each of them sends
	}
	if len(c.also) > 0 {
		for _, r := range catalogue.Rules {
			if r.Always && r.ID != rule.ID && slices.ContainsFunc(c.also, func(p string) bool { return slices.Contains(r.Contract, p) }) {
				out = append(out, "@rule:"+r.ID)
			}
		}
	}
	return strings.Join(out, " ")
}
