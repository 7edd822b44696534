package openapi

import (
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// mostOperations limits the operations of a document: rules and scenarios grow with their number.
const mostOperations = 10_000

// mostEntries returns the largest number of entries of a list or an object with this name. These are traversed many times, once for each operation, response or schema that has them.
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

// mostDependent limits the total number of names that a dependentRequired requires.
const mostDependent = 5_000

// limits returns an error for the first list or object that is too large to read in reasonable time.
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

// within checks a value and everything below it, except data.
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
			return &source.Error{File: file, Line: int(n.Content[i].Line), Text: name + " has " + text.Number(entries) + " entries; hallmark reads at most " + text.Number(most)}
		}
		if err := within(file, value); err != nil {
			return err
		}
	}
	return nil
}
