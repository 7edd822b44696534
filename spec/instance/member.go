package instance

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// member returns the schemas of a member of an object, or none.
func (s *shape) member(g *builder, name string) parts {
	var c parts
	for _, p := range s.parts {
		known := false
		if q := p.Property(name); q != nil {
			c, known = c.with(q.Edge, p.chain), true
		}
		for i := range p.PatternProperties {
			if g.matches(p.PatternProperties[i].Name, name) {
				c, known = c.with(p.PatternProperties[i].Edge, p.chain), true
			}
		}
		if !known && p.AdditionalProperties != nil && !s.lets(p, name) {
			c = c.with(*p.AdditionalProperties, p.chain)
		}
	}
	return c
}

// composed reports whether a schema forbids undocumented members in combination with other schemas for the same
// object. It is treated as unevaluatedProperties, as in spec/schema: what those document is allowed.
func composed(p *part) bool {
	return p.AdditionalProperties.Schema.Forbidden && (p.Ref != nil || len(p.AllOf)+len(p.OneOf)+len(p.AnyOf) > 0)
}

// closed reports whether a schema forbids the members that it does not document itself.
func closed(p *part) bool {
	return p.AdditionalProperties != nil && p.AdditionalProperties.Schema.Forbidden && !composed(p) && len(p.PatternProperties) == 0
}

// lets reports whether a part that does not document a member allows it because another part does.
func (s *shape) lets(p *part, name string) bool {
	return (composed(p) || s.opened && closed(p)) && s.documents(name)
}

// closes reports whether a schema requires a member and forbids it as well. Such a member may be there or not, as in spec/schema.
func (s *shape) closes(p *part, name string) bool {
	if closed(p) {
		return !s.opened && p.Property(name) == nil
	}
	return p.AdditionalProperties != nil && composed(p) && len(p.OneOf)+len(p.AnyOf)+len(p.PatternProperties) == 0 && !s.documents(name)
}

// contradicted reports whether one part requires a member that another one forbids, although something documents
// it. Then all documented members are allowed, as in spec/schema.
func (s *shape) contradicted() bool {
	for _, p := range s.parts {
		if !closed(p) {
			continue
		}
		for _, q := range s.parts {
			if slices.ContainsFunc(q.Required, func(name string) bool { return p.Property(name) == nil && s.documents(name) }) {
				return true
			}
		}
	}
	return false
}

// documents reports whether one of the parts documents a member.
func (s *shape) documents(name string) bool {
	return slices.ContainsFunc(s.parts, func(p *part) bool { return p.Property(name) != nil })
}

// names returns the documented members, in the order of the document.
func (s *shape) names() []string {
	var all []string
	seen := map[string]bool{}
	for _, p := range s.parts {
		for i := range p.Properties[:min(len(p.Properties), maxNames)] {
			if name := p.Properties[i].Name; !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

func (s *shape) requires(name string) bool {
	return s.requiring[name]
}

// item returns the schemas of an item of an array, or none.
func (s *shape) item(i int) parts {
	var c parts
	for _, p := range s.parts {
		switch {
		case i < len(p.PrefixItems):
			c = c.with(p.PrefixItems[i], p.chain)
		case p.Items != nil:
			c = c.with(*p.Items, p.chain)
		}
	}
	return c
}

// prefixed returns how many items have schemas of their own.
func (s *shape) prefixed() int {
	n := 0
	for _, p := range s.parts {
		n = max(n, len(p.PrefixItems))
	}
	return n
}

// contains returns the parts with a schema that at least one item must match.
func (s *shape) contains() []*part {
	return slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return p.Contains == nil })
}

// containing adds the contains schemas to those of an item.
func (s *shape) containing(c parts) parts {
	c = slices.Clone(c)
	for _, p := range s.contains() {
		c = c.with(*p.Contains, p.chain)
	}
	return c
}

// closedBy returns the constraint that forbids undocumented members.
func (s *shape) closedBy() constraint {
	for _, p := range s.parts {
		if p.AdditionalProperties != nil && p.AdditionalProperties.Schema.Forbidden {
			return constraint{p, "additionalProperties"}
		}
		if slices.Contains(p.Unmodelled, "unevaluatedProperties") {
			return constraint{p, "unevaluatedProperties"}
		}
	}
	return constraint{}
}

// needs returns the members that the present ones require.
func (s *shape) needs(there map[string]any) []string {
	var all []string
	for _, p := range s.parts {
		for name, others := range p.DependentRequired {
			if _, ok := there[name]; !ok {
				continue
			}
			for _, other := range others {
				if _, ok := there[other]; !ok {
					all = append(all, other)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// edgeOf returns the schemas that an edge leads to.
func edgeOf(e spec.Edge, outer []string) parts { return parts{}.with(e, outer) }
