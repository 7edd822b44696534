package suite

import (
	"testing"

	"hallmark/spec/feature"
)

// What is no Gherkin is said in one line, with its place.
func TestNoGherkin(t *testing.T) {
	for content, want := range map[string]string{
		"Feature: a\n  Scenario: b\n    When x\n\n  Scenario broken\n":          `a.feature:5: "Scenario broken" cannot stand here in Gherkin; is a keyword or its colon missing?`,
		"Feature: a\n  Scenario: b\n    When x\n      | 1 |\n      | 1 | 2 |\n": "a.feature:5: it is no Gherkin: inconsistent cell count within the table",
	} {
		if _, err := parse(feature.File{Name: "a.feature", Content: content}, nil); err == nil || err.Error() != want {
			t.Errorf("the error is %v; want %s", err, want)
		}
	}
}
