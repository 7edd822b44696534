package steps

import (
	"iter"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/feature"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// LoadSuite parses every feature file of a source, in the order of their names. It rejects a scenario that names
// no rule, or an unknown one, since no verdict could be drawn from it.
func LoadSuite(from suite.Source, catalogue *spec.Catalogue) (*suite.Suite, error) {
	return suite.Load(from, catalogue)
}

// LoadDerived loads scenarios that follow from a contract, in the order of their files' names.
func LoadDerived(files iter.Seq[feature.File], catalogue *spec.Catalogue) (*suite.Suite, error) {
	return suite.LoadDerived("derived", files, catalogue)
}

// LoadPromises returns the rules that follow from a contract alone, and the scenarios that test them.
func LoadPromises(p *promise.Promises) (*spec.Catalogue, *suite.Suite, error) {
	catalogue, err := p.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	loaded, err := LoadDerived(p.LastFeatures(catalogue), catalogue)
	return catalogue, loaded, err
}
