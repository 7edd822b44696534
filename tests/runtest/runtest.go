// Package runtest runs the suite against services. Only tests import it.
package runtest

import (
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/spec/promise"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Kit is what all runs of a test share.
type Kit struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Promises  *promise.Promises
	Suite     *suite.Suite
	Compiled  *steps.Compiled
}

// shared is the kit of the built-in contract. No run changes it, so everything is read and compiled only once.
var shared = sync.OnceValues(func() (k Kit, err error) {
	if k.Contract, err = bundled.Petstore().Contract(); err != nil {
		return k, err
	}
	if k.Promises, k.Catalogue, err = bundled.Petstore().Derived(); err != nil {
		return k, err
	}
	from, err := bundled.Petstore().Features(k.Promises, k.Catalogue)
	if err != nil {
		return k, err
	}
	if k.Suite, err = steps.LoadSuite(from, k.Catalogue); err != nil {
		return k, err
	}
	k.Compiled, err = steps.Compile(k.Suite)
	return k, err
})

// New returns the kit of the built-in contract.
func New(t testing.TB) Kit {
	t.Helper()
	k, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Run runs the suite against a base URL.
func (k Kit) Run(t testing.TB, baseURL, key string, change func(*steps.Config)) (record.Record, verdict.Result) {
	t.Helper()
	cfg := steps.Config{
		Options: scenario.Options{
			Target:   scenario.Target{BaseURL: baseURL, Key: key, Keyring: scheme.OneSecret(k.Contract.Operations(), key), MaxCreated: budget.DefaultFor(k.Promises.Budget().Created)},
			Contract: k.Contract, Catalogue: k.Catalogue, Promises: k.Promises, Seed: 1, Concurrency: 8,
			Timeout: 10 * time.Second, Now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Transport: client.NewTransport(8),
			Agent: "hallmark/test", Patience: scenario.Patience{Least: 200 * time.Millisecond}, // services of tests show at once what is written
		},
		Suite: k.Suite, Compiled: k.Compiled,
	}
	if change != nil {
		change(&cfg)
	}
	cfg.Recorder = record.NewRecorder(record.Record{
		Target:        record.Target{BaseURL: baseURL, Removed: steps.Removed(k.Contract, cfg.Now)},
		Options:       record.Options{Seed: cfg.Seed, Concurrency: cfg.Concurrency},
		NotApplicable: steps.NotApplicable(k.Contract, k.Catalogue, cfg.Now),
	})
	ending, err := steps.Run(t.Context(), cfg)
	if err != nil && ending.Lost == "" {
		t.Fatal(err)
	}
	rec := cfg.Recorder.Finish(ending)
	return rec, verdict.Draw(&rec, k.Catalogue.Rules)
}
