package spec_test

import (
	"os"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

// petText is the contract of the Petstore as text.
func petText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("petstore/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func contractFrom(t *testing.T, text string) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}
