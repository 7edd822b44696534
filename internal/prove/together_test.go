package prove

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
)

// stricter returns a prover with a contract that demands more than the interface does: each pair is a text of the
// contract and its replacement.
func stricter(t *testing.T, edits ...string) (*Prover, []Case) {
	t.Helper()
	p, cases := prover(t)
	p.Short, p.Grouped = true, true
	text, err := os.ReadFile("../../spec/petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(edits); i += 2 {
		if strings.Count(string(text), edits[i]) != 1 {
			t.Fatalf("%q does not stand once in the contract", edits[i])
		}
	}
	if p.Contract, err = openapi.Load([]byte(strings.NewReplacer(edits...).Replace(string(text)))); err != nil {
		t.Fatal(err)
	}
	p.Promises = promise.Of(p.Contract, bundled.Seed, 0)
	if p.Catalogue, err = bundled.Petstore().RulesOf(p.Contract, p.Promises); err != nil {
		t.Fatal(err)
	}
	features, err := bundled.Petstore().Features(p.Promises, p.Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if p.Suite, err = steps.LoadSuite(features, p.Catalogue); err != nil {
		t.Fatal(err)
	}
	p.Compiled = nil
	return p, cases
}

const (
	idOfPet  = "          description: The id that the service gave"
	codeText = "          description: Says to a program"
	petItems = "      description: An animal of the catalogue.\n      required: [id, name, categoryId]\n"
)

// TestStrictChecksAreNamed judges freedoms with a suite that is too strict: those that it reports are named,
// wherever they are in a group, and no others.
func TestStrictChecksAreNamed(t *testing.T) {
	p, cases := stricter(t, idOfPet, "          minimum: 1\n"+idOfPet, codeText, "          pattern: '^[a-z_]*$'\n"+codeText)
	accused := []string{"errors-own-codes", "ids-negative"}
	cases, err := Find(cases, append([]string{
		"ids-sparse", "order-by-name", "names-once", "names-ascii", "media-415", "json-pretty", "headers-many", "prefix-deep",
	}, accused...))
	if err != nil {
		t.Fatal(err)
	}
	p.Selection.Rules = []string{"get.found", "get.unknown"}
	outcomes, err := p.Run(t.Context(), cases, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	together := 0
	for _, o := range outcomes {
		if !o.OK {
			named = append(named, o.Name)
		}
		together = max(together, len(o.Together))
	}
	if slices.Sort(named); !slices.Equal(named, accused) {
		t.Errorf("accused are %q, want %q", named, accused)
	}
	if n := services(outcomes); n >= len(cases) || together < 2 {
		t.Errorf("%d freedoms in %d services", len(cases), n)
	}
}

// TestAccusedOnlyTogether makes a suite report something for a service with two freedoms, each of which it
// accepts.
func TestAccusedOnlyTogether(t *testing.T) {
	p, cases := stricter(t, petItems, petItems+"      not: {required: [rank], properties: {id: {maximum: 0}}}\n")
	cases, err := Find(cases, []string{"ids-negative", "pets-with-more"})
	if err != nil {
		t.Fatal(err)
	}
	p.Selection.Rules = []string{"get.found"}
	outcomes, err := p.Run(t.Context(), cases, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	proof := p.measure(outcomes, true, false)
	if f := proof.Figures; f.Accepted != 0 || len(proof.Problems) != 2 || !strings.Contains(proof.Problems[0], "accused together with pets-with-more") {
		t.Errorf("%+v, %q", f, proof.Problems)
	}
}

// TestGroups expects every freedom to be in one group, few groups, and none of two freedoms that share a place.
func TestGroups(t *testing.T) {
	p, cases := prover(t)
	p.Grouped = true
	seen, groups := map[int]int{}, 0
	for _, unit := range units(p, cases, false) {
		if cases[unit[0]].Kind == Freedom {
			groups++
		}
		for n, i := range unit {
			seen[i]++
			if len(unit) > 1 && (cases[i].Kind != Freedom || len(cases[i].places) == 0) {
				t.Errorf("%s is in a group", cases[i].Name)
			}
			if k := slices.IndexFunc(unit[:n], func(k int) bool { return sharePlace(cases[i], cases[k]) }); k >= 0 {
				t.Errorf("%s and %s are in one group", cases[i].Name, cases[unit[k]].Name)
			}
		}
	}
	freedoms := 0
	for i, c := range cases {
		if seen[i] != 1 {
			t.Errorf("%s is judged %d times", c.Name, seen[i])
		}
		if c.Kind == Freedom {
			freedoms++
		}
	}
	if groups*3 > freedoms {
		t.Errorf("%d freedoms make %d groups", freedoms, groups)
	}
	if n := len(units(p, cases, true)); n != len(cases) {
		t.Errorf("a hard proof judges %d services of %d", n, len(cases))
	}
	p.Grouped = false
	if n := len(units(p, cases, false)); n != len(cases) {
		t.Errorf("a whole proof judges %d services of %d", n, len(cases))
	}
}

// TestHides expects a service to be distinguished from the clean one by what was skipped.
func TestHides(t *testing.T) {
	clean := Outcome{played: map[string]bool{"a": true, "b": true, "c": false}}
	for _, c := range []struct {
		played map[string]bool
		hides  bool
	}{
		{map[string]bool{"a": true, "b": true}, false},
		{map[string]bool{"a": true, "b": true, "c": true}, false},
		{map[string]bool{"a": true, "b": false}, true},
		{map[string]bool{"a": true}, true},
	} {
		if got := leavesUnplayed(Outcome{played: c.played}, clean); got != c.hides {
			t.Errorf("%v hides something: %v", c.played, got)
		}
	}
}

// TestServices counts services for the summary.
func TestServices(t *testing.T) {
	pair := []string{"a", "b"}
	outcomes := []Outcome{
		{Case: Case{Kind: Freedom, Name: "a"}, Together: pair}, {Case: Case{Kind: Freedom, Name: "b"}, Together: pair},
		{Case: Case{Kind: Freedom, Name: "c"}}, {Case: Case{Kind: Fault, Name: "d"}},
	}
	if n := services(outcomes); n != 2 || inGroups(outcomes) != ", in 2 groups" {
		t.Errorf("%d services%s", n, inGroups(outcomes))
	}
	if n := services(outcomes[2:]); n != 0 || inGroups(outcomes[2:]) != "" {
		t.Errorf("%d services of single freedoms", n)
	}
}
