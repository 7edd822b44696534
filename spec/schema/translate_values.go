package schema

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/source"
)

var types = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// types reads type.
func (x *schemaReader) types(nullable bool) {
	n := x.get("type")
	if n == nil {
		return
	}
	var all []any
	add := func(n *source.Node) bool {
		if n == nil || n.Kind != source.ScalarNode {
			return false
		}
		name := n.Value
		if n.ShortTag() == "!!null" { // a YAML null is often written where the text is meant
			name = "null"
		}
		if !slices.Contains(types, name) {
			return false
		}
		if !slices.Contains(all, any(name)) {
			all = append(all, name)
		}
		return true
	}
	ok := true
	switch n.Kind {
	case source.ScalarNode:
		if n.Value == "file" && x.set.dialect == Swagger2 {
			return
		}
		ok = add(n)
	case source.SequenceNode:
		for _, item := range n.Content {
			ok = ok && add(item)
		}
		ok = ok && len(all) > 0
	default:
		ok = false
	}
	if !ok {
		x.wrong("type", "the type must be one of JSON Schema, not %s", describe(n))
		return
	}
	if nullable && !slices.Contains(all, any("null")) {
		all = append(all, "null")
	}
	x.out["type"] = all
}

// admits reports whether the types allow a value; all do if none are given.
func (x *schemaReader) admits(value any) bool {
	types, ok := x.out["type"].([]any)
	if !ok {
		return true
	}
	name := exactjson.TypeName(value)
	if slices.Contains(types, any(name)) {
		return true
	}
	if literal, ok := value.(json.Number); ok && slices.Contains(types, any("integer")) {
		_, whole := exactjson.CanonicalInt(literal)
		return whole
	}
	return false
}

// onlyText reports whether the types admit strings, and null at most.
func (x *schemaReader) onlyText() bool {
	types, ok := x.out["type"].([]any)
	return ok && slices.Contains(types, any("string")) && !slices.ContainsFunc(types, func(t any) bool { return t != "string" && t != "null" })
}

// enum reads enum.
func (x *schemaReader) enum(nullable bool) {
	n := x.get("enum")
	if n == nil {
		return
	}
	if n.Kind != source.SequenceNode || len(n.Content) == 0 {
		x.wrong("enum", "an enum must be a list of at least one value, not %s", describe(n))
		return
	}
	value, ok := Value(n)
	values, isList := value.([]any)
	if !ok || !isList {
		x.wrong("enum", "the enum contains a value that JSON cannot represent")
		return
	}
	for i, v := range values {
		// YAML parses words as numbers and booleans that were meant as text.
		if item := n.Content[i]; v != nil && item.Kind == source.ScalarNode && x.onlyText() {
			values[i] = item.Value
		}
	}
	if !slices.ContainsFunc(values, x.admits) {
		x.wrong("enum", "no value of the enum has the schema's type")
		return
	}
	if nullable && !slices.Contains(values, nil) {
		values = append(values, nil)
	}
	x.contest(values)
	x.out["enum"] = exactjson.ClampNumbers(values)
}

// contest allows members of an enum that the type excludes, such as null in the enum of a text, and records that
// they are in doubt.
func (x *schemaReader) contest(values []any) {
	types, _ := x.out["type"].([]any)
	for _, v := range values {
		if x.admits(v) {
			continue
		}
		x.rule.contested = append(x.rule.contested, exactjson.Value{Tree: v, Valid: true})
		if name := any(exactjson.TypeName(v)); !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	if len(x.rule.contested) > 0 {
		x.out["type"] = types
	}
}

// bounds reads minimum and maximum; exclusiveMinimum is a number, or in the manner of OpenAPI 3.0 a property of minimum.
func (x *schemaReader) bounds() {
	for _, b := range [...]struct{ bound, exclusive string }{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		exclusive := false
		if n := x.get(b.exclusive); n != nil {
			value, isBool := boolean(n)
			literal, isNumber := number(n)
			switch {
			case isBool:
				exclusive = value
			case isNumber:
				x.out[b.exclusive] = exactjson.ClampNumbers(literal)
			default:
				x.wrong(b.exclusive, "%s must be a number, not %s", b.exclusive, describe(n))
			}
		}
		n := x.get(b.bound)
		if n == nil {
			continue
		}
		literal, ok := number(n)
		switch {
		case !ok:
			x.wrong(b.bound, "%s must be a number, not %s", b.bound, describe(n))
		case exclusive:
			x.out[b.exclusive] = exactjson.ClampNumbers(literal)
		default:
			x.out[b.bound] = exactjson.ClampNumbers(literal)
		}
	}
}

// contradictions removes the bounds of a schema that leave no value: see contradiction.go.
func (x *schemaReader) contradictions() {
	for _, b := range [...]struct {
		low, high string
		exclusive bool
	}{
		{"minimum", "maximum", false}, {"exclusiveMinimum", "maximum", true}, {"minimum", "exclusiveMaximum", true},
		{"exclusiveMinimum", "exclusiveMaximum", true}, {"minLength", "maxLength", false}, {"minItems", "maxItems", false},
		{"minProperties", "maxProperties", false},
	} {
		low, isLow := rational(x.out[b.low])
		high, isHigh := rational(x.out[b.high])
		if !isLow || !isHigh || low.Cmp(high) < 0 || low.Cmp(high) == 0 && !b.exclusive {
			continue
		}
		keyword := b.low
		if _, flag := boolean(x.get(keyword)); flag { // exclusiveMinimum of 3.0 modifies minimum
			keyword = "minimum"
		}
		x.wrong(keyword, "no value satisfies both it and %s", b.high)
		delete(x.out, b.low)
		delete(x.out, b.high)
	}
}

// rational returns a number of a compiled schema exactly.
func rational(v any) (*big.Rat, bool) {
	literal, is := exactjson.ClampNumbers(v).(json.Number)
	if !is {
		return nil, false
	}
	return new(big.Rat).SetString(string(literal))
}

func positive(literal json.Number) bool {
	r, ok := new(big.Rat).SetString(string(literal))
	return ok && r.Sign() > 0
}

func literalOf(text string) json.Number { return json.Number(text) }
