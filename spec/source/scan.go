package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// scan converts the YAML nodes of a file in one pass. It resolves aliases and merge keys, drops what JSON cannot represent, enforces the limits, and
// records the targets of references.
type scan struct {
	doc  *Document
	file *file
	// path are the tokens of the pointer of the current node.
	path []string
	// values counts the values of all files so far.
	values   int
	anchored map[*yaml.Node]*extent
	// outside are the references to other files.
	outside []reference
}

func newScan(d *Document, f *file) *scan {
	return &scan{doc: d, file: f, anchored: map[*yaml.Node]*extent{}, values: d.values}
}

// extent is the converted node of an anchor and its size.
type extent struct {
	node           *Node
	values, height int
	// open is set while the node is visited. An alias of it found meanwhile is cyclic.
	open bool
}

// reference is a $ref to another file.
type reference struct {
	to   string
	line int
	// data reports whether it is part of data, such as an example or an extension, where it may mean something else.
	data bool
}

func (s *scan) errorf(line int, format string, args ...any) error {
	return &Error{s.file.name, line, fmt.Sprintf(format, args...)}
}

func (s *scan) remark(line int, format string, args ...any) {
	const enough = 1000
	if len(s.doc.remarks) < enough {
		s.doc.remarks = append(s.doc.remarks, Remark{s.pointer(), line, fmt.Sprintf(format, args...)})
	}
}

// pointer returns the pointer of the current node.
func (s *scan) pointer() string {
	if s.file.name == "" {
		return jsonpointer.Join("", s.path...)
	}
	return jsonpointer.Join(s.file.name+"#", s.path...)
}

// visit converts a node and returns the number of levels in it.
func (s *scan) visit(n *yaml.Node, depth int) (out *Node, height int, err error) {
	if n = resolved(n); n.Anchor == "" {
		return s.inside(n, depth)
	}
	if e := s.anchored[n]; e != nil {
		s.values += e.values
		switch {
		case e.open:
			return nil, 0, s.errorf(n.Line, "the alias *%s refers to the value that contains it", n.Anchor)
		case s.values > maxValues:
			return nil, 0, s.errorf(n.Line, "it has more than %d values, counting those repeated by aliases", maxValues)
		case depth+e.height > maxDepth:
			return nil, 0, s.errorf(n.Line, "it is nested deeper than %d levels", maxDepth)
		}
		return e.node, e.height, nil
	}
	e := &extent{open: true}
	s.anchored[n] = e
	before := s.values
	out, height, err = s.inside(n, depth)
	*e = extent{node: out, values: s.values - before, height: height}
	return out, height, err
}

func (s *scan) inside(n *yaml.Node, depth int) (out *Node, height int, err error) {
	if s.values++; s.values > maxValues {
		return nil, 0, s.errorf(n.Line, "it has more than %d values", maxValues)
	}
	if depth > maxDepth {
		return nil, 0, s.errorf(n.Line, "it is nested deeper than %d levels", maxDepth)
	}
	if n.Kind == yaml.MappingNode {
		if err := s.tidy(n, depth); err != nil {
			return nil, 0, err
		}
	}
	out = flat(n)
	if len(n.Content) > 0 {
		out.Content = make([]*Node, len(n.Content))
	}
	for i, item := range n.Content {
		token := strconv.Itoa(i)
		if n.Kind == yaml.MappingNode {
			key := n.Content[i&^1]
			if i%2 == 0 {
				if s.values++; s.values > maxValues {
					return nil, 0, s.errorf(key.Line, "it has more than %d values", maxValues)
				}
				out.Content[i] = flat(key)
				continue
			}
			s.note(key, item)
			token = key.Value
		}
		child, h, err := s.within(token, item, depth)
		if err != nil {
			return nil, 0, err
		}
		out.Content[i], height = child, max(height, h)
	}
	if n.Kind == yaml.MappingNode && len(n.Content) >= 2*indexedKeys {
		index := make(map[string]int, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			index[n.Content[i].Value] = i
		}
		s.doc.index[out] = index
	}
	return out, height + 1, nil
}

// within visits the child of the current node under a token.
func (s *scan) within(token string, n *yaml.Node, depth int) (*Node, int, error) {
	s.path = append(s.path, token)
	out, height, err := s.visit(n, depth+1)
	s.path = s.path[:len(s.path)-1]
	return out, height, err
}

// tidy removes from a mapping what JSON does not have: merge keys, duplicate keys, and keys that are not strings.
func (s *scan) tidy(n *yaml.Node, depth int) error {
	plain := len(n.Content)%2 == 0
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; plain && i < len(n.Content); i += 2 {
		key := n.Content[i]
		_, twice := seen[key.Value]
		plain = key.Kind == yaml.ScalarNode && n.Content[i+1].Kind != yaml.AliasNode && !twice && !isMerge(key)
		seen[key.Value] = i
	}
	if plain {
		return nil
	}
	var content, merged []*yaml.Node
	clear(seen)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := resolved(n.Content[i]), resolved(n.Content[i+1])
		switch first, twice := seen[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			s.remark(key.Line, "a key is %s, not a string; it is ignored", DescribeYAML(key))
		case isMerge(key):
			merged = append(merged, value)
		case twice:
			s.remark(key.Line, "the key %s is already used in line %d; this one is used", key.Value, content[first].Line)
			content[first], content[first+1] = key, value
		default:
			seen[key.Value] = len(content)
			content = append(content, key, value)
		}
	}
	for i := 0; i < len(merged); i++ {
		from := merged[i]
		if from.Kind == yaml.SequenceNode {
			for k, item := range from.Content {
				from.Content[k] = resolved(item)
			}
			merged = slices.Insert(merged, i+1, from.Content...)
			continue
		}
		if from.Kind != yaml.MappingNode {
			s.remark(from.Line, "a merge key (<<) refers to %s, not an object; it is ignored", DescribeYAML(from))
			continue
		}
		if _, _, err := s.within("<<", from, depth); err != nil {
			return err
		}
		for k := 0; k+1 < len(from.Content); k += 2 {
			if _, there := seen[from.Content[k].Value]; !there {
				seen[from.Content[k].Value] = len(content)
				content = append(content, from.Content[k], from.Content[k+1])
			}
		}
		if len(content) > 2*maxValues || len(merged) > maxValues {
			return s.errorf(from.Line, "it has more than %d values", maxValues)
		}
	}
	n.Content = content
	return nil
}

// isMerge reports whether key is the YAML merge key.
func isMerge(key *yaml.Node) bool { return key.Value == "<<" && key.ShortTag() == "!!merge" }

// resolved returns the node that an alias refers to.
func resolved(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// note records references to other files, and the names that references can use.
func (s *scan) note(key, value *yaml.Node) {
	if value.Kind != yaml.ScalarNode || value.Value == "" {
		return
	}
	switch key.Value {
	case "$ref":
		if value.Value[0] != '#' {
			s.outside = append(s.outside, reference{value.Value, value.Line, s.inData()})
		}
	case "$id", "$self":
		id := strings.TrimSuffix(value.Value, "#")
		if _, twice := s.doc.ids[id]; !twice && id != "" {
			s.doc.ids[id] = s.pointer()
		}
	case "$anchor", "$dynamicAnchor":
		name := s.file.name + "#" + value.Value
		if _, twice := s.doc.anchors[name]; !twice {
			s.doc.anchors[name] = s.pointer()
		}
	}
}

// inData reports whether the current node is part of an example, of a value in a schema, or of an extension.
func (s *scan) inData() bool {
	for i, token := range s.path {
		named := i > 0 && slices.Contains([]string{"properties", "responses", "schemas", "examples", "parameters", "headers", "patternProperties"}, s.path[i-1])
		switch token {
		case "example", "default", "enum", "const", "value":
			if !named {
				return true
			}
		default:
			if strings.HasPrefix(token, "x-") && !named {
				return true
			}
		}
	}
	return false
}
