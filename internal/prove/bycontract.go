package prove

import (
	"time"

	"hallmark/internal/bundled"
	"hallmark/spec"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/credentials/scheme"
	"hallmark/steps/scenario"
)

// ByContract returns a prover that judges the services of an interface by what is derived from its contract alone:
// the rules, features and code of the interface are not used. The seed fixes what is sent, and the order of the
// scenarios.
func ByContract(i bundled.Interface, contract *spec.Contract, seed uint32) (*Prover, error) {
	promises := promise.Of(contract, uint64(seed), 0)
	catalogue, suite, err := steps.LoadPromises(promises)
	if err != nil {
		return nil, err
	}
	i.Code = scenario.Interface{}
	compiled, err := steps.Compile(suite, i.Code)
	if err != nil {
		return nil, err
	}
	return &Prover{
		Interface: i, Contract: contract, Catalogue: catalogue, Suite: suite, Compiled: compiled, Promises: promises, Workers: 1, Concurrency: 4,
		Seed: int64(seed), Now: time.Now(),
	}, nil
}

// keyringOf holds the key of the proof for each scheme of the contract; nil if the interface has rules of its own.
func keyringOf(p *Prover) *scheme.Keyring {
	if p.Promises == nil {
		return nil
	}
	schemes, secrets := scheme.All(p.Contract.Operations()), map[string]scheme.Secret{}
	for _, s := range schemes {
		secrets[s.Name] = scheme.Secret{Text: key}
	}
	return scheme.New(scheme.Config{Schemes: schemes, Roles: map[string]scheme.Role{"": {Secrets: secrets}}})
}
