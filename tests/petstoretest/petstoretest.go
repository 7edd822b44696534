// Package petstoretest provides tests with the Petstore's contract and catalogue.
package petstoretest

import (
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/petstore"
	"github.com/hallmark-kit/hallmark/spec/promise"
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
	contract := Contract(t)
	catalogue, err := petstore.Catalogue(contract, promise.Of(contract, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	return catalogue
}
