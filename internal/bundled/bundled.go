// Package bundled is the registry of the interfaces that come with the program: the one place where their parts meet.
package bundled

import (
	"sync"

	petfeatures "hallmark/features/petstore"
	"hallmark/reference"
	"hallmark/reference/petstore/variants"
	"hallmark/spec"
	petspec "hallmark/spec/petstore"
	"hallmark/steps/petstore"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
)

// Interface is all that is known of an interface.
type Interface struct {
	// Contract and Catalogue load its contract and its rules, Proof the figures of the last proof that was kept.
	Contract  func() (*spec.Contract, error)
	Catalogue func() (*spec.Catalogue, error)
	Proof     func() (spec.Proven, error)
	// CatalogueDigest is [spec.Catalogue.Digest] of the catalogue, without reading its rules.
	CatalogueDigest func() string
	// ContractFile is where the contract stands in the repository.
	ContractFile string
	// Features are its scenarios.
	Features suite.Source
	// Code is what scenarios by contract and rules alone cannot ask and judge.
	Code scenario.Interface
	// Reference makes services that keep every rule, or break one, to be judged and tried; nil where there are none.
	Reference reference.Implementation
}

// Default returns the interface that is judged by.
func Default() Interface { return Petstore() }

// Petstore returns the Petstore interface. Its contract, rules and proof are loaded once, when they are first asked for.
func Petstore() Interface { return petstoreOnce() }

var petstoreOnce = sync.OnceValue(func() Interface {
	return Interface{
		Contract: sync.OnceValues(petspec.Contract), Catalogue: sync.OnceValues(petspec.Catalogue), Proof: sync.OnceValues(petspec.Proof),
		CatalogueDigest: petspec.CatalogueDigest,
		ContractFile:    "spec/petstore/openapi.yaml",
		Features:        suite.Source{Folder: "features/petstore", FS: petfeatures.FS},
		Code:            petstore.Interface(),
		Reference:       variants.Reference(),
	}
})
