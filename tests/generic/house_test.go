package generic_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inferring are the packages that infer, derive and judge by a document: what serves one reads it anew.
var inferring = []string{"spec/behaviour", "spec/promise", "spec/second", "spec/request", "spec/resource", "spec/values", "spec/wire", "steps", "reports", "internal"}

func TestServiceOfDocumentsIsSecondReading(t *testing.T) {
	root, files := filepath.Join("..", ".."), token.NewFileSet()
	seen, left := map[string]bool{}, []string{"reference/stub"}
	for len(left) > 0 {
		folder := left[0]
		if left = left[1:]; seen[folder] {
			continue
		}
		seen[folder] = true
		all, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil || len(all) == 0 {
			t.Fatalf("%s holds no Go files (%v)", folder, err)
		}
		for _, name := range all {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(files, name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range file.Imports {
				path, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "github.com/hallmark-kit/hallmark/")
				if !own {
					continue
				}
				if path != "internal/text" && path != "internal/text/syntax" && slices.ContainsFunc(inferring, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }) {
					t.Errorf("%s imports %s, by way of reference/stub: the two readings of a document may not share it", name, path)
				}
				left = append(left, path)
			}
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d packages were looked at", len(seen))
	}
}
