package petstore_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"hallmark/spec/promise"
	"hallmark/tests/petstoretest"
)

// Each rule of the Petstore covers derived ones, is tested by a feature, or says why nothing tests it; and what rules cover is derived from
// its contract.
func TestRules(t *testing.T) {
	rules := petstoretest.Catalogue(t)
	features, err := os.ReadDir("features")
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	for _, f := range features {
		text, err := os.ReadFile("features/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		written.Write(text)
	}
	for _, e := range petstoretest.Rules(t) {
		isTested := strings.Contains(written.String(), "@rule:"+e.ID+"\n") || strings.Contains(written.String(), "@rule:"+e.ID+" ")
		if len(e.Covers) == 0 && e.Untestable == "" && e.Off == "" && !isTested {
			t.Logf("nothing tests %s yet", e.ID)
		}
	}
	p := promise.Of(petstoretest.Contract(t), 1, 0)
	derived, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := derived.Change(petstoretest.Rules(t))
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	p.Scenarios(catalogue, func(s promise.Scenario) {
		tried[s.Covered] = true
		for id := s.Rule; id != "" && !tried[id]; { // what tries a part of a rule tries that
			tried[id] = true
			r, _ := rules.Rule(id)
			id = r.Within
		}
	})
	// A finding of a derived rule tells which part of it is broken.
	isTried := func(covered string) bool { id, _, _ := strings.Cut(covered, " "); return tried[id] }
	var left []string
	for _, r := range catalogue.Rules {
		if _, own := rules.Rule(r.ID); own && len(r.Covers) > 0 && !r.Always && !tried[r.ID] && !slices.ContainsFunc(r.Covers, isTried) {
			t.Errorf("no derived scenario is about %s, which covers %s", r.ID, strings.Join(r.Covers, ", "))
		} else if !own {
			left = append(left, r.ID)
		}
	}
	t.Logf("derived rules that none covers: %s", strings.Join(left, " "))
}
