package instance

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/pattern"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// badNumbers adds numbers just beyond a bound or a format, fractions, and numbers that are no multiple.
func (c *collector) badNumbers(p *place) {
	s := p.shape
	integer := !slices.Contains(s.types, "number")
	if len(s.choices) > 0 {
		return
	}
	c.beyond(p, integer)
	low, high := s.ends(integer)
	if s.formatHigh.value != nil {
		limit := s.formatHigh.by.Format
		for _, f := range []struct {
			bound
			to   int64
			says string
		}{{s.formatHigh, 1, "one above the greatest "}, {s.formatLow, -1, "one below the least "}} {
			r := plus(f.value, big.NewRat(f.to, 1))
			if s.low.admitsAbove(r) && s.high.admitsBelow(r) {
				c.addCandidate(p, BeyondFormat, f.constraint, fmt.Sprintf("is %s, %s%s", write(r), f.says, limit), func() any { return write(r) })
			}
		}
		c.farBeyond(p, limit)
	}
	near := low
	if near == nil {
		near = high
	}
	if near == nil {
		near = new(big.Rat)
	}
	if s.integral.there() {
		for _, r := range []*big.Rat{plus(near, big.NewRat(1, 2)), minus(near, big.NewRat(1, 2))} {
			if s.low.admitsAbove(r) && s.high.admitsBelow(r) && (s.unit == nil || isMultiple(r, s.unit)) {
				c.addCandidate(p, Fraction, s.integral, fmt.Sprintf("is %s, a fraction instead of an integer", write(r)), func() any { return write(r) })
				break
			}
		}
	}
	for _, m := range s.multiples {
		unit := parse(m.text)
		for _, step := range []*big.Rat{stepOf(m.text), half(unit), big.NewRat(1, 1)} {
			r := plus(near, step)
			if !s.high.admitsBelow(r) {
				r = minus(near, step)
			}
			if isMultiple(r, unit) || s.integral.there() && !r.IsInt() || !s.low.admitsAbove(r) || !s.high.admitsBelow(r) {
				continue
			}
			c.addCandidate(p, NotMultiple, m.constraint, fmt.Sprintf("is %s, which is no multiple of %s", write(r), m.text), func() any { return write(r) })
			break
		}
	}
}

// far returns numbers far beyond a format: some become allowed when their upper bits are cut off, others when they
// are converted to a float.
func far(format string) []string {
	if format == "int32" {
		return []string{"4294967297", "10000000000", "-4294967297"}
	}
	return []string{"18446744073709551617", "10000000000000000000", "-10000000000000000000", "9223372036854775809", "-9223372036854775818", "18446744073709551615", "18446744073709551616", "-18446744073709551616", "100000000000000000000", "-100000000000000000000"}
}

// farBeyond adds numbers far beyond a format.
func (c *collector) farBeyond(p *place, format string) {
	for _, text := range far(format) {
		r, way := parse(text), "above the greatest "
		if r.Sign() < 0 {
			way = "below the least "
		}
		if p.shape.low.admitsAbove(r) && p.shape.high.admitsBelow(r) {
			c.addCandidate(p, BeyondFormat, p.shape.formatHigh.constraint, "is "+text+", far "+way+format, func() any { return write(r) })
		}
	}
}

// beyond adds the numbers next to the bounds of a number.
func (c *collector) beyond(p *place, integer bool) {
	s := p.shape
	for _, b := range []struct {
		bound
		sign      int64
		what, way string
	}{{s.low, -1, "minimum", "below"}, {s.high, 1, "maximum", "above"}} {
		if b.value == nil {
			continue
		}
		step := stepOf(b.text)
		if s.unit != nil || integer || s.integral.there() {
			step = s.stride(integer)
		}
		r := new(big.Rat).Set(b.value)
		if s.unit != nil || integer || s.integral.there() {
			r = multipleBelow(r, step)
			if b.sign < 0 {
				r = multipleAbove(b.value, step)
			}
		}
		says := "which its " + b.what + " excludes"
		if !b.exclusive || r.Cmp(b.value) != 0 {
			r = plus(r, new(big.Rat).Mul(step, big.NewRat(b.sign, 1)))
			says = fmt.Sprintf("%s %s its %s", write(step), b.way, b.what)
			if step.Cmp(big.NewRat(1, 1)) == 0 {
				says = fmt.Sprintf("one %s its %s", b.way, b.what)
			}
			if new(big.Rat).Mul(step, big.NewRat(b.sign, 1)).Cmp(minus(r, b.value)) != 0 {
				says = fmt.Sprintf("%s its %s, %s", b.way, b.what, b.text)
			}
		}
		c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("is %s, %s", write(r), says), func() any { return write(r) })
		if far := new(big.Rat).Mul(r, big.NewRat(10, 1)); b.sign > 0 && r.Sign() > 0 {
			c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("is %s, far above its maximum", write(far)), func() any { return write(far) })
		}
		if b.sign < 0 && r.Sign() > 0 {
			minus := new(big.Rat).Neg(s.stride(integer))
			c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("is %s, negative", write(minus)), func() any { return write(minus) })
		}
	}
}

// badLengths adds texts that are one character too short or too long.
func (c *collector) badLengths(p *place) {
	s, g := p.shape, c.g
	if len(s.choices) > 0 {
		return
	}
	for _, b := range []struct {
		count
		by   int64
		what string
	}{{s.minLength, -1, "one too few"}, {s.maxLength, 1, "one too many"}} {
		n := int(min(b.n, maxLength+1) + b.by)
		if !b.there() || n < 0 || n > maxLength {
			continue
		}
		says := fmt.Sprintf("has %s, %s", text.Count(n, "character"), b.what)
		if n == 0 {
			says = "is empty"
		}
		c.addCandidate(p, Outside, b.constraint, says, func() any {
			if found := g.stringsOf(s, usual, 1, n, n); len(found) > 0 {
				return found[0]
			}
			old, _ := p.value.(string)
			if utf8.RuneCountInString(old) > n {
				return string([]rune(old)[:n])
			}
			return old + strings.Repeat("x", n-utf8.RuneCountInString(old))
		})
	}
}

// badTexts adds texts that violate a pattern or a format.
func (c *collector) badTexts(p *place) {
	s, g := p.shape, c.g
	if len(s.choices) > 0 {
		return
	}
	low, high := s.lengths()
	const most = 5
	for _, w := range s.patterns {
		q := g.compiled(w.text)
		if q == nil {
			continue
		}
		for _, miss := range q.NearMisses(g.seed(w.text), most, low, high) {
			c.addCandidate(p, Pattern, w.constraint, fmt.Sprintf("is %s, which does not match %s", describe(miss), shortPattern(w.text)), func() any { return miss })
		}
	}
	for _, f := range s.formats {
		if !schema.Asserts(f.text, g.formats) {
			continue
		}
		misses, _ := pattern.FormatMisses(f.text)
		for _, miss := range misses {
			if n := utf8.RuneCountInString(miss); n >= low && (high < 0 || n <= high) {
				c.addCandidate(p, Format, f.constraint, fmt.Sprintf("is %s, which is no %s", describe(miss), f.text), func() any { return miss })
			}
		}
	}
}

// shortPattern shows a pattern, unless it is too long for a line.
func shortPattern(p string) string {
	const long = 50
	if utf8.RuneCountInString(p) > long || strings.ContainsAny(p, "\n\r\t") {
		return "its pattern"
	}
	return "the pattern " + p
}
