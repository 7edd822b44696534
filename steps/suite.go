package steps

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"hallmark/spec"
	"hallmark/spec/derive"
)

// Suite is the parsed features: what can be asked.
type Suite struct {
	files  []featureFile
	digest string
}

type featureFile struct {
	name    string
	content []byte
	pickles []*pickle
}

// pickle is one scenario, or one row of an outline, before it is run.
type pickle struct {
	uri      string
	line     int
	name     string
	feature  string
	sentence string
	tags     []string
	rules    []string
	steps    []pickleStep
}

type pickleStep struct {
	keyword, text string
	line          int
}

func (p *pickle) id() string { return p.uri + ":" + itoa(p.line) }

func (p *pickle) has(tag string) bool { return slices.Contains(p.tags, tag) }

// operations are those that the tags name.
func (p *pickle) operations() []string { return tagValues(p.tags, "@operation:") }

func tagValues(tags []string, prefix string) []string {
	var out []string
	for _, t := range tags {
		if v, ok := strings.CutPrefix(t, prefix); ok {
			out = append(out, v)
		}
	}
	return out
}

// LoadSuite parses every feature file below a file system's root, in the order of their names. It refuses a scenario
// that names no rule, or one that the catalogue does not know: a verdict could not be told from it.
func LoadSuite(fsys fs.FS, catalogue *spec.Catalogue) (*Suite, error) {
	return loadSuite(fsys, catalogue, nil)
}

// LoadSuiteFor is LoadSuite for another contract than the built-in one: the derived features are those that follow from
// that contract.
func LoadSuiteFor(fsys fs.FS, contract *spec.Contract, catalogue *spec.Catalogue) (*Suite, error) {
	files, err := derive.Features(contract, catalogue)
	if err != nil {
		return nil, fmt.Errorf("no scenarios can be derived from the contract: %w", err)
	}
	derived := map[string]string{}
	for _, f := range files {
		derived["derived/"+f.Name] = f.Content
	}
	return loadSuite(fsys, catalogue, derived)
}

// loadSuite parses the features; derived ones stand in place of the files of those names.
func loadSuite(fsys fs.FS, catalogue *spec.Catalogue, derived map[string]string) (*Suite, error) {
	suite := &Suite{}
	sum := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".feature" {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if text, is := derived[name]; is {
			content = []byte(text)
		} else if derived != nil && path.Dir(name) == "derived" {
			return nil // of an operation that the contract does not have
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(content))
		sum.Write(content)
		f, err := parseFeature("features/"+name, content, catalogue)
		if err != nil {
			return err
		}
		suite.files = append(suite.files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the features cannot be read: %w", err)
	}
	if len(suite.files) == 0 {
		return nil, fmt.Errorf("there are no features: no file ends in .feature")
	}
	suite.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return suite, nil
}

// Files are the texts of the feature files, by the paths that the ids of scenarios begin with.
func (s *Suite) Files() map[string][]byte {
	all := make(map[string][]byte, len(s.files))
	for _, f := range s.files {
		all[f.name] = f.content
	}
	return all
}

// Digest identifies the features ("sha256:…").
func (s *Suite) Digest() string { return s.digest }

// Rules lists the ids of the rules that some scenario names.
func (s *Suite) Rules() map[string]int {
	out := map[string]int{}
	for _, f := range s.files {
		for _, p := range f.pickles {
			for _, r := range p.rules {
				out[r]++
			}
		}
	}
	return out
}

// Has reports whether there is a scenario of that id.
func (s *Suite) Has(id string) bool {
	return slices.ContainsFunc(s.files, func(f featureFile) bool {
		return slices.ContainsFunc(f.pickles, func(p *pickle) bool { return p.id() == id })
	})
}

// Scenarios counts the scenarios, each row of an outline for one.
func (s *Suite) Scenarios() int {
	n := 0
	for _, f := range s.files {
		n += len(f.pickles)
	}
	return n
}

func parseFeature(name string, content []byte, catalogue *spec.Catalogue) (featureFile, error) {
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(content), newID)
	if err != nil {
		return featureFile{}, fmt.Errorf("%s: %w", name, err)
	}
	f := featureFile{name: name, content: content}
	if doc.Feature == nil {
		return f, nil
	}
	sentences := sentencesOf(doc)
	keywords := keywordsOf(doc)
	for _, raw := range gherkin.Pickles(*doc, name, newID) {
		p := &pickle{
			uri: name, line: int(raw.Location.Line), name: raw.Name, feature: doc.Feature.Name,
			sentence: sentences[raw.AstNodeIds[0]],
		}
		for _, t := range raw.Tags {
			p.tags = append(p.tags, t.Name)
		}
		// A rule that stands closer to the scenario is the more specific one; but the Gherkin Rule's own leads.
		p.rules = tagValues(p.tags, "@rule:")
		if len(p.rules) == 0 {
			return f, fmt.Errorf("%s: the scenario %q names no rule; tag it @rule:<id> (hallmark rules lists the ids)", p.id(), p.name)
		}
		for _, id := range p.rules {
			if _, ok := catalogue.Rule(id); !ok {
				return f, fmt.Errorf("%s: the scenario %q names the rule %q, which the catalogue does not hold%s",
					p.id(), p.name, id, meant(catalogue.Nearest(id)))
			}
		}
		if len(raw.Steps) == 0 {
			return f, fmt.Errorf("%s: the scenario %q has no steps, so it would judge nothing", p.id(), p.name)
		}
		for _, s := range raw.Steps {
			k := keywords[s.AstNodeIds[0]]
			p.steps = append(p.steps, pickleStep{keyword: k.keyword, text: s.Text, line: k.line})
		}
		f.pickles = append(f.pickles, p)
	}
	return f, nil
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
				out[c.Scenario.Id] = child.Rule.Name
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
			out[s.Id] = keywordAt{strings.TrimSpace(s.Keyword), int(s.Location.Line)}
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
