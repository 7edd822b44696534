package openapi

import (
	"encoding/json"
	"slices"
	"strconv"

	phrase "github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// types are the types that a schema may name.
var types = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

func readTypes(r *reader, s *spec.Schema, p place) {
	at, ok := r.child(p, "type")
	if !ok {
		return
	}
	named := []*source.Node{at.node}
	if at.node.Kind == source.SequenceNode {
		named = at.node.Content
	}
	for _, n := range named {
		switch {
		case n.Kind == source.ScalarNode && slices.Contains(types, n.Value):
			if !slices.Contains(s.Types, n.Value) {
				s.Types = append(s.Types, n.Value)
			}
		case n.Value == "file" && r.version == 20:
			s.Types, s.Format = []string{"string"}, "binary"
		default:
			r.omit(at, "the type must be one of string, integer, number, boolean, array, object and null, not %s; any type is allowed", source.Describe(n))
			s.Types = nil
			return
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	if len(others) == 1 {
		s.Type = others[0]
	}
	if len(others) == 0 && len(s.Types) > 0 {
		s.Type = "null"
	}
	s.Nullable = s.Nullable || len(others) < len(s.Types)
}

// readValues reads the values in enum, const, default and examples.
func readValues(r *reader, s *spec.Schema, p place) {
	for _, item := range r.list(p, "enum") {
		if text, ok := constant(r, s, item, "an enum value"); ok {
			s.Enum = append(s.Enum, text)
		}
	}
	if at, ok := present(r, p, "const"); ok {
		s.Const, _ = constant(r, s, at, "const")
	}
	if at, ok := present(r, p, "default"); ok {
		s.Default, _ = constant(r, s, at, "the default")
		if len(s.Enum) > 0 && s.Default != "" && s.Default != "null" && !slices.Contains(s.Enum, s.Default) {
			r.defect(at, "the default %s is not in the enum", s.Default)
		}
	}
	if at, ok := present(r, p, "example"); ok {
		s.Examples = appendExample(r, s.Examples, "", at)
	}
	if at, ok := r.child(p, "examples"); ok && at.node.Kind == source.SequenceNode {
		for i, item := range at.node.Content {
			s.Examples = appendExample(r, s.Examples, "", place{item, jsonpointer.Index(at.pointer, i), int(item.Line)})
		}
	}
}

// constant returns a value of the document as JSON text. It turns numbers and booleans back into strings where the schema wants
// strings: YAML reads some unquoted words as such.
func constant(r *reader, s *spec.Schema, at place, what string) (string, bool) {
	if s.Type == "string" && at.node.Kind == source.ScalarNode {
		switch at.node.ShortTag() {
		case "!!int", "!!float", "!!bool":
			r.defect(at, "%s is %s; it must be a string and is read as one", what, source.Describe(at.node))
			quoted, err := json.Marshal(at.node.Value)
			return string(quoted), err == nil
		}
	}
	text, ok := source.JSON(at.node)
	if !ok {
		r.omit(at, "%s is %s; JSON cannot represent it, or it is a number of more than %d digits", what,
			source.Describe(at.node), exactjson.MaxLiteral)
		return "", false
	}
	if s.Type != "" && !isOf(s.Type, text) && (text != "null" || !s.Nullable) {
		r.defect(at, "%s is %s; it must be %s", what, source.Describe(at.node), phrase.WithArticle(s.Type))
	}
	return text, true
}

// isOf reports whether a JSON text has the given type.
func isOf(kind, literal string) bool {
	switch literal[0] {
	case '{':
		return kind == "object"
	case '[':
		return kind == "array"
	case '"':
		return kind == "string"
	case 't', 'f':
		return kind == "boolean"
	case 'n':
		return kind == "null"
	}
	_, whole := exactjson.CanonicalInt(json.Number(literal))
	return kind == "number" || kind == "integer" && whole
}

func readNumbers(r *reader, s *spec.Schema, p place) {
	s.Minimum, s.Maximum, s.MultipleOf = number(r, p, "minimum"), number(r, p, "maximum"), number(r, p, "multipleOf")
	for _, b := range []struct {
		name             string
		bound, exclusive *string
	}{{"exclusiveMinimum", &s.Minimum, &s.ExclusiveMinimum}, {"exclusiveMaximum", &s.Maximum, &s.ExclusiveMaximum}} {
		at, ok := r.child(p, b.name)
		if !ok {
			continue
		}
		exclusive, isBool := boolOf(at.node)
		switch {
		case isBool != (r.version < 31):
			r.omit(at, "%s is %s, which this version of OpenAPI ignores", b.name, source.Describe(at.node))
		case exclusive:
			*b.exclusive, *b.bound = *b.bound, ""
		case !isBool:
			*b.exclusive = number(r, p, b.name)
		}
	}
	if s.MultipleOf != "" && (s.MultipleOf[0] == '-' || isZero(s.MultipleOf)) {
		at, _ := r.child(p, "multipleOf")
		r.omit(at, "multipleOf must be greater than 0, not %s", s.MultipleOf)
		s.MultipleOf = ""
	}
}

func isZero(number string) bool {
	text, whole := exactjson.CanonicalInt(json.Number(number))
	return whole && text == "0"
}

// number returns the number in the named member as written, or "" if it is missing.
func number(r *reader, p place, name string) string {
	at, ok := r.child(p, name)
	if !ok {
		return ""
	}
	text, ok := source.Number(at.node)
	if !ok {
		r.omit(at, "%s is %s; it must be a number of at most %d digits", name, source.Describe(at.node), exactjson.MaxLiteral)
		return ""
	}
	return text
}

// count returns the integer in the named member, or nil if it is missing.
func count(r *reader, p place, name string) *int64 {
	at, ok := r.child(p, name)
	if !ok {
		return nil
	}
	if text, ok := source.Number(at.node); ok {
		if whole, ok := exactjson.CanonicalInt(json.Number(text)); ok {
			if n, err := strconv.ParseInt(whole, 10, 64); err == nil && n >= 0 {
				return &n
			}
		}
	}
	r.omit(at, "%s is %s; it must be an integer of 0 or more", name, source.Describe(at.node))
	return nil
}

func readTexts(r *reader, s *spec.Schema, p place) {
	if f := r.text(p, "format"); f != "" {
		s.Format = f
	}
	s.MinLength, s.MaxLength, s.Pattern = count(r, p, "minLength"), count(r, p, "maxLength"), r.text(p, "pattern")
	if r.version >= 31 {
		s.ContentMediaType, s.ContentEncoding = r.text(p, "contentMediaType"), r.text(p, "contentEncoding")
	}
}
