package main

import (
	"fmt"

	"hallmark/reports"
	"hallmark/spec"
)

// sameRules refuses a record that was made with another catalogue of rules: its verdicts would be other ones here.
func sameRules(name string, record *reports.Record, catalogue *spec.Catalogue) error {
	if record.Suite.Catalogue != catalogue.Digest() {
		return fmt.Errorf("%s was made with other rules, by hallmark %s; use that version, or run again with this one",
			visible(name), visible(record.Suite.Version))
	}
	return nil
}
