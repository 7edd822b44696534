package instance_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// TestCorpus derives instances of all parameters and request bodies of the documents in HALLMARK_CORPUS: real
// ones, which belong to others and are not part of this project. A valid value must be found for 98 in 100 of
// them.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	all, found := 0, 0
	t.Logf("%-30s %6s %6s %7s %7s %7s %7s %8s %8s", "document", "all", "found", "valid", "invalid", "dropped", "calls", "ms", "slowest")
	for _, file := range files {
		name := filepath.Base(file)
		if filepath.Ext(file) == ".md" {
			continue
		}
		c, err := openapi.LoadFile(file, source.Options{})
		if err != nil {
			t.Logf("%-30s %v", name, err)
			continue
		}
		doc, err := source.Open(file, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, m := measure(t, name, c, schema.New(doc, schema.DialectOf(c.OpenAPI())))
		all, found = all+n, found+m
	}
	t.Logf("a valid value was found for %d of %d", found, all)
	if found*100 < all*98 {
		t.Errorf("a valid value was found for %d of %d only", found, all)
	}
}

// measure derives the instances of a document.
func measure(t *testing.T, name string, contract *spec.Contract, set *schema.Set) (all, found int) {
	t.Helper()
	calls := 0
	g := instance.New(instance.Options{Seed: 1, Valid: judge(set, schema.Request, &calls)})
	valid, invalid, dropped := 0, 0, 0
	problems := map[string]string{}
	var slowest time.Duration
	var slow string
	begin := time.Now()
	for _, s := range subjects(contract) {
		all++
		from := time.Now()
		cases := g.Valid(s)
		if cases.Base == nil && len(cases.Cases) == 0 {
			if len(cases.Defects) > 0 {
				problems[cases.Defects[0].Pointer] = cases.Defects[0].Text
			}
			continue
		}
		found++
		s.Base = cases.Base
		wrong := g.Invalid(s)
		for _, c := range wrong.Cases {
			if !differOnlyAt(c.Value, c.Repaired, jsonpointer.Tokens(c.Pointer)) || !contract.Exists(c.Chain[len(c.Chain)-1]) {
				t.Errorf("%s: %s at %s: %s and %s", name, c.Description, c.Constraint, text(c.Value), text(c.Repaired))
			}
		}
		valid, invalid, dropped = valid+len(cases.Cases), invalid+len(wrong.Cases), dropped+cases.Dropped+wrong.Dropped
		if took := time.Since(from); took > slowest {
			slowest, slow = took, s.Edge.Schema.Pointer
		}
	}
	t.Logf("%-30s %6d %6d %7d %7d %7d %7d %8d %8s %s", name, all, found, valid, invalid, dropped, calls, time.Since(begin).Milliseconds(),
		slowest.Round(time.Millisecond), slow)
	for _, pointer := range slices.Sorted(maps.Keys(problems)) {
		t.Logf("    %s: %s", pointer, problems[pointer])
	}
	return all, found
}

// subjects returns the parameters and bodies of all operations.
func subjects(contract *spec.Contract) []instance.Subject {
	var all []instance.Subject
	add := func(name string, e spec.Edge, examples []spec.Example) {
		if e.Schema != nil {
			all = append(all, instance.Subject{Name: name, Edge: e, Examples: examples})
		}
	}
	for _, op := range contract.Operations() {
		for _, p := range op.Parameters {
			if p.Content != nil {
				add(p.Name, p.Content.Edge, p.Content.Examples)
				continue
			}
			add(p.Name, p.Edge, p.Examples)
		}
		if op.Body != nil {
			for _, m := range op.Body.Content {
				add("the body", m.Edge, m.Examples)
			}
		}
	}
	return all
}
