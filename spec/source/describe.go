package source

import (
	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// DescribeYAML describes a YAML node for error messages.
func DescribeYAML(n *yaml.Node) string {
	return Describe(flat(n))
}

// Describe describes a node for error messages: its kind, and its value if it is a scalar.
func Describe(n *Node) string {
	switch n.Kind {
	case MappingNode:
		return "an object"
	case SequenceNode:
		return "a list"
	case ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return "null"
		case "!!int", "!!float":
			return "the number " + n.Value
		case "!!bool":
			return "the boolean " + n.Value
		}
		return "the string " + text.Quote(n.Value)
	}
	return "something else"
}
