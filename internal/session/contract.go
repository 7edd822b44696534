package session

import (
	"errors"
	"fmt"
	"os"

	"hallmark/internal/bundled"
	"hallmark/spec/openapi"
	"hallmark/spec/source"

	"hallmark/internal/cli"
	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps"
	"hallmark/steps/suite"
)

// LoadContract reads the contract of a file, or the built-in one when none is named, and the catalogue, and makes sure
// that the two belong together.
func LoadContract(file string) (*spec.Contract, *spec.Catalogue, error) {
	catalogue, err := bundled.Petstore().Catalogue()
	if err != nil {
		return nil, nil, err
	}
	own, err := bundled.Petstore().Contract()
	if err != nil {
		return nil, nil, err
	}
	contract := own
	if file != "" {
		if contract, err = readContract(file); err != nil {
			return nil, nil, err
		}
		if promises, err := promisesOf(contract); err != nil {
			return nil, nil, err
		} else if promises != nil {
			catalogue, err := promises.Catalogue()
			return contract, catalogue, err
		}
	}
	if catalogue, err = catalogue.Adapt(own, contract); err != nil {
		return nil, nil, fmt.Errorf("--contract %s: %w", text.Printable(file), err)
	}
	if wrong := catalogue.Check(contract); len(wrong) > 0 {
		what := "the contract"
		if file != "" {
			what += " " + text.Printable(file)
		}
		return nil, nil, fmt.Errorf("%s and the catalogue of rules do not belong together:\n%w", what, errors.Join(wrong...))
	}
	return contract, catalogue, nil
}

// Foreign names what was given in place of the built-in contract and features, unless it is the same.
func Foreign(contractFile string, contract *spec.Contract, folder string, loaded *suite.Suite) ([]string, error) {
	var all []string
	if contractFile != "" {
		own, err := bundled.Petstore().Contract()
		if err != nil {
			return nil, err
		}
		if own.Digest() != contract.Digest() {
			all = append(all, "contract")
		}
	}
	if folder != "" {
		catalogue, err := bundled.Petstore().Catalogue()
		if err != nil {
			return nil, err
		}
		own, err := steps.LoadSuite(bundled.Petstore().Features, bundled.Petstore().Code, catalogue)
		if err != nil {
			return nil, err
		}
		if own.Digest() != loaded.Digest() {
			all = append(all, "features")
		}
	}
	return all, nil
}

func readContract(file string) (*spec.Contract, error) {
	contract, err := openapi.LoadFile(file, source.Options{})
	switch {
	case errors.As(err, new(*source.Error)):
		return nil, fmt.Errorf("--contract %s: %w", text.Printable(file), err)
	case err != nil:
		return nil, fmt.Errorf("--contract %s: the file cannot be read: %w", text.Printable(file), cli.Bare(err))
	}
	return contract, nil
}

// SuiteFor parses the features of a folder, or the built-in ones when none is named: those that follow from the contract
// are derived from the one that is judged by.
func SuiteFor(folder, contractFile string, contract *spec.Contract, catalogue *spec.Catalogue) (*suite.Suite, error) {
	if folder != "" || contractFile == "" {
		return LoadSuite(folder, catalogue)
	}
	own, err := bundled.Petstore().Contract()
	if err != nil {
		return nil, err
	}
	if own.Digest() == contract.Digest() {
		return LoadSuite(folder, catalogue)
	}
	promises, err := promisesOf(contract)
	if err != nil {
		return nil, err
	}
	if promises != nil {
		return derivedSuite(contractFile, promises, catalogue)
	}
	loaded, err := steps.LoadSuiteFor(bundled.Petstore().Features, bundled.Petstore().Code, contract, catalogue)
	if err != nil {
		return nil, fmt.Errorf("--contract %s: %w", text.Printable(contractFile), err)
	}
	return loaded, nil
}

// LoadSuite parses the features of a folder, or the built-in ones when none is named.
func LoadSuite(folder string, catalogue *spec.Catalogue) (*suite.Suite, error) {
	if folder == "" {
		return steps.LoadSuite(bundled.Petstore().Features, bundled.Petstore().Code, catalogue)
	}
	info, err := os.Stat(folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--features %s: the folder cannot be read: %w", text.Printable(folder), cli.Bare(err))
	case !info.IsDir():
		return nil, fmt.Errorf("--features %s: this is no folder; name one that holds .feature files", text.Printable(folder))
	}
	from := suite.Source{Folder: bundled.Petstore().Features.Folder, FS: os.DirFS(folder)}
	loaded, err := steps.LoadSuite(from, bundled.Petstore().Code, catalogue)
	if err != nil {
		return nil, fmt.Errorf("--features %s: %w", text.Printable(folder), err)
	}
	return loaded, nil
}
