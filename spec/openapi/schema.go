package openapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/source"
)

// maxSchemaDepth bounds how deep schemas lead into each other. It is also what ends one that refers to itself.
const maxSchemaDepth = 40

// schemaKeys are the keywords of a schema that hallmark understands; those that tie a value to a type say to which.
var schemaKeys = map[string][]string{
	"type": nil, "enum": nil, "default": nil, "format": {"integer", "number"},
	"minimum": {"integer", "number"}, "maximum": {"integer", "number"},
	"minLength": {"string"}, "maxLength": {"string"},
	"minItems": {"array"}, "maxItems": {"array"}, "items": {"array"},
	"required": {"object"}, "properties": {"object"}, "additionalProperties": {"object"},
	"title": nil, "description": nil, "example": nil, "examples": nil, "deprecated": nil, "externalDocs": nil,
	"$comment": nil,
}

// besideRef are the keywords that may stand beside a $ref: those that say nothing about the value.
var besideRef = set("$ref", "title", "description", "example", "examples", "deprecated", "$comment")

// schemaTypes are the types a schema may name.
var schemaTypes = set("string", "integer", "number", "boolean", "array", "object")

// formats are the formats that may be named, with the types they belong to. int32 and int64 are asserted, see compile.go.
var formats = map[string]string{"int32": "integer", "int64": "integer", "float": "number", "double": "number"}

// readEdge reads what leads to a schema from the place at a pointer.
func (d reader) readEdge(pointer string) spec.Edge {
	var via []string
	for {
		if len(via) > maxSchemaDepth {
			fail(d.Line(pointer), "the schema leads into itself, or deeper than %d levels; that is not supported", maxSchemaDepth)
		}
		n, at := d.Child(pointer, "$ref")
		if n == nil {
			return spec.Edge{Schema: d.readSchema(pointer), Via: via}
		}
		d.only(pointer, "a schema beside its $ref", besideRef)
		via = append(via, pointer)
		pointer = check(d.Target(at, n.Value))
	}
}

// readSchema reads the schema at a pointer, once.
func (d reader) readSchema(pointer string) *spec.Schema {
	if s, known := d.schemas[pointer]; known {
		if s == nil {
			fail(d.Line(pointer), "the schema leads into itself, or deeper than %d levels; that is not supported", maxSchemaDepth)
		}
		return s
	}
	d.schemas[pointer] = nil
	s := &spec.Schema{Pointer: pointer}
	defer func() { d.schemas[pointer] = s }()
	if n := d.Node(pointer); n.Kind != yaml.MappingNode {
		fail(d.Line(pointer), "a schema must be an object, not %s", source.Describe(n))
	}
	if s.Type = d.readType(pointer); s.Type != "" {
		s.Types = []string{s.Type}
	}
	for _, k := range d.keys(pointer, "a schema") {
		types, known := schemaKeys[k]
		switch {
		case strings.HasPrefix(k, "x-"):
		case !known:
			fail(d.Line(jsonpointer.Join(pointer, k)), "the schema uses %s, which hallmark does not support", k)
		case types != nil && s.Type != "" && !slices.Contains(types, s.Type):
			fail(d.Line(jsonpointer.Join(pointer, k)), "%s says nothing about a value of type %s", k, s.Type)
		case types != nil && s.Type == "":
			fail(d.Line(jsonpointer.Join(pointer, k)), "the schema uses %s without a type; say type: %s", k, types[0])
		}
	}
	if f := d.text(pointer, "format"); f != "" {
		if formats[f] != s.Type {
			fail(d.Line(jsonpointer.Join(pointer, "format")), "the format %s of type %s is not supported; int32, int64, float and double are", f, s.Type)
		}
		s.Format = f
	}
	d.readValues(s)
	d.readBounds(s)
	d.readMembers(s)
	return s
}

func (d reader) readType(pointer string) string {
	n, at := d.Child(pointer, "type")
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode || !schemaTypes[n.Value] {
		fail(d.Line(at), "the type must be one of string, integer, number, boolean, array and object, not %s", source.Describe(n))
	}
	return n.Value
}

// readValues reads enum and default.
func (d reader) readValues(s *spec.Schema) {
	list := jsonpointer.Join(s.Pointer, "enum")
	for i := range d.size(list, "enum") {
		s.Enum = append(s.Enum, d.scalar(jsonpointer.Index(list, i), "an enum value", s.Type))
	}
	if d.Exists(list) && len(s.Enum) == 0 {
		fail(d.Line(list), "the enum is empty, so no value would be allowed")
	}
	if n, at := d.Child(s.Pointer, "default"); n != nil {
		s.Default = d.scalar(at, "the default", s.Type)
		if s.Enum != nil && !slices.Contains(s.Enum, s.Default) {
			fail(d.Line(at), "the default %s is not in the enum", s.Default)
		}
	}
}

// scalar is a value of the contract as JSON text, checked against the type it must have: YAML makes booleans and numbers
// out of words that were meant as text.
func (d reader) scalar(pointer, what, want string) string {
	n := d.Node(pointer)
	got, literal := "", n.Value
	if n.Kind == yaml.ScalarNode {
		switch n.ShortTag() {
		case "!!str":
			got = "string"
			quoted, _ := json.Marshal(n.Value)
			literal = string(quoted)
		case "!!bool":
			got, literal = "boolean", strings.ToLower(n.Value)
		case "!!int", "!!float":
			number := json.Number(n.Value)
			if !exactjson.IsNumber(n.Value) {
				fail(d.Line(pointer), "%s is %s, which is no JSON number", what, n.Value)
			}
			if exactjson.IsHuge(n.Value) {
				fail(d.Line(pointer), "%s is a number too long or too large; hallmark takes up to %d digits", what, exactjson.MaxLiteral)
			}
			got = "number"
			if _, whole := exactjson.CanonicalInt(number); whole && want == "integer" {
				got = "integer"
			}
		}
	}
	if got == "" || want != "" && got != want {
		fail(d.Line(pointer), "%s is %s; it must be %s", what, source.Describe(n), text.WithArticle(orAny(want)))
	}
	return literal
}

func orAny(kind string) string {
	if kind == "" {
		return "string, number or boolean"
	}
	return kind
}

func (d reader) readBounds(s *spec.Schema) {
	for _, b := range []struct {
		name string
		into *string
	}{{"minimum", &s.Minimum}, {"maximum", &s.Maximum}} {
		if n, at := d.Child(s.Pointer, b.name); n != nil {
			*b.into = d.scalar(at, b.name, "number")
		}
	}
	for _, c := range []struct {
		name string
		into **int64
	}{
		{"minLength", &s.MinLength}, {"maxLength", &s.MaxLength},
		{"minItems", &s.MinItems}, {"maxItems", &s.MaxItems},
	} {
		if n, at := d.Child(s.Pointer, c.name); n != nil {
			count, err := strconv.ParseInt(n.Value, 10, 32)
			if n.Kind != yaml.ScalarNode || err != nil || count < 0 {
				fail(d.Line(at), "%s must be a whole number from 0, not %s", c.name, source.Describe(n))
			}
			*c.into = &count
		}
	}
}

// readMembers reads what is inside: properties and items.
func (d reader) readMembers(s *spec.Schema) {
	if n, at := d.Child(s.Pointer, "additionalProperties"); n != nil && (n.Kind != yaml.ScalarNode || !d.boolean(s.Pointer, "additionalProperties")) {
		fail(d.Line(at), "additionalProperties other than true is not supported")
	}
	list := jsonpointer.Join(s.Pointer, "required")
	entries := map[string]string{}
	for i := range d.size(list, "required") {
		at := jsonpointer.Index(list, i)
		name := d.Node(at).Value
		if entries[name] != "" {
			fail(d.Line(at), "%s is required a second time", name)
		}
		entries[name] = at
		s.Required = append(s.Required, name)
	}
	properties := jsonpointer.Join(s.Pointer, "properties")
	for _, name := range d.keys(properties, "properties") {
		s.Properties = append(s.Properties, spec.Property{
			Name:            name,
			Required:        entries[name] != "",
			RequiredPointer: entries[name],
			Edge:            d.readEdge(jsonpointer.Join(properties, name)),
		})
	}
	for _, name := range s.Required {
		if s.Property(name) == nil {
			fail(d.Line(entries[name]), "%s is required but is no documented property", name)
		}
	}
	if n, at := d.Child(s.Pointer, "items"); n != nil {
		items := d.readEdge(at)
		s.Items = &items
	}
}
