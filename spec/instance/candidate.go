package instance

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
)

// candidates hands values of a shape to try, the best first, until it returns false. The error says why there are none.
func (g *Generator) candidates(s *shape, m mode, depth int, try func(any) bool) error {
	if len(s.choices) > 0 {
		for _, c := range s.choices {
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
			_ = next(true) && next(false)
		case "integer", "number":
			for _, n := range s.numbers(t == "integer") {
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

// numbers returns numbers of the shape: what is likeliest to make sense, then others that may keep a part which excludes those.
func (s *shape) numbers(integer bool) []json.Number {
	low, high := s.ends(integer)
	var out []json.Number
	offer := func(r *big.Rat) {
		if r == nil || !s.admits(r, integer) {
			return
		}
		n := write(r)
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	switch {
	case low != nil:
		offer(low)
	default:
		offer(big.NewRat(1, 1))
		offer(s.unit)
		offer(new(big.Rat))
	}
	offer(high)
	if low != nil && high != nil {
		middle := half(add(low, high))
		if s.unit != nil {
			middle = multipleAbove(middle, s.unit)
		}
		offer(middle)
	}
	for _, text := range []string{"1", "0", "1.5", "-1", "-1.5", "2", "10", "100"} {
		offer(parse(text))
	}
	for k := range int64(40) {
		step := s.stride(integer)
		step.Mul(step, big.NewRat(k, 1))
		if low != nil {
			offer(add(low, step))
		} else if high != nil {
			offer(sub(high, step))
		}
	}
	return out
}

// stride is how far the numbers of a shape are apart.
func (s *shape) stride(integer bool) *big.Rat {
	switch {
	case s.unit != nil && (integer || s.integral.there()):
		return commonMultiple(s.unit, big.NewRat(1, 1))
	case s.unit != nil:
		return new(big.Rat).Set(s.unit)
	case integer || s.integral.there():
		return big.NewRat(1, 1)
	}
	step := big.NewRat(1, 1)
	for _, text := range []string{s.low.text, s.high.text} {
		if text != "" {
			if t := stepOf(text); t.Cmp(step) < 0 {
				step = t
			}
		}
	}
	return step
}

// admits reports whether a number is within the bounds of the shape.
func (s *shape) admits(r *big.Rat, integer bool) bool {
	if (integer || s.integral.there()) && !r.IsInt() || s.unit != nil && !isMultiple(r, s.unit) {
		return false
	}
	return s.low.admitsAbove(r) && s.high.admitsBelow(r) && s.formatLow.admitsAbove(r) && s.formatHigh.admitsBelow(r)
}

// ends returns the least and the greatest number of a shape, of those that its stride shows; nil where it has no end.
func (s *shape) ends(integer bool) (low, high *big.Rat) {
	lower, upper := s.low, s.high
	if lower.value != nil && s.formatLow.above(lower) {
		lower = s.formatLow
	}
	if upper.value != nil && s.formatHigh.below(upper) {
		upper = s.formatHigh
	}
	stride := s.stride(integer)
	on := s.unit != nil || integer || s.integral.there()
	if lower.value != nil {
		low = lower.value
		if on {
			low = multipleAbove(low, stride)
		}
		if !lower.admitsAbove(low) {
			low = s.inwards(low, stride, upper)
		}
	}
	if upper.value != nil {
		high = upper.value
		if on {
			high = multipleBelow(high, stride)
		}
		if !upper.admitsBelow(high) {
			high = s.inwards(high, new(big.Rat).Neg(stride), lower)
		}
	}
	return low, high
}

// inwards returns the number next to an excluded end, or halfway to the other end where a whole step is too far.
func (s *shape) inwards(end, step *big.Rat, other bound) *big.Rat {
	next := add(end, step)
	if other.value != nil && s.unit == nil && !s.integral.there() {
		if step.Sign() > 0 && !other.admitsBelow(next) || step.Sign() < 0 && !other.admitsAbove(next) {
			return half(add(end, other.value))
		}
	}
	return next
}

// maxItems bounds how many items or members are made for one value.
const maxItems = 300

// arrays hands arrays of the shape to try.
func (g *Generator) arrays(s *shape, m mode, depth int, try func(any) bool) error {
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
func (g *Generator) items(s *shape, n int, m mode, depth int) ([]any, error) {
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

// anything is the value of what no schema is known of.
func (g *Generator) anything(i int) any { return "text" + strconv.Itoa(i) }
