package steps_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"hallmark/internal/shop"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/scenario"
)

// judgeShop judges a variant of the shop by what follows from its contract, and returns the record with its catalogue.
func judgeShop(t *testing.T, variant string) (record.Record, *spec.Catalogue) {
	t.Helper()
	contract, err := openapi.Load(shop.Contract())
	if err != nil {
		t.Fatal(err)
	}
	promises := promise.Of(contract, 1, 0)
	catalogue, err := promises.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := steps.LoadDerived(promises.Features(catalogue), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	recorder := record.NewRecorder(record.Record{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ending, err := steps.Run(ctx, steps.Config{
		Target: scenario.Target{
			BaseURL: "http://shop.test", Key: shop.Key, MaxCreated: 500,
			Keyring: scheme.New(scheme.Config{Schemes: scheme.All(contract.Operations()), Roles: map[string]scheme.Role{"": {Secrets: map[string]scheme.Secret{"key": {Text: shop.Key}}}}}),
		},
		Contract: contract, Catalogue: catalogue, Suite: loaded, Promises: promises,
		Seed: 7, Concurrency: 4, Timeout: 10 * time.Second, Now: time.Now(), Transport: local{handler: shop.New(variant)}, Agent: "test", Recorder: recorder,
	})
	if err != nil {
		t.Fatal(err)
	}
	return recorder.Finish(ending), catalogue
}

// brokenAt returns the rules of a level that the findings of a record name, with one of the findings of each.
func brokenAt(rec record.Record, catalogue *spec.Catalogue, level spec.Level) map[string]spec.Finding {
	out := map[string]spec.Finding{}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if r, ok := catalogue.Rule(f.Rule); !ok || r.Level == level {
				out[f.Rule] = f
			}
		}
	}
	return out
}

// Each fault breaks the rule that it is to break; what the contract leaves open breaks none.
func TestDerivedRulesFindFaultsAndAcceptFreedoms(t *testing.T) {
	for _, name := range shop.Freedoms() {
		t.Run("freedom "+name, func(t *testing.T) {
			rec, catalogue := judgeShop(t, name)
			for rule, f := range brokenAt(rec, catalogue, spec.Must) {
				t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
			}
			for _, r := range catalogue.Rules {
				if r.Level == spec.Must && rec.Exercised[r.ID] == 0 && name == "" && !shop.Unasked(r.ID) {
					t.Errorf("%s was not exercised", r.ID)
				}
			}
		})
	}
	for level, faults := range map[spec.Level][]shop.Fault{spec.Must: shop.Faults(), spec.Should: shop.Advised()} {
		for _, fault := range faults {
			t.Run(fault.Name, func(t *testing.T) {
				rec, catalogue := judgeShop(t, fault.Name)
				broken := brokenAt(rec, catalogue, level)
				if _, found := broken[fault.Rule]; !found {
					t.Errorf("broken are %q, want %s", slices.Sorted(maps.Keys(broken)), fault.Rule)
				}
				if level == spec.Should && len(brokenAt(rec, catalogue, spec.Must)) > 0 {
					t.Errorf("must rules are broken: %q", slices.Sorted(maps.Keys(brokenAt(rec, catalogue, spec.Must))))
				}
			})
		}
	}
}
