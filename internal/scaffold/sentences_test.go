package scaffold_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
)

// TestSentences takes the comments from the scenarios and rules of open sentences: they are then judged, by scenarios that the suite reads.
func TestSentences(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "examples", "bookshop", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	folder := written(t, string(document), "none")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	feature, rules := read("features/sentences.feature"), read("rules.yaml")
	for _, want := range []string{
		"  # ../api.yaml, line 22\n  # @rule:listBooks.sentence-2\n  # Scenario: Only books that are in print or are not.\n  #   When \"listBooks\" is called with inPrint true\n  #   Then the response is 200\n",
	} {
		if !strings.Contains(feature, want) {
			t.Errorf("the feature lacks\n%s\nit is\n%s", want, feature)
		}
	}
	feature = regexp.MustCompile(`(?m)^  # (@rule|Scenario|  (Given|When|Then))`).ReplaceAllString(feature, "  $1")
	writeFile(t, filepath.Join(folder, "features", "sentences.feature"), feature)
	_, entries, found := strings.Cut(rules, "# Sentences of the document")
	if !found {
		t.Fatalf("the rules lack the sentences:\n%s", rules)
	}
	entries, _, _ = strings.Cut("# Sentences of the document"+entries, "\n# Inferred rules")
	writeFile(t, filepath.Join(folder, "rules.yaml"), regexp.MustCompile(`(?m)^# (- id|  )`).ReplaceAllString(entries, "$1"))
	basis, err := session.Load(options.Contract{File: filepath.Join(folder, "..", "api.yaml"), Rules: filepath.Join(folder, "rules.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range basis.Sentences() {
		if s.Open() {
			t.Errorf("line %d is still open: %s", s.Line, s.Text)
		}
	}
	suite, err := basis.Suite(filepath.Join(folder, "features"))
	if err != nil {
		t.Fatal(err)
	}
	if n := suite.Rules()["listBooks.sentence-2"]; n != 1 {
		t.Errorf("%d scenarios try the rule", n)
	}
}
