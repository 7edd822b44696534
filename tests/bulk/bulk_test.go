package bulk_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hallmark-kit/hallmark/reports"
	"github.com/hallmark-kit/hallmark/reports/html"
	"github.com/hallmark-kit/hallmark/tests/bulk"
	"github.com/hallmark-kit/hallmark/tests/sample"
)

var pages = flag.String("bulk.pages", "", "folder to write HTML reports of 3, 25 and 200 operations to, for tools/browser")

func run(t *testing.T, operations int) (json, page []byte) {
	t.Helper()
	v, err := bulk.View(operations)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(v.Contract.Operations()); n != operations {
		t.Fatalf("the document has %d operations, expected %d", n, operations)
	}
	return sample.Written(t, reports.JSON(), v), sample.Written(t, html.Format(), v)
}

func TestTheSameRunEachTime(t *testing.T) {
	firstJSON, firstPage := run(t, 12)
	json, page := run(t, 12)
	if !bytes.Equal(firstJSON, json) || !bytes.Equal(firstPage, page) {
		t.Error("two runs over as many operations differ")
	}
}

func TestPages(t *testing.T) {
	if *pages == "" {
		t.Skip("-bulk.pages names no folder to write pages to")
	}
	for _, operations := range []int{3, 25, 200} {
		_, page := run(t, operations)
		if err := os.WriteFile(filepath.Join(*pages, fmt.Sprintf("bulk-%d.html", operations)), page, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
