package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxDocumentDepth bounds how deep a contract may nest; real ones stay far below.
const maxDocumentDepth = 100

// document is the YAML text of a contract with every node under its JSON Pointer.
type document struct {
	root   *yaml.Node
	places map[string]place
	// lines are the lines of the text.
	lines []string
}

// place is where a pointer leads. The line is that of the key, where a reader looks for it, not that of the value, which
// in block style starts a line later.
type place struct {
	node *yaml.Node
	line int
}

// loadError is what is wrong with a contract. Readers panic with it (see fail) and LoadContract returns it: the reading
// code then says only what a contract looks like, not how errors travel.
type loadError struct {
	line int
	text string
}

func (e *loadError) Error() string {
	if e.line == 0 {
		return "contract: " + tidy(e.text)
	}
	return fmt.Sprintf("contract, line %d: %s", e.line, tidy(e.text))
}

// fail gives up reading the contract.
func fail(line int, format string, args ...any) {
	//nolint:forbidigo // LoadContract returns it as its error; see loadError for why it travels like this
	panic(&loadError{line: line, text: fmt.Sprintf(format, args...)})
}

// yamlPlace takes the line out of the YAML parser's messages, whose form differs from version to version.
var yamlPlace = regexp.MustCompile(`(?i)\bline:? (\d+)(?:[,:]? ?(?:column|col) ?\d+)?:? ?`)

// readDocument parses YAML and files its nodes.
func readDocument(data []byte) *document {
	var file, more yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&file)
	if err == nil {
		if err = decoder.Decode(&more); err == nil {
			fail(more.Line, "the file holds more than one document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		text, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
		if m := yamlPlace.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			text = strings.Replace(text, m[0], "", 1)
		}
		fail(line, "it is not YAML: %s", text)
	}
	if file.Kind != yaml.DocumentNode || len(file.Content) == 0 {
		fail(0, "it is empty; an OpenAPI 3.1 document is needed")
	}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	d := &document{root: file.Content[0], places: make(map[string]place), lines: lines}
	if d.root.Kind != yaml.MappingNode {
		fail(d.root.Line, "it is %s, not an OpenAPI 3.1 document", nodeKind(d.root))
	}
	d.file("", d.root, d.root.Line, 0)
	return d
}

// file enters a node and all below it. YAML's own references are refused: they would make a tree of endless size out of
// a few lines, and pointers ambiguous.
func (d *document) file(pointer string, n *yaml.Node, line, depth int) {
	if depth > maxDocumentDepth {
		fail(n.Line, "it nests deeper than %d levels", maxDocumentDepth)
	}
	d.places[pointer] = place{node: n, line: line}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Kind != yaml.ScalarNode || key.Value == "<<" {
				fail(key.Line, "a key is not plain text; merge keys and structured keys are not supported")
			}
			p := join(pointer, key.Value)
			if first, twice := d.places[p]; twice {
				fail(key.Line, "the key %s is here a second time, first in line %d", key.Value, first.line)
			}
			d.file(p, value, key.Line, depth+1)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			d.file(joinIndex(pointer, i), item, item.Line, depth+1)
		}
	case yaml.AliasNode:
		fail(n.Line, "YAML anchors and aliases are not supported; use $ref")
	}
}

// line is the line of a pointer; 0 when it leads nowhere.
func (d *document) line(pointer string) int {
	return d.places[pointer].line
}

// child is the node of a key, with its pointer; nil when it is not there.
func (d *document) child(pointer string, names ...string) (*yaml.Node, string) {
	p := join(pointer, names...)
	return d.places[p].node, p
}

// keys are the keys of a mapping in their order; another kind of node fails.
func (d *document) keys(pointer, what string) []string {
	n := d.places[pointer].node
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		fail(d.line(pointer), "%s must be an object, not %s", what, nodeKind(n))
	}
	keys := make([]string, 0, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	return keys
}

// size is the number of items of a sequence; -1 when there is none at the pointer.
func (d *document) size(pointer, what string) int {
	n := d.places[pointer].node
	if n == nil {
		return -1
	}
	if n.Kind != yaml.SequenceNode {
		fail(d.line(pointer), "%s must be a list, not %s", what, nodeKind(n))
	}
	return len(n.Content)
}

// text is the scalar at a key; empty when it is not there.
func (d *document) text(pointer, name string) string {
	n, p := d.child(pointer, name)
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		fail(d.line(p), "%s must be text, not %s", name, nodeKind(n))
	}
	return n.Value
}

// truth is the boolean at a key; false when it is not there.
func (d *document) truth(pointer, name string) bool {
	n, p := d.child(pointer, name)
	if n == nil {
		return false
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		fail(d.line(p), "%s must be true or false, not %s", name, nodeKind(n))
	}
	return strings.EqualFold(n.Value, "true")
}

// only fails when an object has a key that is not among the allowed ones. What hallmark does not understand it could not
// judge, so a contract that says it is refused rather than half read. Extensions (x-…) are comments.
func (d *document) only(pointer, what string, allowed map[string]bool) {
	for _, k := range d.keys(pointer, what) {
		if !allowed[k] && !strings.HasPrefix(k, "x-") {
			fail(d.line(join(pointer, k)), "%s has %s, which hallmark does not support", what, k)
		}
	}
}

// follow resolves references: it answers with the pointer at which the object stands that the given one leads to.
func (d *document) follow(pointer string) string {
	return stands(pointer, d.way(pointer))
}

// stands is where the object is that a pointer and the references from there lead to.
func stands(pointer string, via []string) string {
	if len(via) == 0 {
		return pointer
	}
	return via[len(via)-1]
}

// way are the pointers that references lead to from the given one, one after the other.
func (d *document) way(pointer string) []string {
	var all []string
	for {
		n, at := d.child(pointer, "$ref")
		if n == nil {
			return all
		}
		pointer = d.target(at, n.Value)
		if slices.Contains(all, pointer) {
			fail(d.line(at), "the reference %s leads back to itself", n.Value)
		}
		all = append(all, pointer)
	}
}

// target is the pointer that a reference, which stands at a pointer, leads to.
func (d *document) target(at, ref string) string {
	pointer, err := localTarget(ref)
	if err != nil {
		fail(d.line(at), "the reference %s: %v", ref, err)
	}
	if _, ok := d.places[pointer]; !ok {
		fail(d.line(at), "the reference %s leads nowhere", ref)
	}
	return pointer
}

// localTarget is the pointer that a reference within the document names.
func localTarget(ref string) (string, error) {
	fragment, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return "", errors.New("only references within the document (#/…) are supported")
	}
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		return "", errors.New("it is not well formed")
	}
	return "/" + plain, nil
}

// nodeKind names a node for messages.
func nodeKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return "null"
		case "!!int", "!!float":
			return "the number " + n.Value
		case "!!bool":
			return "the boolean " + n.Value
		}
		return "the text " + shortQuote(n.Value)
	}
	return "something else"
}

// allow makes a set.
func allow(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
