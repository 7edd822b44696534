// Package petstoretest provides tests with the Petstore's contract and catalogue.
package petstoretest

import (
	"testing"

	"hallmark/spec"
	"hallmark/spec/petstore"
)

// Contract returns the bundled contract, or ends the test.
func Contract(t testing.TB) *spec.Contract {
	t.Helper()
	contract, err := petstore.Contract()
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// Catalogue returns the bundled catalogue, or ends the test.
func Catalogue(t testing.TB) *spec.Catalogue {
	t.Helper()
	catalogue, err := petstore.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return catalogue
}
