// Package bundled is the registry of the interfaces that come with the program: the one place where their parts meet.
package bundled

import (
	"io/fs"
	"path"
	"sync"
	"testing/fstest"

	petfeatures "github.com/hallmark-kit/hallmark/features/petstore"
	"github.com/hallmark-kit/hallmark/reference"
	"github.com/hallmark-kit/hallmark/reference/petstore/variants"
	"github.com/hallmark-kit/hallmark/spec"
	petspec "github.com/hallmark-kit/hallmark/spec/petstore"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Interface is everything known about an interface.
type Interface struct {
	// Contract loads the contract, and Proof the figures of the last stored proof.
	Contract func() (*spec.Contract, error)
	Proof    func() (spec.Proven, error)
	// RulesOf returns the rules of the interface by what its contract promises, and Derived both for all who change
	// nothing about them.
	RulesOf func(*spec.Contract, *promise.Promises) (*spec.Catalogue, error)
	Derived func() (*promise.Promises, *spec.Catalogue, error)
	// ContractFile is the contract's path in the repository, BasePath the suffix of the base URLs of its services.
	ContractFile, BasePath string
	// Folder is the folder of its features in the repository, and Written holds those that do not follow from the
	// contract.
	Folder  string
	Written fs.FS
	// Reference makes services to test the suite with, which keep every rule or break one. It may be nil.
	Reference reference.Implementation
}

// Default returns the interface that services are judged by unless the user names another contract.
func Default() Interface { return Petstore() }

// Petstore returns the Petstore interface. Its contract, rules and proof are loaded once, on first use.
func Petstore() Interface { return petstoreOnce() }

var petstoreOnce = sync.OnceValue(func() Interface {
	i := Interface{
		Contract: sync.OnceValues(petspec.Contract), Proof: sync.OnceValues(petspec.Proof), RulesOf: petspec.Catalogue,
		ContractFile: "spec/petstore/openapi.yaml", BasePath: "/v1", Folder: "features/petstore", Written: petfeatures.FS,
		Reference: variants.Reference(),
	}
	type derived struct {
		promises  *promise.Promises
		catalogue *spec.Catalogue
	}
	once := sync.OnceValues(func() (d derived, err error) {
		contract, err := i.Contract()
		if err != nil {
			return d, err
		}
		d.promises = promise.Of(contract, Seed, 0)
		d.catalogue, err = i.RulesOf(contract, d.promises)
		return d, err
	})
	i.Derived = func() (*promise.Promises, *spec.Catalogue, error) {
		d, err := once()
		return d.promises, d.catalogue, err
	}
	return i
})

// Seed fixes what derived scenarios send, so that their ids mean the same in each run.
const Seed = 1

// Catalogue returns the rules of Derived.
func (i Interface) Catalogue() (*spec.Catalogue, error) {
	_, catalogue, err := i.Derived()
	return catalogue, err
}

// Features returns the derived features of the interface by those promises and rules, and the written ones.
func (i Interface) Features(promises *promise.Promises, catalogue *spec.Catalogue) (suite.Source, error) {
	files := fstest.MapFS{}
	for _, file := range promises.Features(catalogue) {
		files[path.Join("derived", file.Name)] = &fstest.MapFile{Data: []byte(file.Content)}
	}
	names, err := fs.Glob(i.Written, "*.feature")
	if err != nil {
		return suite.Source{}, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(i.Written, name)
		if err != nil {
			return suite.Source{}, err
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return suite.Source{Folder: i.Folder, FS: files}, nil
}
