package suite

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
)

// What is no Gherkin is said in one line, with its place.
func TestNoGherkin(t *testing.T) {
	for content, want := range map[string]string{
		"Feature: a\n  Scenario: b\n    When x\n\n  Scenario broken\n":          `a.feature:5: "Scenario broken" is not allowed here in Gherkin; is a keyword or its colon missing?`,
		"Feature: a\n  Scenario: b\n    When x\n      | 1 |\n      | 1 | 2 |\n": "a.feature:5: this is not Gherkin: inconsistent cell count within the table",
	} {
		if _, err := parse(feature.File{Name: "a.feature", Content: content}, nil); err == nil || err.Error() != want {
			t.Errorf("the error is %v; want %s", err, want)
		}
	}
}

// A scenario may name a derived rule that another one covers, and derived scenarios say which they try.
func TestScenariosOfCoveredRules(t *testing.T) {
	catalogue, err := spec.NewCatalogue([]spec.Rule{{ID: "page.limit", Level: spec.Must, Covers: []string{"listPets.list.limit"}}})
	if err != nil {
		t.Fatal(err)
	}
	for tags, covered := range map[string]string{
		"@rule:listPets.list.limit":                          "listPets.list.limit",
		"@rule:page.limit":                                   "",
		"@rule:page.limit @covered:listPets.list.limit":      "listPets.list.limit",
		"@rule:listPets.list.limit @covered:getPet.read.not": "getPet.read.not",
	} {
		f, err := parse(feature.File{Name: "a.feature", Content: "Feature: a\n  " + tags + "\n  Scenario: b\n    When x\n"}, catalogue)
		if err != nil || len(f.Scenarios) != 1 || f.Scenarios[0].Rules[0] != "page.limit" || f.Scenarios[0].Covered != covered {
			t.Errorf("%s: %+v, %v", tags, f.Scenarios, err)
		}
	}
}
