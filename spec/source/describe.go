package source

import (
	"go.yaml.in/yaml/v4"

	"hallmark/internal/text"
)

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
		return "the text " + text.Quote(n.Value)
	}
	return "something else"
}
