package coverage

import (
	"strconv"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
)

// Aspect is what an element of a schema is about.
type Aspect uint8

// The aspects of a schema. Those with an index are one element for each type, value, property or branch.
const (
	Type Aspect = iota
	Enum
	Const
	Format
	Pattern
	MinLength
	MaxLength
	Minimum
	Maximum
	MultipleOf
	MinItems
	MaxItems
	UniqueItems
	Contains
	MinProperties
	MaxProperties
	PropertyNames
	Not
	Unmodelled
	Present
	Absent
	Additional
	OneOf
	AnyOf
	Then
	Else
	Mapped
)

// plain are the keywords that are one element, with the type of the values that they apply to; "" means all.
var plain = []struct {
	aspect Aspect
	name   string
	kind   string
	in     func(*spec.Schema) bool
}{
	{Const, "const", "", func(s *spec.Schema) bool { return s.Const != "" }},
	{Format, "format", "", func(s *spec.Schema) bool { return s.Format != "" }},
	{Pattern, "pattern", "string", func(s *spec.Schema) bool { return s.Pattern != "" }},
	{MinLength, "minLength", "string", func(s *spec.Schema) bool { return s.MinLength != nil }},
	{MaxLength, "maxLength", "string", func(s *spec.Schema) bool { return s.MaxLength != nil }},
	{Minimum, "minimum", "number", func(s *spec.Schema) bool { return s.Minimum != "" || s.ExclusiveMinimum != "" }},
	{Maximum, "maximum", "number", func(s *spec.Schema) bool { return s.Maximum != "" || s.ExclusiveMaximum != "" }},
	{MultipleOf, "multipleOf", "number", func(s *spec.Schema) bool { return s.MultipleOf != "" }},
	{MinItems, "minItems", "array", func(s *spec.Schema) bool { return s.MinItems != nil }},
	{MaxItems, "maxItems", "array", func(s *spec.Schema) bool { return s.MaxItems != nil }},
	{UniqueItems, "uniqueItems", "array", func(s *spec.Schema) bool { return s.UniqueItems }},
	{Contains, "contains", "array", func(s *spec.Schema) bool { return s.Contains != nil }},
	{MinProperties, "minProperties", "object", func(s *spec.Schema) bool { return s.MinProperties != nil }},
	{MaxProperties, "maxProperties", "object", func(s *spec.Schema) bool { return s.MaxProperties != nil }},
	{PropertyNames, "propertyNames", "object", func(s *spec.Schema) bool { return s.PropertyNames != nil }},
	{Not, "not", "", func(s *spec.Schema) bool { return s.Not != nil }},
	{Unmodelled, "further keywords", "", func(s *spec.Schema) bool { return len(s.Unmodelled) > 0 }},
}

// MostValues is how many values of an enum are elements of their own; a longer enum is one element.
const MostValues = 20

// MostElements bounds the elements of one body or parameter.
const MostElements = 1_000

// whole is the index of the one element of a long enum.
const whole = -1

// Element is a keyword or branch of a schema.
type Element struct {
	Schema *spec.Schema
	Aspect Aspect
	// Index is that of the type, value, property or branch.
	Index int
}

// String describes the element: "optional tag absent", "enum \"sold\"", "oneOf 2".
func (e Element) String() string {
	s := e.Schema
	number := strconv.Itoa(e.Index + 1)
	switch e.Aspect {
	case Type:
		return "type " + s.Types[e.Index]
	case Enum:
		if e.Index == whole {
			return "enum"
		}
		return "enum " + text.Elide(s.Enum[e.Index], 60)
	case Present:
		return text.Elide(s.Properties[e.Index].Name, 60) + " present"
	case Absent:
		return text.Elide(s.Properties[e.Index].Name, 60) + " absent"
	case Additional:
		return "additionalProperties"
	case OneOf:
		return "oneOf " + number
	case AnyOf:
		return "anyOf " + number
	case Then:
		return "then"
	case Else:
		return "else"
	case Mapped:
		return "discriminator " + text.Elide(s.Discriminator.Mapping[e.Index].Value, 60)
	default:
		for _, p := range plain {
			if p.aspect == e.Aspect {
				return p.name
			}
		}
		return ""
	}
}

// Operation lists what the contract documents of an operation.
type Operation struct {
	ID, Method, Path string
	// Statuses are the keys of its responses, Media its media types ("request application/json", "200 application/json"), Parameters its
	// parameters ("query limit"), all in the order of the document.
	Statuses, Media, Parameters []string
	Schemas                     []Schema
}

// Schema lists the elements of the schema of a JSON body or of a parameter.
type Schema struct {
	// Of is the media type or the parameter, as in [Operation].
	Of       string
	Elements []Element
}

// Of lists what the contract documents of an operation.
func Of(op *spec.Operation) Operation {
	out := Operation{ID: op.ID, Method: op.Method, Path: op.Path}
	add := func(of string, s *spec.Schema, request bool) {
		if s == nil {
			return
		}
		if all := elements(s, request); len(all) > 0 {
			out.Schemas = append(out.Schemas, Schema{of, all})
		}
	}
	for i := range op.Parameters {
		p := &op.Parameters[i]
		out.Parameters = append(out.Parameters, ofParameter(p))
		if readable(p) {
			add(ofParameter(p), p.Schema, true)
		}
	}
	if op.Body != nil {
		for i := range op.Body.Content {
			m := &op.Body.Content[i]
			out.Media = append(out.Media, ofRequest(m))
			if m.IsJSON() && !m.IsPatch() {
				add(ofRequest(m), m.Schema, true)
			}
		}
	}
	for i := range op.Responses {
		a := &op.Responses[i]
		out.Statuses = append(out.Statuses, a.Key)
		for j := range a.Content {
			m := &a.Content[j]
			out.Media = append(out.Media, ofResponse(a, m))
			if m.IsJSON() {
				add(ofResponse(a, m), m.Schema, false)
			}
		}
	}
	return out
}

func ofParameter(p *spec.Parameter) string { return p.In + " " + p.Name }

// Requested begins the name of a media type of a request.
const Requested = "request "

func ofRequest(m *spec.Media) string { return Requested + m.Type }

func ofResponse(a *spec.DocumentedResponse, m *spec.Media) string { return a.Key + " " + m.Type }

// readable reports whether the values of a parameter are read from requests.
func readable(p *spec.Parameter) bool {
	return p.Schema != nil && p.Content == nil && p.Style != "deepObject" && p.In != "querystring"
}

// lister lists the elements of a schema and of all schemas that it leads to, each once.
type lister struct {
	request bool
	seen    map[*spec.Schema]bool
	all     []Element
}

func elements(s *spec.Schema, request bool) []Element {
	l := lister{request: request, seen: map[*spec.Schema]bool{}}
	l.schema(s, nil)
	return l.all
}

func (l *lister) addElement(s *spec.Schema, a Aspect, index int) {
	if len(l.all) < MostElements {
		l.all = append(l.all, Element{s, a, index})
	}
}

// schema lists the elements of a schema of a value. around is what schemas around it require of the same value, or nil.
func (l *lister) schema(s *spec.Schema, around *demands) {
	if s == nil || l.seen[s] || s.Forbidden || len(l.all) >= MostElements {
		return
	}
	l.seen[s] = true
	l.keywords(s)
	required := demandsOf(s, around)
	for i := range s.Properties {
		p := &s.Properties[i]
		if p.Schema == nil || p.Schema.Forbidden || hidden(p, l.request) {
			continue
		}
		if !p.Required && !required.contain(p.Name) {
			l.addElement(s, Present, i)
			l.addElement(s, Absent, i)
		}
		l.schema(p.Schema, nil)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && !s.AdditionalProperties.Schema.Forbidden {
		l.addElement(s, Additional, 0)
		l.schema(s.AdditionalProperties.Schema, nil)
	}
	for _, e := range s.PrefixItems {
		l.schema(e.Schema, nil)
	}
	l.edge(s.Items, nil)
	l.edge(s.Ref, required)
	for _, e := range s.AllOf {
		l.schema(e.Schema, required)
	}
	l.branches(s, required)
}

// branches lists the alternatives of a schema.
func (l *lister) branches(s *spec.Schema, required *demands) {
	for i, e := range s.OneOf {
		l.addElement(s, OneOf, i)
		l.schema(e.Schema, required)
	}
	for i, e := range s.AnyOf {
		l.addElement(s, AnyOf, i)
		l.schema(e.Schema, required)
	}
	if s.If != nil && (s.Then != nil || s.Else != nil) {
		l.addElement(s, Then, 0)
		l.addElement(s, Else, 0)
		l.edge(s.Then, required)
		l.edge(s.Else, required)
	}
	if s.Discriminator != nil && len(s.OneOf)+len(s.AnyOf) == 0 {
		for i, m := range s.Discriminator.Mapping {
			l.addElement(s, Mapped, i)
			l.schema(m.Schema, required)
		}
	}
}

func (l *lister) edge(e *spec.Edge, required *demands) {
	if e != nil {
		l.schema(e.Schema, required)
	}
}

// keywords lists the types, values and plain keywords of a schema.
func (l *lister) keywords(s *spec.Schema) {
	for i := range s.Types {
		l.addElement(s, Type, i)
	}
	switch {
	case len(s.Enum) > MostValues:
		l.addElement(s, Enum, whole)
	default:
		for i := range s.Enum {
			l.addElement(s, Enum, i)
		}
	}
	for _, p := range plain {
		if p.in(s) {
			l.addElement(s, p.aspect, 0)
		}
	}
}

// demands are the properties that schemas require of one object.
type demands struct {
	of     map[*spec.Schema]bool // the schemas that are combined by allOf and references
	names  map[string]bool
	around *demands // what the schemas around them require of the same object, or nil
}

// demandsOf returns what a schema requires, with all that are combined with it and those around it.
func demandsOf(s *spec.Schema, around *demands) *demands {
	if around != nil && around.of[s] {
		return around
	}
	d := &demands{of: map[*spec.Schema]bool{}, names: map[string]bool{}, around: around}
	d.addSchema(s)
	return d
}

func (d *demands) addSchema(s *spec.Schema) {
	if s == nil || d.of[s] {
		return
	}
	d.of[s] = true
	for _, name := range s.Required {
		d.names[name] = true
	}
	if s.Ref != nil {
		d.addSchema(s.Ref.Schema)
	}
	for _, e := range s.AllOf {
		d.addSchema(e.Schema)
	}
}

func (d *demands) contain(name string) bool {
	return d != nil && (d.names[name] || d.around.contain(name))
}

// hidden reports whether a property is not sent in a direction: a readOnly one in requests, a writeOnly one in responses.
func hidden(p *spec.Property, request bool) bool {
	return request && p.Schema.ReadOnly || !request && p.Schema.WriteOnly
}
