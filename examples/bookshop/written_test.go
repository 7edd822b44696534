package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// ordersAllowed is max-sensitive of tests/hallmark.yaml: an order is a payment, and the features of tests/ place more than a run does by default.
const ordersAllowed = 20

// written lets the features of tests/ judge variants of the shop.
func written(t *testing.T) (play func(t *testing.T, variant string) record.Record, catalogue *spec.Catalogue) {
	t.Helper()
	d := contract(t, 1)
	rules, err := os.ReadFile("tests/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := spec.ReadRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	if d.catalogue, err = d.catalogue.Change(entries); err != nil {
		t.Fatal(err)
	}
	if wrong := d.catalogue.CheckChanged(d.contract, entries); wrong != nil {
		t.Fatal(wrong)
	}
	features := fstest.MapFS{} // without those of "hallmark derive"
	names, err := filepath.Glob("tests/features/*.feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		features[filepath.Base(name)] = &fstest.MapFile{Data: text}
	}
	loaded, err := steps.LoadSuite(suite.Source{Folder: "features", FS: features}, d.catalogue)
	if err != nil {
		t.Fatal(err)
	}
	if d.compiled, err = steps.Compile(loaded); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, variant string) record.Record {
		t.Helper()
		return d.play(t, variant, steps.Config{Options: scenario.Options{Seed: 3, Target: scenario.Target{MaxSensitive: ordersAllowed}}, Suite: loaded})
	}, d.catalogue
}

// writtenFaults are those that written features find: of rules of the shop's own, and of derived rules that no derived scenario of the
// contract puts to the test well enough.
func writtenFaults() []service.Fault {
	all := service.WrittenFaults()
	for _, f := range service.Faults() {
		if f.Rule == "changeBook.updated.rest" || f.Rule == "placeOrder.created.same-key" || f.Name == "listBooks.pages-overlap" {
			all = append(all, f)
		}
	}
	return all
}

// The shop keeps the rules of its own suite, and each of its scenarios puts all rules to the test that it names.
func TestWrittenSuiteConforms(t *testing.T) {
	play, catalogue := written(t)
	rec := play(t, "")
	for rule, f := range broken(rec) {
		t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
	}
	for _, s := range rec.Scenarios {
		if s.Outcome != record.Passed {
			t.Errorf("%s: %s: %s", s.Name, s.Outcome, s.Reason)
		}
		for _, id := range s.Rules {
			if rec.Exercised[id] == 0 {
				t.Errorf("%s names %s, which was not exercised", s.Name, id)
			}
		}
	}
	for _, r := range catalogue.Rules {
		if r.Section != "" && len(r.Cases) == 0 && !r.Always && rec.Exercised[r.ID] == 0 {
			t.Errorf("%s was not exercised", r.ID)
		}
	}
}

// Each fault is found by the rule that it breaks, and each written scenario finds one.
func TestWrittenSuiteFindsFaults(t *testing.T) {
	play, _ := written(t)
	killed := map[string]bool{}
	var scenarios []string
	for i, fault := range writtenFaults() {
		t.Run(fault.Name, func(t *testing.T) {
			skip.Sampled(t, i, 8)
			rec := play(t, fault.Name)
			if f, found := broken(rec)[fault.Rule]; !found || f.Expected.IsZero() || f.Actual.IsZero() {
				t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(broken(rec))), fault.Rule)
			}
			scenarios = nil
			for _, s := range rec.Scenarios {
				if s.ID == scenario.PreflightID {
					continue
				}
				scenarios = append(scenarios, s.ID)
				killed[s.ID] = killed[s.ID] || slices.ContainsFunc(s.Findings, func(f spec.Finding) bool { return slices.Contains(s.Rules, f.Rule) })
			}
		})
	}
	for _, id := range scenarios {
		if !killed[id] && !testing.Short() {
			t.Errorf("%s finds no fault", id)
		}
	}
}

// What the contract alone leaves to a shop is held against none, and each rule of the suite has a freedom that it might be held against.
func TestWrittenSuiteAcceptsFreedoms(t *testing.T) {
	play, catalogue := written(t)
	tempting := map[string][]string{
		"totals-in-cents": {"checkout.total"}, "others-write": {"checkout.ordered", "pages.total"}, "ids-with-gaps": {"orders.apart", "reviews.oldest-first"},
		"keys-used-up": {"placeOrder.created.same-key"}, "covers-framed": {"covers.shown"}, "400-for-values": {"problems.place"}, "pages-of-5": {"listBooks.list.pages-disjoint", "listBooks.list.limit"},
		"neighbours-forbidden": {"orders.private"}, "null-left-out": {"changeBook.updated.rest"}, "ids-from-2^53": {"reviews.of-their-book"},
	}
	for i, freedom := range service.Freedoms() {
		rules := tempting[freedom.Name]
		delete(tempting, freedom.Name)
		if len(rules) == 0 && i%4 != 0 && !strings.HasSuffix(freedom.Name, "-late") {
			continue
		}
		t.Run(freedom.Name, func(t *testing.T) {
			skip.Sampled(t, i, 8)
			rec := play(t, freedom.Name)
			for rule, f := range broken(rec) {
				if r, known := catalogue.Rule(rule); !known || r.Level.Fails() {
					t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
				}
			}
			for _, rule := range rules {
				if rec.Exercised[rule] == 0 {
					t.Errorf("%s was not exercised", rule)
				}
			}
		})
	}
	if len(tempting) > 0 {
		t.Errorf("there are no freedoms %v", tempting)
	}
}

// No rule that follows from the contract alone is broken by the faults that are for the shop's own rules.
func TestContractAloneDoesNotShowWrittenFaults(t *testing.T) {
	for i, fault := range service.WrittenFaults() {
		t.Run(fault.Name, func(t *testing.T) {
			skip.Sampled(t, i, 16)
			t.Parallel()
			rec, catalogue := judge(t, fault.Name, 5, suite.Selection{}, 0)
			for rule, f := range broken(rec) {
				if r, _ := catalogue.Rule(rule); r.Level.Fails() {
					t.Errorf("%s is broken: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
				}
			}
			if !strings.Contains(fault.Rule, ".") || catalogue.Similar(fault.Rule) == fault.Rule {
				t.Errorf("%s is a derived rule", fault.Rule)
			}
		})
	}
}
