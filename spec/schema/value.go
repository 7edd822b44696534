package schema

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// maxDepth bounds the depth of values of a document.
const maxDepth = 200

// member is an entry of a mapping.
type member struct {
	name  string
	value *source.Node
}

// members returns the entries of a mapping; none for other nodes.
func members(n *source.Node) []member {
	if n == nil || n.Kind != source.MappingNode {
		return nil
	}
	all := make([]member, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, member{n.Content[i].Value, n.Content[i+1]})
	}
	return all
}

// lookup returns the value of a name in a mapping, or nil.
func lookup(n *source.Node, name string) *source.Node {
	if n == nil || n.Kind != source.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// isText reports whether a scalar is a string. An unquoted date is one, since JSON has no dates.
func isText(n *source.Node) bool {
	switch n.ShortTag() {
	case "!!null", "!!bool":
		return false
	}
	return !isNumber(n)
}

// isNumber reports whether a scalar is a number. YAML treats numbers too large for a float64 as texts.
func isNumber(n *source.Node) bool {
	switch n.ShortTag() {
	case "!!int", "!!float":
		return true
	case "!!str":
		return !n.Quoted && exactjson.IsNumber(n.Value)
	}
	return false
}

// boolean returns the boolean at a scalar; ok is false if it is none.
func boolean(n *source.Node) (value, ok bool) {
	if n == nil || n.Kind != source.ScalarNode || n.ShortTag() != "!!bool" {
		return false, false
	}
	return strings.EqualFold(n.Value, "true"), true
}

func isTrue(n *source.Node) bool {
	value, _ := boolean(n)
	return value
}

// number returns the number at a scalar as JSON.
func number(n *source.Node) (json.Number, bool) {
	if n == nil || n.Kind != source.ScalarNode || !isNumber(n) {
		return "", false
	}
	if exactjson.IsNumber(n.Value) {
		return json.Number(n.Value), true
	}
	// YAML writes numbers in more ways than JSON: +5, .5, 0x1F, 1_000.
	text := strings.ReplaceAll(n.Value, "_", "")
	if len(text) > exactjson.MaxLiteral || exactjson.IsHuge(text) {
		return "", false
	}
	if i, ok := new(big.Int).SetString(text, 0); ok && n.ShortTag() == "!!int" {
		return json.Number(i.String()), true
	}
	text = strings.TrimPrefix(text, "+")
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(text), "e")
	text = strings.TrimSuffix(mantissa, ".")
	if scientific {
		text += "e" + exponent
	}
	if text = sign + text; exactjson.IsNumber(text) {
		return json.Number(text), true
	}
	return "", false
}

// Value returns the JSON value of a node. It returns false if JSON cannot represent it, or it is nested too deeply.
func Value(n *source.Node) (any, bool) {
	left := maxMembers
	return valueAt(n, 0, &left)
}

// maxMembers bounds the number of values in an enum or a constant, including those of aliases.
const maxMembers = 100_000

func valueAt(n *source.Node, depth int, left *int) (any, bool) {
	if *left--; n == nil || depth > maxDepth || *left < 0 {
		return nil, false
	}
	switch n.Kind {
	case source.MappingNode:
		out := map[string]any{}
		for _, m := range members(n) {
			v, ok := valueAt(m.value, depth+1, left)
			if !ok {
				return nil, false
			}
			out[m.name] = v
		}
		return out, true
	case source.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			v, ok := valueAt(item, depth+1, left)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case source.ScalarNode:
		return scalarOf(n)
	}
	return nil, false
}

func scalarOf(n *source.Node) (any, bool) {
	switch tag := n.ShortTag(); {
	case tag == "!!null":
		return nil, true
	case tag == "!!bool":
		return isTrue(n), true
	case isNumber(n):
		literal, ok := number(n)
		return literal, ok
	}
	return n.Value, true
}
