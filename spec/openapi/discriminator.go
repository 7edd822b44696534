package openapi

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// readDiscriminator reads the discriminator of a schema.
func readDiscriminator(r *reader, s *spec.Schema, at place) {
	if at.node.Kind == source.ScalarNode && r.version == 20 {
		s.Discriminator = &spec.Discriminator{Property: at.node.Value}
		r.inherited = true
		return
	}
	d := &spec.Discriminator{Property: r.text(at, "propertyName")}
	if d.Property == "" {
		r.omit(at, "the discriminator names no property (propertyName)")
		return
	}
	s.Discriminator = d
	for _, m := range r.objectAt(at, "mapping") {
		if e, ok := named(r, m.place); ok {
			mapTo(r, d, m.name, e)
		}
	}
	if other, ok := r.child(at, "defaultMapping"); ok {
		if e, ok := named(r, other); ok {
			d.Default = &e
		}
	}
	variants := slices.Concat(s.OneOf, s.AnyOf)
	for _, e := range variants {
		mapByName(r, d, e)
	}
	r.inherited = r.inherited || len(variants) == 0
}

// named returns the schema that a value of a discriminator refers to, by component name or by reference.
func named(r *reader, at place) (spec.Edge, bool) {
	name := at.node.Value
	if !strings.ContainsAny(name, "#/") {
		if pointer := jsonpointer.Join(r.componentSchemas(), name); r.doc.Exists(pointer) {
			return r.readEdge(r.placeAt(pointer)), true
		}
	}
	pointer, ok := r.follow(at)
	if !ok {
		return spec.Edge{}, false
	}
	return r.readEdge(r.placeAt(pointer)), true
}

// mapByName maps the name of a component to its schema, unless the schema has an explicit mapping.
func mapByName(r *reader, d *spec.Discriminator, e spec.Edge) {
	name := r.nameOf(e.Schema)
	if name != "" && !r.mapped[d][name] && !r.mapped[d][e.Schema] {
		mapTo(r, d, name, spec.Edge{Schema: e.Schema})
	}
}

func mapTo(r *reader, d *spec.Discriminator, value string, e spec.Edge) {
	if r.mapped[d] == nil {
		r.mapped[d] = map[any]bool{}
	}
	r.mapped[d][value], r.mapped[d][e.Schema] = true, true
	d.Mapping = append(d.Mapping, spec.Mapped{Value: value, Edge: e})
}

// findHeirs registers all named schemas: one may be a variant of another without being referred to.
func findHeirs(r *reader) {
	at := r.componentSchemas()
	if !r.doc.Exists(at) {
		return
	}
	for _, m := range r.object(r.placeAt(at), "the schemas") {
		r.schemaAt(m.place)
	}
}

// bequeath maps the names of the schemas that extend one with a discriminator.
func bequeath(r *reader) {
	var heirs []*spec.Schema
	for _, s := range r.schemas {
		if r.nameOf(s) != "" && len(s.AllOf) > 0 {
			heirs = append(heirs, s)
		}
	}
	slices.SortFunc(heirs, func(a, b *spec.Schema) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, s := range heirs {
		for _, e := range s.AllOf {
			if d := e.Schema.Discriminator; d != nil && len(e.Schema.OneOf) == 0 && len(e.Schema.AnyOf) == 0 {
				mapByName(r, d, spec.Edge{Schema: s})
			}
		}
	}
}
