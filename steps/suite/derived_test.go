package suite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// Gherkin's library reads each derived scenario in the text of its file, under its title and its rule, for every document at hand and those of
// the folder that HALLMARK_CORPUS names.
func TestDerivedScenariosAreReadFromTheirText(t *testing.T) {
	documents := []string{filepath.Join("..", "..", "tests", "shop", "openapi.yaml")}
	for _, pattern := range []string{
		filepath.Join("..", "..", "spec", "*", "testdata", "*.[yj]*"), filepath.Join(os.Getenv("HALLMARK_CORPUS"), "*.[yj]*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	files := 0
	for _, name := range documents {
		contract, err := openapi.LoadFile(name, source.Options{})
		if err != nil {
			continue // what cannot be read is the business of other tests
		}
		p := promise.Of(contract, 1, 0)
		catalogue, err := p.Catalogue()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		derived, read := map[string]int{}, map[string]int{}
		p.Scenarios(catalogue, func(s promise.Scenario) { derived[s.Rule+": "+text.Elide(s.Title, 1000)]++ })
		for _, file := range p.Features(catalogue) {
			files++
			for _, s := range parsed(t, file).Scenarios {
				read[s.Rules[0]+": "+text.Elide(s.Name, 1000)]++
			}
		}
		if diff := cmp.Diff(derived, read); diff != "" {
			t.Errorf("%s is read differently (-derived +read):\n%s", name, diff)
		}
	}
	if files < 20 {
		t.Errorf("only %d files were read", files)
	}
}

// derived returns the features that follow from a document.
func derived(t *testing.T, document []byte) []feature.File {
	t.Helper()
	contract, err := openapi.Load(document)
	if err != nil {
		t.Fatal(err)
	}
	p := promise.Of(contract, 1, 0)
	catalogue, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return p.Features(catalogue)
}

// parsed returns what is read of a file.
func parsed(t *testing.T, file feature.File) File {
	t.Helper()
	read, err := parse(file, nil)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file.Name, err, file.Content)
	}
	return read
}

// Summaries that begin as parts of features do begin none.
func TestSummariesAreNoParts(t *testing.T) {
	for _, summary := range []string{
		"Scenario: it is read", "Scenario Outline: it", "Example: a", "Rule: none", "Background: of it", "@deprecated it is read", "# of it", "Feature: a", "Examples: two", "* it", `"""`, "| a |",
	} {
		document, err := json.Marshal(map[string]any{
			"openapi": "3.1.0", "info": map[string]any{"title": "t", "version": "1"},
			"paths": map[string]any{"/a": map[string]any{"get": map[string]any{
				"operationId": summary, "summary": summary, "responses": map[string]any{"200": map[string]any{"description": "d"}},
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		files := derived(t, document)
		if len(files) != 1 {
			t.Fatalf("%s: %d files", summary, len(files))
		}
		for _, p := range parsed(t, files[0]).Scenarios {
			if len(p.Rules) != 1 || len(p.Steps) < 2 || p.Sentence == "" {
				t.Errorf("%s: read is %+v", summary, p)
			}
		}
	}
}

// Lines that Gherkin's library cannot read are refused, and none is derived.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	_, err := parse(feature.File{Name: "a.feature", Content: "Feature: a\n  # " + long + "\n"}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "a.feature:2: the line has more than 60 KiB") {
		t.Errorf("the error is %v", err)
	}
	for _, where := range []string{`"enum": ["` + long + `", "b"]`, `"const": "` + long + `"`, `"default": "` + long + `"`, `"example": "` + long + `"`, `"description": "` + long + `"`} {
		document := `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {"operationId": "a", "summary": "` + long + `",
			"parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": "string", ` + where + `}}],
			"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["m"], "properties": {"m": {"type": "string", ` + where + `}}}}}},
			"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`
		for _, file := range derived(t, []byte(document)) {
			if n := longLine(file.Content); n > 0 {
				t.Errorf("%.20s: line %d is too long", where, n)
			}
			parsed(t, file)
		}
	}
}
