package sample

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema reads a published JSON Schema from a file. Formats are asserted, and other files of its folder can be referenced by name.
func Schema(tb testing.TB, path string) *jsonschema.Schema {
	tb.Helper()
	const base = "https://schema.invalid/" // nothing is fetched
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		text, err := jsonschema.UnmarshalJSON(file)
		_ = file.Close()
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		if err := compiler.AddResource(base+filepath.Base(name), text); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
	}
	schema, err := compiler.Compile(base + filepath.Base(path))
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// Valid checks that a text is JSON and matches a schema, and returns the decoded value.
func Valid(tb testing.TB, schema *jsonschema.Schema, text []byte) any {
	tb.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		tb.Fatalf("it is no JSON: %v", err)
	}
	if err := schema.Validate(value); err != nil {
		tb.Errorf("it does not keep the schema: %v", err)
	}
	return value
}
