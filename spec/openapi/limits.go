package openapi

import (
	"strings"

	"hallmark/internal/text"
	"hallmark/spec/source"
)

// mostOperations bounds the operations of a document: what follows from them grows with their number.
const mostOperations = 10_000

// mostEntries bounds the entries of a list or an object of that name: each operation, response or schema that has it is gone through many times.
func mostEntries(name string) int {
	switch name {
	case "parameters", "headers":
		return 2_000
	case "security":
		return 500
	case "required":
		return 10_000
	case "patternProperties":
		return 500
	}
	return 0
}

// mostDependent bounds the names that the names of a dependentRequired require, all together.
const mostDependent = 5_000

// limits returns an error for the first list or object of the document that has more entries than can be read in a reasonable time.
func limits(doc *source.Document) error {
	for _, file := range append([]string{""}, doc.Files()...) {
		at := ""
		if file != "" {
			at = file + "#"
		}
		if err := within(file, doc.Node(at)); err != nil {
			return err
		}
	}
	return nil
}

// within is limits for a value and all in it, but for what is data.
func within(file string, n *source.Node) error {
	if n == nil {
		return nil
	}
	if n.Kind != source.MappingNode {
		for _, item := range n.Content {
			if err := within(file, item); err != nil {
				return err
			}
		}
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		switch {
		case name == "example", name == "examples", name == "default", name == "enum", name == "const", name == "value", strings.HasPrefix(name, "x-"):
			continue
		}
		entries, most := len(value.Content), mostEntries(name)
		if value.Kind == source.MappingNode {
			entries /= 2
		}
		if name == "dependentRequired" {
			entries, most = 0, mostDependent
			for _, required := range value.Content {
				entries += len(required.Content)
			}
		}
		if most > 0 && entries > most {
			return &source.Error{File: file, Line: int(n.Content[i].Line), Text: name + " has " + text.Number(entries) + " entries, and hallmark reads at most " + text.Number(most)}
		}
		if err := within(file, value); err != nil {
			return err
		}
	}
	return nil
}
