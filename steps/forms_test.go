package steps

import (
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/tests/shop"

	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/steps/vocabulary"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// suiteOf loads a feature made of scenarios for one rule.
func suiteOf(t *testing.T, scenarios string) *suite.Suite {
	t.Helper()
	suite, err := loadText(t, "@rule:list.accepted\nFeature: F\n"+scenarios)
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

func loadText(t *testing.T, feature string) (*suite.Suite, error) {
	t.Helper()
	return LoadSuite(source(fstest.MapFS{"a.feature": {Data: []byte(feature)}}), rehearse.Must(t, rehearse.Catalogue))
}

// derivedFrom returns the scenarios that follow from a contract.
func derivedFrom(t *testing.T, document []byte) *suite.Suite {
	t.Helper()
	contract, err := openapi.Load(document)
	if err != nil {
		t.Fatal(err)
	}
	_, loaded, err := LoadPromises(promise.Of(contract, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// source returns a folder of features.
func source(files fstest.MapFS) suite.Source { return suite.Source{Folder: "features", FS: files} }

func TestEachStepOfTheFeaturesIsReadByOneForm(t *testing.T) {
	if err := newFormSet().check(rehearse.Must(t, rehearse.Suite)); err != nil {
		t.Error(err)
	}
}

// A form that no feature uses is either left over or misspelt in the features, unless it is meant for written
// features.
func TestEachFormIsUsedByTheFeatures(t *testing.T) {
	suites := []*suite.Suite{rehearse.Must(t, rehearse.Suite), derivedFrom(t, shop.Contract()), derivedFrom(t, shop.DeskContract())}
	listed := map[string]bool{} // steps for written features; another test checks their examples
	for _, form := range vocabulary.Described() {
		listed[form.Pattern] = form.Example != ""
	}
	for _, form := range newFormSet().steps {
		used := listed[form.Pattern]
		for _, suite := range suites {
			for _, f := range suite.Features {
				for _, p := range f.Scenarios {
					for _, st := range p.Steps {
						used = used || reads(form, st.Text)
					}
				}
			}
		}
		if !used {
			t.Errorf("no feature uses %s", form.Pattern)
		}
	}
}

// reads reports whether a form matches a text.
func reads(form *stepForm, text string) bool { return form.whole.MatchString(text) }

// A pattern of alternatives would match part of a text.
func TestEachFormIsMatchedByItsPattern(t *testing.T) {
	for _, form := range newFormSet().steps {
		parsed, err := syntax.Parse(form.Pattern, syntax.Perl)
		if err != nil || parsed.Op == syntax.OpAlternate {
			t.Errorf("%s cannot be the pattern of a step: %v", form.Pattern, err)
		}
	}
}

// Each listed step has an example, which only that step matches.
func TestEachExampleIsReadByItsForm(t *testing.T) {
	v := newFormSet()
	for _, s := range vocabulary.Described() {
		if s.Example == "" || s.Means == "" || s.Group == "" {
			t.Errorf("%s has no example, no sentence or no heading", s.Pattern)
		}
		for _, other := range v.steps {
			if reads(other, s.Example) != (other.Pattern == s.Pattern) {
				t.Errorf("%s: %q is the example of %s", other.Pattern, s.Example, s.Pattern)
			}
		}
	}
}

// For a step that is nearly right, the error suggests the one that was meant.
func TestNearestStepIsProposed(t *testing.T) {
	for text, want := range map[string]string{
		`the response should be 200`:           `the response is 200 or 202`,
		`a created book with {"title": "x"}`:   `a created "ticket" called "mine" with {"title": "Printer {new}"}`,
		`it is not listed`:                     `it is not listed any more`,
		`in response, the title is "x"`:        `in the response, title is "Printer"`,
		`something else altogether, right now`: `hallmark steps`,
	} {
		if got := nearest(text); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestStepsThatNobodyKnowsAreFound(t *testing.T) {
	for name, test := range map[string]struct{ scenarios, want string }{
		"misspelt":       {"Scenario: S\n Given nothing\n When listPets is caled\n", `features/a.feature:4: no step reads "nothing"`},
		"another case":   {"Scenario: S\n When ListPets Is Called\n", `no step reads "ListPets Is Called"`},
		"more behind it": {"Scenario: S\n When listPets is called\n Then the response is 200 OK\n", `no step reads "the response is 200 OK"`},
		"more before it": {"Scenario: S\n When then listPets is called\n", `no step reads "then listPets is called"`},
		"in a row":       {"Scenario Outline: S\n Then the response is <s>\n Examples:\n | s |\n | 200 |\n | two |\n", `no step reads "the response is two"`},
		"a background":   {"Background:\n Given a thing\nScenario: S\n When listPets is called\n", `no step reads "a thing"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := newFormSet().check(suiteOf(t, test.scenarios))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestStepsThatCouldMeanTwoThingsAreFound(t *testing.T) {
	v := &formSet{slices.Concat(allForms(), compiled([]scenario.Form{{Pattern: `listPets is called with limit (\d+)`}})), map[string]*stepForm{}}
	err := v.check(suiteOf(t, "Scenario: S\n When listPets is called with limit 3\n"))
	if err == nil || !strings.Contains(err.Error(), `features/a.feature:4: 2 steps could mean "listPets is called with limit 3"`) {
		t.Error(err)
	}
}

func TestManyFaultsAreToldInBrief(t *testing.T) {
	err := newFormSet().check(suiteOf(t, "Scenario: S\n"+strings.Repeat(" Given nothing\n", 3)+
		" Given a\n Given b\n Given c\n Given d\n Given e\n Given f\n Given g\n Given h\n Given i\n Given j\n Given k\n Given l\n"))
	if err == nil || strings.Count(err.Error(), "\n") != 11 || !strings.HasSuffix(err.Error(), "… and 3 more") {
		t.Error(err)
	}
}

// A scenario without steps judges nothing, and would pass.
func TestScenariosWithoutStepsAreFound(t *testing.T) {
	for name, scenarios := range map[string]string{
		"a scenario":      "Scenario: S\nScenario: T\n When listPets is called\n",
		"an outline":      "Scenario Outline: S\n Examples:\n | a |\n | 1 |\nScenario: T\n When listPets is called\n",
		"nothing but one": "Scenario: S\n",
	} {
		t.Run(name, func(t *testing.T) {
			suite, err := loadText(t, "@rule:list.accepted\nFeature: F\n"+scenarios)
			if err == nil {
				err = newFormSet().check(suite)
			}
			if err == nil || !strings.Contains(err.Error(), "has no steps") {
				t.Errorf("a scenario without steps is taken: %v", err)
			}
		})
	}
}
