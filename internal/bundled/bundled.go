// Package bundled is the registry of the interfaces that come with the program: the one place where their parts meet.
package bundled

import (
	"sync"

	petfeatures "hallmark/features/petstore"
	"hallmark/reference"
	"hallmark/reference/petstore/variants"
	"hallmark/spec"
	petspec "hallmark/spec/petstore"
	"hallmark/spec/promise"
	"hallmark/steps/petstore"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Interface is everything known about an interface.
type Interface struct {
	// Contract and Catalogue load the contract and the rules, Proof the figures of the last stored proof.
	Contract  func() (*spec.Contract, error)
	Catalogue func() (*spec.Catalogue, error)
	// Derived returns what the contract promises, and the rules derived from it as the file of rules changes them.
	Derived func() (*promise.Promises, *spec.Catalogue, error)
	Proof   func() (spec.Proven, error)
	// ContractFile is the contract's path in the repository.
	ContractFile string
	// Features holds the scenarios.
	Features suite.Source
	// Code does what scenarios cannot do by contract and rules alone.
	Code scenario.Interface
	// Reference makes services to test the suite with, which keep every rule or break one. It may be nil.
	Reference reference.Implementation
}

// Default returns the interface that services are judged by unless the user names another contract.
func Default() Interface { return Petstore() }

// Petstore returns the Petstore interface. Its contract, rules and proof are loaded once, on first use.
func Petstore() Interface { return petstoreOnce() }

var petstoreOnce = sync.OnceValue(func() Interface {
	return Interface{
		Contract: sync.OnceValues(petspec.Contract), Catalogue: sync.OnceValues(petspec.Catalogue), Proof: sync.OnceValues(petspec.Proof),
		Derived:      derived,
		ContractFile: "spec/petstore/openapi.yaml",
		Features:     suite.Source{Folder: "features/petstore", FS: petfeatures.FS},
		Code:         petstore.Interface(),
		Reference:    variants.Reference(),
	}
})

// seed fixes what derived scenarios send.
const seed = 1

// derived derives the rules of the Petstore's contract, and changes them by its file of rules.
func derived() (*promise.Promises, *spec.Catalogue, error) {
	contract, err := petspec.Contract()
	if err != nil {
		return nil, nil, err
	}
	entries, err := petspec.Rules()
	if err != nil {
		return nil, nil, err
	}
	promises := promise.Of(contract, seed, 0)
	catalogue, err := promises.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	if catalogue, err = catalogue.Change(entries); err == nil {
		err = catalogue.CheckChanged(contract, entries)
	}
	return promises, catalogue, err
}
