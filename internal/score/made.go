package score

import (
	"net/http"
	"net/url"
	"time"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// key is accepted by services made from a contract. It is not secret.
const key = "keys_5mRhXk2QwZ8vTn4YcLf7BdGs1JpA0eUi"

// atOnce is how long the suite waits for a write to become visible. It is short because faults are permanent.
const atOnce = 100 * time.Millisecond

// Made measures the derived scenarios against a service that is made from the contract alone, a new one for each
// run.
func Made(b Basis, seed int64) (*Derived, error) {
	schemes, secrets, given := scheme.All(b.Contract.Operations()), map[string]string{}, map[string]scheme.Secret{}
	for _, s := range schemes {
		secrets[s.Name], given[s.Name] = key, scheme.Secret{Text: key}
		if s.Type == "http" && s.Scheme == "basic" {
			secrets[s.Name], given[s.Name] = "hallmark:"+key, scheme.Secret{User: "hallmark", Password: key}
		}
	}
	if _, err := stub.New(b.Contract, stub.Options{Secrets: secrets, Secret: key}); err != nil {
		return nil, err
	}
	return &Derived{
		Front: newFront(b.Contract, b.Promises),
		Config: steps.Config{
			Options: scenario.Options{
				Target: scenario.Target{
					BaseURL: "http://service.test", MaxCreated: budget.DefaultFor(b.Promises.Budget().Created),
					Keyring: scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": {Secrets: given}}}),
				},
				Contract: b.Contract, Catalogue: b.Catalogue, Promises: b.Promises, Seed: seed, Concurrency: 4, Timeout: 10 * time.Second,
				Now: time.Now(), Agent: "hallmark/prove", Patience: scenario.Patience{Least: atOnce},
			},
			Suite: b.Suite,
		},
		Service: func() (http.Handler, func(), error) {
			s, err := stub.New(b.Contract, stub.Options{Secrets: secrets, Secret: key})
			if err != nil {
				return nil, nil, err
			}
			return s, func() {}, nil
		},
	}, nil
}

// Running measures the derived scenarios in front of a running service.
func Running(b Basis, cfg steps.Config) (*Derived, error) {
	to, err := url.Parse(cfg.Target.BaseURL)
	if err != nil {
		return nil, err
	}
	cfg.Confirm, cfg.Suite, cfg.Promises = 0, b.Suite, b.Promises
	if cfg.Patience.Settle == 0 {
		cfg.Patience.Least = atOnce
	}
	service := mutate.Forward(to, cfg.Transport)
	return &Derived{Front: newFront(b.Contract, b.Promises), Config: cfg, Service: func() (http.Handler, func(), error) { return service, func() {}, nil }}, nil
}

// Advice returns a function for listing the scenarios about a rule: it returns a command that starts with begin, and the number of
// scenarios.
func (b Basis) Advice(begin string) Advice {
	about := b.Suite.Rules()
	return func(rule string) (string, int) {
		n := about[rule]
		if n == 0 { // it is judged in every response
			r, _ := b.Catalogue.Rule(rule)
			for _, other := range b.Catalogue.Rules {
				if len(r.Operations) > 0 && len(other.Operations) > 0 && other.Operations[0] == r.Operations[0] {
					n += about[other.ID]
				}
			}
		}
		return begin + rule, n
	}
}
