package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/reports/github"
	"github.com/hallmark-kit/hallmark/reports/markdown"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

// Output of earlier steps counts for the limit.
func TestSummaryLimit(t *testing.T) {
	v := sample.Broken(t)
	for name, c := range map[string]struct {
		before int
		said   bool
	}{"empty": {0, true}, "some": {1000, true}, "nearly full": {markdown.Summary - markdown.Least - 10, true}, "full": {markdown.Summary - 100, false}} {
		file := filepath.Join(t.TempDir(), "summary.md")
		if err := os.WriteFile(file, bytes.Repeat([]byte("x"), c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := session.AppendSummary(file, v)
		text, reading := os.ReadFile(file)
		if reading != nil {
			t.Fatal(reading)
		}
		added := text[c.before:]
		if (err == nil) != c.said || (len(added) > 0) != c.said || len(text) > markdown.Summary {
			t.Errorf("%s: %d bytes added to %d, %v", name, len(added), c.before, err)
		}
		if c.said && !bytes.Contains(added, []byte("## VIOLATED: ")) {
			t.Errorf("%s: no verdict in %.200s", name, added)
		}
	}
}

// An annotation points to a file in the repository of the job, and nowhere else.
func TestAnnotationPlaces(t *testing.T) {
	workspace, elsewhere := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(workspace, "api", "o.yaml"), filepath.Join(workspace, "f", "derived", "listPets.feature"), filepath.Join(elsewhere, "o.yaml")} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := &cli.Env{Lookup: func(name string) (string, bool) { return workspace, name == "GITHUB_WORKSPACE" }}
	v := *sample.Broken(t)
	exact := v.Contract.Line("/paths/~1pets/get/parameters/0")
	operation := v.Contract.Line("/paths/~1pets/get")
	asked := slices.IndexFunc(v.Record.Exchanges, func(ex spec.Exchange) bool { return ex.Operation == "listPets" })
	if exact == 0 || operation == 0 || exact == operation || asked < 0 {
		t.Fatalf("lines %d and %d, exchange %d: this shows nothing", exact, operation, asked)
	}
	shown := []int{v.Record.Exchanges[asked].Seq}
	in := func(at spec.Finding) verdict.Cause {
		return verdict.Cause{Rule: "nonesuch", Scenario: "features/petstore/derived/listPets.feature:193", Lead: at}
	}
	pointer, none := in(spec.Finding{Contract: "/paths/~1pets/get/parameters/0"}), in(spec.Finding{Exchanges: shown})
	unwritten := verdict.Cause{Scenario: "derived/addPet.feature:7", Lead: spec.Finding{Exchanges: shown}}
	features, contract := filepath.Join(workspace, "f"), filepath.Join(workspace, "api", "o.yaml")
	for name, c := range map[string]struct {
		features, contract string
		cause              verdict.Cause
		want               github.Location
	}{
		"built in":          {"", "spec/petstore/openapi.yaml", pointer, github.Location{}},
		"features":          {features, "spec/petstore/openapi.yaml", pointer, github.Location{File: "f/derived/listPets.feature", Line: 193}},
		"contract":          {features, contract, pointer, github.Location{File: "api/o.yaml", Line: exact}},
		"by a scenario":     {features, contract, none, github.Location{File: "f/derived/listPets.feature", Line: 193}},
		"by an operation":   {"", contract, none, github.Location{File: "api/o.yaml", Line: operation}},
		"no feature file":   {features, contract, unwritten, github.Location{File: "api/o.yaml", Line: operation}},
		"elsewhere":         {elsewhere, filepath.Join(elsewhere, "o.yaml"), pointer, github.Location{}},
		"one of the two":    {features, filepath.Join(elsewhere, "o.yaml"), pointer, github.Location{File: "f/derived/listPets.feature", Line: 193}},
		"like the folder":   {workspace + "-other", "", pointer, github.Location{}},
		"not there":         {"", filepath.Join(workspace, "gone.yaml"), pointer, github.Location{}},
		"an address":        {"", "https://staging.example.com/openapi.json", pointer, github.Location{}},
		"nothing is known":  {"", contract, verdict.Cause{Rule: "nonesuch"}, github.Location{}},
		"a referenced file": {"", contract, in(spec.Finding{Contract: "https://example.com/x.yaml#/a"}), github.Location{}},
	} {
		v.ContractFile = c.contract
		if got := session.PlaceOf(env, c.features, &v)(c.cause); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
