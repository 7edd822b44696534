package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
)

// maxDocumentDepth bounds how deep a document may nest; real ones stay far below.
const maxDocumentDepth = 100

// Document is the YAML text of a contract with every node under its JSON Pointer.
type Document struct {
	digest string
	nodes  map[string]node
	// lines are the lines of the text.
	lines []string
}

// node is what stands at a pointer. The line is that of the key, where a reader looks for it, not that of the value, which
// in block style starts a line later.
type node struct {
	value *yaml.Node
	line  int
}

// Error is what is wrong with a document.
type Error struct {
	// Line is where; 0 when it is about the whole.
	Line int
	Text string
}

// Errorf returns what is wrong in a line.
func Errorf(line int, format string, args ...any) *Error {
	return &Error{Line: line, Text: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "contract: " + OneLine(e.Text)
	}
	return fmt.Sprintf("contract, line %d: %s", e.Line, OneLine(e.Text))
}

// yamlPlace takes the line out of the YAML parser's messages, whose form differs from version to version.
var yamlPlace = regexp.MustCompile(`(?i)\bline:? (\d+)(?:[,:]? ?(?:column|col) ?\d+)?:? ?`)

// Parse reads YAML, of which JSON is a part. Its error is an *Error.
func Parse(data []byte) (*Document, error) {
	var file, more yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&file)
	if err == nil {
		if err = decoder.Decode(&more); err == nil {
			return nil, Errorf(more.Line, "the file holds more than one document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		text, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
		if m := yamlPlace.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			text = strings.Replace(text, m[0], "", 1)
		}
		return nil, Errorf(line, "it is not YAML: %s", text)
	}
	if file.Kind != yaml.DocumentNode || len(file.Content) == 0 {
		return nil, Errorf(0, "it is empty; an OpenAPI 3.1 document is needed")
	}
	root := file.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, Errorf(root.Line, "it is %s, not an OpenAPI 3.1 document", Describe(root))
	}
	sum := sha256.Sum256(data)
	d := &Document{
		digest: "sha256:" + hex.EncodeToString(sum[:]),
		nodes:  map[string]node{},
		lines:  strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"),
	}
	if err := d.add("", root, root.Line, 0); err != nil {
		return nil, err
	}
	return d, nil
}

// add enters a node and all below it. YAML's own references are refused: they would make a tree of endless size out of
// a few lines, and pointers ambiguous.
func (d *Document) add(pointer string, n *yaml.Node, line, depth int) error {
	if depth > maxDocumentDepth {
		return Errorf(n.Line, "it nests deeper than %d levels", maxDocumentDepth)
	}
	d.nodes[pointer] = node{value: n, line: line}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Kind != yaml.ScalarNode || key.Value == "<<" {
				return Errorf(key.Line, "a key is not plain text; merge keys and structured keys are not supported")
			}
			p := jsonpointer.Join(pointer, key.Value)
			if first, twice := d.nodes[p]; twice {
				return Errorf(key.Line, "the key %s is here a second time, first in line %d", key.Value, first.line)
			}
			if err := d.add(p, value, key.Line, depth+1); err != nil {
				return err
			}
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			if err := d.add(jsonpointer.Index(pointer, i), item, item.Line, depth+1); err != nil {
				return err
			}
		}
	case yaml.AliasNode:
		return Errorf(n.Line, "YAML anchors and aliases are not supported; use $ref")
	}
	return nil
}

// Digest identifies the text ("sha256:…").
func (d *Document) Digest() string { return d.digest }

// Line returns the line of a pointer, from 1; 0 when it leads nowhere.
func (d *Document) Line(pointer string) int { return d.nodes[pointer].line }

// Exists reports whether a pointer leads somewhere. References are not followed.
func (d *Document) Exists(pointer string) bool {
	_, ok := d.nodes[pointer]
	return ok
}

// Node returns what stands at a pointer; nil when it leads nowhere.
func (d *Document) Node(pointer string) *yaml.Node { return d.nodes[pointer].value }

// Child returns the node of a key, with its pointer; nil when it is not there.
func (d *Document) Child(pointer string, names ...string) (*yaml.Node, string) {
	p := jsonpointer.Join(pointer, names...)
	return d.Node(p), p
}

// Keys returns the keys of a mapping in their order; none where no mapping stands.
func (d *Document) Keys(pointer string) []string {
	n := d.Node(pointer)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	keys := make([]string, 0, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	return keys
}

// Size returns the number of items of a sequence; 0 where none stands.
func (d *Document) Size(pointer string) int {
	if n := d.Node(pointer); n != nil && n.Kind == yaml.SequenceNode {
		return len(n.Content)
	}
	return 0
}

// Text returns the scalar at a pointer; empty where none stands.
func (d *Document) Text(pointer string) string {
	if n := d.Node(pointer); n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// Follow resolves references: it returns the pointer at which the object stands that the given one leads to.
func (d *Document) Follow(pointer string) (string, error) {
	via, err := d.References(pointer)
	if err != nil || len(via) == 0 {
		return pointer, err
	}
	return via[len(via)-1], nil
}

// References returns the pointers that references lead to from the given one, one after the other.
func (d *Document) References(pointer string) ([]string, error) {
	var all []string
	for {
		n, at := d.Child(pointer, "$ref")
		if n == nil {
			return all, nil
		}
		var err error
		if pointer, err = d.Target(at, n.Value); err != nil {
			return nil, err
		}
		if slices.Contains(all, pointer) {
			return nil, Errorf(d.Line(at), "the reference %s leads back to itself", n.Value)
		}
		all = append(all, pointer)
	}
}

// Target returns the pointer that a reference, which stands at a pointer, leads to.
func (d *Document) Target(at, ref string) (string, error) {
	pointer, err := localTarget(ref)
	if err != nil {
		return "", Errorf(d.Line(at), "the reference %s: %v", ref, err)
	}
	if !d.Exists(pointer) {
		return "", Errorf(d.Line(at), "the reference %s leads nowhere", ref)
	}
	return pointer, nil
}

// localTarget returns the pointer that a reference within the document names.
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

// Describe returns what a node is, for messages.
func Describe(n *yaml.Node) string {
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
		return "the text " + exactjson.Quote(n.Value)
	}
	return "something else"
}

// maxSentence is how long an error about a file may get; what it quotes comes from the file.
const maxSentence = 400

// OneLine makes one line of a text that quotes a file: nothing in it breaks lines or moves the cursor.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if strconv.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxSentence {
		s = strings.ToValidUTF8(s[:maxSentence], "") + "…"
	}
	return s
}
