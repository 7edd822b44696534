package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// Only the built-in contract is judged as the Petstore: a given document is the user's own, whatever operations it
// has.
func TestAGivenDocumentIsNotThePetstore(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "spec", "petstore", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := session.Builtin()
	if err != nil || !builtin.IsBundled() {
		t.Fatalf("the built-in contract: %v", err)
	}
	for name, document := range map[string]string{
		"the same text":       string(text),
		"the same operations": strings.ReplaceAll(string(text), "maximum: 100", "maximum: 50"),
	} {
		file := filepath.Join(t.TempDir(), "api.yaml")
		if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
			t.Fatal(err)
		}
		basis, err := session.Load(options.Contract{File: file})
		if err != nil {
			t.Fatal(err)
		}
		suite, err := basis.Suite("")
		if err != nil {
			t.Fatal(err)
		}
		_, derived := basis.Catalogue.Rule("listPets.success")
		_, bundled := basis.Catalogue.Rule("list.accepted")
		if basis.IsBundled() || basis.Promises() == nil || !derived || bundled {
			t.Errorf("%s: it is judged by the Petstore's rules", name)
		}
		for _, e := range petstoretest.Rules(t) {
			if _, own := builtin.Catalogue.Rule(e.ID); !own || suite.Rules()[e.ID] > 0 && e.Off == "" {
				t.Errorf("%s: a scenario is about %s", name, e.ID)
			}
		}
		own, err := session.OwnSuite("1", options.Contract{File: file})
		if err != nil || !slices.Equal(own.Suite.Foreign, []string{"contract"}) {
			t.Errorf("%s: the suite is %+v, %v", name, own.Suite, err)
		}
	}
}

// A rules file says that all known formats bind values; the built-in contract has rules of its own.
func TestAssertedFormats(t *testing.T) {
	folder := t.TempDir()
	file, rules := filepath.Join(folder, "api.yaml"), filepath.Join(folder, "rules.yaml")
	document := `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {operationId: a, responses: {"200": {description: d}}}}}}`
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"": false, "formats: assert": true, "- formats: assert\n- a.robust: must\n": true, "a.robust: must": false} {
		if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, named := range []string{"", rules, options.NoRules} {
			basis, err := session.Load(options.Contract{File: file, Rules: named})
			if err != nil {
				t.Fatal(err)
			}
			if got := basis.Contract.AssertsFormats(); got != (want && named != options.NoRules) {
				t.Errorf("%q, --rules-file %q: asserted %v", text, named, got)
			}
			if r, ok := basis.Catalogue.Rule("a.robust"); !ok || (r.Level == spec.Must) != (strings.Contains(text, "must") && named != options.NoRules) {
				t.Errorf("%q, --rules-file %q: a.robust is %v", text, named, r.Level)
			}
		}
	}
	if err := os.WriteFile(rules, []byte("formats: assert"), 0o600); err != nil {
		t.Fatal(err)
	}
	builtin, err := session.Load(options.Contract{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	if _, own := builtin.Catalogue.Rule("list.accepted"); !builtin.IsBundled() || !own || !builtin.Contract.AssertsFormats() {
		t.Errorf("for the built-in contract: bundled %v, its rules %v, formats asserted %v", builtin.IsBundled(), own, builtin.Contract.AssertsFormats())
	}
	if unchanged, err := session.Builtin(); err != nil || unchanged.Contract.AssertsFormats() {
		t.Errorf("the contract that others share asserts formats, too: %v", err)
	}
}
