// Package generic_test keeps the engine free of the interfaces that it is bundled with: what serves any contract says no
// word of the Petstore's.
package generic_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// mayKnow are the packages that may know the Petstore, and why; those in a folder named petstore may, too, and those
// that only tests import.
var mayKnow = map[string]string{
	"cmd/hallmark":     "names the bundled interfaces, in its help too",
	"internal/bundled": "is the registry of the bundled interfaces",
	"internal/session": "chooses among the bundled interfaces",
}

// former is the file that reads records of version 1, which named what a run created after the Petstore's animals.
const former = "reports/record/version1.go"

// shared are words of the Petstore's contract that HTTP, OpenAPI and command lines have as well.
func shared(dir string) []string {
	if dir == "spec/resource" { // knows the words by which services tell their state
		return []string{"available", "code", "id", "limit", "message", "name", "status"}
	}
	return []string{"code", "id", "limit", "message", "name", "status"}
}

// trade are the words of its trade, in the singular.
var trade = []string{"animal", "pet", "petstore"}

func TestGenericPackagesSayNoWordOfThePetstore(t *testing.T) {
	words := contractWords(t)
	sources := packageSources(t)
	for listed := range mayKnow {
		if sources[listed] == nil {
			t.Errorf("%s is listed here, but there is no such package", listed)
		}
	}
	for dir, files := range sources {
		if mayKnow[dir] != "" || strings.HasPrefix(dir, "tests/") || slices.Contains(strings.Split(dir, "/"), "petstore") {
			continue
		}
		t.Run(dir, func(t *testing.T) {
			words := without(words, shared(dir))
			for _, file := range files {
				if strings.HasSuffix(filepath.ToSlash(file), "/"+former) {
					continue
				}
				for _, place := range wordsIn(t, file, nil, words) {
					t.Error(place)
				}
			}
		})
	}
}

// TestWordsAreFound holds the search itself against sources that it has to object to.
func TestWordsAreFound(t *testing.T) {
	words := without(contractWords(t), shared(""))
	for source, want := range map[string]bool{
		`const a = "petId"`:                                         true,
		`const a = "/pets/{petId}"`:                                 true,
		`const a = "the status is available now"`:                   false,
		`const a = "available"`:                                     true,
		`const a = "one of createPet and getPet"`:                   true,
		`const a = "repeat the name of a snippet"`:                  false,
		`const a = "12 animals"`:                                    true,
		`const maxAnimals = 1`:                                      true,
		`const competing, trumpet = 1, 2`:                           false,
		`const a = "status"`:                                        false,
		`import _ "github.com/hallmark-kit/hallmark/spec/petstore"`: true,
		"// a comment may say pet for example":                      false,
	} {
		if got := len(wordsIn(t, "a.go", "package a\n"+source, words)) > 0; got != want {
			t.Errorf("%s: found is %v", source, got)
		}
	}
}

// contractWords returns the names and values of the Petstore's contract: operations, paths, parameters, fields, enums.
func contractWords(t *testing.T) []string {
	t.Helper()
	contract := petstoretest.Contract(t)
	words := map[string]bool{}
	note := func(s *spec.Schema) {
		for _, p := range s.Properties {
			words[p.Name] = true
		}
		for _, e := range s.Enum {
			words[strings.Trim(e, `"`)] = true
		}
	}
	for _, op := range contract.Operations() {
		words[op.ID], words[op.Path] = true, true
		for _, p := range op.Parameters {
			words[p.Name] = true
			p.Schema.Walk(note)
		}
		for _, a := range op.Responses {
			a.Schema().Walk(note)
		}
		if op.Body != nil {
			op.Body.Schema().Walk(note)
		}
	}
	for _, word := range append([]string{"categoryId", "petId", "available", "createPet"}, shared("")...) {
		if !words[word] {
			t.Fatalf("%s is not among the words of the contract: %v", word, words)
		}
	}
	return slices.Sorted(maps.Keys(words))
}

func without(words, exceptions []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(exceptions, word) })
}

// packageSources returns the Go files of each package of the module, without its tests.
func packageSources(t *testing.T) map[string][]string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string][]string{}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		switch name := entry.Name(); {
		case entry.IsDir() && (name == "testdata" || name == "tools" || name == "bin" || len(name) > 1 && name[0] == '.'):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			sources[path.Dir(relative)] = append(sources[path.Dir(relative)], file)
		}
		return nil
	})
	if err != nil || len(sources) < 30 {
		t.Fatalf("%d packages were found: %v", len(sources), err)
	}
	return sources
}

// wordsIn returns the literals and names of a Go file that hold a word of the contract or of its trade. Comments may give
// examples. The source is read from the file where it is nil.
func wordsIn(t *testing.T, name string, source any, words []string) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	note := func(at token.Pos, text, word string) {
		place := files.Position(at)
		found = append(found, fmt.Sprintf("%s:%d says %q, which holds %q", filepath.Base(place.Filename), place.Line, text, word))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				return true
			}
			if word := contractWord(text, words); word != "" {
				note(n.Pos(), text, word)
			} else if word := tradeWord(text); word != "" {
				note(n.Pos(), text, word)
			}
		case *ast.Ident:
			if word := tradeWord(n.Name); word != "" {
				note(n.Pos(), n.Name, word)
			}
		}
		return true
	})
	return found
}

// contractWord returns the word that the text is, or holds if it is no plain word of English.
func contractWord(text string, words []string) string {
	for _, word := range words {
		plain := strings.ToLower(word) == word && !strings.Contains(word, "/")
		if text == word || !plain && strings.Contains(text, word) {
			return word
		}
	}
	return ""
}

// tradeWord returns the word of the Petstore's trade that a text or a name in camel case holds.
func tradeWord(text string) string {
	var b strings.Builder
	before := ' '
	for _, r := range text {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	for word := range strings.FieldsFuncSeq(b.String(), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(trade, word) || slices.Contains(trade, strings.TrimSuffix(word, "s")) {
			return word
		}
	}
	return ""
}
