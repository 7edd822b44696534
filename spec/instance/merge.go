package instance

import "math/big"

// signed maps the formats of signed integers to their bits without the sign.
var signed = map[string]uint{"int32": 31, "int64": 63}

// mergeNumbers merges the bounds of numbers into the narrowest ones.
func (s *shape) mergeNumbers(p *part) {
	for _, b := range []struct {
		text, keyword    string
		upper, exclusive bool
	}{
		{p.Minimum, "minimum", false, false}, {p.ExclusiveMinimum, "exclusiveMinimum", false, true},
		{p.Maximum, "maximum", true, false}, {p.ExclusiveMaximum, "exclusiveMaximum", true, true},
	} {
		value := parse(b.text)
		if value == nil {
			continue
		}
		n := bound{constraint{p, b.keyword}, value, b.text, b.exclusive}
		if b.upper && n.below(s.high) {
			s.high = n
		}
		if !b.upper && n.above(s.low) {
			s.low = n
		}
	}
	if m := parse(p.MultipleOf); m != nil && m.Sign() > 0 {
		s.multiples = append(s.multiples, worded{constraint{p, "multipleOf"}, p.MultipleOf})
		if s.unit == nil {
			s.unit = m
		} else {
			s.unit = commonMultiple(s.unit, m)
		}
	}
	if bits := signed[p.Format]; bits > 0 && s.formatHigh.value == nil {
		end := new(big.Int).Lsh(big.NewInt(1), bits)
		least, greatest := new(big.Int).Neg(end), new(big.Int).Sub(end, big.NewInt(1))
		by := constraint{p, "format"}
		s.formatLow = bound{by, new(big.Rat).SetInt(least), least.String(), false}
		s.formatHigh = bound{by, new(big.Rat).SetInt(greatest), greatest.String(), false}
		if !s.integral.there() {
			s.integral = by
		}
	}
}

// below reports whether a bound is the stricter upper bound, above whether it is the stricter lower one.
func (b bound) below(other bound) bool {
	if other.value == nil || b.value == nil {
		return b.value != nil
	}
	c := b.value.Cmp(other.value)
	return c < 0 || c == 0 && b.exclusive
}

func (b bound) above(other bound) bool {
	if other.value == nil || b.value == nil {
		return b.value != nil
	}
	c := b.value.Cmp(other.value)
	return c > 0 || c == 0 && b.exclusive
}

// admitsAbove reports whether a number is not too low for the bound, admitsBelow whether it is not too high.
func (b bound) admitsAbove(r *big.Rat) bool {
	if b.value == nil {
		return true
	}
	c := r.Cmp(b.value)
	return c > 0 || c == 0 && !b.exclusive
}

func (b bound) admitsBelow(r *big.Rat) bool {
	if b.value == nil {
		return true
	}
	c := r.Cmp(b.value)
	return c < 0 || c == 0 && !b.exclusive
}

// mergeCounts merges the bounds of lengths and counts into the narrowest ones.
func (s *shape) mergeCounts(p *part) {
	for _, b := range []struct {
		n       *int64
		keyword string
		to      *count
		upper   bool
	}{
		{p.MinLength, "minLength", &s.minLength, false}, {p.MaxLength, "maxLength", &s.maxLength, true},
		{p.MinItems, "minItems", &s.minItems, false}, {p.MaxItems, "maxItems", &s.maxItems, true},
		{p.MinProperties, "minProperties", &s.minMembers, false}, {p.MaxProperties, "maxProperties", &s.maxMembers, true},
	} {
		if b.n == nil || *b.n < 0 {
			continue
		}
		if !b.to.there() || b.upper && *b.n < b.to.n || !b.upper && *b.n > b.to.n {
			*b.to = count{constraint{p, b.keyword}, *b.n}
		}
	}
}

// narrow removes the types that no value can have.
func (s *shape) narrow() {
	drop := func(kind string, why string) {
		left := s.types[:0:0]
		for _, t := range s.types {
			if t != kind {
				left = append(left, t)
			}
		}
		if len(left) < len(s.types) && len(left) == 0 {
			s.fail(why)
		}
		s.types = left
	}
	conflict := func(low, high count) bool { return low.there() && high.there() && low.n > high.n }
	if conflict(s.minLength, s.maxLength) {
		drop("string", "its least length is above its greatest")
	}
	if conflict(s.minItems, s.maxItems) {
		drop("array", "it must have more items than it may have")
	}
	if conflict(s.minMembers, s.maxMembers) {
		drop("object", "it must have more members than it may have")
	}
	if s.low.value != nil && s.high.value != nil && !s.high.admitsBelow(s.low.value) && s.low.value.Cmp(s.high.value) >= 0 {
		drop("integer", "its minimum is above its maximum")
		drop("number", "its minimum is above its maximum")
	}
}

// lengths returns the bounds of a text of the shape; high is -1 if there is none.
func (s *shape) lengths() (low, high int) {
	low, high = 0, -1
	if s.minLength.there() {
		low = int(min(s.minLength.n, maxLength+1))
	}
	if s.maxLength.there() && s.maxLength.n <= maxLength {
		high = int(s.maxLength.n)
	}
	return low, high
}
