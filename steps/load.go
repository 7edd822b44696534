package steps

import (
	"fmt"
	"iter"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/feature"
	"hallmark/spec/promise"
	"hallmark/steps/scenario"
	"hallmark/steps/suite"
	"hallmark/steps/vocabulary"
)

// LoadSuite parses every feature file of a source, in the order of their names. It refuses a scenario
// that names no rule, or one that the catalogue does not know: a verdict could not be told from it.
func LoadSuite(from suite.Source, of scenario.Interface, catalogue *spec.Catalogue) (*suite.Suite, error) {
	return suite.Load(from, catalogue, nil, of.Noun(), vocabulary.Unfit(of))
}

// LoadSuiteFor is LoadSuite for another contract than the built-in one: the derived features are those that follow from
// that contract.
func LoadSuiteFor(from suite.Source, of scenario.Interface, contract *spec.Contract, catalogue *spec.Catalogue) (*suite.Suite, error) {
	files, err := derive.Features(contract, catalogue)
	if err != nil {
		return nil, fmt.Errorf("no scenarios can be derived from the contract: %w", err)
	}
	return suite.Load(from, catalogue, below("derived/", files), of.Noun(), vocabulary.Unfit(of))
}

// LoadDerived loads scenarios that follow from a contract, in the order of their files' names.
func LoadDerived(files iter.Seq[feature.File], catalogue *spec.Catalogue) (*suite.Suite, error) {
	return suite.LoadDerived("derived", files, catalogue, scenario.Interface{}.Noun(), vocabulary.Unfit(scenario.Interface{}))
}

// LoadPromises returns the rules that follow from a contract alone, and the scenarios that try them.
func LoadPromises(p *promise.Promises) (*spec.Catalogue, *suite.Suite, error) {
	catalogue, err := p.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	loaded, err := LoadDerived(p.LastFeatures(catalogue), catalogue)
	return catalogue, loaded, err
}

// below returns files by their names below a folder.
func below(folder string, files []feature.File) map[string]feature.File {
	all := make(map[string]feature.File, len(files))
	for _, f := range files {
		all[folder+f.Name] = f
	}
	return all
}
