package instance

import (
	"encoding/json"
	"iter"
	"math/big"
	"slices"
)

// numbers yields numbers of the shape without duplicates: the most sensible first, then others that may satisfy a
// part which excludes those.
func (s *shape) numbers(integer bool) iter.Seq[json.Number] {
	return func(yield func(json.Number) bool) {
		var known []json.Number
		for r := range s.likely(integer) {
			if r == nil || !s.admits(r, integer) {
				continue
			}
			n := write(r)
			if slices.Contains(known, n) {
				continue
			}
			if known = append(known, n); !yield(n) {
				return
			}
		}
	}
}

// likely yields the numbers to try, in order. Some are nil, some are duplicates, and the shape may not allow them.
func (s *shape) likely(integer bool) iter.Seq[*big.Rat] {
	return func(yield func(*big.Rat) bool) {
		low, high := s.ends(integer)
		first := []*big.Rat{low}
		if low == nil {
			first = []*big.Rat{big.NewRat(1, 1), s.unit, new(big.Rat)}
		}
		for _, r := range append(first, high) {
			if !yield(r) {
				return
			}
		}
		if low != nil && high != nil {
			middle := half(plus(low, high))
			if s.unit != nil {
				middle = multipleAbove(middle, s.unit)
			}
			if !yield(middle) {
				return
			}
		}
		for _, text := range []string{"1", "0", "1.5", "-1", "-1.5", "2", "10", "100"} {
			if !yield(parse(text)) {
				return
			}
		}
		for k := range int64(40) {
			step := s.stride(integer)
			step.Mul(step, big.NewRat(k, 1))
			if low != nil && !yield(plus(low, step)) || low == nil && high != nil && !yield(minus(high, step)) {
				return
			}
		}
	}
}

// inner returns a number away from the bounds of the shape, or "".
func (s *shape) inner(integer bool) json.Number {
	low, high := s.ends(integer)
	step := s.stride(integer)
	var at *big.Rat
	switch {
	case low != nil && high != nil:
		if at = half(plus(low, high)); s.unit != nil {
			at = multipleAbove(at, s.unit)
		}
		if integer || s.integral.there() {
			at = multipleBelow(at, step)
		}
	case low != nil:
		at = plus(low, plus(step, step))
	case high != nil:
		at = minus(high, plus(step, step))
	}
	if at == nil || !s.admits(at, integer) {
		return ""
	}
	return write(at)
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

// ends returns the least and the greatest number of a shape, among its multiples; nil if unbounded.
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

// inwards returns the number next to an excluded end, or halfway to the other end if a whole step is too far.
func (s *shape) inwards(end, step *big.Rat, other bound) *big.Rat {
	next := plus(end, step)
	if other.value != nil && s.unit == nil && !s.integral.there() {
		if step.Sign() > 0 && !other.admitsBelow(next) || step.Sign() < 0 && !other.admitsAbove(next) {
			return half(plus(end, other.value))
		}
	}
	return next
}
