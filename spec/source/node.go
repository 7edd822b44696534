package source

import (
	"math"
	"slices"

	"github.com/pb33f/go-yaml"
)

// NodeKind is the kind of a node.
type NodeKind uint8

// The kinds of nodes.
const (
	ScalarNode NodeKind = 1 + iota
	MappingNode
	SequenceNode
)

// Tag is a YAML tag.
type Tag uint8

// The tags that are told apart; OtherTag is any other.
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

// shortTags are the short forms of the tags, in the order of the constants.
var shortTags = []string{"!", "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"}

// Node is a value or a key of a document. It holds what is needed of a yaml.Node in a third of the memory: large documents have
// hundreds of thousands, and they are kept for the whole run.
type Node struct {
	Kind NodeKind
	// Quoted reports whether a scalar is explicitly a string, by quotes, style or tag.
	Quoted bool
	// Tag is the resolved tag if the text has no explicit one.
	Tag   Tag
	Line  int32
	Value string
	// Content are the items of a sequence, or the alternating keys and values of a mapping. Aliases and merge keys are resolved.
	Content []*Node
}

// ShortTag returns the tag as YAML writes it ("!!str"), or "!" for other tags.
func (n *Node) ShortTag() string { return shortTags[n.Tag] }

// NodeOf converts a YAML node with everything below it. It returns nil if an alias is cyclic or the limits of a document are exceeded.
func NodeOf(n *yaml.Node) *Node {
	out, _, err := newScan(newDocument(), &file{}).visit(n, 0)
	if err != nil {
		return nil
	}
	return out
}

// tagOf returns the tag of a YAML node.
func tagOf(n *yaml.Node) Tag {
	return Tag(max(0, slices.Index(shortTags, n.ShortTag()))) //nolint:gosec // at most len(shortTags)
}

// flat returns a node without its content.
func flat(n *yaml.Node) *Node {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	line := int32(min(n.Line, math.MaxInt32)) //nolint:gosec // maxBytes bounds the lines
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
