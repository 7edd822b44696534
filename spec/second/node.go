package second

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// node is a value of a document. Scalars are kept as JSON text, numbers to the last digit.
type node struct {
	kind kind
	// scalar is the JSON text of a scalar.
	scalar string
	// keys holds the names of an object, in the order of its items.
	keys  []string
	items []*node
}

type kind byte

const (
	scalarKind kind = iota
	objectKind
	arrayKind
)

// maxDepth and maxNodes bound how much of a document is read, since aliases may repeat values many times.
const (
	maxDepth = 400
	maxNodes = 4_000_000
)

var (
	errDeep  = errors.New("the document nests too deep")
	errLarge = errors.New("the document is too large")
)

// member returns the value of a member, or nil.
func (n *node) member(name string) *node {
	if n == nil || n.kind != objectKind {
		return nil
	}
	for i, key := range n.keys {
		if key == name {
			return n.items[i]
		}
	}
	return nil
}

// text returns the text of a string scalar, or "".
func (n *node) text() string {
	if n == nil || n.kind != scalarKind || !strings.HasPrefix(n.scalar, `"`) {
		return ""
	}
	raw, err := jsontext.AppendUnquote(nil, n.scalar)
	if err != nil {
		return ""
	}
	return string(raw)
}

// at returns the node at a JSON Pointer, or nil.
func (n *node) at(pointer string) *node {
	for _, token := range jsonpointer.Tokens(pointer) {
		switch {
		case n == nil:
			return nil
		case n.kind == arrayKind:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.items) {
				return nil
			}
			n = n.items[i]
		default:
			n = n.member(token)
		}
	}
	return n
}

// object returns an object of names and values in turn.
func object(pairs ...any) *node {
	n := &node{kind: objectKind}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		value, _ := pairs[i+1].(*node)
		n.set(name, value)
	}
	return n
}

// set adds a member.
func (n *node) set(name string, value *node) {
	n.keys, n.items = append(n.keys, name), append(n.items, value)
}

// textNode returns a text as a node.
func textNode(text string) *node { return &node{scalar: quoted(text)} }

// quoted returns a text as JSON has it.
func quoted(text string) string {
	raw, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		raw, _ = jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return string(raw)
}

// append writes the node as JSON.
func (n *node) append(to []byte) []byte {
	switch n.kind {
	case objectKind:
		to = append(to, '{')
		for i, key := range n.keys {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(append(to, quoted(key)...), ':')
			to = n.items[i].append(to)
		}
		return append(to, '}')
	case arrayKind:
		to = append(to, '[')
		for i, item := range n.items {
			if i > 0 {
				to = append(to, ',')
			}
			to = item.append(to)
		}
		return append(to, ']')
	case scalarKind:
	}
	return append(to, n.scalar...)
}

// parseJSON reads a JSON text.
func parseJSON(text []byte) (*node, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return readJSON(dec, 0)
}

func readJSON(dec *jsontext.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	switch dec.PeekKind() {
	case '{':
		return readObject(dec, depth)
	case '[':
		n := &node{kind: arrayKind}
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		for dec.PeekKind() != ']' {
			item, err := readJSON(dec, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err := dec.ReadToken()
		return n, err
	default:
		raw, err := dec.ReadValue()
		return &node{scalar: string(raw)}, err
	}
}

func readObject(dec *jsontext.Decoder, depth int) (*node, error) {
	n := &node{kind: objectKind}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		item, err := readJSON(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n.set(key, item)
	}
	_, err := dec.ReadToken()
	return n, err
}

// yamlReader turns YAML into nodes. Aliases and merge keys are resolved.
type yamlReader struct{ left int }

func parseYAML(text []byte) (*node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("it is empty")
	}
	r := yamlReader{left: maxNodes}
	return r.node(doc.Content[0], 0)
}

func (r *yamlReader) node(n *yaml.Node, depth int) (*node, error) {
	if r.left--; r.left < 0 {
		return nil, errLarge
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.node(n.Alias, depth+1)
	case yaml.MappingNode:
		out := &node{kind: objectKind}
		return out, r.members(n, out, depth)
	case yaml.SequenceNode:
		out := &node{kind: arrayKind}
		for _, item := range n.Content {
			value, err := r.node(item, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, value)
		}
		return out, nil
	case yaml.ScalarNode:
		return &node{scalar: scalarOf(n)}, nil
	}
	return nil, fmt.Errorf("line %d cannot be read", n.Line)
}

// members adds the members of a mapping that are not there yet: merged ones come last.
func (r *yamlReader) members(n *yaml.Node, out *node, depth int) error {
	var merged []*yaml.Node
	known := make(map[string]bool, len(out.keys)+len(n.Content)/2)
	for _, key := range out.keys {
		known[key] = true
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Value == "<<" && key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		if known[key.Value] {
			continue
		}
		known[key.Value] = true
		item, err := r.node(value, depth+1)
		if err != nil {
			return err
		}
		out.set(key.Value, item)
	}
	for _, m := range merged {
		if err := r.merge(m, out, depth); err != nil {
			return err
		}
	}
	return nil
}

func (r *yamlReader) merge(m *yaml.Node, out *node, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	switch m.Kind {
	case yaml.AliasNode:
		return r.merge(m.Alias, out, depth+1)
	case yaml.SequenceNode:
		for _, one := range m.Content {
			if err := r.merge(one, out, depth+1); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		return r.members(m, out, depth+1)
	}
	return nil
}

// scalarOf returns a scalar as JSON has it.
func scalarOf(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "null"
	case "!!bool":
		return strings.ToLower(n.Value)
	case "!!int", "!!float":
		if jsontext.Value(n.Value).IsValid() {
			return n.Value
		}
		if whole, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return strconv.FormatInt(whole, 10)
		}
		if number, err := strconv.ParseFloat(n.Value, 64); err == nil {
			if text := strconv.FormatFloat(number, 'g', -1, 64); jsontext.Value(text).IsValid() {
				return text
			}
		}
	}
	return quoted(n.Value)
}
