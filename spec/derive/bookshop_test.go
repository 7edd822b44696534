package derive_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/spec"
	"hallmark/spec/derive"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bookshop is a contract that has nothing to do with pets, and a catalogue of a rule for each operation and kind of case.
// A case that must be refused is open where the operation documents no 400.
func bookshop(t *testing.T) (*spec.Contract, *spec.Catalogue) {
	t.Helper()
	text, err := os.ReadFile("testdata/bookshop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spec.LoadContract(text)
	if err != nil {
		t.Fatal(err)
	}
	refused := []derive.Kind{
		derive.ParameterMissing, derive.ParameterOutside, derive.ParameterType, derive.ParameterNotMember, derive.PathType, derive.BodyMissing,
		derive.BodyMalformed, derive.Type, derive.Fraction, derive.LeftOut, derive.Null, derive.NotMember, derive.Outside,
		derive.BeyondFormat,
	}
	var rules strings.Builder
	for _, op := range contract.Operations() {
		for _, kind := range derive.Kinds() {
			level, asks := "must", ""
			if slices.Contains(refused, kind) && op.Answer(400) == nil {
				level, asks = "open", ", asks: What comes of it?"
			}
			fmt.Fprintf(&rules, "- {id: %s.%s, level: %s, section: All, says: %s in %s., operations: [%s], cases: ['%s'], contract: [/paths, /components, /security]%s}\n",
				op.ID, kind, level, kind, op.ID, op.ID, kind, asks)
		}
	}
	catalogue, err := spec.LoadCatalogue([]byte(rules.String()))
	if err != nil {
		t.Fatal(err)
	}
	return contract, catalogue
}

// TestAnotherContract derives features from a contract of another trade. The golden files are meant to be read: each line
// of them has to make sense to somebody who knows the contract. "go test ./spec/derive -update" writes them.
func TestAnotherContract(t *testing.T) {
	files, err := derive.Features(bookshop(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		golden := filepath.Join("testdata", "bookshop", f.Name)
		if *update {
			if err := os.WriteFile(golden, []byte(f.Content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), f.Content); diff != "" {
			t.Errorf("%s (-golden +derived):\n%s", f.Name, diff)
		}
	}
	there, err := filepath.Glob("testdata/bookshop/*.feature")
	if err != nil || len(there) != len(names) {
		t.Errorf("derived are %q, and golden are %q (%v)", names, there, err)
	}
}

// TestNoFieldOfAPetInTheDeriving: what is derived follows from a contract, not from what its author knows of pets.
func TestNoFieldOfAPetInTheDeriving(t *testing.T) {
	contract, err := spec.DefaultContract()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	var note func(s *spec.Schema)
	note = func(s *spec.Schema) {
		if s == nil {
			return
		}
		for _, p := range s.Properties {
			words[p.Name] = true
			note(p.Schema)
		}
		for _, e := range s.Enum {
			words[strings.Trim(e, `"`)] = true
		}
		note(s.Items)
	}
	for _, op := range contract.Operations() {
		words[op.ID], words[op.Path] = true, true
		for _, p := range op.Parameters {
			words[p.Name] = true
			note(p.Schema)
		}
		for _, a := range op.Answers {
			note(a.Schema)
		}
		if op.Body != nil {
			note(op.Body.Schema)
		}
	}
	for _, word := range []string{"categoryId", "petId", "available", "createPet", "limit", "name"} {
		if !words[word] {
			t.Fatalf("%s is not among the words of the contract: %v", word, words)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("the code is %q: %v", files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, literal := range literals(t, file, code) {
			// "status" is HTTP's word too, and "message" and "code" are anybody's; what is derived never holds them as fields.
			if slices.Contains([]string{"status", "code", "message"}, literal) {
				continue
			}
			for word := range words {
				if literal == word || len(word) > 6 && strings.Contains(literal, word) {
					t.Errorf("%s says %q, which holds %q of the pets' contract", file, literal, word)
				}
			}
			if strings.Contains(strings.ToLower(literal), "pet") && !strings.Contains(strings.ToLower(literal), "repet") {
				t.Errorf("%s speaks of pets: %q", file, literal)
			}
		}
	}
}

// literals lists the texts in a Go file.
func literals(t *testing.T, name string, code []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, code, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}
