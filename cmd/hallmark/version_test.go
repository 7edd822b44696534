package main

import (
	"testing"

	"github.com/hallmark-kit/hallmark/internal/bundled"
	"github.com/hallmark-kit/hallmark/internal/session"
	"github.com/hallmark-kit/hallmark/spec"
)

// What is told of rules and features without reading them is what reading them tells.
func TestVersionKnowsTheSuite(t *testing.T) {
	told, err := suiteOf(bundled.Petstore().Proof)
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := session.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := builtin.Suite("")
	if err != nil {
		t.Fatal(err)
	}
	read := suiteFacts{
		catalogue: builtin.Catalogue.Digest(), rules: len(builtin.Catalogue.Rules),
		features: parsed.Digest(), scenarios: parsed.Scenarios(),
	}
	if told != read {
		t.Errorf("told %+v, read %+v", told, read)
	}
}

// A suite that is not the one of the kept proof is read.
func TestVersionOfAnUnprovenSuite(t *testing.T) {
	proven, err := suiteOf(bundled.Petstore().Proof)
	if err != nil {
		t.Fatal(err)
	}
	for name, proof := range map[string]spec.Proven{
		"no proof":        {},
		"other rules":     {Catalogue: "sha256:0", Features: proven.features, Catalogued: 1, Quick: &spec.Quick{}},
		"other scenarios": {Catalogue: proven.catalogue, Features: "sha256:0", Catalogued: 1, Quick: &spec.Quick{}},
		"an older proof":  {Catalogue: proven.catalogue, Features: proven.features, Quick: &spec.Quick{}},
	} {
		told, err := suiteOf(func() (spec.Proven, error) { return proof, nil })
		if err != nil || told != proven {
			t.Errorf("%s: %+v, %v", name, told, err)
		}
	}
}
