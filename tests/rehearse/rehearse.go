// Package rehearse plays single steps against a small service of the Petstore, for tests of steps.
package rehearse

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/spec/promise"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/steps/vocabulary"
	"github.com/hallmark-kit/hallmark/tests/exchangetest"
)

// Data shared by all tests of the package, loaded once.
var (
	Contract  = sync.OnceValues(bundled.Petstore().Contract)
	Catalogue = sync.OnceValues(bundled.Petstore().Catalogue)
	Promises  = func() (*promise.Promises, error) {
		promises, _, err := bundled.Petstore().Derived()
		return promises, err
	}
	Suite = sync.OnceValues(func() (*suite.Suite, error) {
		catalogue, err := Catalogue()
		if err != nil {
			return nil, err
		}
		promises, _, err := bundled.Petstore().Derived()
		if err != nil {
			return nil, err
		}
		from, err := bundled.Petstore().Features(promises, catalogue)
		if err != nil {
			return nil, err
		}
		return suite.Load(from, catalogue)
	})
	allForms = sync.OnceValue(func() []compiledForm {
		var all []compiledForm
		for _, f := range vocabulary.Forms() {
			all = append(all, compiledForm{f, f.Compile()})
		}
		return all
	})
)

// Must returns what load returns, or ends the test.
func Must[T any](t testing.TB, load func() (T, error)) T {
	t.Helper()
	v, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// now is a day on which every operation exists, RemovalDay the first on which getPet does not.
var (
	now        = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	RemovalDay = time.Date(2030, 12, 5, 0, 0, 0, 0, time.UTC)
)

// compiledForm is a step with its pattern compiled.
type compiledForm struct {
	scenario.Form
	compiled *regexp.Regexp
}

// Options returns the options of a run against a service without a network.
func Options(t testing.TB, service http.RoundTripper) scenario.Options {
	t.Helper()
	return scenario.Options{
		Target: scenario.Target{
			BaseURL: "http://pets.test/v1", Key: Key, Keyring: scheme.OneSecret(Must(t, Contract).Operations(), Key), MaxCreated: budget.ForScenarios,
		},
		Contract: Must(t, Contract), Catalogue: Must(t, Catalogue), Promises: Must(t, Promises),
		Seed: 1, Timeout: time.Minute, Now: now, Transport: service, Agent: "hallmark/test",
		Recorder: record.NewRecorder(record.Record{}),
	}
}

// Rehearsal plays single steps against a service, as a scenario about one rule.
type Rehearsal struct {
	T        *testing.T
	Scenario *scenario.Scenario
	Context  context.Context
}

// New returns a rehearsal of a rule by a service.
func New(t *testing.T, rule string, service http.RoundTripper, changes ...func(*scenario.Options)) *Rehearsal {
	t.Helper()
	o := Options(t, service)
	for _, change := range changes {
		change(&o)
	}
	o.ID = "test01"
	r := scenario.New(o)
	st := &Rehearsal{T: t}
	st.Next(r, rule)
	return st
}

// Next starts another scenario of the same run.
func (st *Rehearsal) Next(r *scenario.Run, rule string) {
	st.T.Helper()
	known, ok := r.Catalogue.Rule(rule)
	if !ok {
		st.T.Fatalf("there is no rule %s", rule)
	}
	st.Scenario = r.NewScenario(&suite.Scenario{URI: "test.feature", Line: 1, Name: "a test", Rules: []string{rule}}, known)
	st.Context = context.WithValue(st.T.Context(), scenario.Key{}, st.Scenario)
}

// Play plays a step, given its text.
func (st *Rehearsal) Play(text string) error {
	st.T.Helper()
	var found []compiledForm
	for _, f := range allForms() {
		if f.compiled.MatchString(text) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		st.T.Fatalf("%d steps read %q", len(found), text)
	}
	in := []reflect.Value{reflect.ValueOf(st.Context)}
	for _, word := range found[0].compiled.FindStringSubmatch(text)[1:] {
		in = append(in, reflect.ValueOf(word))
	}
	err, _ := reflect.TypeAssert[error](reflect.ValueOf(found[0].Do).Call(in)[0])
	return err
}

// Do plays steps that must succeed.
func (st *Rehearsal) Do(steps ...string) {
	st.T.Helper()
	for _, text := range steps {
		if err := st.Play(text); err != nil {
			st.T.Fatalf("%s: %v", text, err)
		}
	}
}

// Stops plays a step that must end the scenario with a reason containing the given words.
func (st *Rehearsal) Stops(text, reason string) {
	st.T.Helper()
	err := st.Play(text)
	var why scenario.Stop
	if !errors.As(err, &why) || !strings.Contains(why.Reason, reason) {
		st.T.Errorf("%s: %v, want it to stop with %q", text, err, reason)
	}
}

// Broken returns the rules found broken so far, sorted and without duplicates.
func (st *Rehearsal) Broken() []string {
	return exchangetest.Rules(st.Scenario.Findings())
}

// Finds checks that exactly these rules were found broken.
func (st *Rehearsal) Finds(rules ...string) {
	st.T.Helper()
	slices.Sort(rules)
	if !slices.Equal(st.Broken(), rules) {
		st.T.Errorf("broken are %q, want %q:\n%s", st.Broken(), rules, exchangetest.Lines(st.Scenario.Findings()))
	}
}

// Judged checks that rules were exercised.
func (st *Rehearsal) Judged(rules ...string) {
	st.T.Helper()
	for _, rule := range rules {
		if !slices.Contains(st.Scenario.Exercised(), rule) {
			st.T.Errorf("%s was not judged", rule)
		}
	}
}

// Unjudged checks that a rule was not exercised.
func (st *Rehearsal) Unjudged(rule string) {
	st.T.Helper()
	if slices.Contains(st.Scenario.Exercised(), rule) {
		st.T.Errorf("%s was judged", rule)
	}
}

// Rules splits a column of a table.
func Rules(text string) []string { return strings.Fields(text) }
