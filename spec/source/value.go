package source

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// JSON returns the JSON text of a node. Numbers keep their text where JSON allows it. It returns false for values that JSON cannot
// represent (.inf, .nan), and for numbers longer or larger than hallmark reads.
func JSON(n *Node) (string, bool) {
	b, ok := appendJSON(nil, n)
	return string(b), ok
}

func appendJSON(b []byte, n *Node) ([]byte, bool) {
	ok := true
	switch n.Kind {
	case MappingNode:
		b = append(b, '{')
		for i := 0; i+1 < len(n.Content) && ok; i += 2 {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, n.Content[i].Value), ':')
			b, ok = appendJSON(b, n.Content[i+1])
		}
		return append(b, '}'), ok
	case SequenceNode:
		b = append(b, '[')
		for i := 0; i < len(n.Content) && ok; i++ {
			if i > 0 {
				b = append(b, ',')
			}
			b, ok = appendJSON(b, n.Content[i])
		}
		return append(b, ']'), ok
	case ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return append(b, "null"...), true
		case "!!bool":
			return append(b, strings.ToLower(n.Value)...), true
		case "!!int", "!!float":
			text, ok := Number(n)
			return append(b, text...), ok
		}
		return appendQuoted(b, n.Value), true
	}
	return append(b, "null"...), false
}

func appendQuoted(b []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return append(b, `""`...)
	}
	return quoted
}

// Number returns the number at a node as JSON, with its text unchanged where JSON allows it. It returns false if the node is no
// number, or one longer or larger than hallmark reads.
func Number(n *Node) (string, bool) {
	if n.Kind != ScalarNode {
		return "", false
	}
	text := n.Value
	switch n.ShortTag() {
	case "!!int":
		if !exactjson.IsNumber(text) {
			// Notations that only YAML has: 0x1F, 0o17, 1_000, +1.
			whole, ok := new(big.Int).SetString(strings.ReplaceAll(strings.TrimPrefix(text, "+"), "_", ""), 0)
			if !ok || len(text) > exactjson.MaxLiteral {
				return "", false
			}
			text = whole.String()
		}
	case "!!float":
		if !exactjson.IsNumber(text) {
			f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
			if err != nil || f != f || f-f != 0 { // .5, 1., 1_000.5; not .nan and .inf
				return "", false
			}
			text = strconv.FormatFloat(f, 'g', -1, 64)
		}
	default:
		return "", false
	}
	return text, exactjson.IsNumber(text) && !exactjson.IsHuge(text)
}
