package instance_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// document holds schemas of OpenAPI 3.1 by their names, and judges values by them.
type document struct {
	root    *source.Node
	schemas map[string]*spec.Schema
	set     *schema.Set
}

// parse reads a mapping of names to schemas. References are local ("#/Name").
func parse(t testing.TB, text string) *document {
	t.Helper()
	var file yaml.Node
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d := &document{root: source.NodeOf(file.Content[0]), schemas: map[string]*spec.Schema{}}
	d.set = schema.New(d, schema.OpenAPI31)
	return d
}

func (d *document) Line(string) int { return 0 }

func (d *document) Target(_, ref string) (string, error) { return strings.TrimPrefix(ref, "#"), nil }

func (d *document) Node(pointer string) *source.Node {
	n := d.root
	for _, token := range jsonpointer.Tokens(pointer) {
		switch {
		case n == nil:
			return nil
		case n.Kind == source.MappingNode:
			n = at(n, token)
		case n.Kind == source.SequenceNode:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(n.Content) {
				return nil
			}
			n = n.Content[i]
		default:
			return nil
		}
	}
	return n
}

func at(n *source.Node, name string) *source.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// edge returns the edge to the schema at a pointer.
func (d *document) edge(pointer string) spec.Edge {
	n := d.Node(pointer)
	if ref := at(n, "$ref"); ref != nil && len(n.Content) == 2 {
		e := d.edge(strings.TrimPrefix(ref.Value, "#"))
		return spec.Edge{Schema: e.Schema, Via: append([]string{pointer}, e.Via...)}
	}
	return spec.Edge{Schema: d.schema(pointer, n)}
}

func (d *document) schema(pointer string, n *source.Node) *spec.Schema {
	if s := d.schemas[pointer]; s != nil {
		return s
	}
	s := &spec.Schema{Pointer: pointer}
	d.schemas[pointer] = s
	if n.Kind == source.ScalarNode {
		s.Forbidden = n.Value == "false"
		return s
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		d.keyword(s, n.Content[i].Value, n.Content[i+1], jsonpointer.Join(pointer, n.Content[i].Value))
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		if j := slices.Index(s.Required, p.Name); j >= 0 {
			p.Required, p.RequiredPointer = true, jsonpointer.Index(pointer+"/required", j)
		}
	}
	return s
}

func (d *document) keyword(s *spec.Schema, name string, n *source.Node, pointer string) {
	count := func() *int64 {
		v, _ := strconv.ParseInt(n.Value, 10, 64)
		return &v
	}
	edge := func() *spec.Edge {
		e := d.edge(pointer)
		return &e
	}
	edges := func() (all []spec.Edge) {
		for i := range n.Content {
			all = append(all, d.edge(jsonpointer.Index(pointer, i)))
		}
		return all
	}
	properties := func() (all []spec.Property) {
		for i := 0; i+1 < len(n.Content); i += 2 {
			all = append(all, spec.Property{Name: n.Content[i].Value, Edge: d.edge(jsonpointer.Join(pointer, n.Content[i].Value))})
		}
		return all
	}
	texts := func() (all []string) {
		for _, c := range n.Content {
			all = append(all, c.Value)
		}
		return all
	}
	switch name {
	case "type":
		if s.Types = texts(); n.Kind == source.ScalarNode {
			s.Types = []string{n.Value}
		}
		others := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		switch {
		case len(others) == 1:
			s.Type = others[0]
		case len(others) == 0:
			s.Type = "null"
		}
		s.Nullable = s.Nullable || len(others) < len(s.Types)
	case "nullable":
		s.Nullable = true
	case "readOnly":
		s.ReadOnly = true
	case "writeOnly":
		s.WriteOnly = true
	case "format":
		s.Format = n.Value
	case "enum":
		for _, c := range n.Content {
			s.Enum = append(s.Enum, literal(c))
		}
	case "const":
		s.Const = literal(n)
	case "default":
		s.Default = literal(n)
	case "examples":
		for i, c := range n.Content {
			s.Examples = append(s.Examples, spec.Example{Pointer: jsonpointer.Index(pointer, i), JSON: literal(c)})
		}
	case "minimum":
		s.Minimum = n.Value
	case "maximum":
		s.Maximum = n.Value
	case "exclusiveMinimum":
		s.ExclusiveMinimum = n.Value
	case "exclusiveMaximum":
		s.ExclusiveMaximum = n.Value
	case "multipleOf":
		s.MultipleOf = n.Value
	case "minLength":
		s.MinLength = count()
	case "maxLength":
		s.MaxLength = count()
	case "pattern":
		s.Pattern = n.Value
	case "minItems":
		s.MinItems = count()
	case "maxItems":
		s.MaxItems = count()
	case "uniqueItems":
		s.UniqueItems = n.Value == "true"
	case "items":
		s.Items = edge()
	case "prefixItems":
		s.PrefixItems = edges()
	case "contains":
		s.Contains = edge()
	case "minProperties":
		s.MinProperties = count()
	case "maxProperties":
		s.MaxProperties = count()
	case "required":
		s.Required = texts()
	case "properties":
		s.Properties = properties()
	case "patternProperties":
		s.PatternProperties = properties()
	case "additionalProperties":
		s.AdditionalProperties = edge()
	case "propertyNames":
		s.PropertyNames = edge()
	case "dependentRequired":
		s.DependentRequired = map[string][]string{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			for _, c := range n.Content[i+1].Content {
				s.DependentRequired[n.Content[i].Value] = append(s.DependentRequired[n.Content[i].Value], c.Value)
			}
		}
	case "$ref":
		e := d.edge(strings.TrimPrefix(n.Value, "#"))
		s.Ref = &e
	case "allOf":
		s.AllOf = edges()
	case "oneOf":
		s.OneOf = edges()
	case "anyOf":
		s.AnyOf = edges()
	case "not":
		s.Not = edge()
	case "if":
		s.If = edge()
	case "then":
		s.Then = edge()
	case "else":
		s.Else = edge()
	case "discriminator":
		s.Discriminator = &spec.Discriminator{Property: at(n, "propertyName").Value}
		if m := at(n, "mapping"); m != nil {
			for i := 0; i+1 < len(m.Content); i += 2 {
				s.Discriminator.Mapping = append(s.Discriminator.Mapping,
					spec.Mapped{Value: m.Content[i].Value, Edge: d.edge(strings.TrimPrefix(m.Content[i+1].Value, "#"))})
			}
		}
	case "unevaluatedProperties":
		s.Unmodelled = append(s.Unmodelled, name)
	case "title", "description":
	default:
		s.Unmodelled = append(s.Unmodelled, name)
	}
}

// literal returns a value as JSON text, with its numbers as written.
func literal(n *source.Node) string {
	switch n.Kind {
	case source.MappingNode:
		var all []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			all = append(all, strconv.Quote(n.Content[i].Value)+":"+literal(n.Content[i+1]))
		}
		return "{" + strings.Join(all, ",") + "}"
	case source.SequenceNode:
		var all []string
		for _, c := range n.Content {
			all = append(all, literal(c))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	if n.ShortTag() == "!!str" {
		return strconv.Quote(n.Value)
	}
	return n.Value
}

// judge reports whether values match schemas of the document.
func (d *document) judge(direction schema.Direction) func(s *spec.Schema, value any) bool {
	return judge(d.set, direction, nil)
}

func judge(set *schema.Set, direction schema.Direction, calls *int) func(s *spec.Schema, value any) bool {
	return func(s *spec.Schema, value any) bool {
		if calls != nil {
			*calls++
		}
		compiled, ok := set.At(s.Pointer)
		if !ok {
			return false
		}
		r := compiled.Validate(value, direction)
		for i := range r.Violations {
			if !r.Violations[i].Advice {
				return false
			}
		}
		return true
	}
}

func (d *document) generator(seed uint64) *instance.Generator {
	return instance.New(instance.Options{Seed: seed, Valid: d.judge(schema.Request)})
}

// subject returns the schema that is named Root.
func (d *document) subject() instance.Subject {
	return instance.Subject{Name: "the body", Edge: d.edge("/Root")}
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(err)
	}
	return string(data)
}
