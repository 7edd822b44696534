package steps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hallmark/internal/bundled"
	"hallmark/internal/prove"
	"hallmark/internal/shop"
	"hallmark/reports/record"
	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/budget"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/runtest"
	"hallmark/steps/scenario"
)

// The runner needs less time and memory than godog, and gives the record that godog gives.
func TestGodogGivesTheSameRecord(t *testing.T) {
	k := runtest.New(t)
	cases, err := prove.Cases(bundled.Petstore().Reference, k.Contract, k.Catalogue)
	if err != nil {
		t.Fatal(err)
	}
	broken := cases[slices.IndexFunc(cases, func(c prove.Case) bool { return c.Kind == prove.Fault && c.Rule == "get.kept" })]
	for name, one := range map[string]suiteRun{
		"broken":  {Kit: k, fault: broken},
		"failing": {Kit: k, halt: before(2, steps.ErrHarness)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			same(t, func(change func(*steps.Config)) record.Record {
				one.change = change
				rec, _ := one.play(t.Context(), t)
				return rec
			})
		})
	}
	t.Run("derived", func(t *testing.T) {
		t.Parallel()
		same(t, func(change func(*steps.Config)) record.Record { return playDesk(t.Context(), t, change) })
	})
}

// playDesk judges a service by what follows from its contract alone.
func playDesk(ctx context.Context, t *testing.T, change func(*steps.Config)) record.Record {
	t.Helper()
	contract, err := openapi.Load(shop.DeskContract())
	if err != nil {
		t.Fatal(err)
	}
	promises := promise.Of(contract, 7, 0)
	catalogue, loaded, err := steps.LoadPromises(promises)
	if err != nil {
		t.Fatal(err)
	}
	schemes, secrets := scheme.All(contract.Operations()), map[string]scheme.Secret{}
	for _, s := range schemes {
		secrets[s.Name] = scheme.Secret{Text: shop.Key}
	}
	cfg := steps.Config{
		Target: scenario.Target{
			BaseURL: "http://service.test", Key: shop.Key, MaxCreated: budget.DefaultFor(promises.Budget().Created),
			Keyring: scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": {Secrets: secrets}}}),
		},
		Contract: contract, Catalogue: catalogue, Suite: loaded, Promises: promises, Confirm: 1, ID: "desk",
		Seed: 7, Timeout: 10 * time.Second, Now: time.Now(), Transport: local{handler: shop.NewDesk("")}, Agent: "test",
		Recorder: record.NewRecorder(record.Record{}),
	}
	change(&cfg)
	ending, err := steps.Run(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return cfg.Recorder.Finish(ending)
}

// same plays a run by both runners, one scenario at a time, and compares what they did.
func same(t *testing.T, play func(change func(*steps.Config)) record.Record) {
	t.Helper()
	ours := told(t, play(func(c *steps.Config) { c.Concurrency = 1 }))
	godogs := told(t, play(func(c *steps.Config) {
		c.Concurrency = 1
		steps.PlayByGodog(c)
	}))
	if diff := cmp.Diff(godogs, ours); diff != "" {
		t.Errorf("godog (-) and the runner (+) give other records:\n%s", diff)
	}
	if len(ours) < 100 {
		t.Errorf("only %d scenarios and exchanges", len(ours))
	}
}

// told is what a record says of scenarios, exchanges and confirmations, without what chance gives: times, wrong credentials, and the order of
// requests that are sent at once, with what comes of it.
func told(t *testing.T, rec record.Record) []string {
	t.Helper()
	var all, sent []string
	tell := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	for _, s := range rec.Scenarios {
		var found []string
		for _, f := range s.Findings {
			found = append(found, f.Rule+" "+f.Cause)
		}
		slices.Sort(found)
		exchanges := len(s.Exchanges)
		if looksBack(s.ID) {
			found, exchanges = slices.Compact(found), min(exchanges, 1)
		}
		tell([]any{s.ID, s.Outcome, strings.TrimPrefix(s.Reason, "before step hook failed: "), s.Excused, s.Steps, exchanges, found})
	}
	for _, ex := range rec.Exchanges {
		if strings.HasPrefix(ex.Scenario, "features/petstore/generated.feature") || looksBack(ex.Scenario) {
			continue // histories of clients that race, and what became of what these created
		}
		sent = append(sent, fmt.Sprint(ex.Scenario, " ", ex.Operation, " ", ex.Request.Method, " ", ex.About))
	}
	for _, c := range rec.Confirmations {
		tell([]any{c.Scenario, c.Rule, c.Tries, c.Shown, c.Reason})
	}
	tell(slices.Sorted(maps.Keys(rec.Exercised)))
	return append(all, slices.Sorted(slices.Values(sent))...)
}

// looksBack reports whether a scenario asks once more about what others created: how much of that a service loses that is broken is a matter of
// chance where clients raced.
func looksBack(scenario string) bool {
	return strings.HasPrefix(scenario, "features/petstore/long-run.feature")
}
