package steps_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"hallmark/internal/prove"
	"hallmark/reports"
	"hallmark/spec"
	"hallmark/steps"
)

// partly leaves most of a table out under -short, and with the race detector; "make stopped" tests all of it without.
func partly(t *testing.T, i int) {
	t.Helper()
	steps.Sampled(t, i, 16)
	if raceDetector && i%32 != 0 {
		t.Skip("tested without the race detector")
	}
}

// faultsByRule are the services that break each rule, but for those that do so by chance.
func faultsByRule(t *testing.T, k kit) map[string][]prove.Case {
	t.Helper()
	cases, err := prove.Cases(k.contract, k.catalogue)
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string][]prove.Case{}
	for _, c := range cases {
		if c.Kind == prove.Fault && !c.Chance {
			faults[c.Rule] = append(faults[c.Rule], c)
		}
	}
	return faults
}

// TestStoppedRunsPassNoFault runs what is selected for the rule that a service breaks, for all services that break one, and
// ends the scenarios before each step, in every way in which they can end. While any of the rule's own scenarios did not
// come to its end, the rule is broken or not exercised. It conforms neither by what other scenarios judged, nor by what its
// own had judged until then.
func TestStoppedRunsPassNoFault(t *testing.T) {
	k := newKit(t)
	whole := clean(t, k)
	asked, faults, most := k.suite.Rules(), faultsByRule(t, k), longest(whole)
	nth := 0
	for _, rule := range k.catalogue.Rules {
		if asked[rule.ID] == 0 {
			continue // no scenario names it
		}
		for _, fault := range faults[rule.ID] {
			nth++
			i := nth
			t.Run(fault.Name, func(t *testing.T) {
				partly(t, i)
				t.Parallel()
				for j := range 2 { // of all pairs of a step and a way, two
					n, h := 1+(i+j)%(most-1), haltings[(i/(most-1)+j*3)%len(haltings)]
					ctx, cancel := context.WithCancel(t.Context())
					run := suiteRun{kit: k, fault: fault, selection: steps.Selection{Rules: []string{rule.ID}}}
					h.arrange(&run, n, cancel)
					rec, res := run.judge(ctx, t)
					cancel()
					for _, v := range res.Rules {
						if v.Rule != rule.ID || v.Verdict != reports.Conforms {
							continue
						}
						if why := unasked(rule, whole, rec); why != "" && !h.excused {
							t.Errorf("%s before step %d: %s conforms, judged %d times, but %s", h.name, n+1, rule.ID, v.Exercised, why)
						}
					}
				}
			})
		}
	}
}

// unasked says which scenario of a rule did not come to its end in a run; whole is a run in which all did. Of a rule of every
// answer those scenarios count that name it first.
func unasked(rule spec.Rule, whole, rec reports.Record) string {
	ends := map[string]reports.Scenario{}
	for _, s := range rec.Scenarios {
		ends[s.ID] = s
	}
	for _, s := range whole.Scenarios {
		if !slices.Contains(s.Rules, rule.ID) || rule.Always && s.Rules[0] != rule.ID || s.Outcome == reports.Skipped {
			continue
		}
		switch e, there := ends[s.ID]; {
		case !there:
			return s.ID + " is not in the record"
		case e.Outcome != reports.Passed && e.Outcome != reports.Failed:
			return fmt.Sprintf("%s was %s: %s", s.ID, e.Outcome, e.Reason)
		}
	}
	return ""
}

// clean is the record of a whole run against the reference service.
func clean(t *testing.T, k kit) reports.Record {
	t.Helper()
	rec, res := suiteRun{kit: k}.judge(t.Context(), t)
	if res.Verdict != reports.Conformant {
		t.Fatalf("the reference service is %s: %s", res.Verdict, res.Because)
	}
	return rec
}

// longest is how many steps the longest scenario has.
func longest(rec reports.Record) int {
	n := 0
	for _, s := range rec.Scenarios {
		n = max(n, len(s.Steps))
	}
	return n
}
