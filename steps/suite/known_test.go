package suite

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hallmark/spec/feature"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/spec/source"
)

// What derived files say of their scenarios is what Gherkin's library reads in their texts, for every document at hand and those of the
// folder that HALLMARK_CORPUS names.
func TestKnownScenariosAreThoseOfTheText(t *testing.T) {
	documents := []string{filepath.Join("..", "..", "internal", "shop", "openapi.yaml")}
	for _, pattern := range []string{
		filepath.Join("..", "..", "spec", "*", "testdata", "*.[yj]*"), filepath.Join(os.Getenv("HALLMARK_CORPUS"), "*.[yj]*"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	files, parsed := 0, 0
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
		for _, file := range p.Features(catalogue) {
			files++
			if !plain(file) {
				parsed++
				continue
			}
			compare(t, name, file)
		}
	}
	if files < 20 || parsed*10 > files {
		t.Errorf("%d of %d files have to be parsed", parsed, files)
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

func compare(t *testing.T, document string, file feature.File) {
	t.Helper()
	known, err := (&reader{texts: newInterner()}).known(file)
	if err != nil {
		t.Fatalf("%s: %s: %v", document, file.Name, err)
	}
	read, err := (&reader{texts: newInterner()}).parse(file.Name, file.Content)
	if err != nil {
		t.Fatalf("%s: %s: %v", document, file.Name, err)
	}
	if diff := cmp.Diff(read, known, cmp.AllowUnexported(Scenario{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: %s is read differently (-text +known):\n%s", document, file.Name, diff)
	}
}

// Texts that Gherkin does not read as they are written make a file be parsed.
func TestUnusualTextsAreParsed(t *testing.T) {
	of := func(change func(*feature.File)) feature.File {
		file := feature.File{Title: "listPets, GET /pets", Outlines: []feature.Outline{{
			Rule: "A rule", Steps: []feature.Step{{Keyword: "Given", Text: "a limit of <value>"}}, Rows: []feature.Row{{Name: "one", Value: "1"}, {Name: "two", Value: "2"}},
		}}}
		change(&file)
		return file
	}
	if file := of(func(*feature.File) {}); !plain(file) {
		t.Error("a plain file is parsed")
	}
	for what, file := range map[string]feature.File{
		"no outlines":                  of(func(f *feature.File) { f.Outlines = nil }),
		"a title with a blank behind":  of(func(f *feature.File) { f.Title += " " }),
		"a rule with a blank before":   of(func(f *feature.File) { f.Outlines[0].Rule = " a" }),
		"a name with a tab":            of(func(f *feature.File) { f.Outlines[0].Rows[0].Name = "a\tb" }),
		"a value of two lines":         of(func(f *feature.File) { f.Outlines[0].Rows[0].Value = "a\nb" }),
		"a value with a blank behind":  of(func(f *feature.File) { f.Outlines[0].Rows[1].Value = "a\u00a0" }),
		"a name with a placeholder":    of(func(f *feature.File) { f.Outlines[0].Rows[1].Name = "a <value>" }),
		"a value with a placeholder":   of(func(f *feature.File) { f.Outlines[0].Rows[1].Value = "<case>" }),
		"a step with two placeholders": of(func(f *feature.File) { f.Outlines[0].Steps[0].Text += " <value>" }),
	} {
		if plain(file) {
			t.Errorf("%s: the file is not parsed", what)
		}
	}
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
		compare(t, summary, files[0])
	}
}

// Lines that Gherkin's library cannot read are refused, and none is derived.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	_, err := (&reader{texts: newInterner()}).parse("a.feature", "Feature: a\n  # "+long+"\n")
	if err == nil || !strings.HasPrefix(err.Error(), "a.feature:2: the line has more than 60 KiB") {
		t.Errorf("the error is %v", err)
	}
	if plain(feature.File{Title: "a", Content: "# " + long, Outlines: []feature.Outline{{Rows: make([]feature.Row, 1)}}}) {
		t.Error("a file with such a line is not parsed")
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
			compare(t, where[:20], file)
		}
	}
}
