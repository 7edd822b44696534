package petstore

import (
	_ "embed"
	"fmt"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

var (
	//go:embed openapi.yaml
	openapiYAML []byte
	//go:embed rules.yaml
	rulesYAML []byte
	//go:embed proof.json
	proofJSON []byte
)

// Contract returns the contract of the Petstore interface.
func Contract() (*spec.Contract, error) { return openapi.Load(openapiYAML) }

// Rules returns the entries of rules.yaml, which change and cover the rules derived from the contract.
func Rules() ([]spec.Entry, error) { return spec.ReadRules(rulesYAML) }

// Catalogue returns the rules of the Petstore interface: those derived from what its contract promises, as Rules change them.
func Catalogue(contract *spec.Contract, promises *promise.Promises) (*spec.Catalogue, error) {
	entries, err := Rules()
	if err != nil {
		return nil, err
	}
	catalogue, err := promises.Catalogue()
	if err != nil {
		return nil, err
	}
	if catalogue, err = catalogue.Change(entries); err == nil {
		err = catalogue.CheckChanged(contract, entries)
	}
	if err != nil {
		return nil, fmt.Errorf("the Petstore's contract and its rules do not belong together:\n%w", err)
	}
	return catalogue, nil
}

// Proof returns the figures of the last proof that was kept ("hallmark prove --update").
func Proof() (spec.Proven, error) { return spec.ReadProof(proofJSON) }
