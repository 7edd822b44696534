package steps

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

func TestFeaturesThatCannotBeUsed(t *testing.T) {
	catalogue := rehearse.Must(t, rehearse.Catalogue)
	for name, test := range map[string]struct{ feature, want string }{
		"no rule":                {"Feature: F\n\n  Scenario: nobody's\n    When listPets is called\n", `features/a.feature:3: the scenario "nobody's" names no rule; tag it @rule:<id>`},
		"a rule of nobody":       {"@rule:list.limit.honored\nFeature: F\n Scenario: S\n  When listPets is called\n", `names the rule "list.limit.honored", which is not in the catalogue; did you mean list.limit.honoured?`},
		"one of two":             {"@rule:list.accepted @rule:list.nonesuch\nFeature: F\n Scenario: S\n  When listPets is called\n", `names the rule "list.nonesuch"`},
		"no Gherkin":             {"Once upon a time\n", `features/a.feature:1: "Once upon a time" is not allowed here in Gherkin`},
		"broken off":             {"@rule:list.accepted\n", "features/a.feature:2: this is not Gherkin"},
		"a row that is too long": {"@rule:list.accepted\nFeature: F\n Scenario Outline: S\n  When listPets is called\n  Examples:\n  | a |\n  | 1 | 2 |\n", "inconsistent cell count"},
	} {
		t.Run(name, func(t *testing.T) {
			loaded, err := LoadSuite(source(fstest.MapFS{"a.feature": {Data: []byte(test.feature)}}), catalogue)
			if err == nil || loaded != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if _, err := LoadSuite(source(fstest.MapFS{"notes.txt": {}}), catalogue); err == nil || !strings.Contains(err.Error(), "there are no features") {
		t.Errorf("without features: %v", err)
	}
}

// Without a similar name nothing is suggested.
func TestNothingIsSuggestedWhereNothingIsAlike(t *testing.T) {
	_, err := loadText(t, "@rule:zzzzzzzz\nFeature: F\n Scenario: S\n  When listPets is called\n")
	if err == nil || strings.Contains(err.Error(), "did you mean ?") {
		t.Errorf("loading: %v", err)
	}
	loaded := rehearse.Must(t, rehearse.Suite)
	_, err = loaded.Select(suite.Selection{Rules: []string{"zzzzzzzz"}}, rehearse.Must(t, rehearse.Catalogue), rehearse.Must(t, rehearse.Contract))
	if err == nil || strings.Contains(err.Error(), "did you mean ?") {
		t.Errorf("choosing: %v", err)
	}
}

func TestWhatALoadedSuiteKnows(t *testing.T) {
	loaded, err := LoadSuite(source(fstest.MapFS{
		"b.feature": {Data: []byte("# nothing yet\n")},
		"sub/a.feature": {Data: []byte(`@rule:list.accepted @operation:listPets
Feature: Lists
  @rule:pet.id
  Rule: A sentence

    @read-only
    Scenario Outline: page of <n>
      Given the store holds more than <n> animals
      When listPets is called with limit <n>
      Then the response is 200

      Examples:
        | n |
        | 1 |
        | 7 |

  Rule: Another

    @rule:list.unique
    Scenario: of its own
      When listPets is called
`)},
		"z.txt": {Data: []byte("Feature: no")},
	}), rehearse.Must(t, rehearse.Catalogue))
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Scenarios() != 3 {
		t.Fatalf("%d scenarios, want each row for one", loaded.Scenarios())
	}
	if want := map[string]int{"list.accepted": 3, "pet.id": 2, "list.unique": 1}; !maps.Equal(loaded.Rules(), want) {
		t.Errorf("rules %v, want %v", loaded.Rules(), want)
	}
	second := loaded.Features[1].Scenarios[1]
	if second.ID() != "features/sub/a.feature:15" || second.Name != "page of 7" || second.Sentence != "A sentence" ||
		second.Feature != "Lists" || !second.Has("@read-only") || !slices.Equal(second.Operations(), []string{"listPets"}) {
		t.Errorf("%+v", second)
	}
	if st := second.Steps[1]; st.Keyword != "When" || st.Text != "listPets is called with limit 7" || st.Line != 9 {
		t.Errorf("%+v", st)
	}
	if !strings.HasPrefix(loaded.Digest(), "sha256:") {
		t.Error(loaded.Digest())
	}
}

func TestTheDigestTellsSuitesApart(t *testing.T) {
	const text = "@rule:list.accepted\nFeature: F\n Scenario: S\n  When listPets is called\n"
	seen := map[string]string{}
	for name, from := range map[string]suite.Source{
		"one":             source(fstest.MapFS{"a.feature": {Data: []byte(text)}}),
		"another name":    source(fstest.MapFS{"b.feature": {Data: []byte(text)}}),
		"another content": source(fstest.MapFS{"a.feature": {Data: []byte(text + " ")}}),
		"another folder":  {Folder: "features/bookshop", FS: fstest.MapFS{"a.feature": {Data: []byte(text)}}},
		"two":             source(fstest.MapFS{"a.feature": {Data: []byte(text)}, "b.feature": {Data: []byte(text)}}),
	} {
		loaded, err := LoadSuite(from, rehearse.Must(t, rehearse.Catalogue))
		if err != nil {
			t.Fatal(err)
		}
		if other := seen[loaded.Digest()]; other != "" {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[loaded.Digest()] = name
	}
}

// chosenIDs selects from a small suite, and returns the names of the scenarios to run and of those left out.
func chosenIDs(t *testing.T, sel suite.Selection) (run, leftOut []string, err error) {
	t.Helper()
	loaded, err := loadText(t, `Feature: F
  @rule:list.limit.honoured @read-only
  Scenario: limits
    When listPets is called
  @rule:create.name.required @slow
  Scenario: names
    When createPet is called
  @rule:auth.first @operation:getPet @read-only
  Scenario: prefixes
    When getPet is called
  @rule:get.unknown @read-only
  Scenario: listed
    When getPet is called
`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := loaded.Select(sel, rehearse.Must(t, rehearse.Catalogue), rehearse.Must(t, rehearse.Contract))
	for _, p := range c.Run {
		run = append(run, p.Name)
	}
	for _, p := range c.Skipped {
		leftOut = append(leftOut, p.Name)
	}
	slices.Sort(run)
	slices.Sort(leftOut)
	return run, leftOut, err
}

func TestChoose(t *testing.T) {
	for name, test := range map[string]struct {
		sel          suite.Selection
		run, leftOut string
	}{
		"all":                          {suite.Selection{}, "limits listed names prefixes", ""},
		"by a tag":                     {suite.Selection{Tags: "@slow"}, "names", ""},
		"by tags":                      {suite.Selection{Tags: "@read-only and not @operation:getPet"}, "limits listed", ""},
		"by a rule":                    {suite.Selection{Rules: []string{"get.unknown"}}, "listed", ""},
		"by several rules":             {suite.Selection{Rules: []string{"get.unknown", "list.limit.honoured"}}, "limits listed", ""},
		"by a wider rule":              {suite.Selection{Rules: []string{"create.refused"}}, "names", ""},
		"by one that is wider still":   {suite.Selection{Rules: []string{"answer.status"}}, "listed names prefixes", ""},
		"by an operation":              {suite.Selection{Operations: []string{"createPet"}}, "names", ""},
		"by a tag's operation":         {suite.Selection{Operations: []string{"getPet"}}, "listed prefixes", ""},
		"by a rule's operation":        {suite.Selection{Operations: []string{"listPets"}}, "limits", ""},
		"by both":                      {suite.Selection{Operations: []string{"getPet"}, Rules: []string{"auth.required"}}, "prefixes", ""},
		"read-only":                    {suite.Selection{ReadOnly: true}, "limits listed prefixes", "names"},
		"read-only, of what is wanted": {suite.Selection{ReadOnly: true, Operations: []string{"getPet"}}, "listed prefixes", ""},
	} {
		t.Run(name, func(t *testing.T) {
			run, leftOut, err := chosenIDs(t, test.sel)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(run, rehearse.Rules(test.run)) || !slices.Equal(leftOut, rehearse.Rules(test.leftOut)) && len(leftOut)+len(test.leftOut) > 0 {
				t.Errorf("run %q, left out %q; want %q and %q", run, leftOut, test.run, test.leftOut)
			}
			if whole := strings.HasPrefix(name, "all") || name == "read-only"; test.sel.Whole() != whole {
				t.Errorf("whole: %v", test.sel.Whole())
			}
		})
	}
}

// A run with nothing selected is never green.
func TestChooseNothing(t *testing.T) {
	for name, test := range map[string]struct {
		sel  suite.Selection
		want string
	}{
		"no such tag":        {suite.Selection{Tags: "@nonesuch"}, `no scenario is selected: --tags "@nonesuch" match none of 4 scenarios`},
		"no such rule":       {suite.Selection{Rules: []string{"list.limit.honured"}}, `no rule is called "list.limit.honured"; did you mean list.limit.honoured?`},
		"no such operation":  {suite.Selection{Operations: []string{"dropPet"}}, `no operation is called "dropPet"; the contract has listPets, createPet, getPet`},
		"a rule of nobody's": {suite.Selection{Rules: []string{"list.empty"}}, "no scenario is selected: --rule list.empty"},
		"what excludes each other": {suite.Selection{Rules: []string{"get.unknown"}, Operations: []string{"createPet"}},
			"no scenario is selected: --rule get.unknown --operation createPet match none"},
		"quick":               {suite.Selection{Tags: "@slow", Quick: []string{"features/a.feature:1"}}, `no scenario is selected: --tags "@slow" --quick match none`},
		"only what writes":    {suite.Selection{Tags: "@slow", ReadOnly: true}, `no scenario is selected: --tags "@slow" --read-only match none`},
		"no tags at all":      {suite.Selection{Tags: "read-only"}, "cannot be read"},
		"a misspelt operator": {suite.Selection{Tags: "@read-only & @slow"}, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			run, _, err := chosenIDs(t, test.sel)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, selected %q; want %s", err, run, test.want)
			}
		})
	}
}

// A scenario is about the rule of its first rule tag.
func TestTheFirstRuleLeads(t *testing.T) {
	loaded, err := loadText(t, "Feature: F\n @rule:get.id @rule:get.extreme\n Scenario: S\n  When getPet is called\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(loaded.Features[0].Scenarios[0].Rules); got != "[get.id get.extreme]" {
		t.Error(got)
	}
}
