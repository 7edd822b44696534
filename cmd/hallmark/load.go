package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"hallmark/features"
	"hallmark/spec"
	"hallmark/steps"
	"hallmark/steps/suite"
)

// loadContract reads the contract of a file, or the built-in one when none is named, and the catalogue, and makes sure
// that the two belong together.
func loadContract(file string) (*spec.Contract, *spec.Catalogue, error) {
	catalogue, err := spec.DefaultCatalogue()
	if err != nil {
		return nil, nil, err
	}
	var contract *spec.Contract
	if file == "" {
		contract, err = spec.DefaultContract()
	} else {
		contract, err = readContract(file)
	}
	if err != nil {
		return nil, nil, err
	}
	if catalogue, err = catalogue.Adapt(contract); err != nil {
		return nil, nil, fmt.Errorf("--contract %s: %w", visible(file), err)
	}
	if wrong := catalogue.Check(contract); len(wrong) > 0 {
		what := "the contract"
		if file != "" {
			what += " " + visible(file)
		}
		return nil, nil, fmt.Errorf("%s and the catalogue of rules do not belong together:\n%w", what, errors.Join(wrong...))
	}
	return contract, catalogue, nil
}

// foreign names what was given in place of the built-in contract and features, unless it is the same.
func foreign(contractFile string, contract *spec.Contract, folder string, suite *suite.Suite) ([]string, error) {
	var all []string
	if contractFile != "" {
		own, err := spec.DefaultContract()
		if err != nil {
			return nil, err
		}
		if own.Digest() != contract.Digest() {
			all = append(all, "contract")
		}
	}
	if folder != "" {
		catalogue, err := spec.DefaultCatalogue()
		if err != nil {
			return nil, err
		}
		own, err := steps.LoadSuite(features.FS, catalogue)
		if err != nil {
			return nil, err
		}
		if own.Digest() != suite.Digest() {
			all = append(all, "features")
		}
	}
	return all, nil
}

func readContract(file string) (*spec.Contract, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: the file cannot be read: %w", visible(file), bare(err))
	}
	contract, err := spec.LoadContract(data)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", visible(file), err)
	}
	return contract, nil
}

// suiteFor parses the features of a folder, or the built-in ones when none is named: those that follow from the contract
// are derived from the one that is judged by.
func suiteFor(folder, contractFile string, contract *spec.Contract, catalogue *spec.Catalogue) (*suite.Suite, error) {
	if folder != "" || contractFile == "" {
		return loadSuite(folder, catalogue)
	}
	own, err := spec.DefaultContract()
	if err != nil {
		return nil, err
	}
	if own.Digest() == contract.Digest() {
		return loadSuite(folder, catalogue)
	}
	suite, err := steps.LoadSuiteFor(features.FS, contract, catalogue)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", visible(contractFile), err)
	}
	return suite, nil
}

// loadSuite parses the features of a folder, or the built-in ones when none is named.
func loadSuite(folder string, catalogue *spec.Catalogue) (*suite.Suite, error) {
	if folder == "" {
		return steps.LoadSuite(features.FS, catalogue)
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--features %s: the folder cannot be read: %w", visible(folder), bare(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--features %s: this is no folder; name one that holds .feature files", visible(folder))
	}
	suite, err := steps.LoadSuite(os.DirFS(folder), catalogue)
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", visible(folder), err)
	}
	return suite, nil
}

// bare takes the operation and the path off a file's error, since the sentence around it names the path already.
func bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
