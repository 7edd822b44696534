package instance

import (
	"slices"
	"strconv"
)

// candidates calls try with values of a shape, the best first, until it returns false. The error says why there
// are none.
func (g *builder) candidates(s *shape, m mode, depth int, try func(any) bool) error {
	if len(s.choices) > 0 {
		choices := s.choices
		if m == roomy && len(choices) > 1 {
			choices = slices.Concat(choices[1:], choices[:1])
		}
		for _, c := range choices {
			if c.value != nil && !try(c.value) {
				return nil
			}
		}
		return nil
	}
	var failed error
	for _, t := range s.types {
		on := true
		next := func(v any) bool {
			on = try(v)
			return on
		}
		switch t {
		case "null":
			next(nil)
		case "boolean":
			_ = next(m != roomy) && next(m == roomy)
		case "integer", "number":
			if m == roomy {
				if inner := s.inner(t == "integer"); inner != "" && !next(inner) {
					break
				}
			}
			for n := range s.numbers(t == "integer") {
				if !next(n) {
					break
				}
			}
		case "string":
			for _, text := range g.strings(s, m, 6) {
				if !next(text) {
					break
				}
			}
		case "array":
			failed = worse(failed, g.arrays(s, m, depth, next))
		case "object":
			failed = worse(failed, g.objects(s, m, depth, next))
		}
		if !on {
			return nil
		}
	}
	return failed
}

// maxItems bounds how many items or members a value gets.
const maxItems = 300

// arrays hands arrays of the shape to try.
func (g *builder) arrays(s *shape, m mode, depth int, try func(any) bool) error {
	if s.minItems.there() && s.minItems.n > maxItems {
		return tooMany(s.minItems)
	}
	least := int(s.minItems.n)
	contains := s.contains()
	if len(contains) > 0 {
		least = max(least, 1)
	}
	preferred := least
	if m != smallest && preferred == 0 && (!s.maxItems.there() || s.maxItems.n > 0) {
		preferred = 1
	}
	if m == roomy {
		preferred = least + 2
		if s.maxItems.there() && int64(preferred) >= s.maxItems.n {
			preferred = max(least, int(s.maxItems.n)-1)
		}
	}
	var failed error
	for _, n := range []int{preferred, least, preferred + 1, preferred + 2} {
		if s.maxItems.there() && int64(n) > s.maxItems.n {
			continue
		}
		items, err := g.items(s, n, m, depth)
		if err != nil {
			if failed = worse(failed, err); n == least {
				break // more items are no easier
			}
			continue
		}
		if !try(items) {
			return nil
		}
	}
	return failed
}

// items returns an array with n items.
func (g *builder) items(s *shape, n int, m mode, depth int) ([]any, error) {
	out := make([]any, 0, n)
	seen := map[string]bool{}
	wants := s.contains()
	var spare []any
	for i := range n {
		child := s.item(i)
		if i >= s.prefixed() || n <= s.prefixed() && i == 0 {
			if len(wants) > 0 {
				child = s.containing(child)
				wants = nil
			}
		}
		value, err := g.build(child, m, depth+1)
		if err != nil {
			return nil, err
		}
		if s.unique.there() && seen[textOf(value)] {
			if spare == nil {
				spare = g.several(child, n+1, depth+1)
			}
			for len(spare) > 0 && seen[textOf(value)] {
				value, spare = spare[0], spare[1:]
			}
			if seen[textOf(value)] {
				return nil, errFewValues
			}
		}
		if s.unique.there() {
			seen[textOf(value)] = true
		}
		out = append(out, value)
	}
	return out, nil
}

// anything returns a value for an unknown schema.
func anything(i int) any { return "text" + strconv.Itoa(i) }
