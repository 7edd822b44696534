package wholerun_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"hallmark/internal/shop"
	"hallmark/internal/skip"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/scenario"
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
	return w.Result(), nil
}

// judgeDesk judges a variant of the desk by what follows from its contract.
func judgeDesk(t *testing.T, variant string, seed int64) (record.Record, *spec.Catalogue) {
	t.Helper()
	contract, err := openapi.Load(shop.DeskContract())
	if err != nil {
		t.Fatal(err)
	}
	promises := promise.Of(contract, uint64(seed), 0)
	catalogue, err := promises.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := steps.LoadDerived(promises.Features(catalogue), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	recorder := record.NewRecorder(record.Record{})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ending, err := steps.Run(ctx, steps.Config{
		Target: scenario.Target{
			BaseURL: "http://desk.test", Key: shop.Key, MaxCreated: 1000,
			Keyring: scheme.New(scheme.Config{Schemes: scheme.All(contract.Operations()), Roles: map[string]scheme.Role{"": {Secrets: map[string]scheme.Secret{"key": {Text: shop.Key}}}}}),
		},
		Contract: contract, Catalogue: catalogue, Suite: loaded, Promises: promises,
		Seed: seed, Concurrency: 4, Timeout: 10 * time.Second, Now: time.Now(), Transport: inMemory{shop.NewDesk(variant)}, Agent: "test", Recorder: recorder,
	})
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.Finish(ending)
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored {
			t.Errorf("%s: %s", s.Name, s.Reason)
		}
	}
	return rec, catalogue
}

// failing returns the rules that make a record fail, with one of the findings of each.
func failing(rec record.Record, catalogue *spec.Catalogue) map[string]spec.Finding {
	out := map[string]spec.Finding{}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if r, ok := catalogue.Rule(f.Rule); !ok || r.Level.Fails() {
				out[f.Rule] = f
			}
		}
	}
	return out
}

// Each fault over several requests breaks the rule that it is to break, and what services do that keep their contract breaks none.
func TestInferredRulesFindFaultsAndAcceptFreedoms(t *testing.T) {
	for _, freedom := range shop.Meanings() {
		t.Run("freedom "+freedom.Name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			for _, seed := range []int64{7, 8} {
				if seed != 7 && testing.Short() {
					break
				}
				rec, catalogue := judgeDesk(t, freedom.Name, seed)
				for rule, f := range failing(rec, catalogue) {
					t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
				}
				for _, r := range catalogue.Rules {
					if r.Level == spec.Inferred && rec.Exercised[r.ID] == 0 && freedom.Name == "" {
						t.Errorf("%s was not exercised", r.ID)
					}
				}
			}
		})
	}
	for _, fault := range shop.Inferred() {
		t.Run(fault.Name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			t.Parallel()
			rec, catalogue := judgeDesk(t, fault.Name, 7)
			if broken := failing(rec, catalogue); broken[fault.Rule].Rule == "" {
				t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(broken)), fault.Rule)
			}
		})
	}
}

// Each inferred kind of promise has a fault that it finds and a freedom that it accepts.
func TestEachInferredKindIsProven(t *testing.T) {
	contract, err := openapi.Load(shop.DeskContract())
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := promise.Of(contract, 1, 0).Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	broken, free := map[string]bool{}, map[string]bool{}
	for _, f := range shop.Inferred() {
		r, known := catalogue.Rule(f.Rule)
		if !known || r.Level != spec.Inferred || r.Source == "" {
			t.Fatalf("%s is to break %s, which is no inferred rule with a reason", f.Name, f.Rule)
		}
		broken[r.Cases[0]] = true
	}
	for _, f := range shop.Meanings() {
		for _, k := range f.Kinds {
			free[k] = true
		}
	}
	for _, r := range catalogue.Rules {
		if r.Level == spec.Inferred && (!broken[r.Cases[0]] || !free[r.Cases[0]]) {
			t.Errorf("%s: a fault that it finds: %v, a freedom that it accepts: %v", r.Cases[0], broken[r.Cases[0]], free[r.Cases[0]])
		}
	}
}
