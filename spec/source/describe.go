package source

import (
	"github.com/pb33f/go-yaml"

	"hallmark/internal/text"
)

// DescribeYAML returns what a node of YAML is, for messages.
func DescribeYAML(n *yaml.Node) string {
	return Describe(flat(n))
}

// Describe returns what a node is, for messages.
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
		return "the text " + text.Quote(n.Value)
	}
	return "something else"
}
