package suite

import (
	"fmt"
	"regexp"
	"strings"
	"unique"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

// maxLine is the maximum length of a line in a feature file, in bytes: the Gherkin parser cannot read lines of 64 KiB.
const maxLine = 60 << 10

// longLine returns the number of the first line longer than maxLine, or 0.
func longLine(content string) int {
	n := 0
	for line := range strings.Lines(content) {
		if n++; len(line) > maxLine {
			return n
		}
	}
	return 0
}

// parserError matches the first error of the Gherkin parser: (6:3): expected: #EOF, #StepLine, got 'Scenario broken'.
var parserError = regexp.MustCompile(`(?m)^\((\d+):\d+\): (?:expected: .*, got '(.*)'|(.*))$`)

// noGherkin describes on one line what is wrong with a feature file.
func noGherkin(name string, err error) error {
	m := parserError.FindStringSubmatch(err.Error())
	switch {
	case m == nil:
		return fmt.Errorf("%s: %w", name, err)
	case m[2] != "":
		return fmt.Errorf("%s:%s: %q is not allowed here in Gherkin; is a keyword or its colon missing?", name, m[1], strings.TrimSpace(m[2]))
	}
	return fmt.Errorf("%s:%s: this is not Gherkin: %s", name, m[1], m[3])
}

// parse returns the scenarios of a feature file. They may name only rules of the catalogue, unless it is nil.
func parse(file feature.File, catalogue *spec.Catalogue) (File, error) {
	name, content := file.Name, file.Content
	if n := longLine(content); n > 0 {
		return File{}, fmt.Errorf("%s:%d: the line has more than %d KiB; split it", name, n, maxLine>>10)
	}
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(strings.NewReader(content), newID)
	if err != nil {
		return File{}, noGherkin(name, err)
	}
	f := File{Name: name, Content: content}
	if doc.Feature == nil {
		return f, nil
	}
	sentences := sentencesOf(doc)
	keywords := keywordsOf(doc)
	pickles := gherkin.Pickles(*doc, name, newID)
	f.Scenarios, f.blocks = make([]*Scenario, 0, len(pickles)), blocksOf(doc)
	for _, raw := range pickles {
		p := &Scenario{
			URI: name, Line: int(raw.Location.Line), Name: once(raw.Name), Feature: doc.Feature.Name, Sentence: sentences[raw.AstNodeIds[0]],
			Tags: make([]string, len(raw.Tags)), Steps: make([]Step, len(raw.Steps)),
		}
		p.id = p.ID()
		for i, t := range raw.Tags {
			p.Tags[i] = once(t.Name)
		}
		// A rule closer to the scenario is more specific, but the Gherkin Rule's own rule leads.
		p.Rules = tagValues(p.Tags, "@rule:")
		if covered := tagValues(p.Tags, feature.CoveredTag); len(covered) > 0 {
			p.Covered = covered[0]
		}
		for i, s := range raw.Steps {
			k := keywords[s.AstNodeIds[0]]
			p.Steps[i] = Step{k.keyword, once(s.Text), k.line}
		}
		if err := check(p, catalogue); err != nil {
			return f, err
		}
		f.Scenarios = append(f.Scenarios, p)
	}
	return f, nil
}

// once returns an interned copy of a text: scenarios repeat the same texts, and those from the parser keep their whole line alive.
func once(text string) string { return unique.Make(text).Value() }

// check rejects a scenario that cannot produce a verdict.
func check(p *Scenario, catalogue *spec.Catalogue) error {
	if len(p.Rules) == 0 {
		return fmt.Errorf("%s: the scenario %q names no rule; tag it @rule:<id> (hallmark rules lists the ids)", p.ID(), p.Name)
	}
	for i, id := range p.Rules {
		if catalogue == nil {
			break
		}
		r, ok := catalogue.Rule(id)
		if !ok {
			return fmt.Errorf("%s: the scenario %q names the rule %q, which is not in the catalogue%s",
				p.ID(), p.Name, id, suggestion(catalogue.Similar(id)))
		}
		if i == 0 && r.ID != id && p.Covered == "" {
			p.Covered = id
		}
		p.Rules[i] = r.ID
	}
	if len(p.Steps) == 0 {
		return fmt.Errorf("%s: the scenario %q has no steps, so it would judge nothing", p.ID(), p.Name)
	}
	return nil
}

type keywordAt struct {
	keyword string
	line    int
}

// sentencesOf maps the ids of scenarios to the title of the Gherkin Rule around them.
func sentencesOf(doc *messages.GherkinDocument) map[string]string {
	out := map[string]string{}
	for _, child := range doc.Feature.Children {
		if child.Rule == nil {
			continue
		}
		for _, c := range child.Rule.Children {
			if c.Scenario != nil {
				out[c.Scenario.Id] = once(child.Rule.Name)
			}
		}
	}
	return out
}

// keywordsOf maps the ids of steps to their keywords as written.
func keywordsOf(doc *messages.GherkinDocument) map[string]keywordAt {
	out := map[string]keywordAt{}
	add := func(steps []*messages.Step) {
		for _, s := range steps {
			out[s.Id] = keywordAt{once(strings.TrimSpace(s.Keyword)), int(s.Location.Line)}
		}
	}
	for _, child := range doc.Feature.Children {
		if child.Background != nil {
			add(child.Background.Steps)
		}
		if child.Scenario != nil {
			add(child.Scenario.Steps)
		}
		if child.Rule != nil {
			for _, c := range child.Rule.Children {
				if c.Background != nil {
					add(c.Background.Steps)
				}
				if c.Scenario != nil {
					add(c.Scenario.Steps)
				}
			}
		}
	}
	return out
}
