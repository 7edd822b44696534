package source

import "go.yaml.in/yaml/v4"

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	ScalarNode Kind = 1 + iota
	MappingNode
	SequenceNode
	// AliasNode stands for another node; there is none in a [Document].
	AliasNode
)

// Node is a value of a document, or a key of one. It holds what is read of a yaml.Node, in half of the memory: a large document has
// a hundred thousand, for as long as it is judged by.
type Node struct {
	Kind Kind
	// Quoted reports whether a scalar is marked as text, by quotes or in another way.
	Quoted bool
	Line   int
	// Tag is the short tag of YAML ("!!str"), also where the text states none.
	Tag, Value string
	// Content are the items of a sequence, or the keys and values of a mapping in turns.
	Content []*Node
	Alias   *Node
}

// ShortTag returns the tag.
func (n *Node) ShortTag() string { return n.Tag }

// NodeOf returns the node that YAML reads as n, and all that is in it.
func NodeOf(n *yaml.Node) *Node { return converter{}.node(n) }

// converter makes nodes of those of YAML. It holds those that aliases may stand for, each once.
type converter map[*yaml.Node]*Node

func (c converter) node(n *yaml.Node) *Node {
	if n == nil {
		return nil
	}
	if known := c[n]; known != nil {
		return known
	}
	out := flat(n)
	if n.Anchor != "" {
		c[n] = out
	}
	if n.Kind == yaml.AliasNode {
		out.Alias = c.node(n.Alias)
	}
	if len(n.Content) > 0 {
		out.Content = make([]*Node, len(n.Content))
		for i, item := range n.Content {
			out.Content[i] = c.node(item)
		}
	}
	return out
}

// flat returns a node without what is in it.
func flat(n *yaml.Node) *Node {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	out := &Node{Quoted: n.Style&quoted != 0, Line: n.Line, Tag: n.ShortTag(), Value: n.Value}
	switch n.Kind {
	case yaml.ScalarNode:
		out.Kind = ScalarNode
	case yaml.MappingNode:
		out.Kind = MappingNode
	case yaml.SequenceNode:
		out.Kind = SequenceNode
	case yaml.AliasNode:
		out.Kind = AliasNode
	}
	return out
}
