package openapi

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// unreadSchema is a schema that was found but not read yet, and its place.
type unreadSchema struct {
	*spec.Schema
	at place
}

// schemaAt returns the schema at a place. readSchemas reads it later, because schemas may be recursive.
func (r *reader) schemaAt(p place) *spec.Schema {
	s := r.schemas[p.pointer]
	if s == nil {
		s = r.stub(p.pointer)
		r.unread = append(r.unread, unreadSchema{s, p})
	}
	return s
}

// stub returns a schema that allows anything, for a pointer without a schema.
func (r *reader) stub(pointer string) *spec.Schema {
	s := r.schemas[pointer]
	if s == nil {
		s = &spec.Schema{Pointer: pointer}
		r.schemas[pointer] = s
	}
	return s
}

// readEdge reads the edge from a place to a schema.
func (r *reader) readEdge(p place) spec.Edge {
	const farthest = 100
	var via []string
	first := p
	for {
		ref, is := r.child(p, "$ref")
		if !is || ref.node.Kind != source.ScalarNode || r.judgesBeside(p) {
			return spec.Edge{Schema: r.schemaAt(p), Via: via}
		}
		via = append(via, p.pointer)
		pointer, ok := r.follow(ref)
		if ok && (slices.Contains(via, pointer) || len(via) > farthest) {
			r.dangling(ref, "the reference "+ref.node.Value+" refers to itself")
			ok = false
		}
		if !ok {
			return spec.Edge{Schema: r.stub(first.pointer)}
		}
		p = r.placeAt(pointer)
	}
}

// annotations are the keywords that do not restrict values.
var annotations = map[string]bool{
	"$ref": true, "title": true, "description": true, "summary": true, "example": true, "examples": true, "deprecated": true,
	"$comment": true, "default": true, "externalDocs": true, "xml": true, "$defs": true, "definitions": true, "discriminator": true,
}

// judgesBeside reports whether any sibling of a schema's $ref counts. Before OpenAPI 3.1 siblings are ignored, but many documents
// rely on nullable, readOnly and writeOnly.
func (r *reader) judgesBeside(p place) bool {
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		switch name := p.node.Content[i].Value; name {
		case "nullable", "x-nullable", "readOnly", "writeOnly":
			if is, _ := boolOf(p.node.Content[i+1]); is {
				return true
			}
		case "xml":
			if r.version >= 31 {
				return true
			}
		default:
			if r.version >= 31 && !annotations[name] && !strings.HasPrefix(name, "x-") {
				return true
			}
		}
	}
	return false
}

// readSchemas reads the schemas that were found, including those found on the way.
func (r *reader) readSchemas() {
	for range 2 {
		for len(r.unread) > 0 {
			last := len(r.unread) - 1
			next := r.unread[last]
			r.unread = r.unread[:last]
			r.schema = next.Schema
			r.readSchema(next.Schema, next.at)
			r.schema = nil
		}
		if !r.inherited {
			break
		}
		findHeirs(r)
	}
	if r.inherited {
		bequeath(r)
	}
}

func (r *reader) readSchema(s *spec.Schema, p place) {
	if allowed, is := boolOf(p.node); is {
		s.Forbidden = !allowed
		return
	}
	if p.node.Kind != source.MappingNode {
		r.omit(p, "a schema must be an object, not %s; any value is allowed", source.Describe(p.node))
		return
	}
	s.Title, s.Description = r.prose(p, "title"), r.prose(p, "description")
	s.Nullable = r.boolean(p, "nullable") || r.boolean(p, "x-nullable")
	s.ReadOnly, s.WriteOnly = r.boolean(p, "readOnly"), r.boolean(p, "writeOnly")
	if ref, ok := r.child(p, "$ref"); ok && ref.node.Kind == source.ScalarNode {
		r.readRef(s, ref)
		if r.version < 31 {
			return
		}
	}
	if x, ok := r.child(p, "xml"); ok {
		readXML(r, s, x)
	}
	readTypes(r, s, p)
	readValues(r, s, p)
	readNumbers(r, s, p)
	readTexts(r, s, p)
	r.readArray(s, p)
	r.readObject(s, p)
	r.readCombined(s, p)
	r.readForeign(s, p)
	impossible(r, s, p)
}

// readXML reads the xml keyword of a schema.
func readXML(r *reader, s *spec.Schema, at place) {
	s.XML = &spec.XML{Name: r.text(at, "name"), Namespace: r.text(at, "namespace"), Prefix: r.text(at, "prefix")}
	switch {
	case r.boolean(at, "attribute"):
		s.XML.Node = "attribute"
	case r.boolean(at, "wrapped"):
		s.XML.Node = "element"
	}
	node, ok := r.child(at, "nodeType")
	switch {
	case !ok:
	case r.version < 32:
		r.omit(node, "nodeType is ignored before OpenAPI 3.2")
	case slices.Contains([]string{"element", "attribute", "text", "cdata", "none"}, node.node.Value):
		s.XML.Node = node.node.Value
	default:
		r.omit(node, "%s is not a nodeType", node.node.Value)
	}
}

// readRef reads a reference that has siblings.
func (r *reader) readRef(s *spec.Schema, ref place) {
	pointer, ok := r.follow(ref)
	if !ok {
		return
	}
	e := r.readEdge(r.placeAt(pointer))
	if e.Schema == s {
		r.dangling(ref, "the reference "+ref.node.Value+" refers to itself")
		return
	}
	s.Ref = &e
}

// edge reads the schema in the named member; nil if there is none.
func (r *reader) edge(p place, name string) *spec.Edge {
	at, ok := r.child(p, name)
	if !ok {
		return nil
	}
	e := r.readEdge(at)
	return &e
}

// edges reads the schemas of the list in the named member.
func (r *reader) edges(p place, name string) []spec.Edge {
	var all []spec.Edge
	for _, item := range r.list(p, name) {
		all = append(all, r.readEdge(item))
	}
	return all
}

// partner returns the neighboring keyword that disables this one, or "". See schema.Dialect.Partner.
func (r *reader) partner(p place, keyword string) string {
	return r.dialect().Partner(keyword, func(other string) bool { _, ok := r.child(p, other); return ok })
}

func (r *reader) readArray(s *spec.Schema, p place) {
	s.MinItems, s.MaxItems = count(r, p, "minItems"), count(r, p, "maxItems")
	s.UniqueItems = r.boolean(p, "uniqueItems")
	if r.version == 20 && s.Type == "array" {
		if s.CollectionFormat = r.text(p, "collectionFormat"); s.CollectionFormat == "" {
			s.CollectionFormat = "csv"
		}
	}
	if items, ok := r.child(p, "items"); ok && items.node.Kind == source.SequenceNode {
		r.omit(items, "items is a list, which OpenAPI does not allow: it may mean alternatives or items by position")
	} else if ok && r.partner(p, "items") == "" {
		s.Items = r.edge(p, "items")
	}
	if r.version >= 31 {
		s.PrefixItems, s.Contains = r.edges(p, "prefixItems"), r.edge(p, "contains")
	}
}

func (r *reader) readObject(s *spec.Schema, p place) {
	s.MinProperties, s.MaxProperties = count(r, p, "minProperties"), count(r, p, "maxProperties")
	entries := map[string]string{}
	if required, ok := r.child(p, "required"); ok && (r.version != 20 || required.node.Kind == source.SequenceNode) {
		for _, item := range r.list(p, "required") {
			name := item.node.Value
			if item.node.Kind != source.ScalarNode || isNull(item.node) || entries[name] != "" {
				r.defect(item, "required must list property names, each once")
				continue
			}
			entries[name] = item.pointer
			s.Required = append(s.Required, name)
		}
	}
	for _, m := range r.objectAt(p, "properties") {
		s.Properties = append(s.Properties, spec.Property{
			Name: m.name, Required: entries[m.name] != "", RequiredPointer: entries[m.name], Edge: r.readEdge(m.place),
		})
	}
	if at, ok := r.child(p, "additionalProperties"); ok {
		if allowed, is := boolOf(at.node); (!is || !allowed) && r.partner(p, "additionalProperties") == "" {
			s.AdditionalProperties = r.edge(p, "additionalProperties")
		}
	}
	if r.version < 31 {
		return
	}
	for _, m := range r.objectAt(p, "patternProperties") {
		s.PatternProperties = append(s.PatternProperties, spec.Property{Name: m.name, Edge: r.readEdge(m.place)})
	}
	s.PropertyNames = r.edge(p, "propertyNames")
	for _, m := range r.objectAt(p, "dependentRequired") {
		if s.DependentRequired == nil {
			s.DependentRequired = map[string][]string{}
		}
		for _, name := range m.node.Content {
			s.DependentRequired[m.name] = append(s.DependentRequired[m.name], name.Value)
		}
	}
}

func (r *reader) readCombined(s *spec.Schema, p place) {
	s.AllOf = r.edges(p, "allOf")
	if r.version >= 30 {
		s.OneOf, s.AnyOf, s.Not = r.edges(p, "oneOf"), r.edges(p, "anyOf"), r.edge(p, "not")
	}
	if r.version >= 31 {
		s.If, s.Then, s.Else = r.edge(p, "if"), r.edge(p, "then"), r.edge(p, "else")
	}
	if at, ok := r.child(p, "discriminator"); ok {
		readDiscriminator(r, s, at)
	}
}

// later are the keywords that apply only from some version of OpenAPI on.
var later = map[string]int{
	"oneOf": 30, "anyOf": 30, "not": 30,
	"const": 31, "prefixItems": 31, "contains": 31, "patternProperties": 31, "propertyNames": 31, "dependentRequired": 31,
	"if": 31, "then": 31, "else": 31, "unevaluatedProperties": 31, "unevaluatedItems": 31, "dependentSchemas": 31, "minContains": 31,
	"maxContains": 31, "$dynamicRef": 31,
}

// unmodelled are the keywords that validators support and the model does not.
var unmodelled = []string{"unevaluatedProperties", "unevaluatedItems", "dependentSchemas", "minContains", "maxContains", "$dynamicRef"}

// readForeign reports keywords without effect in this version of OpenAPI, and notes those that the model does not hold.
func (r *reader) readForeign(s *spec.Schema, p place) {
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		name := p.node.Content[i].Value
		if other := r.partner(p, name); other != "" {
			if at, ok := r.child(p, name); ok {
				r.omit(at, "%s has no effect: it depends on %s, which this version of OpenAPI ignores", name, other)
			}
			continue
		}
		since, known := later[name]
		switch {
		case !known:
		case r.version < since:
			at, ok := r.child(p, name)
			if ok {
				r.omit(at, "%s is ignored before OpenAPI %d.%d", name, since/10, since%10)
			}
		case slices.Contains(unmodelled, name):
			s.Unmodelled = append(s.Unmodelled, name)
		}
	}
}

// componentSchemas returns the pointer of the named schemas.
func (r *reader) componentSchemas() string {
	if r.version == 20 {
		return "/definitions"
	}
	return "/components/schemas"
}

// nameOf returns the name of a schema among the components, or "".
func (r *reader) nameOf(s *spec.Schema) string {
	rest, ok := strings.CutPrefix(s.Pointer, r.componentSchemas()+"/")
	if !ok || strings.Contains(rest, "/") {
		return ""
	}
	return jsonpointer.Tokens("/" + rest)[0]
}
