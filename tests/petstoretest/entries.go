package petstoretest

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/petstore"
)

// Rules returns the Petstore's file of rules, which changes those derived from its contract, or ends the test.
func Rules(t testing.TB) []spec.Entry {
	t.Helper()
	rules, err := petstore.Rules()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}
