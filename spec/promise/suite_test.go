package promise_test

import (
	"path/filepath"
	"slices"
	"testing"

	"hallmark/spec/openapi"
	"hallmark/spec/promise"
	"hallmark/spec/source"
)

// The same seed gives the same files, byte by byte.
func TestSameSeedSameSuite(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join("..", "*", "testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, filepath.Join("..", "..", "internal", "shop", "openapi.yaml"))
	if len(documents) < 3 {
		t.Fatalf("there are %d documents", len(documents))
	}
	for _, name := range documents {
		var first []string
		for try := range 10 {
			contract, err := openapi.LoadFile(name, source.Options{})
			if err != nil {
				break // what cannot be read is the business of other tests
			}
			p := promise.Of(contract, 7, 60)
			catalogue, err := p.Catalogue()
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, f := range p.Features(catalogue) {
				all = append(all, f.Name, f.Content)
			}
			if try == 0 {
				first = all
			} else if !slices.Equal(first, all) {
				t.Errorf("%s: the suite differs at try %d", name, try+1)
				break
			}
		}
	}
}
