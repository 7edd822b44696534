package instance

import (
	"slices"
	"strconv"
)

// place is a place in the base value, or one that an optional member would have.
type place struct {
	parts parts
	// shape is the shape of its value.
	shape *shape
	value any
	path  []string
	// wrap returns the whole value with another one at the place.
	wrap func(any) any
	// within is the place of the branch that the value follows instead of the base's; nil if it follows the same.
	within []string
	// added is how many members and items the base lacks on the way to the place.
	added int
	// whole is wrap of value, sound reports whether it is valid, looked whether that has been checked.
	whole         any
	looked, sound bool
}

// repaired returns the whole value with a valid one at the place; false if the whole is invalid nevertheless,
// because it conflicts with something elsewhere.
func (p *place) repaired(g *Generator, root parts) (any, bool) {
	if !p.looked {
		p.whole = p.wrap(p.value)
		p.looked, p.sound = true, g.keeps(root, p.whole)
	}
	return p.whole, p.sound
}

const (
	// maxPlaces bounds the number of places of a subject, maxNesting their depth.
	maxPlaces  = 300
	maxNesting = 8
)

// places returns the places of a value, from the outside in. Within objects and arrays each schema is visited
// once, since schemas may refer to themselves and to each other.
func (g *Generator) places(root parts, base any) []place {
	return g.placesFrom(place{parts: root, value: base, wrap: func(v any) any { return v }}, maxPlaces)
}

// otherBranches returns the places of values that follow other branches than the base, where it has a choice.
func (g *Generator) otherBranches(places []place) []place {
	const mostBranches = 6
	var all []place
	for i := range places {
		p := &places[i]
		for nth, at := range p.shape.points {
			if at.alternatives() < 2 {
				continue
			}
			for other, b := range at.branches {
				if b.null || other == at.picked || other >= mostBranches || len(all) >= maxPlaces {
					continue
				}
				value := g.variant(p, nth, other)
				if value == (none{}) {
					continue
				}
				from := place{parts: p.parts, value: value, path: p.path, wrap: p.wrap, added: p.added + 1, within: append([]string{}, p.path...)}
				all = append(all, g.placesFrom(from, maxPlaces-len(all))...)
			}
		}
	}
	return all
}

// placesFrom returns a place and those within its value.
func (g *Generator) placesFrom(first place, most int) []place {
	all := []place{first}
	entered := map[string]bool{}
	for i := 0; i < len(all); i++ {
		p := &all[i]
		p.shape = g.view(p.parts, g.following(p.value))
		if key := p.parts.key(); len(p.path) < maxNesting && !entered[key] {
			entered[key] = true
			all = append(all, g.within(*p, most-len(all))...)
		}
	}
	return all
}

// following returns a chooser for the branches that a value follows.
func (g *Generator) following(value any) chooser {
	return func(p *point, _ int) int {
		if p.keyword == "discriminator" {
			object, _ := value.(map[string]any)
			return slices.IndexFunc(p.branches, func(b branch) bool { return object[b.property] == b.value })
		}
		for i, b := range p.branches {
			if p.keyword == "if" {
				if g.keeps(edgeOf(*p.by.If, nil), value) {
					return 1
				}
				return 0
			}
			if g.keeps(edgeOf(b.edges[0], nil), value) {
				return i
			}
		}
		return 0
	}
}

// within returns the places of the members or items of a value, up to a number.
func (g *Generator) within(p place, most int) []place {
	var all []place
	child := func(c parts, value any, token string, added int, put func(any) any) {
		if len(all) < most && len(c) > 0 {
			all = append(all, place{
				parts: c, value: value, path: append(slices.Clip(p.path), token), added: p.added + added, within: p.within,
				wrap: func(v any) any { return p.wrap(put(v)) },
			})
		}
	}
	switch v := p.value.(type) {
	case map[string]any:
		names := p.shape.names()
		for name := range v {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		slices.Sort(names[len(p.shape.names()):])
		if extra := g.additional(p.shape); extra != "" && len(names) == 0 {
			names = append(names, extra)
		}
		for _, name := range names {
			c := p.shape.member(g.builder, name)
			if len(c) == 0 || g.hidden(c) {
				continue
			}
			added := 0
			value, ok := v[name]
			if !ok {
				added = 1
				made, err := g.memberValue(p.shape, name, usual, len(p.path)+1)
				if err != nil {
					continue
				}
				value = made
			}
			child(c, value, name, added, func(x any) any { return withMember(v, name, x) })
		}
	case []any:
		for i := range max(min(len(v), 1), min(len(v), p.shape.prefixed())) {
			child(p.shape.item(i), v[i], strconv.Itoa(i), 0, func(x any) any {
				items := slices.Clone(v)
				items[i] = x
				return items
			})
		}
		if c := p.shape.item(0); len(v) == 0 && len(c) > 0 && (!p.shape.maxItems.there() || p.shape.maxItems.n > 0) {
			if value, err := g.build(c, usual, len(p.path)+1); err == nil {
				child(c, value, "0", 1, func(x any) any { return []any{x} })
			}
		}
	}
	return all
}

// additional returns a name for a member that has a schema but no documented name, or "".
func (g *Generator) additional(s *shape) string {
	for _, name := range g.fresh(s, 1) {
		if c := s.member(g.builder, name); len(c) > 0 && g.view(c, firstBranch).impossible == "" {
			return name
		}
	}
	return ""
}
