package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hallmark/internal/options"
	"hallmark/internal/session"
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
		for id := range suite.Rules() {
			if _, ok := builtin.Catalogue.Rule(id); ok {
				t.Errorf("%s: a scenario is about %s", name, id)
			}
		}
		own, err := session.OwnSuite("1", options.Contract{File: file})
		if err != nil || !slices.Equal(own.Suite.Foreign, []string{"contract"}) || !own.Suite.Derived || own.Suite.Resource != "" {
			t.Errorf("%s: the suite is %+v, %v", name, own.Suite, err)
		}
	}
}
