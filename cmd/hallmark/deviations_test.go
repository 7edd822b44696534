package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"hallmark/reports/verdict"
	"hallmark/spec"
)

// published compiles a JSON Schema of docs.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open(filepath.Join(docsRoot, "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plainValue is a YAML text as editors see it: dates are text.
func plainValue(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	var plain func(n *yaml.Node)
	plain = func(n *yaml.Node) {
		if n.Tag == "!!timestamp" {
			n.Tag = "!!str"
		}
		for _, c := range n.Content {
			plain(c)
		}
	}
	plain(&doc)
	var value any
	if err := doc.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestDeviationsSchema holds the published schema against the reader: what an editor accepts is what hallmark takes, but
// for what only the catalogue knows.
func TestDeviationsSchema(t *testing.T) {
	const good = `- rule: list.limit.honoured
  message: expected at most 2 animals, actual
  reason: The gateway drops it.
  link: https://issues.example.com/1
  expires: 2027-01-31
`
	catalogue, err := spec.DefaultCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	schema := published(t, "deviations.schema.json")
	for _, c := range []struct {
		name, from, to string
		ok             bool
	}{
		{"as it should be", "", "", true},
		{"a rule of a field in capitals", "rule: list.limit.honoured", "rule: create.categoryId.type", true},
		{"http", "https:", "http:", true},
		{"a quoted date", "2027-01-31", `"2027-01-31"`, true},
		{"another key", "reason:", "because:", false},
		{"a key too much", "  link:", "  level: must\n  link:", false},
		{"no link", "  link: https://issues.example.com/1\n", "", false},
		{"no reason", "The gateway drops it.", `""`, false},
		{"a blank reason", "The gateway drops it.", `"  "`, false},
		{"a reason to come", "The gateway drops it.", "TODO, say why", false},
		{"a link to come", "https://issues.example.com/1", "TODO", false},
		{"a message of its own", "expected at most", "at most", false},
		{"no date", "2027-01-31", "soon", false},
		{"no such date", "2027-01-31", "2027-02-30", false},
		{"an entry that is none", good, "- list.array\n", false},
		{"no list", good, "rule: list.array\n", false},
		{"no entries", good, "[]\n", true},
		{"nothing", good, "# nothing yet\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(good, c.from, c.to, 1)
			_, reading := verdict.ReadDeviations([]byte(text), catalogue.Rules)
			var value any
			if c.to != "# nothing yet\n" {
				value = plainValue(t, text)
			}
			validating := schema.Validate(value)
			if (reading == nil) != c.ok || (validating == nil) != c.ok {
				t.Errorf("hallmark says %v, the schema says %v", reading, validating)
			}
		})
	}
}
