package petstore_test

import (
	"slices"
	"strings"
	"testing"

	"hallmark/spec/promise"
	"hallmark/tests/petstoretest"
)

// Each rule of the Petstore is judged in one way, and what rules cover is derived from its contract.
func TestCovers(t *testing.T) {
	rules := petstoretest.Catalogue(t)
	var ids []string
	count := map[string]int{}
	for _, one := range petstoretest.Table(t) {
		_, known := rules.Rule(one.ID)
		switch ways := ways(one); {
		case one.Off != "" && !known && ways == 0:
			continue
		case !known || ways != 1:
			t.Errorf("%s: it is a rule: %v; it is judged in %d ways", one.ID, known, ways)
			continue
		}
		ids = append(ids, one.ID)
		switch {
		case len(one.Covers) > 0:
			count["covers"]++
		case one.Memory != "":
			count["memory"]++
		case one.Untested != "":
			count["untested"]++
		default:
			count["feature"]++
		}
	}
	for _, r := range rules.Rules {
		if !slices.Contains(ids, r.ID) {
			t.Errorf("%s is not in the table", r.ID)
		}
	}
	if len(ids) != len(rules.Rules) {
		t.Errorf("the table has %d entries for %d rules", len(ids), len(rules.Rules))
	}
	p := promise.Of(petstoretest.Contract(t), 1, 0)
	derived, err := p.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := derived.Change(petstoretest.Entries(t))
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
	t.Logf("%v; derived rules that none covers: %s", count, strings.Join(left, " "))
}

// ways counts how a rule is judged.
func ways(j petstoretest.JudgedBy) int {
	n := min(len(j.Covers), 1)
	for _, one := range []string{j.Feature, j.Memory, j.Untested} {
		n += min(len(one), 1)
	}
	return n
}
