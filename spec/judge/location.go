package judge

import (
	"fmt"
	"slices"
	"sync"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// location is a schema in the responses of an operation, as one way leads to it: rules name the places on the way. A schema that
// leads back to itself has the places that it had the first time. Places are made when a value first reaches them, for the
// schemas of a large document lead nearly all to each other.
type location struct {
	schema *spec.Schema
	// chain are the places on the way, its own last.
	chain  []string
	parent *location
	owner  func(chain []string, keyword string) (spec.Rule, bool)

	once     sync.Once
	byKey    map[string]string
	keywords []string

	mu     sync.Mutex
	inside map[*spec.Schema]*location
	reach  *[]string
}

// newLocation returns the place of a schema that an operation answers with; outer are the places on the way to the edge. It
// fails when no rule covers it; what is inside it is covered then, too.
func newLocation(catalogue *spec.Catalogue, operation string, e spec.Edge, outer []string) (*location, error) {
	p := &location{schema: e.Schema, chain: e.Chain(outer...), owner: func(chain []string, keyword string) (spec.Rule, bool) {
		return catalogue.Owner(operation, chain, keyword)
	}}
	if _, ok := p.owner(p.chain, ""); !ok {
		return nil, fmt.Errorf("no rule that always holds covers %s in the responses of %s; add the pointer to the contract list of one",
			e.Schema.Pointer, operation)
	}
	return p, nil
}

// to returns the place that an edge of the schema leads to.
func (p *location) to(e spec.Edge) *location {
	for around := p; around != nil; around = around.parent {
		if around.schema == e.Schema {
			return around
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	next := p.inside[e.Schema]
	if next == nil {
		next = &location{schema: e.Schema, chain: e.Chain(p.chain...), parent: p, owner: p.owner}
		if p.inside == nil {
			p.inside = map[*spec.Schema]*location{}
		}
		p.inside[e.Schema] = next
	}
	return next
}

// rules returns the rules that the keywords of the schema belong to ("type", "required/0"), and the keywords in their order.
// The empty keyword stands for the schema as a whole.
func (p *location) rules() (byKeyword map[string]string, keywords []string) {
	p.once.Do(func() {
		p.keywords = p.schema.Keywords()
		p.byKey = make(map[string]string, len(p.keywords)+1)
		for _, keyword := range append([]string{""}, p.keywords...) {
			rule, _ := p.owner(p.chain, keyword)
			p.byKey[keyword] = rule.ID
		}
	})
	return p.byKey, p.keywords
}

// rule returns the rule that a keyword belongs to, or the schema as a whole where it has none.
func (p *location) rule(keyword string) string {
	byKeyword, _ := p.rules()
	if id := byKeyword[keyword]; id != "" {
		return id
	}
	return byKeyword[""]
}

// same returns the edges to schemas of the same value, certain those that every value must keep.
func same(s *spec.Schema) (certain, possible []spec.Edge) {
	certain = slices.Clip(s.AllOf)
	if s.Ref != nil {
		certain = append(certain, *s.Ref)
	}
	possible = slices.Concat(s.OneOf, s.AnyOf)
	for _, e := range []*spec.Edge{s.Not, s.If, s.Then, s.Else} {
		if e != nil {
			possible = append(possible, *e)
		}
	}
	if s.Discriminator != nil {
		for _, m := range s.Discriminator.Mapping {
			possible = append(possible, m.Edge)
		}
	}
	return certain, possible
}

// below returns the edges to schemas of the value at a token in this one.
func below(s *spec.Schema, value any, token string) []spec.Edge {
	var edges []spec.Edge
	add := func(e *spec.Edge) {
		if e != nil {
			edges = append(edges, *e)
		}
	}
	switch value.(type) {
	case []any:
		if i, ok := itemIndex(token); ok && i < len(s.PrefixItems) {
			edges = append(edges, s.PrefixItems[i])
		}
		add(s.Items)
		add(s.Contains)
	case map[string]any:
		if p := s.Property(token); p != nil {
			edges = append(edges, p.Edge)
		}
		for i := range s.PatternProperties {
			edges = append(edges, s.PatternProperties[i].Edge)
		}
		add(s.AdditionalProperties)
	}
	return edges
}

// maxSteps bounds how many places are looked at to find one.
const maxSteps = 10_000

// find returns the place of the schema at a pointer that judges the value at a path; nil when the model does not lead there.
func (p *location) find(value any, path []string, pointer string) *location {
	type step struct {
		at    *location
		depth int
	}
	seen := map[step]bool{}
	var visit func(x step, value any) *location
	visit = func(x step, value any) *location {
		if seen[x] || len(seen) > maxSteps {
			return nil
		}
		seen[x] = true
		if x.depth == len(path) && x.at.schema.Pointer == pointer {
			return x.at
		}
		certain, possible := same(x.at.schema)
		for _, e := range slices.Concat(certain, possible) {
			if found := visit(step{x.at.to(e), x.depth}, value); found != nil {
				return found
			}
		}
		if x.depth == len(path) {
			return nil
		}
		token := path[x.depth]
		next, ok := child(value, token)
		if !ok {
			return nil
		}
		for _, e := range below(x.at.schema, value, token) {
			if found := visit(step{x.at.to(e), x.depth + 1}, next); found != nil {
				return found
			}
		}
		return nil
	}
	return visit(step{p, 0}, value)
}

// documented returns the place that properties and items lead to; nil when the contract says nothing of the path, or when a
// value on the way is not of the type it should be: then nothing is said of its inside.
func (p *location) documented(value any, path []string) *location {
	for _, token := range path {
		next, ok := child(value, token)
		if !ok {
			return nil
		}
		switch value.(type) {
		case []any:
			if p.schema.Items == nil {
				return nil
			}
			p = p.to(*p.schema.Items)
		case map[string]any:
			property := p.schema.Property(token)
			if property == nil {
				return nil
			}
			p = p.to(property.Edge)
		}
		value = next
	}
	return p
}

// child returns the value at a token in another one.
func child(value any, token string) (any, bool) {
	switch v := value.(type) {
	case []any:
		if i, ok := itemIndex(token); ok && i < len(v) {
			return v[i], true
		}
	case map[string]any:
		next, ok := v[token]
		return next, ok
	}
	return nil, false
}

func itemIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 {
		return 0, false
	}
	n := 0
	for i := range len(token) {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
		n = 10*n + int(token[i]-'0')
	}
	return n, true
}

// constraint returns the pointer of a keyword of the schema.
func (p *location) constraint(keyword string) string {
	if keyword == "" {
		return p.schema.Pointer
	}
	return jsonpointer.Join(p.schema.Pointer, keyword)
}
