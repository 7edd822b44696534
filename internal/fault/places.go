package fault

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
)

// place is a place in a JSON body.
type place struct {
	at     []string
	edge   spec.Edge
	schema *spec.Schema
	// required reports whether a body has the place whenever its parent is present; closed whether it is an object that forbids members not
	// named in the contract. Known holds the named ones.
	required, closed bool
	known            []string
	// hidden holds its write-only members.
	hidden []spec.Property
}

// name returns the place as part of a fault's name.
func (p place) name() string { return strings.ReplaceAll(strings.Join(p.at, "-"), "*-", "") }

func (p place) called(member string) string { return strings.Trim(p.name()+"-"+member, "-") }

// pointer returns the place for a sentence.
func (p place) pointer() string {
	if len(p.at) == 0 {
		return "its root"
	}
	return "/" + strings.Join(p.at, "/")
}

// deepest is the maximum depth of faults in a body.
const deepest = 5

// placesOf returns the places of a body level by level, starting with the root.
func placesOf(edge spec.Edge, direction instance.Direction, most int) []place {
	if edge.Schema == nil {
		return nil
	}
	queue := []place{{edge: edge, schema: edge.Schema}}
	var all []place
	for len(queue) > 0 && len(all) <= most {
		p := queue[0]
		queue = queue[1:]
		var required []string
		variants := false
		parts := partsOf(p.schema, &variants)
		for _, part := range parts {
			required = append(required, part.Required...)
			p.closed = p.closed || part.AdditionalProperties != nil && part.AdditionalProperties.Schema.Forbidden || slices.Contains(part.Unmodelled, "unevaluatedProperties")
		}
		for _, part := range parts {
			for i := range part.Properties {
				inner := &part.Properties[i]
				if inner.Schema != nil && inner.Schema.WriteOnly && direction == instance.Response {
					p.hidden = append(p.hidden, *inner)
				}
				if inner.Schema == nil || slices.Contains(p.known, inner.Name) || direction == instance.Request && inner.Schema.ReadOnly ||
					direction == instance.Response && inner.Schema.WriteOnly || len(p.at) >= deepest {
					continue
				}
				p.known = append(p.known, inner.Name)
				queue = append(queue, place{at: append(slices.Clone(p.at), inner.Name), edge: inner.Edge, schema: inner.Schema, required: slices.Contains(required, inner.Name) && !variants})
			}
			if part.Items != nil && part.Items.Schema != nil && len(p.at) < deepest {
				queue = append(queue, place{at: append(slices.Clone(p.at), mutate.Each), edge: *part.Items, schema: part.Items.Schema})
			}
		}
		all = append(all, p)
	}
	return all
}

// partsOf returns a schema and the schemas that it is composed of. It sets variants if they include alternatives.
func partsOf(s *spec.Schema, variants *bool) []*spec.Schema {
	var all []*spec.Schema
	var visit func(s *spec.Schema)
	visit = func(s *spec.Schema) {
		if s == nil || slices.Contains(all, s) || len(all) > 50 {
			return
		}
		all = append(all, s)
		if s.Ref != nil {
			visit(s.Ref.Schema)
		}
		for _, e := range s.AllOf {
			visit(e.Schema)
		}
		for _, list := range [][]spec.Edge{s.OneOf, s.AnyOf} {
			choices := 0
			for _, e := range list {
				if e.Schema != nil && e.Schema.Type != "" || e.Schema != nil && len(e.Schema.Types) == 0 {
					choices++
				}
				visit(e.Schema)
			}
			*variants = *variants || choices > 1
		}
	}
	visit(s)
	return all
}
