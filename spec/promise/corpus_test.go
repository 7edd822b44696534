package promise_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// TestCorpus derives from the documents of the folder that HALLMARK_CORPUS names.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.[yj]*"))
	if err != nil {
		t.Fatal(err)
	}
	operations, asked := 0, 0
	for _, name := range names {
		began := time.Now()
		contract, err := openapi.LoadFile(name, source.Options{})
		if err != nil {
			t.Logf("%-32s %v", filepath.Base(name), err)
			continue
		}
		read := time.Since(began)
		p := promise.Of(contract, 1, 0)
		catalogue, err := p.Catalogue()
		if err != nil {
			t.Fatal(err)
		}
		files := p.Features(catalogue)
		operations, asked = operations+len(contract.Operations()), asked+len(files)
		t.Logf("%-32s %4d operations, %4d files, read in %v, derived in %v", filepath.Base(name), len(contract.Operations()), len(files),
			read.Round(time.Millisecond), (time.Since(began) - read).Round(time.Millisecond))
	}
	if asked*100 < operations*97 {
		t.Errorf("%d of %d operations have scenarios", asked, operations)
	}
}
