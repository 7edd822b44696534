package source

import (
	"strings"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Document is the text of a contract, in one or more files. It is immutable and safe for concurrent use.
//
// A pointer into the document itself is a JSON Pointer ("/info/title"). A pointer into another file begins with the name of that file,
// relative to the folder of the document ("schemas/pet.yaml#/properties/id").
//
// YAML aliases and merge keys are resolved: what they repeat has a pointer in each place.
type Document struct {
	digest string
	// files are the files by name; the name of the document itself is empty. names are the names of the others, in the order of reading.
	files map[string]*file
	names []string
	// own is the file name of the document itself, by which other files may refer to it; empty if it was not read from a file.
	own string
	// unread is why a file was not read, by name.
	unread map[string]string
	// ids and anchors are the pointers of each $id and each "name#anchor".
	ids, anchors map[string]string
	// index holds the positions of the keys of large mappings.
	index map[*Node]map[string]int
	// values is the number of values in all files.
	values  int
	remarks []Remark
	// external, if set, is called with the references of each file to other files.
	external func(*scan)
}

// file is one file of a document.
type file struct {
	name string
	root *Node
	text string
	// starts are the offsets of the lines.
	starts []int
}

// Remark is a mistake in a document that can be read nevertheless.
type Remark struct {
	Pointer string
	Line    int
	Text    string
}

// Digest returns the hash of the text ("sha256:…").
func (d *Document) Digest() string { return d.digest }

// Remarks returns the mistakes in the text.
func (d *Document) Remarks() []Remark { return d.remarks }

// Files returns the names of the other files of the document.
func (d *Document) Files() []string { return d.names }

// Texts returns the text of each file by name; the name of the document itself is empty.
func (d *Document) Texts() map[string]string {
	all := make(map[string]string, len(d.files))
	for name, f := range d.files {
		all[name] = f.text
	}
	return all
}

// Own returns the file name of the document itself; empty if it was not read from a file.
func (d *Document) Own() string { return d.own }

// Line returns the line of the node at a pointer, from 1; 0 if there is none. For a member it is the line of the key: in block style the
// value begins a line later.
func (d *Document) Line(pointer string) int {
	key, value := d.find(pointer)
	switch {
	case value == nil:
		return 0
	case key != nil:
		return int(key.Line)
	}
	return int(value.Line)
}

// Exists reports whether there is a node at a pointer. References are not followed.
func (d *Document) Exists(pointer string) bool { return d.Node(pointer) != nil }

// Node returns the node at a pointer; nil if there is none.
func (d *Document) Node(pointer string) *Node {
	_, value := d.find(pointer)
	return value
}

// find returns the node at a pointer and its key. The key is nil for an item of a list and for the root.
func (d *Document) find(pointer string) (key, value *Node) {
	name, rest := FileOf(pointer)
	f := d.files[name]
	if f == nil || rest != "" && rest[0] != '/' {
		return nil, nil
	}
	value = f.root
	for rest != "" && value != nil {
		var token string
		token, rest = rest[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, rest = token[:i], token[i:]
		}
		if strings.IndexByte(token, '~') >= 0 {
			token = jsonpointer.Tokens("/" + token)[0]
		}
		switch value.Kind {
		case MappingNode:
			key, value = d.Member(value, token)
		case SequenceNode:
			key = nil
			if i, ok := itemIndex(token); ok && i < len(value.Content) {
				value = value.Content[i]
			} else {
				value = nil
			}
		default:
			value = nil
		}
	}
	if value == nil {
		return nil, nil
	}
	return key, value
}

// itemIndex reads an array index: digits without leading zeros (RFC 6901, section 4).
func itemIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || token[0] == '0' && len(token) > 1 {
		return 0, false
	}
	n := 0
	for i := range len(token) {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
		n = 10*n + int(token[i]-'0')
	}
	return n, true
}

// Member returns the key and the value of a member of a mapping; nil if there is none.
func (d *Document) Member(n *Node, name string) (key, value *Node) {
	if n == nil || n.Kind != MappingNode {
		return nil, nil
	}
	if len(n.Content) >= 2*indexedKeys {
		if i, ok := d.index[n][name]; ok {
			return n.Content[i], n.Content[i+1]
		}
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// FileOf splits a pointer into the file name, which is empty for the document itself, and the JSON Pointer.
func FileOf(pointer string) (name, within string) {
	if pointer == "" || pointer[0] == '/' {
		return "", pointer
	}
	name, within, _ = strings.Cut(pointer, "#")
	return name, within
}

// child returns the node below a pointer, with its own pointer; nil if there is none.
func (d *Document) child(pointer string, names ...string) (*Node, string) {
	p := jsonpointer.Join(pointer, names...)
	return d.Node(p), p
}

// Size returns the number of items of the sequence at a pointer; 0 for other nodes.
func (d *Document) Size(pointer string) int {
	if n := d.Node(pointer); n != nil && n.Kind == SequenceNode {
		return len(n.Content)
	}
	return 0
}

// Text returns the value of the scalar at a pointer; empty for other nodes.
func (d *Document) Text(pointer string) string {
	if n := d.Node(pointer); n != nil && n.Kind == ScalarNode {
		return n.Value
	}
	return ""
}

// Keys returns the names of the members of the mapping at a pointer, in order.
func (d *Document) Keys(pointer string) []string {
	n := d.Node(pointer)
	if n == nil || n.Kind != MappingNode {
		return nil
	}
	var all []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, n.Content[i].Value)
	}
	return all
}
