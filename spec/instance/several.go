package instance

import (
	"math/big"
	"slices"
)

// several returns up to n different values that conform to the schemas.
func (g *builder) several(c parts, n, depth int) []any {
	var out []any
	seen := map[string]bool{}
	n = min(n, maxItems)
	full := func() bool { return len(out) >= n || g.effort <= 0 }
	offer := func(v any) bool {
		if text := textOf(v); !full() && !seen[text] && (len(c) == 0 || g.keeps(c, v)) {
			seen[text] = true
			out = append(out, v)
		}
		return !full()
	}
	if len(c) == 0 {
		for i := range n {
			offer(anything(i))
		}
		return out
	}
	if v, err := g.build(c, usual, depth); err == nil {
		offer(v)
	}
	for s := range g.shapes(c) {
		if full() || depth > fullDepth+3 {
			break
		}
		if s.impossible != "" {
			continue
		}
		_ = g.candidates(s, usual, depth, offer)
		if len(s.choices) == 0 && !full() {
			g.vary(s, n, depth, offer)
		}
	}
	return out
}

// vary hands many values of a shape.
func (g *builder) vary(s *shape, n, depth int, offer func(any) bool) {
	for _, t := range s.types {
		switch t {
		case "integer", "number":
			varyNumber(s, t == "integer", n, offer)
		case "string":
			for _, text := range g.strings(s, usual, n+1) {
				if !offer(text) {
					return
				}
			}
		case "object":
			base, err := g.required(s, usual, depth)
			if err != nil {
				continue
			}
			for _, name := range slices.Concat(s.names(), g.fresh(s, 1)) {
				child := s.member(g, name)
				if len(child) > 0 && g.hidden(child) {
					continue
				}
				for _, v := range g.several(child, n, depth+1) {
					if !offer(withMember(base, name, v)) {
						return
					}
				}
			}
		case "array":
			for _, v := range g.several(s.item(0), n, depth+1) {
				if !offer([]any{v}) {
					return
				}
			}
		}
	}
}

func varyNumber(s *shape, integer bool, n int, offer func(any) bool) {
	low, high := s.ends(integer)
	step := s.stride(integer)
	from := low
	switch {
	case from == nil && high != nil:
		from = minus(high, new(big.Rat).Mul(step, big.NewRat(int64(n), 1)))
	case from == nil:
		from = step
	}
	for i := range int64(2*n + 1) {
		r := plus(from, new(big.Rat).Mul(step, big.NewRat(i, 1)))
		if s.admits(r, integer) && !offer(write(r)) {
			return
		}
	}
}
