package instance

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// alternatives returns how many branches of a point allow more than null.
func (p *point) alternatives() int {
	n := 0
	for _, b := range p.branches {
		if !b.null {
			n++
		}
	}
	return n
}

// to returns the part that an edge leads to.
func (p *part) to(e spec.Edge) *part {
	q := partOf(e, p.chain)
	q.alternative = p.alternative
	return q
}

// pointsOf returns the points at which a schema offers branches.
func pointsOf(p *part) []point {
	var all []point
	if len(p.OneOf) > 0 {
		all = append(all, point{by: p, keyword: "oneOf", branches: branchesOf(p, "oneOf", p.OneOf)})
	}
	if len(p.AnyOf) > 0 {
		all = append(all, point{by: p, keyword: "anyOf", branches: branchesOf(p, "anyOf", p.AnyOf)})
	}
	if p.Discriminator != nil && len(all) == 0 {
		if b := heirsOf(p); len(b) > 0 {
			all = append(all, point{by: p, keyword: "discriminator", branches: b})
		}
	}
	if p.If != nil && (p.Then != nil || p.Else != nil) {
		met, unmet := branch{edges: []spec.Edge{*p.If}, at: "if", name: "that keeps if"}, branch{at: "if", name: "that does not keep if"}
		if p.Then != nil {
			met.edges, met.at, met.name = append(met.edges, *p.Then), "then", "that keeps if, and so then"
		}
		if p.Else != nil {
			unmet.edges, unmet.at, unmet.name = append(unmet.edges, *p.Else), "else", "that does not keep if, and so else"
		}
		all = append(all, point{by: p, keyword: "if", branches: []branch{unmet, met}})
	}
	return all
}

// branchesOf returns the branches of oneOf or anyOf. One that allows only null comes last.
func branchesOf(p *part, keyword string, edges []spec.Edge) []branch {
	var all, last []branch
	told := map[*spec.Schema]string{}
	if d := p.Discriminator; d != nil {
		for _, m := range slices.Backward(d.Mapping) { // the first counts
			told[m.Schema] = m.Value
		}
	}
	for i, e := range edges[:min(len(edges), maxBranches)] {
		b := branch{edges: []spec.Edge{e}, at: jsonpointer.Index(keyword, i), name: nameOf(e.Schema)}
		if value, known := told[e.Schema]; known {
			b.property, b.value = p.Discriminator.Property, value
		}
		if b.null = e.Schema.Type == "null"; b.null {
			last = append(last, b)
		} else {
			all = append(all, b)
		}
	}
	return append(all, last...)
}

// heirsOf returns the schemas that a discriminator without oneOf or anyOf distinguishes.
func heirsOf(p *part) []branch {
	var all []branch
	for i, m := range p.Discriminator.Mapping {
		if len(all) >= maxBranches {
			break
		}
		if m.Schema == nil {
			continue
		}
		at := "discriminator"
		if i > 0 || m.Schema != p.Schema {
			at = jsonpointer.Join("discriminator", "mapping", m.Value)
		}
		all = append(all, branch{edges: []spec.Edge{m.Edge}, at: at, name: nameOf(m.Schema), property: p.Discriminator.Property, value: m.Value})
	}
	return all
}

// nameOf returns the name of a schema for descriptions: that of its component, or its title.
func nameOf(s *spec.Schema) string {
	switch tokens := jsonpointer.Tokens(s.Pointer); {
	case len(tokens) == 3 && tokens[0] == "components", len(tokens) == 2 && tokens[0] == "definitions":
		return tokens[len(tokens)-1]
	case s.Title != "":
		return s.Title
	case s.Type != "":
		return "of type " + s.Type
	}
	last := s.Pointer[strings.LastIndexByte(s.Pointer, '/')+1:]
	return "number " + last
}
