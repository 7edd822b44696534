package sample

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Key is the key that the sampled services accept. It is not secret, but no report may contain it.
const Key = "pets_8uNcQx3LrW6tYb1KmZ5vHd9EgSa2FjOp"

// Seed is the seed of every sampled run.
const Seed = 20261121

// Options configures a sample.
type Options struct {
	// Wrap wraps the service; nil leaves it unchanged.
	Wrap func(http.Handler) http.Handler
	// Selection restricts the suite.
	Selection suite.Selection
	// Deviations are the known violations.
	Deviations []record.Deviation
	// Strict counts broken should rules as failures.
	Strict bool
}

// Good returns a run against the reference service, which keeps every rule. All tests of a process share it.
func Good(tb testing.TB) *view.View { return shared(tb, good) }

// Broken returns a run against a service with several defects: see [Faulty]. All tests of a process share it.
func Broken(tb testing.TB) *view.View { return shared(tb, broken) }

// Hostile returns a run against a service that tries to harm whoever displays its responses: see malicious. All tests of a process share
// it.
func Hostile(tb testing.TB) *view.View { return shared(tb, hostile) }

var (
	good    = sync.OnceValues(func() (*view.View, error) { return run(Options{}) })
	broken  = sync.OnceValues(func() (*view.View, error) { return run(Options{Wrap: Faulty}) })
	hostile = sync.OnceValues(func() (*view.View, error) { return run(Options{Wrap: malicious}) })
)

func shared[T any](tb testing.TB, get func() (T, error)) T {
	tb.Helper()
	v, err := get()
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// Run makes a new sample.
func Run(tb testing.TB, o Options) *view.View {
	tb.Helper()
	v, err := run(o)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func run(o Options) (*view.View, error) {
	from, suite, err := load()
	if err != nil {
		return nil, err
	}
	service, err := variants.Build(petstore.Options{Keys: []string{Key}}, variants.Variant{})
	if err != nil {
		return nil, err
	}
	defer service.Close()
	handler := service.Handler
	if o.Wrap != nil {
		handler = o.Wrap(handler)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	transport := client.NewTransport(8)
	defer transport.CloseIdleConnections()

	promises, _, err := bundled.Petstore().Derived()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	target := scenario.Target{BaseURL: server.URL + service.BasePath, Key: Key, Keyring: scheme.OneSecret(from.Contract.Operations(), Key), MaxCreated: budget.DefaultMax}
	selected, _, err := suite.Selected(o.Selection, from.Catalogue, from.Contract)
	if err != nil {
		return nil, err
	}
	proven, err := bundled.Petstore().Proof()
	if err != nil {
		return nil, err
	}
	recorder := record.NewRecorder(record.Record{
		Suite: record.Suite{
			Version: "v0.0.0-sample", Contract: from.Contract.Digest(), Catalogue: from.Catalogue.Digest(), Features: suite.Digest(),
		},
		Proof: record.NewProof(proven, budget.ForScenarios),
		Target: record.Target{
			BaseURL: target.BaseURL, Removed: steps.Removed(from.Contract, now),
			Implementation: record.Implementation{
				Organization: "Sample & Söhne", Project: "petstore", URL: "https://pets.example.com", Version: "1.2.3", Contact: "pets@example.com",
			},
		},
		Options: record.Options{
			Seed: Seed, Concurrency: 8, MaxCreated: budget.DefaultMax, Reserved: budget.Reserved(budget.DefaultMax, true), Strict: o.Strict,
			Rules: o.Selection.Rules, Operations: o.Selection.Operations, Tags: o.Selection.Tags,
			Rerun: "hallmark run --base-url " + target.BaseURL,
		},
		Selected: selected, Started: now, ID: scenario.NewRunID(),
		NotApplicable: steps.NotApplicable(from.Contract, from.Catalogue, now),
		Deviations:    o.Deviations,
	})
	ending, err := steps.Run(context.Background(), steps.Config{
		Options: scenario.Options{
			Target: target, Contract: from.Contract, Catalogue: from.Catalogue, Promises: promises, Seed: Seed, Concurrency: 8,
			Timeout: 10 * time.Second, Now: now, Transport: transport, Agent: "hallmark/sample", Recorder: recorder,
		},
		Suite: suite, Selection: o.Selection, Confirm: 1, Known: verdict.Covers(o.Deviations, now),
	})
	if err != nil {
		return nil, err
	}
	rec := recorder.Finish(ending)
	return view.New(&rec, from), nil
}

// Scenarios returns the number of scenarios in the suite.
func Scenarios(tb testing.TB) int {
	tb.Helper()
	_, suite, err := load()
	if err != nil {
		tb.Fatal(err)
	}
	return suite.Scenarios()
}

// NotApplicable returns why rules do not apply at a time, by rule id.
func NotApplicable(from view.Sources, at time.Time) map[string]string {
	return steps.NotApplicable(from.Contract, from.Catalogue, at)
}

// load reads what the suite is made of.
func load() (view.Sources, *suite.Suite, error) {
	contract, err := bundled.Petstore().Contract()
	if err != nil {
		return view.Sources{}, nil, err
	}
	promises, catalogue, err := bundled.Petstore().Derived()
	if err != nil {
		return view.Sources{}, nil, err
	}
	features, err := bundled.Petstore().Features(promises, catalogue)
	if err != nil {
		return view.Sources{}, nil, err
	}
	suite, err := steps.LoadSuite(features, catalogue)
	if err != nil {
		return view.Sources{}, nil, err
	}
	return view.Sources{Catalogue: catalogue, Contract: contract, ContractFile: bundled.Petstore().ContractFile, Features: suite.Files()}, suite, nil
}

// Named returns one of the samples that every format must handle, even under -short.
func Named(tb testing.TB, name string) *view.View {
	tb.Helper()
	switch name {
	case "good":
		return Good(tb)
	case "broken":
		return Broken(tb)
	case "hostile":
		return Hostile(tb)
	}
	get, ok := shared(tb, edgeCases)[name]
	if !ok {
		tb.Fatalf("no sample is called %s", name)
	}
	return get()
}

// All returns the samples that every format must handle, by name: those above and the edge cases.
func All(tb testing.TB) map[string]*view.View {
	tb.Helper()
	all := EdgeCases(tb)
	all["good"], all["broken"], all["hostile"] = Good(tb), Broken(tb), Hostile(tb)
	return all
}
