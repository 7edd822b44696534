package petstoretest

import (
	"testing"

	"github.com/pb33f/go-yaml"

	"hallmark/spec"
	"hallmark/spec/petstore"
)

// JudgedBy is an entry of covers.yaml: how what serves every contract is to judge a rule of the Petstore.
type JudgedBy struct {
	ID string `yaml:"id"`
	// Covers are the derived rules, and parts of them, that the rule covers.
	Covers []string `yaml:"covers"`
	// Feature says what a scenario has to test, Memory what a run has to remember, Untested why nothing tests it.
	Feature  string `yaml:"feature"`
	Memory   string `yaml:"memory"`
	Untested string `yaml:"untested"`
	// Off is why a derived rule is switched off that contradicts the interface.
	Off string `yaml:"off"`
}

// Table returns the entries of covers.yaml, or ends the test.
func Table(t testing.TB) []JudgedBy {
	t.Helper()
	var table []JudgedBy
	if err := yaml.Unmarshal(petstore.Covers(), &table); err != nil {
		t.Fatal(err)
	}
	return table
}

// Entries returns the rules of the Petstore as a file of rules that changes those derived from its contract: what covers derived rules
// names them, and all others are rules of its own.
func Entries(t testing.TB) []spec.Entry {
	t.Helper()
	rules := Catalogue(t)
	var entries []map[string]any
	for _, one := range Table(t) {
		if one.Off != "" {
			entries = append(entries, map[string]any{"id": one.ID, "off": one.Off})
			continue
		}
		rule, known := rules.Rule(one.ID)
		if !known {
			t.Fatalf("covers.yaml names %s, which is no rule", one.ID)
		}
		entries = append(entries, entryOf(rule, one))
	}
	text, err := yaml.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	file, err := spec.ReadRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// entryOf returns a rule as an entry of a file of rules.
func entryOf(rule spec.Rule, by JudgedBy) map[string]any {
	entry := map[string]any{"id": rule.ID, "level": rule.Level, "section": rule.Section, "says": rule.Says}
	for key, value := range map[string]string{"source": rule.Source, "asks": rule.Asks, "within": rule.Within, "untestable": rule.Untestable} {
		if value != "" {
			entry[key] = value
		}
	}
	switch {
	case len(by.Covers) > 0:
		entry["covers"] = by.Covers
	case len(rule.Operations) > 0:
		entry["operations"] = rule.Operations
	}
	return entry
}
