package steps_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/prove"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// stoppedNth selects one in so many cases of these tables: all of them take some minutes, and run at night.
var stoppedNth = flag.Int("stopped.nth", 8, "test each so many cases only of what is stopped; 1 tests all")

// partly skips most of a table under -short, and with the race detector; "make stopped" tests it without.
func partly(t *testing.T, i int) {
	t.Helper()
	skip.Sampled(t, i, 128)
	if skip.RaceDetector && i%32 != 0 {
		t.Skip("tested without the race detector")
	}
	if i%*stoppedNth != 0 {
		t.Skip("left out by -stopped.nth")
	}
}

// faultsByRule returns the services that break each rule, except those that do so by chance.
func faultsByRule(t *testing.T, k runtest.Kit) map[string][]prove.Case {
	t.Helper()
	cases, err := prove.Cases(bundled.Petstore(), k.Contract, k.Catalogue)
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

// witness finds services that show that a run ended before the step n can find a rule broken.
type witness struct {
	run    suiteRun
	n      int
	faults map[string][]prove.Case
	// asked holds the number of scenarios of each rule.
	asked map[string]int
	// spoilt holds the rules that the breakages broke, from each step on, as far as computed.
	spoilt []map[string]bool
}

// finds reports whether the run finds the rule broken in a service that breaks it.
func (w *witness) finds(t *testing.T, rule string) bool {
	t.Helper()
	all := w.faults[rule]
	for i, f := range all {
		if i == 1 && w.spoils(t, 0)[rule] {
			return true
		}
		one := w.run
		one.fault = f
		if w.run.selection.Only == nil { // what a part of the run finds the whole finds, and the part is short
			part := one
			part.selection.Rules = []string{rule}
			if w.asked[rule] > 0 && part.breaks(t, rule) {
				return true
			}
		}
		if one.breaks(t, rule) {
			return true
		}
	}
	for from := range max(w.n, 1) {
		if w.spoils(t, from)[rule] {
			return true
		}
	}
	for _, near := range slices.Sorted(maps.Keys(w.faults)) { // what breaks a neighbour may break this one as well
		if family(near) != family(rule) || near == rule {
			continue
		}
		for _, f := range w.faults[near] {
			one := w.run
			one.fault = f
			if one.breaks(t, rule) {
				return true
			}
		}
	}
	return false
}

// family returns what a rule is about: its id without the last part.
func family(rule string) string { return rule[:strings.LastIndex(rule, ".")] }

// breaks reports whether the run finds the rule broken.
func (run suiteRun) breaks(t *testing.T, rule string) bool {
	t.Helper()
	rec, res := run.play(t.Context(), t)
	return slices.Contains(brokenRules(rec, res), rule)
}

// spoils returns the rules that the breakages break when they begin at a step.
func (w *witness) spoils(t *testing.T, from int) map[string]bool {
	t.Helper()
	for len(w.spoilt) <= from {
		begin, broken := len(w.spoilt), map[string]bool{}
		for _, spoil := range breakages() {
			var armed atomic.Bool
			one, halt := w.run, w.run.halt
			one.halt = func(ctx context.Context, at steps.Stage) error {
				if at.Step >= begin {
					armed.Store(true)
				}
				return halt(ctx, at)
			}
			one.spoil = func(r *http.Request, a *httptest.ResponseRecorder) *httptest.ResponseRecorder {
				if armed.Load() {
					return spoil(r, a)
				}
				return a
			}
			rec, res := one.play(t.Context(), t)
			for _, rule := range brokenRules(rec, res) {
				broken[rule] = true
			}
		}
		w.spoilt = append(w.spoilt, broken)
	}
	return w.spoilt[from]
}

// toldByOthers are rules about statuses whose violation the suite may report under another rule: it repeats and
// varies requests to find the narrowest rule, and a service that fails everywhere breaks that one. For these a
// wrong status shows that the rule was judged.
var toldByOthers = []string{
	"answer.status", "auth.first", "list.accepted", "list.robust", "create.robust", "get.kept", "get.extreme",
}

// brokenRules returns the rules with findings, and toldByOthers if a status was found wrong.
func brokenRules(rec record.Record, res verdict.Result) []string {
	var broken []string
	for _, s := range rec.Scenarios {
		if slices.ContainsFunc(s.Findings, func(f spec.Finding) bool { return f.Status != 0 }) {
			broken = append(broken, toldByOthers...)
			break
		}
	}
	for _, v := range res.Rules {
		if v.Findings > 0 {
			broken = append(broken, v.Rule)
		}
	}
	return broken
}

// TestStoppedScenariosCountWhatTheyCanFind runs each scenario alone, and ends it before each of its steps. Whether
// a rule was judged by then is not taken from the code that counts: the same scenario, ended at the same step,
// must find the rule broken in a service that breaks it. A rule that conforms although no such service can break
// it by then was not judged.
//
// The scenarios end like those that do not apply. That is the only way that keeps everything that was counted, so
// a rule conforms as soon as it was judged once. The rules of every response are left to the next test, since
// every scenario judges most of them.
func TestStoppedScenariosCountWhatTheyCanFind(t *testing.T) {
	k := runtest.New(t)
	faults, asked := faultsByRule(t, k), k.Suite.Rules()
	for i, s := range clean(t, k).Scenarios {
		if len(s.Steps) == 0 {
			continue // the preflight
		}
		t.Run(s.ID, func(t *testing.T) {
			partly(t, i)
			t.Parallel()
			proven := map[string]bool{}
			for n := range len(s.Steps) + 1 {
				run := suiteRun{Kit: k, selection: suite.Selection{Only: []string{s.ID}}, halt: before(n, steps.ErrExcused)}
				w := witness{run: run, n: n, faults: faults, asked: asked}
				_, res := run.play(t.Context(), t)
				for _, v := range res.Rules {
					if r, _ := k.Catalogue.Rule(v.Rule); r.Always || v.Verdict != verdict.Conforms || proven[v.Rule] {
						continue
					}
					if proven[v.Rule] = w.finds(t, v.Rule); !proven[v.Rule] {
						t.Errorf("ended before step %d of %d, %s conforms, judged %d times; but no service that breaks it is found by then",
							n+1, len(s.Steps), v.Rule, v.Exercised)
					}
				}
			}
		})
	}
}

// TestStoppedRunsCountWhatTheyCanFind is the same test for whole runs, all of whose scenarios end before the same
// step, and for all rules.
func TestStoppedRunsCountWhatTheyCanFind(t *testing.T) {
	if testing.Short() || skip.RaceDetector {
		t.Skip("make stopped tests this")
	}
	k := runtest.New(t)
	faults, asked := faultsByRule(t, k), k.Suite.Rules()
	proven := map[string]bool{}
	for n := range longest(clean(t, k)) + 1 {
		run := suiteRun{Kit: k, halt: before(n, steps.ErrExcused)}
		w := witness{run: run, n: n, faults: faults, asked: asked}
		_, res := run.play(t.Context(), t)
		for _, v := range res.Rules {
			if v.Verdict != verdict.Conforms || proven[v.Rule] {
				continue
			}
			if proven[v.Rule] = w.finds(t, v.Rule); !proven[v.Rule] {
				t.Errorf("ended before step %d, %s conforms, judged %d times; but no service that breaks it is found by then", n+1, v.Rule, v.Exercised)
			}
		}
	}
	for _, r := range k.Catalogue.Rules {
		if asked[r.ID] > 0 && r.Level != spec.Open && !proven[r.ID] {
			t.Errorf("no run of the clean service judges %s", r.ID)
		}
	}
}

// TestStoppedRunsPassNoFault runs the scenarios of the rule that a service breaks, for all services that break
// one, and ends them before each step, in every way in which they can end. While any of the rule's own scenarios
// was not completed, the rule is broken or not exercised. It does not conform because of what other scenarios
// judged, nor because of what its own had judged by then.
func TestStoppedRunsPassNoFault(t *testing.T) {
	k := runtest.New(t)
	whole := clean(t, k)
	asked, faults, most := k.Suite.Rules(), faultsByRule(t, k), longest(whole)
	nth := 0
	for _, rule := range k.Catalogue.Rules {
		if asked[rule.ID] == 0 {
			continue // no scenario is tagged with it
		}
		for _, fault := range faults[rule.ID] {
			nth++
			i := nth
			t.Run(fault.Name, func(t *testing.T) {
				partly(t, i)
				t.Parallel()
				for j := range 2 { // two of all pairs of a step and a way
					n, h := 1+(i+j)%(most-1), haltings[(i/(most-1)+j*3)%len(haltings)]
					ctx, cancel := context.WithCancel(t.Context())
					run := suiteRun{Kit: k, fault: fault, selection: suite.Selection{Rules: []string{rule.ID}}}
					h.arrange(&run, n, cancel)
					rec, res := run.play(ctx, t)
					cancel()
					for _, v := range res.Rules {
						if v.Rule != rule.ID || v.Verdict != verdict.Conforms {
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

// unasked returns a scenario of a rule that was not completed in a run; in the run whole all were. For a rule of
// every response only the scenarios count that name it first.
func unasked(rule spec.Rule, whole, rec record.Record) string {
	ends := map[string]record.Scenario{}
	for _, s := range rec.Scenarios {
		ends[s.ID] = s
	}
	for _, s := range whole.Scenarios {
		if !slices.Contains(s.Rules, rule.ID) || rule.Always && s.Rules[0] != rule.ID || s.Outcome == record.Skipped {
			continue
		}
		switch e, there := ends[s.ID]; {
		case !there:
			return s.ID + " is not in the record"
		case e.Outcome != record.Passed && e.Outcome != record.Failed:
			return fmt.Sprintf("%s was %s: %s", s.ID, e.Outcome, e.Reason)
		}
	}
	return ""
}

// clean returns the record of a whole run against the reference service.
func clean(t *testing.T, k runtest.Kit) record.Record {
	t.Helper()
	rec, res := suiteRun{Kit: k}.play(t.Context(), t)
	if res.Verdict != verdict.Conformant {
		t.Fatalf("the reference service is %s: %s", res.Verdict, res.Because)
	}
	return rec
}

// longest returns the number of steps of the longest scenario.
func longest(rec record.Record) int {
	n := 0
	for _, s := range rec.Scenarios {
		n = max(n, len(s.Steps))
	}
	return n
}
