package steps

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/petstoretest"
	"github.com/hallmark-kit/hallmark/tests/rehearse"
)

// whole returns the built-in suite with its catalogue and contract.
func whole(t *testing.T) (*suite.Suite, *spec.Catalogue, *spec.Contract) {
	t.Helper()
	catalogue := petstoretest.Catalogue(t)
	contract := petstoretest.Contract(t)
	return rehearse.Must(t, rehearse.Suite), catalogue, contract
}

func TestShardsAreEqualPartsWithoutGapOrOverlap(t *testing.T) {
	loaded, catalogue, contract := whole(t)
	for _, sel := range []suite.Selection{
		{}, {ReadOnly: true}, {Tags: "@derived"}, {Rules: []string{"list.limit.honoured"}}, {ReadOnly: true, Operations: []string{"listPets"}},
	} {
		all, err := loaded.Select(sel, catalogue, contract)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []int{1, 2, 3, 7} {
			seen, left := map[string]int{}, map[string]int{}
			least, most := len(all.Run), 0
			for i := 1; i <= of; i++ {
				sel.Shard = suite.Shard{Index: i, Of: of}
				part, err := loaded.Select(sel, catalogue, contract)
				if err != nil {
					t.Fatal(err)
				}
				for id, p := range part.Run {
					seen[id]++
					if phase := p.Phase(); i > 1 && sel.Rules == nil && !p.Has(suite.Derived) && (phase == suite.PhaseFirst || phase == suite.PhaseSmall) {
						t.Errorf("%s: %s needs a small store, and is not in the first shard", sel.Shard, id)
					}
				}
				for _, p := range part.Skipped {
					left[p.ID()]++
				}
				if len(part.Skipped) != len(part.Reasons) {
					t.Errorf("%s: %d scenarios are left out, %d with a reason", sel.Shard, len(part.Skipped), len(part.Reasons))
				}
				least, most = min(least, len(part.Run)), max(most, len(part.Run))
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
			if len(seen) != len(all.Run) || !once(seen) || len(left) != len(all.Reasons) || !once(left) {
				t.Errorf("%+v, of %d: %d scenarios of %d, %d left out of %d", sel, of, len(seen), len(all.Run), len(left), len(all.Reasons))
			}
		}
	}
}

func TestShardsDoNotDependOnTheOrderOfFiles(t *testing.T) {
	loaded, catalogue, contract := whole(t)
	sel := suite.Selection{Shard: suite.Shard{Index: 2, Of: 5}}
	before, err := loaded.Select(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	turned := *loaded
	turned.Features = slices.Clone(loaded.Features)
	slices.Reverse(turned.Features)
	after, err := turned.Select(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(before.Run)), slices.Sorted(maps.Keys(after.Run))) {
		t.Error("the same shard holds other scenarios when the files stand in another order")
	}
}

func TestMoreShardsThanScenarios(t *testing.T) {
	loaded, catalogue, contract := whole(t)
	sel := suite.Selection{Rules: []string{"list.unique"}}
	all, err := loaded.Select(sel, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	of := len(all.Run) + 1
	sel.Shard = suite.Shard{Index: of, Of: of}
	_, err = loaded.Select(sel, catalogue, contract)
	want := fmt.Sprintf("shard %d/%d has no scenario to run, since only %d are selected", of, of, len(all.Run))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestAgain(t *testing.T) {
	loaded, catalogue, contract := whole(t)
	all, err := loaded.Select(suite.Selection{}, catalogue, contract)
	if err != nil {
		t.Fatal(err)
	}
	ids := slices.Sorted(maps.Keys(all.Run))
	of := func(rule string) (found []string) {
		for _, id := range ids {
			if slices.Contains(all.Run[id].Rules, rule) {
				found = append(found, id)
			}
		}
		return found
	}
	failedOne := of("list.limit.honoured")[0]
	altered := func(alter func(r *record.Record)) *record.Record {
		r := &record.Record{Complete: true}
		for _, id := range ids {
			r.Scenarios = append(r.Scenarios, record.Scenario{ID: id, Rules: all.Run[id].Rules, Outcome: record.Passed})
			if id == failedOne {
				r.Scenarios[len(r.Scenarios)-1].Outcome = record.Failed
				r.Scenarios[len(r.Scenarios)-1].Findings = []spec.Finding{{Rule: "list.limit.honoured", Expected: phrase.Of("1"), Actual: phrase.Of("2")}}
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
			for _, rule := range all.Run[failedOne].Rules {
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
			got := loaded.Again(verdict.FailedIn(altered(c.alter), catalogue.Rules))
			slices.Sort(got)
			if want := c.want(); !slices.Equal(got, want) {
				t.Errorf("it runs again\n%q\nwant\n%q", got, want)
			}
		})
	}
}
