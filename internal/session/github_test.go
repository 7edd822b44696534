package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
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

// An annotation points into the repository of the job, and nowhere else.
func TestAnnotationPlaces(t *testing.T) {
	workspace, elsewhere := t.TempDir(), t.TempDir()
	env := &cli.Env{Lookup: func(name string) (string, bool) { return workspace, name == "GITHUB_WORKSPACE" }}
	v := sample.Broken(t)
	cause := verdict.Cause{Scenario: "features/petstore/derived/listPets.feature:193", Lead: spec.Finding{Contract: "/paths/~1pets/get/parameters/0"}}
	line := v.Contract.Line(cause.Lead.Contract)
	for name, c := range map[string]struct {
		features, contract string
		want               github.Location
	}{
		"built in":        {"", "", github.Location{}},
		"features":        {filepath.Join(workspace, "f"), "", github.Location{File: "f/derived/listPets.feature", Line: 193}},
		"contract":        {filepath.Join(workspace, "f"), filepath.Join(workspace, "api", "o.yaml"), github.Location{File: "api/o.yaml", Line: line}},
		"elsewhere":       {elsewhere, filepath.Join(elsewhere, "o.yaml"), github.Location{}},
		"one of the two":  {filepath.Join(workspace, "f"), filepath.Join(elsewhere, "o.yaml"), github.Location{File: "f/derived/listPets.feature", Line: 193}},
		"like the folder": {workspace + "-other", "", github.Location{}},
	} {
		o := options.Options{Features: c.features, Contract: options.Contract{File: c.contract}}
		if got := session.PlaceOf(env, o, v)(cause); got != c.want || line == 0 {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
