package main

import (
	"testing"

	"hallmark/internal/session"
)

// What is told of the features without parsing them is what parsing tells.
func TestVersionKnowsTheFeatures(t *testing.T) {
	builtin, err := session.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	digest, scenarios, err := featuresOf(builtin)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := builtin.Suite("")
	if err != nil {
		t.Fatal(err)
	}
	if digest != parsed.Digest() || scenarios != parsed.Scenarios() {
		t.Errorf("%s with %d scenarios, parsed %s with %d", digest, scenarios, parsed.Digest(), parsed.Scenarios())
	}
}
