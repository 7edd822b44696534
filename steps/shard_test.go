package steps

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"hallmark/features"
	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/spec"
)

// whole is the built-in suite with its catalogue and contract.
func whole(t *testing.T) (*Suite, *spec.Catalogue, *spec.Contract) {
	t.Helper()
	catalogue, err := spec.DefaultCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spec.DefaultContract()
	if err != nil {
		t.Fatal(err)
	}
	suite, err := LoadSuite(features.FS, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return suite, catalogue, contract
}

func TestShardsAreEqualPartsWithoutGapOrOverlap(t *testing.T) {
	suite, catalogue, contract := whole(t)
	for _, sel := range []Selection{
		{}, {ReadOnly: true}, {Tags: "@derived"}, {Rules: []string{"list.limit.honoured"}}, {ReadOnly: true, Operations: []string{"listPets"}},
	} {
		all, err := suite.choose(sel, catalogue, contract)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []int{1, 2, 3, 7} {
			seen, left := map[string]int{}, map[string]int{}
			least, most := len(all.run), 0
			for i := 1; i <= of; i++ {
				sel.Shard = Shard{i, of}
				part, err := suite.choose(sel, catalogue, contract)
				if err != nil {
					t.Fatal(err)
				}
				for id, p := range part.run {
					seen[id]++
					if phase := phaseOf(p); i > 1 && sel.Rules == nil && (phase == phaseFirst || phase == phaseSmall) {
						t.Errorf("%s: %s needs a small store, and is not in the first shard", sel.Shard, id)
					}
				}
				for _, p := range part.leftList {
					left[p.id()]++
				}
				if len(part.leftList) != len(part.leftOut) {
					t.Errorf("%s: %d scenarios are left out, %d with a reason", sel.Shard, len(part.leftList), len(part.leftOut))
				}
				least, most = min(least, len(part.run)), max(most, len(part.run))
			}
			if most-least > 1 {
				t.Errorf("%+v: parts of %d to %d scenarios", sel, least, most)
			}
			once := func(n map[string]int) bool {
				for _, times := range n {
					if times != 1 {
						return false
					}
				}
				return true
			}
			if len(seen) != len(all.run) || !once(seen) || len(left) != len(all.leftOut) || !once(left) {
				t.Errorf("%+v, of %d: %d scenarios of %d, %d left out of %d", sel, of, len(seen), len(all.run), len(left), len(all.leftOut))
			}
		}
	}
}

func TestShardsDoNotDependOnTheOrderOfFiles(t *testing.T) {
	suite, catalogue, contract := whole(t)
	sel := Selection{Shard: Shard{2, 5}}
	before, err := suite.choose(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	turned := &Suite{digest: suite.digest, files: slices.Clone(suite.files)}
	slices.Reverse(turned.files)
	after, err := turned.choose(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(before.run)), slices.Sorted(maps.Keys(after.run))) {
		t.Error("the same shard holds other scenarios when the files stand in another order")
	}
}

func TestMoreShardsThanScenarios(t *testing.T) {
	suite, catalogue, contract := whole(t)
	sel := Selection{Rules: []string{"list.unique"}}
	all, err := suite.choose(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	of := len(all.run) + 1
	sel.Shard = Shard{of, of}
	_, err = suite.choose(sel, catalogue, contract)
	want := fmt.Sprintf("shard %d/%d has no scenario to run, since only %d are selected", of, of, len(all.run))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestAgain(t *testing.T) {
	suite, catalogue, contract := whole(t)
	all, err := suite.choose(Selection{}, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	ids := slices.Sorted(maps.Keys(all.run))
	of := func(rule string) (found []string) {
		for _, id := range ids {
			if slices.Contains(all.run[id].rules, rule) {
				found = append(found, id)
			}
		}
		return found
	}
	failedOne := of("list.limit.honoured")[0]
	altered := func(alter func(r *record.Record)) *record.Record {
		r := &record.Record{Complete: true}
		for _, id := range ids {
			r.Scenarios = append(r.Scenarios, record.Scenario{ID: id, Rules: all.run[id].rules, Outcome: record.Passed})
			if id == failedOne {
				r.Scenarios[len(r.Scenarios)-1].Outcome = record.Failed
				r.Scenarios[len(r.Scenarios)-1].Findings = []spec.Finding{{Rule: "list.limit.honoured", Expected: "1", Actual: "2"}}
			}
		}
		alter(r)
		return r
	}
	for _, c := range []struct {
		name  string
		alter func(r *record.Record)
		want  func() []string
	}{
		{"a failure brings all that asks about its rules", func(*record.Record) {}, func() []string {
			var all1 []string
			for _, rule := range all.run[failedOne].rules {
				all1 = append(all1, of(rule)...)
			}
			slices.Sort(all1)
			return slices.Compact(all1)
		}},
		{"what is known is no failure", func(r *record.Record) {
			r.Deviations = []record.Deviation{{Rule: "list.limit.honoured", Message: "expected 1", Expires: "9999-12-31"}}
		}, func() []string { return nil }},
		{"an error is run again", func(r *record.Record) {
			for i := range r.Scenarios {
				r.Scenarios[i].Outcome, r.Scenarios[i].Findings = record.Passed, nil
				if slices.Contains(r.Scenarios[i].Rules, "list.unique") {
					r.Scenarios[i].Outcome = record.Errored
				}
			}
		}, func() []string { return of("list.unique") }},
		{"of a run that was ended early, what it did not come to", func(r *record.Record) {
			r.Complete = false
			r.Scenarios = r.Scenarios[:len(ids)-3]
			for i := range r.Scenarios {
				r.Scenarios[i].Outcome, r.Scenarios[i].Findings = record.Passed, nil
			}
		}, func() []string { return ids[len(ids)-3:] }},
		{"nothing failed", func(r *record.Record) {
			for i := range r.Scenarios {
				r.Scenarios[i].Outcome, r.Scenarios[i].Findings = record.Passed, nil
			}
		}, func() []string { return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := suite.Again(reports.AskAgain(altered(c.alter), catalogue.Rules))
			slices.Sort(got)
			if want := c.want(); !slices.Equal(got, want) {
				t.Errorf("it runs again\n%q\nwant\n%q", got, want)
			}
		})
	}
}
