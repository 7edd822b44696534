package schema

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// testDocument is a document with no limits.
type testDocument struct {
	root *source.Node
	mu   sync.Mutex
	// keys are the entries of mappings with many.
	keys map[*source.Node]map[string]*source.Node
}

func parse(t testing.TB, text string) *testDocument {
	t.Helper()
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	return &testDocument{root: source.NodeOf(file.Content[0]), keys: map[*source.Node]map[string]*source.Node{}}
}

func (d *testDocument) Node(pointer string) *source.Node {
	n := d.root
	for _, token := range jsonpointer.Tokens(pointer) {
		switch {
		case n == nil:
			return nil
		case n.Kind == source.MappingNode:
			n = d.entry(n, token)
		case n.Kind == source.SequenceNode:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Content) {
				return nil
			}
			n = n.Content[i]
		default:
			return nil
		}
	}
	return n
}

func (d *testDocument) entry(n *source.Node, name string) *source.Node {
	if len(n.Content) < 32 {
		return lookup(n, name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	entries := d.keys[n]
	if entries == nil {
		entries = map[string]*source.Node{}
		for _, m := range members(n) {
			entries[m.name] = m.value
		}
		d.keys[n] = entries
	}
	return entries[name]
}

func (d *testDocument) Line(pointer string) int {
	if n := d.Node(pointer); n != nil {
		return int(n.Line)
	}
	return 0
}

func (d *testDocument) Target(_, ref string) (string, error) {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return "", errors.New("outside")
	}
	return url.PathUnescape(fragment)
}

// corpus returns the documents of the folder in HALLMARK_CORPUS: real ones, which belong to others and are not
// part of this project.
func corpus(t testing.TB) []string {
	t.Helper()
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	var documents []string
	for _, ending := range []string{"*.yaml", "*.yml", "*.json"} {
		some, err := filepath.Glob(filepath.Join(folder, ending))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, some...)
	}
	if len(documents) == 0 {
		t.Fatalf("%s holds no documents", folder)
	}
	return documents
}

// versionOf returns the version of OpenAPI that a document names.
func versionOf(d *testDocument) string {
	for _, name := range []string{"openapi", "swagger"} {
		if n := d.Node("/" + name); n != nil {
			return n.Value
		}
	}
	return ""
}

// schemasOf returns the pointers of the schemas of a document: components, and wherever an object has a schema.
func schemasOf(d *testDocument) []string {
	var all []string
	for _, place := range []string{"/components/schemas", "/definitions"} {
		if n := d.Node(place); n != nil {
			for _, m := range members(n) {
				all = append(all, jsonpointer.Join(place, m.name))
			}
		}
	}
	var walk func(n *source.Node, pointer string, depth int)
	walk = func(n *source.Node, pointer string, depth int) {
		if n == nil || depth > 30 {
			return
		}
		switch n.Kind {
		case source.SequenceNode:
			for i, item := range n.Content {
				walk(item, index(pointer, i), depth+1)
			}
		case source.MappingNode:
			for _, m := range members(n) {
				at := jsonpointer.Join(pointer, m.name)
				switch m.name {
				case "schema":
					if m.value != nil && m.value.Kind == source.MappingNode {
						all = append(all, at)
						continue
					}
				case "example", "examples", "schemas", "definitions":
					continue
				}
				walk(m.value, at, depth+1)
			}
		}
	}
	walk(d.root, "", 0)
	return all
}

func decode(t testing.TB, text string) any {
	t.Helper()
	d, err := exactjson.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d.Tree
}

// schemaOf returns a schema of a dialect, named X among the components.
func schemaOf(t testing.TB, d Dialect, text string) *Schema {
	t.Helper()
	s, ok := New(parse(t, text), d).At("/components/schemas/X")
	if !ok {
		t.Fatal("there is no X")
	}
	return s
}
