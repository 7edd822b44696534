package instance

import (
	"errors"
	"fmt"
	"iter"

	"github.com/hallmark-kit/hallmark/spec"
)

// builder makes values of schemas, and caches them.
type builder struct {
	*judge
	*Texts
	direction Direction
	built     map[string]made
	// active holds the schemas for which a value is being made, cuts counts how often one led to itself.
	active map[string]bool
	cuts   int
}

// made is the result of making a value.
type made struct {
	value any
	err   error
}

const (
	// maxPicks bounds how many combinations of branches are tried for one value.
	maxPicks = 64
	// maxDepth bounds how deep required members nest.
	maxDepth = 120
)

var (
	errEndless = errors.New("it requires itself endlessly")
	errLarge   = errors.New("the smallest value found is too large")
	errNone    = errors.New("every value tried violates it")
	errEffort  = errors.New("there are more combinations of its branches than can be tried")
)

// mode says which of the valid values is wanted.
type mode int

const (
	// usual prefers the examples of the document.
	usual mode = iota
	// smallest has required members only, everything as short as it may be.
	smallest
	// full has all optional members, down to fullDepth.
	full
	// roomy keeps away from bounds, and takes the second of listed values.
	roomy
)

// fullDepth is the depth to which a full value has all optional members.
const fullDepth = 3

// build returns a value that conforms to all of the schemas.
func (g *builder) build(c parts, m mode, depth int) (any, error) {
	if m == full && depth >= fullDepth {
		m = usual
	}
	key := fmt.Sprint(int(m), " ", c.key())
	if m == full {
		key = fmt.Sprint(key, " ", depth)
	}
	if r, ok := g.built[key]; ok {
		return r.value, r.err
	}
	g.spend(1)
	switch {
	case g.active[key] || depth > maxDepth:
		g.cuts++
		return g.end(c)
	case g.effort <= 0:
		return nil, errEffort
	}
	g.active[key] = true
	before := g.cuts
	value, err := g.attempt(c, m, depth)
	delete(g.active, key)
	if g.cuts == before && g.effort > 0 {
		g.built[key] = made{value, err} // otherwise the result depends on the context
	}
	return value, err
}

// end returns the only value that ends a recursion: null, if it is allowed.
func (g *builder) end(c parts) (any, error) {
	if s := g.view(c, firstBranch); s.nullable.there() && g.keeps(c, nil) {
		return nil, nil
	}
	return nil, errEndless
}

// attempt tries values until one conforms to the schemas.
func (g *builder) attempt(c parts, m mode, depth int) (any, error) {
	if m != smallest {
		for _, e := range g.examples(c, nil) {
			if m != full && g.keeps(c, e.value) {
				return e.value, nil
			}
		}
	}
	var failed error
	large := false
	for s := range g.shapes(c) {
		if s.impossible != "" {
			failed = worse(failed, fmt.Errorf("%s (%s)", s.impossible, c[0].Pointer))
			continue
		}
		var found any
		ok := false
		err := g.candidates(s, m, depth, func(value any) bool {
			ok = trusted(s) || g.keeps(c, value)
			large = large || !ok && weight(value, maxWeight) <= 0
			found = value
			return !ok
		})
		if ok {
			return found, nil
		}
		failed = worse(failed, err)
		if g.effort <= 0 {
			return nil, errEffort
		}
	}
	if g.keeps(c, nil) && g.allowsNull(c) {
		return nil, nil
	}
	if large && failed == nil {
		return nil, errLarge
	}
	if failed == nil {
		failed = errNone
	}
	return nil, failed
}

// worse returns the more specific error.
func worse(a, b error) error {
	if a == nil || a == errEndless && b != nil { //nolint:errorlint // never wrapped
		return b
	}
	return a
}

// allowsNull reports whether the schemas explicitly allow null; the absence of types does not count.
func (g *builder) allowsNull(c parts) bool {
	s := g.view(c, firstBranch)
	if s.nullable.there() {
		return true
	}
	for _, p := range s.points {
		for _, b := range p.branches {
			if b.null || len(b.edges) > 0 && b.edges[0].Schema.Nullable {
				return true
			}
		}
	}
	return false
}

// trusted reports whether candidates of the shape need no check: scalars of the plainest kind.
func trusted(s *shape) bool {
	if len(s.parts) != 1 || len(s.types) != 1 || len(s.choices) > 0 || len(s.patterns) > 0 || len(s.formats) > 0 || !s.parts[0].Simple() {
		return false
	}
	switch s.types[0] {
	case "string", "boolean", "integer", "number":
		return true
	}
	return false
}

// picks are the branches to follow, in the order of the points on the way.
type picks []int

func (p picks) choose(_ *point, nth int) int {
	if nth < len(p) {
		return p[nth]
	}
	return 0
}

// shapes yields the shapes of the combinations of branches to try: the first branch everywhere, then one other
// branch at a time, then two.
func (g *builder) shapes(c parts) iter.Seq[*shape] {
	return func(yield func(*shape) bool) {
		all := []picks{nil}
		for i := 0; i < len(all); i++ {
			s := g.view(c, all[i].choose)
			if !yield(s) {
				return
			}
			for nth := len(all[i]); nth < len(s.points); nth++ {
				for other := 1; other < len(s.points[nth].branches) && len(all) < maxPicks; other++ {
					p := make(picks, nth+1)
					copy(p, all[i])
					p[nth] = other
					all = append(all, p)
				}
			}
		}
	}
}

// sample is a value that the document gives.
type sample struct {
	value any
	// pointer is its place, what its name in descriptions.
	pointer, what string
	by            *part
}

// examples returns the values that the document gives in schemas and beside them.
func (g *builder) examples(c parts, beside []spec.Example) []sample {
	var all []sample
	add := func(text, pointer, what string, by *part) {
		if v, ok := decode(text); ok && len(all) < maxPicks {
			all = append(all, sample{g.visible(c, v, 0), pointer, what, by})
		}
	}
	for _, e := range beside {
		what := "the example of the document"
		if e.Name != "" {
			what = fmt.Sprintf("the example %q of the document", e.Name)
		}
		if len(c) > 0 {
			add(e.JSON, e.Pointer, what, c[0])
		}
	}
	for _, p := range c {
		for _, e := range p.Examples {
			add(e.JSON, e.Pointer, "the example of the document", p)
		}
		if p.Ref != nil {
			for _, e := range p.Ref.Schema.Examples {
				add(e.JSON, e.Pointer, "the example of the document", p)
			}
		}
		if p.Default != "" && p.Default != "null" {
			add(p.Default, constraint{p, "default"}.pointer(), "the default", p)
		}
	}
	return all
}

// visible leaves out the members of an example that do not go in the direction.
func (g *builder) visible(c parts, value any, depth int) any {
	if depth > fullDepth+2 {
		return value
	}
	s := g.view(c, firstBranch)
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			if child := s.member(g, name); len(child) > 0 {
				if g.hidden(child) {
					continue
				}
				member = g.visible(child, member, depth+1)
			}
			out[name] = member
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
			if child := s.item(i); len(child) > 0 {
				out[i] = g.visible(child, v[i], depth+1)
			}
		}
		return out
	}
	return value
}
