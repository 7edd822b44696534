package petstore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
)

// Each rule of the Petstore is tested by a written feature or by derived scenarios, is judged on every response, or says why nothing tests
// it; and what rules cover is derived from its contract.
func TestRules(t *testing.T) {
	catalogue, written := petstoretest.Catalogue(t), writtenRules(t)
	p, own, tried := promise.Of(petstoretest.Contract(t), 1, 0), map[string]bool{}, map[string]bool{}
	for _, e := range petstoretest.Rules(t) {
		own[e.ID] = true
	}
	p.Scenarios(catalogue, func(s promise.Scenario) {
		tried[s.Covered] = true
		for id := s.Rule; id != "" && !tried[id]; { // what tries a part of a rule tries the rule
			tried[id] = true
			r, _ := catalogue.Rule(id)
			id = r.Within
		}
	})
	// A finding of a derived rule tells which part of it is broken.
	isTried := func(covered string) bool { id, _, _ := strings.Cut(covered, " "); return tried[id] }
	var left []string
	for _, r := range catalogue.Rules {
		switch {
		case !own[r.ID]:
			left = append(left, r.ID)
		case r.Level == spec.Open && len(r.Covers) > 0 || r.Always || r.Off != "" || written[r.ID] || tried[r.ID]:
		case r.Untestable != "", slices.ContainsFunc(r.Covers, isTried):
		case len(r.Covers) > 0:
			t.Errorf("no derived scenario is about %s, which covers %s", r.ID, strings.Join(r.Covers, ", "))
		default:
			t.Errorf("nothing tests %s", r.ID)
		}
	}
	for id := range written {
		if _, known := catalogue.Rule(id); !known {
			t.Errorf("a written feature is about %s, which is not a rule", id)
		}
	}
	t.Logf("derived rules that none covers: %s", strings.Join(left, " "))
}

// writtenRules returns the rules that tags of the written features name.
func writtenRules(t *testing.T) map[string]bool {
	t.Helper()
	features, err := filepath.Glob("../../features/petstore/*.feature")
	if err != nil || len(features) == 0 {
		t.Fatalf("%d written features: %v", len(features), err)
	}
	all := map[string]bool{}
	for _, f := range features {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for word := range strings.FieldsSeq(string(text)) {
			if id, is := strings.CutPrefix(word, "@rule:"); is {
				all[id] = true
			}
		}
	}
	return all
}
