package main

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/examples/bookshop/service"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// inMemory carries requests to a handler.
type inMemory struct{ http.Handler }

func (h inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil { // as a server never has it
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if r.Method == http.MethodHead {
		w.Body.Reset()
	}
	return w.Result(), nil
}

// derived is the contract, and what follows from it by a seed.
type derived struct {
	contract  *spec.Contract
	promises  *promise.Promises
	catalogue *spec.Catalogue
	suite     *suite.Suite
	compiled  *steps.Compiled
}

// known are those of the seeds that were asked for: nothing changes them, and all runs of a seed share them.
var known sync.Map

// contract returns the contract, and what follows from it by a seed.
func contract(t *testing.T, seed uint64) derived {
	t.Helper()
	find, _ := known.LoadOrStore(seed, sync.OnceValues(func() (derived, error) { return derive(seed) }))
	found, err := find.(func() (derived, error))()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func derive(seed uint64) (d derived, err error) {
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		return d, err
	}
	if d.contract, err = openapi.Load(text); err != nil {
		return d, err
	}
	d.promises = promise.Of(d.contract, seed, 0)
	if d.catalogue, err = d.promises.Catalogue(); err != nil {
		return d, err
	}
	if d.suite, err = steps.LoadDerived(d.promises.LastFeatures(d.catalogue), d.catalogue); err != nil {
		return d, err
	}
	d.compiled, err = steps.Compile(d.suite)
	return d, err
}

// judge judges a variant of the shop by what follows from its contract. What is to show later is waited for as long as the patience.
func judge(t *testing.T, variant string, seed int64, selection suite.Selection, patience time.Duration) (record.Record, *spec.Catalogue) {
	t.Helper()
	d := contract(t, uint64(seed))
	return d.play(t, variant, steps.Config{Options: scenario.Options{Seed: seed, Patience: scenario.Patience{Least: patience}}, Suite: d.suite, Selection: selection}), d.catalogue
}

// play lets the suite of a run judge a variant of the shop.
func (d derived) play(t *testing.T, variant string, run steps.Config) record.Record {
	t.Helper()
	recorder := record.NewRecorder(record.Record{})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	run.Target = scenario.Target{
		BaseURL: "http://books.test", Key: service.StaffKey, MaxCreated: 5000, MaxSensitive: cmp.Or(run.Target.MaxSensitive, 5000),
		Keyring: scheme.New(scheme.Config{Schemes: scheme.All(d.contract.Operations()), Roles: map[string]scheme.Role{"": {Secrets: map[string]scheme.Secret{
			"staff": {Text: service.StaffKey}, "customer": {Text: service.CustomerToken},
		}}, "neighbour": {Secrets: map[string]scheme.Secret{"customer": {Text: service.NeighbourToken}}}}}),
	}
	run.Contract, run.Catalogue, run.Promises, run.Compiled = d.contract, d.catalogue, d.promises, d.compiled
	run.Concurrency, run.Timeout, run.Now, run.Agent, run.Recorder = client.Auto, 10*time.Second, time.Now(), "test", recorder
	if run.Transport == nil {
		run.Transport = inMemory{service.New(variant)}
	}
	ending, err := steps.Run(ctx, run)
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.Finish(ending)
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
	return rec
}

// broken returns the rules with findings, with one finding of each.
func broken(rec record.Record) map[string]spec.Finding {
	out := map[string]spec.Finding{}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			out[f.Rule] = f
		}
	}
	return out
}

// The shop as it is breaks no rule, not even one that only should hold, and every operation is reached.
func TestTheShopConforms(t *testing.T) {
	for seed := range int64(6) {
		if seed > 0 && testing.Short() {
			break
		}
		rec, catalogue := judge(t, "", seed+1, suite.Selection{}, 0)
		for rule, f := range broken(rec) {
			t.Errorf("seed %d: %s is accused: %s, expected %s, actual %s", seed+1, rule, f.Where, f.Expected, f.Actual)
		}
		idle := 0
		for _, r := range catalogue.Rules {
			if rec.Exercised[r.ID] > 0 {
				continue
			}
			if idle++; strings.HasSuffix(r.ID, ".success") {
				t.Errorf("seed %d: %s was not exercised", seed+1, r.ID)
			} else {
				t.Logf("seed %d: %s was not exercised", seed+1, r.ID)
			}
		}
	}
}

// No freedom breaks a rule that fails a run.
func TestFreedomsAreAccepted(t *testing.T) {
	for i, freedom := range service.Freedoms() {
		t.Run(freedom.Name, func(t *testing.T) {
			skip.Sampled(t, i, 8)
			t.Parallel()
			rec, catalogue := judge(t, freedom.Name, int64(11+i%4), suite.Selection{}, 0)
			for rule, f := range broken(rec) {
				if r, known := catalogue.Rule(rule); !known || r.Level.Fails() {
					t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
				}
			}
		})
	}
}

// atOnce is enough for a shop that shows at once what was written.
const atOnce = 60 * time.Millisecond

// Each fault is found, by the rule that it breaks.
func TestFaultsAreFound(t *testing.T) {
	catalogue := contract(t, 1).catalogue
	for i, fault := range service.Faults() {
		t.Run(fault.Name, func(t *testing.T) {
			skip.Sampled(t, i, 16)
			t.Parallel()
			rule, known := catalogue.Rule(fault.Rule)
			if _, kind, _ := strings.Cut(fault.Rule, "."); !known && !slices.Contains(promise.Kinds(), promise.Kind(kind)) {
				t.Skipf("no rule of the kind %s is derived yet", kind)
			}
			if !known {
				t.Fatalf("there is no rule %s", fault.Rule)
			}
			// Most show to the scenarios of their rule, others beside those of their operations, and some only beside what all leave behind.
			var found map[string]spec.Finding
			d := contract(t, 5)
			for _, chosen := range []suite.Selection{{Rules: []string{fault.Rule}}, {Operations: rule.Operations}, {}} {
				if len(chosen.Rules) > 0 && d.suite.Rules()[fault.Rule] == 0 {
					continue // it is judged on every response
				}
				rec := d.play(t, fault.Name, steps.Config{
					Options: scenario.Options{
						Seed: 5, Patience: scenario.Patience{Least: atOnce},
					},
					Suite: d.suite, Selection: chosen, Until: func(f spec.Finding) bool { return f.Rule == fault.Rule },
				})
				if found = broken(rec); found[fault.Rule].Rule != "" {
					return
				}
			}
			t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(found)), fault.Rule)
		})
	}
}

// Each kind of promise that follows from the contract has a fault that it finds and a freedom that it accepts.
func TestEachKindIsProven(t *testing.T) {
	catalogue := contract(t, 1).catalogue
	found, accepted := map[string]bool{}, map[string]bool{}
	for _, f := range service.Faults() {
		if r, known := catalogue.Rule(f.Rule); known {
			found[r.Cases[0]] = true
		}
	}
	for _, f := range service.Freedoms() {
		for _, k := range f.Kinds {
			accepted[k] = true
		}
	}
	for _, r := range catalogue.Rules {
		if kind := r.Cases[0]; !found[kind] || !accepted[kind] {
			t.Errorf("%s: a fault that it finds: %v, a freedom that it accepts: %v", kind, found[kind], accepted[kind])
			found[kind], accepted[kind] = true, true
		}
	}
}

// The program lists its variants, and refuses names that it does not know.
func TestProgram(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"--list"}, &out); err != nil || !strings.Contains(out.String(), "--fault addBook.lost  # breaks addBook.created.readable\n") {
		t.Errorf("--list: %v, %s", err, out.String())
	}
	for args, want := range map[string]string{"--fault=x": "there is no fault", "--freedom=x": "there is no freedom", "--fault=addBook.lost --freedom=slow": "one shop has one"} {
		if err := run(strings.Fields(args), &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
