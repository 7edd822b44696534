package steps

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hallmark/features"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/judge"
	petspec "hallmark/spec/petstore"
	"hallmark/steps/budget"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/exchangetest"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// What all tests of the package share, loaded once.
var (
	defaultContract  = sync.OnceValues(petspec.Contract)
	defaultCatalogue = sync.OnceValues(petspec.Catalogue)
	defaultSuite     = sync.OnceValues(func() (*suite.Suite, error) {
		catalogue, err := defaultCatalogue()
		if err != nil {
			return nil, err
		}
		return LoadSuite(features.FS, catalogue)
	})
	allSteps = sync.OnceValue(newVocabulary)
)

func must[T any](t testing.TB, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func defaultOperation(t testing.TB, id string) spec.Operation {
	t.Helper()
	op, ok := must(t, defaultContract).Operation(id)
	if !ok {
		t.Fatalf("the contract has no operation %s", id)
	}
	return *op
}

// testNow is a day on which every operation is there, removalDay the first on which getPet is not.
var (
	testNow    = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	removalDay = time.Date(2030, 12, 5, 0, 0, 0, 0, time.UTC)
)

// testConfig is that of a whole run against a service that needs no network.
func testConfig(t testing.TB, service http.RoundTripper) Config {
	t.Helper()
	return Config{
		Target: Target{
			BaseURL: "http://pets.test/v1", Key: shopKey, Plain: map[string]string{"categoryId": "1"}, MaxAnimals: budget.ScenarioAnimals,
		},
		Contract: must(t, defaultContract), Catalogue: must(t, defaultCatalogue), Suite: must(t, defaultSuite),
		Seed: 1, Concurrency: 4, Timeout: time.Minute, Now: testNow, Transport: service, Agent: "hallmark/test",
		Recorder: record.NewRecorder(record.Record{}),
	}
}

// rehearsal plays single steps against a service, as a scenario of one rule.
type rehearsal struct {
	t   *testing.T
	s   *scenario
	ctx context.Context
}

func rehearse(t *testing.T, rule string, service http.RoundTripper, changes ...func(*Config)) *rehearsal {
	t.Helper()
	cfg := testConfig(t, service)
	for _, change := range changes {
		change(&cfg)
	}
	r := &run{
		Config: cfg, target: cfg.Target, contract: cfg.Contract, catalogue: cfg.Catalogue, terms: petstore.TermsOf(cfg.Contract), memory: petstore.NewMemory(), budget: budget.New(cfg.Target.MaxAnimals, false, nil),
		marker: "hallmark-test01", client: cfg.newClient(),
		removed: removedBy(cfg.Contract, cfg.Now), cancel: func(error) {},
		contact: client.NewContact(cfg.Patience.Reconnect), latencies: client.NewLatencies(),
	}
	var err error
	if r.judge, err = judge.New(cfg.Contract, cfg.Catalogue); err != nil {
		t.Fatal(err)
	}
	st := &rehearsal{t: t}
	st.next(r, rule)
	return st
}

// next begins another scenario of the same run.
func (st *rehearsal) next(r *run, rule string) {
	st.t.Helper()
	known, ok := r.catalogue.Rule(rule)
	if !ok {
		st.t.Fatalf("there is no rule %s", rule)
	}
	st.s = &scenario{
		run: r, pickle: &suite.Scenario{URI: "test.feature", Line: 1, Name: "a test", Rules: []string{rule}}, rule: known,
		credential: credentials.Right(r.target.Key), earlier: map[string]*answer{},
	}
	st.ctx = context.WithValue(st.t.Context(), scenarioKey{}, st.s)
}

// play does a step as a feature would, by its words.
func (st *rehearsal) play(text string) error {
	st.t.Helper()
	var found []stepForm
	for _, f := range allSteps().steps {
		if f.pattern.MatchString(text) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		st.t.Fatalf("%d steps read %q", len(found), text)
	}
	in := []reflect.Value{reflect.ValueOf(st.ctx)}
	for _, word := range found[0].pattern.FindStringSubmatch(text)[1:] {
		in = append(in, reflect.ValueOf(word))
	}
	err, _ := reflect.TypeAssert[error](reflect.ValueOf(found[0].do).Call(in)[0])
	return err
}

// do plays steps that must go through.
func (st *rehearsal) do(steps ...string) {
	st.t.Helper()
	for _, text := range steps {
		if err := st.play(text); err != nil {
			st.t.Fatalf("%s: %v", text, err)
		}
	}
}

// stops plays a step that must end the scenario, with a reason that holds the words.
func (st *rehearsal) stops(text, reason string) {
	st.t.Helper()
	err := st.play(text)
	var why stop
	if !errors.As(err, &why) || !strings.Contains(why.reason, reason) {
		st.t.Errorf("%s: %v, want it to stop with %q", text, err, reason)
	}
}

// broken are the rules that were found broken so far, each once, in alphabetical order.
func (st *rehearsal) broken() []string {
	return exchangetest.Rules(st.s.findings)
}

// finds reports whether exactly these rules were found broken.
func (st *rehearsal) finds(rules ...string) {
	st.t.Helper()
	slices.Sort(rules)
	if !slices.Equal(st.broken(), rules) {
		st.t.Errorf("broken are %q, want %q:\n%s", st.broken(), rules, exchangetest.Lines(st.s.findings))
	}
}

// judged reports whether a rule was put to the test.
func (st *rehearsal) judged(rules ...string) {
	st.t.Helper()
	for _, rule := range rules {
		if !slices.Contains(st.s.exercised, rule) {
			st.t.Errorf("%s was not judged", rule)
		}
	}
}

// unjudged reports whether a rule was not put to the test.
func (st *rehearsal) unjudged(rule string) {
	st.t.Helper()
	if slices.Contains(st.s.exercised, rule) {
		st.t.Errorf("%s was judged", rule)
	}
}

// rules writes a table's columns briefly.
func rules(text string) []string { return strings.Fields(text) }
