package session

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/hallmark-kit/hallmark/internal/bundled"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/cli"
	"github.com/hallmark-kit/hallmark/internal/options"
	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/conformance"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps"
)

// ReadPublicKey reads the key of --key, with which a report must be signed.
func ReadPublicKey(file string) (ed25519.PublicKey, error) {
	named := "--key " + text.Visible(file)
	text, err := options.ReadSecret(named, file)
	if err != nil {
		return nil, err
	}
	key, err := conformance.ReadPublicKey([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", named, err)
	}
	return key, nil
}

// OwnSuite returns what reports are compared with: the suite of a contract, or the built-in one if none is named.
func OwnSuite(version string, from options.Contract) (conformance.Own, error) {
	basis, err := Load(from)
	if err != nil {
		return conformance.Own{}, err
	}
	contract, catalogue := basis.Contract, basis.Catalogue
	suite, err := basis.Suite("")
	if err != nil {
		return conformance.Own{}, err
	}
	foreign, err := basis.foreign("", suite)
	if err != nil {
		return conformance.Own{}, err
	}
	proven, err := bundled.Petstore().Proof()
	if err != nil {
		return conformance.Own{}, cli.WithCode(verdict.ExitHarness, err)
	}
	return conformance.Own{
		Suite: record.Suite{
			Version: version, Contract: contract.Digest(), Catalogue: catalogue.Digest(), Features: suite.Digest(), Foreign: foreign,
		},
		Catalogue: catalogue, Proven: proven, Scenarios: suite.Scenarios(),
		NotApplicable: func(at time.Time) map[string]string { return steps.NotApplicable(contract, catalogue, at) },
	}, nil
}
