package main

import (
	"fmt"

	"hallmark/features"
	"hallmark/reports"
	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps"
)

// viewOf judges a record that was read, by the rules that it was made with. Its contract and features are shown when they
// are the built-in ones.
func viewOf(name string, record *record.Record) (*reports.View, error) {
	contract, catalogue, err := loadContract("")
	if err != nil {
		return nil, err
	}
	if err := sameRules(name, record, catalogue); err != nil {
		return nil, err
	}
	suite, err := steps.LoadSuite(features.FS, catalogue)
	if err != nil {
		return nil, err
	}
	from := reports.Sources{Catalogue: catalogue, Contract: contract, Features: suite.Files()}
	return reports.NewView(record, from.Of(record.Suite, suite.Digest())), nil
}

// sameRules refuses a record that was made with another catalogue of rules: its verdicts would be other ones here.
func sameRules(name string, record *record.Record, catalogue *spec.Catalogue) error {
	if record.Suite.Catalogue != catalogue.Digest() {
		return fmt.Errorf("%s was made with other rules, by hallmark %s; use that version, or run again with this one",
			visible(name), visible(record.Suite.Version))
	}
	return nil
}
