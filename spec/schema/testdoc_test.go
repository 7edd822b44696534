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

	"go.yaml.in/yaml/v4"

	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
)

// testDocument is a document with no limits.
type testDocument struct {
	root *yaml.Node
	mu   sync.Mutex
	// keys are the entries of mappings with many.
	keys map[*yaml.Node]map[string]*yaml.Node
}

func parse(t testing.TB, text string) *testDocument {
	t.Helper()
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	return &testDocument{root: file.Content[0], keys: map[*yaml.Node]map[string]*yaml.Node{}}
}

func (d *testDocument) Node(pointer string) *yaml.Node {
	n := resolve(d.root)
	for _, token := range jsonpointer.Tokens(pointer) {
		switch {
		case n == nil:
			return nil
		case n.Kind == yaml.MappingNode:
			n = d.entry(n, token)
		case n.Kind == yaml.SequenceNode:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Content) {
				return nil
			}
			n = n.Content[i]
		default:
			return nil
		}
		n = resolve(n)
	}
	return n
}

func (d *testDocument) entry(n *yaml.Node, name string) *yaml.Node {
	if len(n.Content) < 32 {
		return lookup(n, name)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	entries := d.keys[n]
	if entries == nil {
		entries = map[string]*yaml.Node{}
		for _, m := range members(n) {
			entries[m.name] = m.value
		}
		d.keys[n] = entries
	}
	return entries[name]
}

func (d *testDocument) Line(pointer string) int {
	if n := d.Node(pointer); n != nil {
		return n.Line
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

// corpus returns the documents of the folder that HALLMARK_CORPUS names: real ones, which belong to others and are no part of
// this project.
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
	var walk func(n *yaml.Node, pointer string, depth int)
	walk = func(n *yaml.Node, pointer string, depth int) {
		n = resolve(n)
		if n == nil || depth > 30 {
			return
		}
		switch n.Kind {
		case yaml.SequenceNode:
			for i, item := range n.Content {
				walk(item, index(pointer, i), depth+1)
			}
		case yaml.MappingNode:
			for _, m := range members(n) {
				at := jsonpointer.Join(pointer, m.name)
				switch m.name {
				case "schema":
					if m.value != nil && m.value.Kind == yaml.MappingNode {
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

// schemaOf returns a schema of a dialect, which stands as X among the components.
func schemaOf(t testing.TB, d Dialect, text string) *Schema {
	t.Helper()
	s, ok := New(parse(t, text), d).At("/components/schemas/X")
	if !ok {
		t.Fatal("there is no X")
	}
	return s
}
