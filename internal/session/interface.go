package session

import (
	"fmt"

	"hallmark/internal/bundled"
	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/promise"
	"hallmark/steps"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// featureSeed fixes what derived scenarios send, so that their ids mean the same in each run.
const featureSeed = 1

// promisesOf returns what a contract promises whose rules follow from it alone; nil for the contract of a bundled interface, and
// for one that has all of its operations: that has rules and scenarios of its own.
func promisesOf(contract *spec.Contract) (*promise.Promises, error) {
	own, err := bundled.Petstore().Contract()
	if err != nil {
		return nil, err
	}
	for _, op := range own.Operations() {
		there, ok := contract.Operation(op.ID)
		if !ok || there.Method != op.Method || there.Path != op.Path {
			return promise.Of(contract, featureSeed, 0), nil
		}
	}
	return nil, nil //nolint:nilnil // there is nothing to derive from
}

// codeFor returns the Go code of the interface of a contract: none where the rules follow from the contract.
func codeFor(promises *promise.Promises) scenario.Interface {
	if promises != nil {
		return scenario.Interface{}
	}
	return bundled.Petstore().Code
}

// derivedSuite returns the scenarios that follow from a contract.
func derivedSuite(file string, promises *promise.Promises, catalogue *spec.Catalogue) (*suite.Suite, error) {
	files := promises.Features(catalogue)
	if len(files) == 0 {
		return nil, fmt.Errorf("--contract %s: no scenario follows from it", text.Printable(file))
	}
	loaded, err := steps.LoadDerived(files, catalogue)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", text.Printable(file), err)
	}
	return loaded, nil
}

// DerivedFeatures returns the features that follow from a contract and its rules.
func DerivedFeatures(contract *spec.Contract, catalogue *spec.Catalogue) ([]derive.File, error) {
	promises, err := promisesOf(contract)
	if err != nil || promises == nil {
		return derive.Features(contract, catalogue)
	}
	return promises.Features(catalogue), nil
}
