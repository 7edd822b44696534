package promise_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// The same seed gives the same files, byte by byte.
func TestSameSeedSameSuite(t *testing.T) {
	documents := []string{filepath.Join("..", "..", "tests", "shop", "openapi.yaml")}
	names, err := filepath.Glob(filepath.Join("..", "*", "testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if documents = append(documents, names...); len(documents) < 3 {
		t.Fatalf("there are %d documents", len(documents))
	}
	for _, name := range documents {
		var first []string
		for try := range 10 {
			contract, err := openapi.LoadFile(name, source.Options{})
			if err != nil {
				break // unreadable documents are covered by other tests
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

// A small bound leaves no kind of promise without a case.
func TestSmallBoundsKeepEveryKind(t *testing.T) {
	for _, most := range []int{20, 60} {
		contract, err := openapi.LoadFile(filepath.Join("..", "..", "tests", "shop", "openapi.yaml"), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := promise.Of(contract, 1, most)
		catalogue, err := p.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, f := range p.Features(catalogue) {
			text += f.Content
		}
		for _, r := range catalogue.Rules {
			if !r.Always && !strings.Contains(text, "@rule:"+r.ID+" ") {
				t.Errorf("%d cases: %s has none", most, r.ID)
			}
		}
	}
}
