package source

import (
	"math"
	"slices"

	"github.com/pb33f/go-yaml"
)

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	ScalarNode Kind = 1 + iota
	MappingNode
	SequenceNode
)

// Tag is a tag of YAML.
type Tag uint8

// The tags that matter, and all others.
const (
	OtherTag Tag = iota
	StringTag
	IntTag
	FloatTag
	BoolTag
	NullTag
	MapTag
	SequenceTag
)

// shortTags are the short tags of YAML, by the constants.
var shortTags = []string{"!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"}

// Node is a value of a document, or a key of one. It holds what is read of a yaml.Node, in a third of the memory: a large document has
// a hundred thousand, for as long as it is judged by.
type Node struct {
	Kind Kind
	// Quoted reports whether a scalar is explicitly text, by quotes, style or tag.
	Quoted bool
	// Tag is the resolved tag if the text states none.
	Tag   Tag
	Line  int32
	Value string
	// Content are the items of a sequence, or the keys and values of a mapping in turns. Aliases and merge keys are resolved.
	Content []*Node
}

// ShortTag returns the tag as YAML writes it ("!!str"); "!" for one that does not matter.
func (n *Node) ShortTag() string { return shortTags[n.Tag] }

// NodeOf converts a YAML node with everything below it. It returns nil if an alias is cyclic or the limits of a document are exceeded.
func NodeOf(n *yaml.Node) *Node {
	out, _, err := newScan(newDocument(), &file{}).visit(n, 0)
	if err != nil {
		return nil
	}
	return out
}

// tagOf returns the tag of a node of YAML.
func tagOf(n *yaml.Node) Tag {
	return Tag(max(0, slices.Index(shortTags, n.ShortTag()))) //nolint:gosec // they are few
}

// flat returns a node without what is in it.
func flat(n *yaml.Node) *Node {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	line := int32(min(n.Line, math.MaxInt32)) //nolint:gosec // documents of two thousand million lines are not read
	out := &Node{Quoted: n.Style&quoted != 0, Tag: tagOf(n), Line: line, Value: n.Value}
	switch n.Kind {
	case yaml.ScalarNode:
		out.Kind = ScalarNode
	case yaml.MappingNode:
		out.Kind = MappingNode
	case yaml.SequenceNode:
		out.Kind = SequenceNode
	}
	return out
}
