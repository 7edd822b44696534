package spec

import (
	"slices"
)

// Schema is a schema of the contract: a node of a graph, which may be cyclic. There is one Schema for each place of the document that has
// one, so equal pointers mean equal schemas. References are not nodes: the edge that contains one leads to its target. Numbers are decimal
// text, exactly as written.
type Schema struct {
	// Pointer is the place of the schema.
	Pointer string
	// Types are the allowed types, including "null"; empty for any. Type is the only one apart from null, or "".
	Types []string
	Type  string
	// Nullable reports whether null is allowed, by "nullable: true" or by the types.
	Nullable bool
	// Forbidden reports whether no value is allowed (the schema false).
	Forbidden   bool
	Title       string
	Description string
	Format      string
	// Enum holds the allowed values as JSON texts, Const and Default one each, or "".
	Enum    []string
	Const   string
	Default string

	// Bounds as decimal text, or "". In OpenAPI 3.0, "exclusiveMinimum: true" moves the bound from Minimum to ExclusiveMinimum; the maximum
	// likewise.
	Minimum, Maximum                   string
	ExclusiveMinimum, ExclusiveMaximum string
	MultipleOf                         string

	MinLength, MaxLength *int64
	// Pattern is a regular expression of ECMA-262.
	Pattern                           string
	ContentMediaType, ContentEncoding string

	// CollectionFormat is how Swagger 2.0 serializes an array; empty for other schemas and versions.
	CollectionFormat   string
	MinItems, MaxItems *int64
	UniqueItems        bool
	Items              *Edge
	PrefixItems        []Edge
	Contains           *Edge

	MinProperties, MaxProperties *int64
	Required                     []string
	Properties                   []Property
	PatternProperties            []Property
	// AdditionalProperties is nil if it is missing or true.
	AdditionalProperties *Edge
	PropertyNames        *Edge
	DependentRequired    map[string][]string

	// Ref is the target of a $ref with asserting keywords beside it (OpenAPI 3.1 and later); it counts like one of AllOf.
	Ref                 *Edge
	AllOf, OneOf, AnyOf []Edge
	Not, If, Then, Else *Edge
	Discriminator       *Discriminator
	ReadOnly, WriteOnly bool
	// XML is nil if the document does not define it.
	XML      *XML
	Examples []Example
	// Unmodelled are the asserting keywords that have no field here ("unevaluatedProperties").
	Unmodelled []string
}

// XML is how a value is serialized as XML (OpenAPI XML Object).
type XML struct {
	Name, Namespace, Prefix string
	// Node is the nodeType of OpenAPI 3.2. It is "attribute" for attribute: true, "element" for wrapped: true, and empty for the default.
	Node string
}

// Edge leads from a property, an array, a parameter or a media type to a schema.
type Edge struct {
	Schema *Schema
	// Via are the places of the references in between, from the outside in; empty for an inline schema.
	Via []string
}

// Property is a documented property of an object. In PatternProperties the name is a regular expression.
type Property struct {
	Name     string
	Required bool
	// RequiredPointer is the place of its entry in the required list, or "" if it is optional.
	RequiredPointer string
	Edge
}

// Discriminator selects one of several schemas for an object.
type Discriminator struct {
	// Property is the name of the property that decides.
	Property string
	// Mapping maps its values to schemas, in document order.
	Mapping []Mapped
	// Default is the schema for other values (OpenAPI 3.2), or nil.
	Default *Edge
}

// Mapped is a value of a discriminator and its schema.
type Mapped struct {
	Value string
	Edge
}

// Chain returns all places on the way to the schema: the outer ones, the references, and the schema itself.
func (e Edge) Chain(outer ...string) []string {
	return slices.Concat(outer, e.Via, []string{e.Schema.Pointer})
}

// Property returns a documented property, or nil.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// Item returns the schema of an array's items, or nil.
func (s *Schema) Item() *Schema {
	if s == nil || s.Items == nil {
		return nil
	}
	return s.Items.Schema
}

// patchOperations are the operations of a JSON Patch (RFC 6902, section 4).
var patchOperations = []string{`"add"`, `"remove"`, `"replace"`, `"move"`, `"copy"`, `"test"`}

// IsPatch reports whether the values are JSON Patch documents (RFC 6902), regardless of their media type.
func (s *Schema) IsPatch() bool {
	item := s.Item()
	if item == nil || item.Property("path") == nil {
		return false
	}
	op := item.Property("op")
	return op != nil && op.Schema != nil && len(op.Schema.Enum) > 1 && !slices.ContainsFunc(op.Schema.Enum, func(value string) bool {
		return !slices.Contains(patchOperations, value)
	})
}

// Edges returns all edges from the schema to others.
func (s *Schema) Edges() []Edge {
	all := slices.Concat(s.PrefixItems, s.AllOf, s.OneOf, s.AnyOf)
	for _, e := range []*Edge{s.Items, s.Contains, s.AdditionalProperties, s.PropertyNames, s.Ref, s.Not, s.If, s.Then, s.Else} {
		if e != nil {
			all = append(all, *e)
		}
	}
	for _, list := range [][]Property{s.Properties, s.PatternProperties} {
		for i := range list {
			all = append(all, list[i].Edge)
		}
	}
	if s.Discriminator != nil {
		for _, m := range s.Discriminator.Mapping {
			all = append(all, m.Edge)
		}
	}
	return all
}

// Walk visits the schema and all schemas that it leads to, each once.
func (s *Schema) Walk(visit func(*Schema)) { WalkAll([]*Schema{s}, visit) }

// WalkAll visits schemas and all schemas that they lead to, each once.
func WalkAll(all []*Schema, visit func(*Schema)) {
	seen := map[*Schema]bool{}
	left := slices.Clone(all)
	for len(left) > 0 {
		s := left[len(left)-1]
		left = left[:len(left)-1]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		visit(s)
		edges := s.Edges()
		for _, e := range slices.Backward(edges) {
			left = append(left, e.Schema)
		}
	}
}

// OnlyBytes reports whether the schema says no more than that there is content, as nil does.
func (s *Schema) OnlyBytes() bool {
	return s == nil || s.Simple() && (s.Type == "string" || s.Type == "") && s.Pattern == "" && len(s.Enum) == 0 && s.Const == "" && s.MinLength == nil && s.MaxLength == nil
}

// Simple reports whether the schema has no assertions other than a single type, a format, an enum, inclusive bounds, lengths, required and
// documented properties, and items.
func (s *Schema) Simple() bool {
	switch {
	case s.Forbidden, s.Const != "", s.Pattern != "", s.MultipleOf != "", s.ExclusiveMinimum != "", s.ExclusiveMaximum != "", s.UniqueItems,
		s.MinProperties != nil, s.MaxProperties != nil, s.AdditionalProperties != nil, s.PropertyNames != nil, s.Contains != nil,
		s.Ref != nil, s.Not != nil, s.If != nil, s.Discriminator != nil:
		return false
	}
	return len(s.PrefixItems) == 0 && len(s.PatternProperties) == 0 && len(s.DependentRequired) == 0 && len(s.AllOf) == 0 &&
		len(s.OneOf) == 0 && len(s.AnyOf) == 0 && len(s.Unmodelled) == 0 && len(s.Types) <= 1
}
