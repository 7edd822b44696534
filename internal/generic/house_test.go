package generic_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder with more files than mostFiles is a hall, and a type with methods in more files than mostHomes has to be looked for.
const mostFiles, mostHomes = 35, 4

func TestFoldersAndTypesAreSmall(t *testing.T) {
	root := filepath.Join("..", "..")
	folders, homes := map[string]int{}, map[string][]string{}
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		folders[filepath.Dir(path)]++
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			key := filepath.Dir(path) + "." + receiver(f.Recv.List[0].Type)
			if !slices.Contains(homes[key], filepath.Base(path)) {
				homes[key] = append(homes[key], filepath.Base(path))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < 20 || len(homes) < 20 {
		t.Fatalf("%d folders and %d types were looked at", len(folders), len(homes))
	}
	for folder, n := range folders {
		if n > mostFiles {
			t.Errorf("%s holds %d Go files; divide it into rooms", folder, n)
		}
	}
	for name, where := range homes {
		if len(where) > mostHomes {
			t.Errorf("the methods of %s stand in %q; bring them together, or make functions of those that ask for little", name, where)
		}
	}
}

// inferring are the packages that infer, derive and judge by a document: what serves one reads it anew.
var inferring = []string{"spec/behaviour", "spec/derive", "spec/judge", "spec/pairwise", "spec/promise", "spec/request", "spec/resource", "spec/values", "spec/wire", "steps", "reports", "internal"}

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
				path, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "hallmark/")
				if !own {
					continue
				}
				if !slices.Contains([]string{"internal/lazy", "internal/slab", "internal/text"}, path) && slices.ContainsFunc(inferring, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }) {
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

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
