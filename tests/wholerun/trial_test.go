package wholerun_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/suite"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// trial is a service that is judged by what follows from its contract alone.
type trial struct {
	contract []byte
	// read is the contract where it was read already; nil for one that is in contract.
	read    *spec.Contract
	service http.RoundTripper
	// baseURL is http://service.test where it is empty.
	baseURL string
	// seed is that of the scenarios and of the run; 0 stands for 7.
	seed int64
	// created is how many resources the run may create; 0 stands for what the command lets it create.
	created int
	// secrets are those of the contract's schemes, by their names; nil stands for [shop.Key] for each of them.
	secrets map[string]scheme.Secret
	// roles are further roles, by their names.
	roles map[string]scheme.Role
	// role is the one that the run is told to be; it may be empty.
	role string
	// values is the text of a values file.
	values string
	// features are written scenarios in place of those that are derived, and rules is the text of a file of rules; both may be empty.
	features fstest.MapFS
	rules    string
	// allowed are dangerous operations that may be called.
	allowed []string
	// perOperation bounds the cases of an operation; 0 stands for what the command derives.
	perOperation int
	// patience is how long is waited at least for what a write is to show; 0 stands for what the command waits.
	patience time.Duration
	// reconnect is how long a connection that cannot be made is tried again.
	reconnect time.Duration
	// timeout bounds one request; 0 stands for ten seconds.
	timeout time.Duration
	// confirm is how often is repeated what found something.
	confirm int
	// chosen are the scenarios to play; all of them where it chooses nothing.
	chosen suite.Selection
}

// run returns the record of a run, its catalogue, and why it ended, where it could not judge.
func (one trial) run(t *testing.T) (record.Record, *spec.Catalogue, error) {
	t.Helper()
	d, err := one.derived()
	if err != nil {
		t.Fatal(err)
	}
	contract, promises, catalogue, loaded, seed := d.contract, d.promises, d.catalogue, d.suite, one.seeded()
	schemes := scheme.All(contract.Operations())
	if one.secrets == nil {
		one.secrets = map[string]scheme.Secret{}
		for _, s := range schemes {
			one.secrets[s.Name] = scheme.Secret{Text: shop.Key}
		}
	}
	roles := map[string]scheme.Role{"": {Secrets: one.secrets}}
	maps.Copy(roles, one.roles)
	recorder := record.NewRecorder(record.Record{})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	ending, err := steps.Run(ctx, steps.Config{
		Options: scenario.Options{
			Target: scenario.Target{
				BaseURL: cmp.Or(one.baseURL, "http://service.test"), Key: shop.Key, MaxCreated: cmp.Or(one.created, budget.DefaultFor(promises.Budget().Created)),
				Allowed: one.allowed, Role: one.role, Keyring: scheme.New(scheme.Config{Schemes: schemes, Roles: roles}),
			},
			Contract: contract, Catalogue: catalogue, Promises: promises, Seed: seed, Concurrency: 4,
			Timeout: cmp.Or(one.timeout, 10*time.Second), Now: time.Now(), Transport: one.service, Agent: "test", Recorder: recorder,
			Patience: scenario.Patience{Least: one.patience, Reconnect: one.reconnect},
		},
		Suite: loaded, Compiled: d.compiled, Confirm: one.confirm, Selection: one.chosen,
	})
	return recorder.Finish(ending), catalogue, err
}

// derivation is a contract, and what follows from it for a trial.
type derivation struct {
	contract  *spec.Contract
	promises  *promise.Promises
	catalogue *spec.Catalogue
	suite     *suite.Suite
	compiled  *steps.Compiled
}

// derivations are those of the trials that have nothing of their own but a contract and a seed: no run changes them, and all services
// of a contract share them.
var derivations sync.Map

// seeded returns the seed.
func (one trial) seeded() int64 { return cmp.Or(one.seed, 7) }

// derived returns what the service is judged by.
func (one trial) derived() (derivation, error) {
	if one.read != nil || one.values != "" || one.features != nil || one.rules != "" {
		return one.derive()
	}
	find, _ := derivations.LoadOrStore(fmt.Sprint(one.seeded(), " ", one.perOperation, " ", string(one.contract)), sync.OnceValues(one.derive))
	return find.(func() (derivation, error))()
}

func (one trial) derive() (d derivation, err error) {
	if d.contract = one.read; d.contract == nil {
		if d.contract, err = openapi.Load(one.contract); err != nil {
			return d, err
		}
	}
	d.promises = promise.Of(d.contract, uint64(one.seeded()), one.perOperation)
	given, err := values.Read([]byte(one.values), values.Sources{})
	if err != nil {
		return d, err
	}
	if err := d.promises.Give(given); err != nil {
		return d, err
	}
	catalogue, loaded, err := steps.LoadPromises(d.promises)
	if err != nil {
		return d, err
	}
	if d.catalogue, d.suite, err = one.written(catalogue, loaded); err != nil {
		return d, err
	}
	d.compiled, err = steps.Compile(d.suite)
	return d, err
}

// written returns the rules with those of the trial, and its own scenarios where it has any.
func (one trial) written(catalogue *spec.Catalogue, loaded *suite.Suite) (*spec.Catalogue, *suite.Suite, error) {
	if one.features == nil && one.rules == "" {
		return catalogue, loaded, nil
	}
	entries, err := spec.ReadRules([]byte(one.rules))
	if err != nil {
		return nil, nil, err
	}
	if catalogue, err = catalogue.Change(entries); err != nil {
		return nil, nil, err
	}
	if one.features == nil {
		return catalogue, loaded, nil
	}
	loaded, err = steps.LoadSuite(suite.Source{Folder: "features", FS: one.features}, catalogue)
	return catalogue, loaded, err
}

// judge is run for a service that has to let the run judge it to the end.
func (one trial) judge(t *testing.T) (record.Record, *spec.Catalogue) {
	t.Helper()
	rec, catalogue, err := one.run(t)
	if err != nil {
		t.Fatal(err)
	}
	return rec, catalogue
}

// inMemory carries requests to a handler.
type inMemory struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (h inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr, in.Host = r.URL.RequestURI(), "127.0.0.1:1", r.URL.Host
	if in.Body == nil { // as a server never has it
		in.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, in)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// broken returns the rules that the findings of a record name and whose levels are as asked for, with one of the findings of each.
func broken(rec record.Record, catalogue *spec.Catalogue, asked func(spec.Level) bool) map[string]spec.Finding {
	out := map[string]spec.Finding{}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if r, ok := catalogue.Rule(f.Rule); !ok || asked(r.Level) {
				out[f.Rule] = f
			}
		}
	}
	return out
}

// respond answers with a status, and with a body as JSON where there is one.
func respond(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// failing returns the rules that make a record fail, with one of the findings of each.
func failing(rec record.Record, catalogue *spec.Catalogue) map[string]spec.Finding {
	return broken(rec, catalogue, spec.Level.Fails)
}

// advised returns the rules that a record only warns of, with one of the findings of each.
func advised(rec record.Record, catalogue *spec.Catalogue) map[string]spec.Finding {
	return broken(rec, catalogue, func(l spec.Level) bool { return l == spec.Should })
}

// accuse fails a test for each of the findings.
func accuse(t *testing.T, all map[string]spec.Finding) {
	t.Helper()
	for rule, f := range all {
		t.Errorf("%s is accused: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
	}
}

// reached returns the operations that succeeded in a run.
func reached(rec record.Record) []string {
	var all []string
	for _, ex := range rec.Exchanges {
		if ex.Response != nil && ex.Response.Status/100 == 2 && ex.Operation != "" && !slices.Contains(all, ex.Operation) {
			all = append(all, ex.Operation)
		}
	}
	slices.Sort(all)
	return all
}

// confirmed judges a service as the command does by default; created bounds what is created where it is not 0.
func confirmed(t *testing.T, contract []byte, service http.RoundTripper, created int) record.Record {
	t.Helper()
	rec, _ := trial{contract: contract, service: service, created: created, confirm: 1}.judge(t)
	return rec
}
