package source

import (
	"strings"

	"hallmark/spec/jsonpointer"
)

// Document is the text of a contract, in one file or several. It never changes, so any number of goroutines may use it.
//
// What stands in the document itself has a JSON Pointer ("/info/title"); what stands in another file has the file's name
// before it, relative to the folder of the document ("schemas/pet.yaml#/properties/id").
//
// Aliases and merge keys of YAML are resolved: what they repeat is found under each of its pointers.
type Document struct {
	digest string
	// files are the files by their names, the document itself by the empty name. names are the others in their order.
	files map[string]*file
	names []string
	// own is the name by which other files may call the document itself; empty when it comes from no file.
	own string
	// unread says why a file was not read, by its name.
	unread map[string]string
	// ids and anchors lead from $id and from "name#anchor" to pointers.
	ids, anchors map[string]string
	// index finds the keys of large mappings.
	index map[*Node]map[string]int
	// values is how many values the files hold.
	values  int
	remarks []Remark
	// external is told the references of each file to others; nil when they lead nowhere.
	external func(*scan)
}

// file is the text of a document or of a file beside it.
type file struct {
	name string
	root *Node
	text string
	// starts are the offsets of the lines.
	starts []int
}

// Remark is something wrong that does not keep a document from being read.
type Remark struct {
	Pointer string
	Line    int
	Text    string
}

// Digest identifies the text ("sha256:…").
func (d *Document) Digest() string { return d.digest }

// Remarks returns what is wrong with the text though it could be read.
func (d *Document) Remarks() []Remark { return d.remarks }

// Files returns the names of the files that belong to the document, without itself.
func (d *Document) Files() []string { return d.names }

// Texts returns the text of each file of the document, by the names that pointers begin with; that of the document itself has the
// empty name.
func (d *Document) Texts() map[string]string {
	all := make(map[string]string, len(d.files))
	for name, f := range d.files {
		all[name] = f.text
	}
	return all
}

// Own returns the name by which other files may call the document itself; empty when it comes from no file.
func (d *Document) Own() string { return d.own }

// Line returns the line of a pointer, from 1; 0 when it leads nowhere. It is the line of the key, where a reader looks for
// it, not that of the value, which in block style begins a line later.
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

// Exists reports whether a pointer leads somewhere. References are not followed.
func (d *Document) Exists(pointer string) bool { return d.Node(pointer) != nil }

// Node returns what stands at a pointer; nil when it leads nowhere.
func (d *Document) Node(pointer string) *Node {
	_, value := d.find(pointer)
	return value
}

// find returns the value at a pointer and its key, which is nil for an item of a list and for the whole.
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

// Member returns the key and the value of a name in a mapping; nil where there is none.
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

// FileOf splits a pointer into the name of the file, which is empty for the document itself, and the JSON Pointer in it.
func FileOf(pointer string) (name, within string) {
	if pointer == "" || pointer[0] == '/' {
		return "", pointer
	}
	name, within, _ = strings.Cut(pointer, "#")
	return name, within
}

// Child returns the node of a key, with its pointer; nil when it is not there.
func (d *Document) Child(pointer string, names ...string) (*Node, string) {
	p := jsonpointer.Join(pointer, names...)
	return d.Node(p), p
}

// Keys returns the keys of a mapping in their order; none where no mapping stands.
func (d *Document) Keys(pointer string) []string {
	n := d.Node(pointer)
	if n == nil || n.Kind != MappingNode {
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
	if n := d.Node(pointer); n != nil && n.Kind == SequenceNode {
		return len(n.Content)
	}
	return 0
}

// Text returns the scalar at a pointer; empty where none stands.
func (d *Document) Text(pointer string) string {
	if n := d.Node(pointer); n != nil && n.Kind == ScalarNode {
		return n.Value
	}
	return ""
}
