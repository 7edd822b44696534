package derive_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hallmark/spec"
	"hallmark/spec/credential"
	"hallmark/spec/derive"
	"hallmark/spec/openapi"
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
	contract, err := openapi.Load(text)
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
		kinds := derive.Kinds()
		for _, c := range credential.WrongTokens() {
			if kind := derive.Kind(c.Kind); !slices.Contains(kinds, kind) {
				kinds = slices.Insert(kinds, len(kinds)-1, kind) // before CredentialFirst, which is the last one
			}
		}
		for _, kind := range kinds {
			level, asks := "must", ""
			if slices.Contains(refused, kind) && op.ResponseFor(400) == nil {
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
