package instance

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// begin starts a subject.
func (g *Generator) begin(s Subject) (parts, *collector) {
	g.cuts = 0
	if g.perSubject > 0 {
		g.work = NewWork(g.perSubject)
	}
	g.refill()
	root := edgeOf(s.Edge, s.Outer)
	return root, &collector{g: g, name: cmp.Or(s.Name, "the value"), rounds: map[string]int{}}
}

// Smallest returns the smallest valid value, or an error that says why none was found.
func (g *Generator) Smallest(s Subject) (any, error) { return g.one(s, smallest) }

// Usual returns a valid value that follows examples, defaults and enums if there are any, and omits optional
// members.
func (g *Generator) Usual(s Subject) (any, error) {
	root, _ := g.begin(s)
	for _, e := range g.examples(root, s.Examples) {
		if g.keeps(root, e.value) {
			return e.value, nil
		}
	}
	return g.one(s, usual)
}

// Roomy returns a valid value like the usual one that keeps away from bounds if possible, or an error.
func (g *Generator) Roomy(s Subject) (any, error) { return g.one(s, roomy) }

func (g *Generator) one(s Subject, m mode) (any, error) {
	root, _ := g.begin(s)
	if len(root) == 0 {
		return "text", nil // the schema says nothing
	}
	v, err := g.build(root, m, 0)
	if err != nil {
		return nil, err
	}
	if !g.keeps(root, v) {
		return nil, errNone
	}
	return v, nil
}

// Base returns the value that the cases of Valid are variants of; nil if the schema says nothing or no valid value
// was found.
func (g *Generator) Base(s Subject) any {
	root, _ := g.begin(s)
	if len(root) == 0 {
		return nil
	}
	base, err := g.base(s, root)
	if err != nil {
		return nil
	}
	return base
}

// base returns the value that cases are variants of.
func (g *Generator) base(s Subject, root parts) (any, error) {
	if s.Base != nil && g.keeps(root, s.Base) {
		return s.Base, nil
	}
	return g.Usual(s)
}

// Valid returns valid instances: the examples of the document, the smallest, the full one, and variants of the
// base that differ from it in one place. The kinds take turns, in the order of validKinds; within a kind each
// place occurs before any occurs again.
func (g *Generator) Valid(s Subject) Cases {
	out, root, places, ok := g.allowed(s, (*collector).valid)
	if ok {
		out.Defects = g.defects(root, s, places)
	}
	return out
}

// Whole returns the valid instances that are examples, the smallest and the full one. It does not check the
// examples of the document.
func (g *Generator) Whole(s Subject) Cases {
	out, _, _, _ := g.allowed(s, (*collector).given)
	return out
}

// allowed returns valid instances: the examples of the document, the smallest, the full one, and those that note
// adds for each place of the base. ok is false if no base was found.
func (g *Generator) allowed(s Subject, note func(*collector, *place)) (out Cases, root parts, places []place, ok bool) {
	base, err := g.base(s, edgeOf(s.Edge, s.Outer))
	root, c := g.begin(s)
	if len(root) == 0 {
		return out, root, nil, false
	}
	if err != nil {
		out.Defects = append(out.Defects, Defect{root[0].Pointer, "no valid value was found: " + err.Error()})
		return out, root, nil, false
	}
	out.Base = base
	seen := map[[sha256.Size]byte]bool{}
	c.wholes(root, s)
	c.choose(root, true, &out, seen)
	c.all, c.rounds = nil, map[string]int{}
	g.refill()
	places = g.places(root, base)
	for i := range places {
		note(c, &places[i])
	}
	c.choose(root, true, &out, seen)
	return out, root, places, true
}

// wholes adds the instances that are not variants of the base.
func (c *collector) wholes(root parts, s Subject) {
	whole := &place{parts: root, wrap: func(v any) any { return v }}
	for _, e := range c.g.examples(root, s.Examples) {
		c.addCandidate(whole, Example, constraint{e.by, e.pointer}, exampleSays(e), func() any { return e.value })
	}
	if v, err := c.g.build(root, smallest, 0); err == nil {
		says := "is " + describe(v) + ", as small as may be"
		if _, is := v.(map[string]any); is {
			says = "has the required members only, as small as may be"
		}
		c.addCandidate(whole, Smallest, constraint{}, says, func() any { return v })
	}
	if v, err := c.g.build(root, full, 0); err == nil {
		one, says := v, "has all of its members"
		if items, is := v.([]any); is && len(items) > 0 {
			one, says = items[0], "has an item with all of its members"
		}
		if _, is := one.(map[string]any); is {
			c.addCandidate(whole, Full, constraint{}, says, func() any { return v })
		}
	}
}

// defects returns the examples that violate their schemas.
func (g *Generator) defects(root parts, s Subject, places []place) []Defect {
	var all []Defect
	g.refill()
	check := func(c parts, given []sample) {
		for _, e := range given {
			if !slices.ContainsFunc(c, func(p *part) bool { return !g.valid(p.Schema, e.value) }) {
				continue
			}
			if g.effort--; g.effort > 0 {
				all = append(all, Defect{e.pointer, e.what + " violates its schema"})
			}
		}
	}
	check(root, g.examples(root, s.Examples))
	for i := 1; i < len(places) && g.effort > 0; i++ {
		check(places[i].parts, g.examples(places[i].parts, nil))
	}
	slices.SortStableFunc(all, func(a, b Defect) int { return cmp.Compare(a.Pointer, b.Pointer) })
	return slices.Compact(all)
}

// given adds the examples of a place below the root.
func (c *collector) given(p *place) {
	if len(p.path) == 0 {
		return
	}
	for _, e := range c.g.examples(p.parts, nil) {
		c.addCandidate(p, Example, constraint{e.by, e.pointer}, exampleSays(e), func() any { return e.value })
	}
}

// valid adds the variants that are allowed at a place.
func (c *collector) valid(p *place) {
	s := p.shape
	c.given(p)
	for _, m := range s.choices {
		c.addCandidate(p, Member, m.constraint, fmt.Sprintf("is %s, %s", describe(m.value), amongChoices(m)), func() any { return m.value })
	}
	c.variants(p)
	if s.nullable.there() {
		c.addCandidate(p, Nullable, s.nullable, "is null", func() any { return nil })
	}
	if len(s.choices) > 0 {
		return
	}
	switch p.value.(type) {
	case bool:
		for _, v := range []bool{true, false} {
			c.addCandidate(p, Member, s.typed, "is "+textOf(v), func() any { return v })
		}
	case string:
		c.lengths(p)
	case map[string]any:
		c.members(p)
	case []any:
		c.counts(p)
	case nil:
	default:
		c.numbers(p)
	}
}

func exampleSays(e sample) string {
	switch v := e.value.(type) {
	case map[string]any, []any:
		if len(textOf(v)) > longValue {
			return "is " + e.what
		}
	}
	return "is " + describe(e.value) + ", " + e.what
}

func amongChoices(m choice) string {
	if m.keyword == "const" {
		return "its only value"
	}
	return "one of its values"
}

// variants adds a value of each branch.
func (c *collector) variants(p *place) {
	for nth, at := range p.shape.points {
		for i, b := range at.branches {
			if !b.null && at.alternatives() == 1 {
				continue
			}
			if b.null {
				c.addCandidate(p, Nullable, constraint{at.by, b.at}, "is null", func() any { return nil })
				continue
			}
			c.addCandidate(p, Variant, constraint{at.by, b.at}, "is the variant "+b.name, func() any {
				return c.g.variant(p, nth, i)
			})
		}
	}
}

// variant returns a value like that of a place, but along another branch of the nth point of its shape; or none.
func (g *Generator) variant(p *place, nth, other int) any {
	s := g.view(p.parts, func(_ *point, k int) int {
		switch {
		case k == nth:
			return other
		case k < nth:
			return p.shape.points[k].picked
		}
		return 0
	})
	var found any = none{}
	if s.impossible != "" {
		return found
	}
	at, depth := &p.shape.points[nth], len(p.path)
	try := func(v any) bool {
		if !g.keeps(p.parts, v) || !g.onBranch(at, other, v) {
			return g.effort > 0
		}
		found = v
		return false
	}
	_ = g.candidates(s, usual, depth, try)
	if found == (none{}) && at.keyword == "if" && len(s.choices) == 0 {
		// Nothing in the shape excludes values that satisfy the condition, so others are tried.
		g.vary(s, manyValues, depth, try)
	}
	return found
}

// manyValues is how many values of each member are tried to find one that satisfies, or violates, a condition.
const manyValues = 12

// onBranch reports whether a value follows a branch of a condition. Branches of other keywords need no check.
func (g *Generator) onBranch(at *point, branch int, v any) bool {
	return at.keyword != "if" || g.following(v)(at, 0) == branch
}

// numbers adds the bounds of a number.
func (c *collector) numbers(p *place) {
	s := p.shape
	integer := !slices.Contains(s.types, "number")
	low, high := s.ends(integer)
	for _, b := range []struct {
		bound
		end       *big.Rat
		what, way string
	}{{s.low, low, "minimum", "above"}, {s.high, high, "maximum", "below"}} {
		if b.end == nil || !s.admits(b.end, integer) {
			continue
		}
		says := fmt.Sprintf("is its %s, %s", b.what, write(b.end))
		if b.end.Cmp(b.value) != 0 {
			says = fmt.Sprintf("is %s, just %s its %s", write(b.end), b.way, b.what)
		}
		c.addCandidate(p, Inside, b.constraint, says, func() any { return write(b.end) })
	}
	c.between(p, low, high, integer)
	if next := low; next != nil && s.unit != nil {
		if next = plus(next, s.stride(integer)); s.admits(next, integer) {
			c.addCandidate(p, Inside, s.multiples[0].constraint, fmt.Sprintf("is %s, the next multiple", write(next)), func() any { return write(next) })
		}
	}
	for _, f := range []struct {
		bound
		what string
	}{{s.formatHigh, "the greatest "}, {s.formatLow, "the least "}} {
		if f.value != nil && s.admits(f.value, integer) {
			says := fmt.Sprintf("is %s%s, %s", f.what, f.by.Format, write(f.value))
			c.addCandidate(p, Int64Extreme, f.constraint, says, func() any { return write(f.value) })
		}
	}
}

// between adds the integers next to the bounds, and the one in the middle.
func (c *collector) between(p *place, low, high *big.Rat, integer bool) {
	s := p.shape
	if low == nil || high == nil || !integer || s.low.value == nil || s.high.value == nil {
		return
	}
	one := big.NewRat(1, 1)
	for _, n := range []struct {
		value *big.Rat
		about constraint
		says  string
	}{
		{plus(low, one), s.low.constraint, "just inside its minimum"}, {minus(high, one), s.high.constraint, "just inside its maximum"},
		{new(big.Rat).SetInt(floor(half(plus(low, high)))), s.high.constraint, "between its minimum and its maximum"},
	} {
		if n.value.Cmp(low) > 0 && n.value.Cmp(high) < 0 && s.admits(n.value, integer) {
			c.addCandidate(p, Inside, n.about, fmt.Sprintf("is %s, %s", write(n.value), n.says), func() any { return write(n.value) })
		}
	}
}

// lengths adds the shortest and the longest text.
func (c *collector) lengths(p *place) {
	s := p.shape
	for _, b := range []struct {
		count
		what string
	}{{s.minLength, "as few as may be"}, {s.maxLength, "as many as may be"}} {
		if !b.there() || b.n > maxLength {
			continue
		}
		n := int(b.n)
		says := "has " + text.Count(n, "character") + ", " + b.what
		if n == 0 {
			says = "is empty"
		}
		if found := c.g.stringsOf(s, usual, 1, n, n); len(found) > 0 {
			c.addCandidate(p, Inside, b.constraint, says, func() any { return found[0] })
		}
	}
}

// members adds objects without and with optional members, and with the minimum and maximum number of members.
func (c *collector) members(p *place) {
	s := p.shape
	object, _ := p.value.(map[string]any)
	for _, name := range c.g.optional(s) {
		about := constraint{}
		for _, q := range s.parts {
			if q.Property(name) != nil {
				about = constraint{q, join("properties", name)}
				break
			}
		}
		if _, there := object[name]; there {
			if other := c.g.spare(s, object); s.minMembers.there() && int64(len(object)) <= s.minMembers.n && other != "" {
				c.addCandidate(p, OptionalLeftOut, about, "has "+other+" in the place of "+name, func() any {
					v, err := c.g.memberValue(s, other, usual, len(p.path)+1)
					if err != nil {
						return none{}
					}
					return withMember(withoutMember(object, name), other, v)
				})
				continue
			}
			c.addMember(p, name, OptionalLeftOut, about, "is left out", func() any { return withoutMember(object, name) })
			continue
		}
		c.addMember(p, name, OptionalAdded, about, "is there, though optional", func() any {
			v, err := c.g.memberValue(s, name, usual, len(p.path)+1)
			if err != nil {
				return none{}
			}
			return withMember(object, name, v)
		})
	}
	for _, b := range []struct {
		count
		what string
	}{{s.minMembers, "as few as may be"}, {s.maxMembers, "as many as may be"}} {
		if n := int(min(b.n, maxItems+1)); b.there() && n <= maxItems {
			c.addCandidate(p, Inside, b.constraint, "has "+text.Count(n, "member")+", "+b.what, func() any { return c.g.sized(s, object, n, len(p.path)) })
		}
	}
}

// spare returns an optional member that an object lacks, or "".
func (g *Generator) spare(s *shape, object map[string]any) string {
	for _, name := range g.optional(s) {
		if _, there := object[name]; !there {
			return name
		}
	}
	return ""
}

// sized returns an object with n members, if possible.
func (g *Generator) sized(s *shape, object map[string]any, n, depth int) map[string]any {
	out := object
	for _, name := range append(g.optional(s), sortedKeys(object)...) { // members that no schema names may be removed as well
		if _, there := out[name]; there && len(out) > n && !s.requires(name) {
			out = withoutMember(out, name)
		}
	}
	if len(out) < n {
		out = withMember(out, "", nil)
		delete(out, "")
		g.fill(s, out, n, depth)
	}
	return out
}

// counts adds arrays with the fewest and the most items.
func (c *collector) counts(p *place) {
	s := p.shape
	for _, b := range []struct {
		count
		what string
	}{{s.minItems, "as few as may be"}, {s.maxItems, "as many as may be"}} {
		if !b.there() || b.n > maxItems {
			continue
		}
		n := int(b.n)
		says := "has " + text.Count(n, "item") + ", " + b.what
		if n == 0 {
			says = "is empty"
		}
		c.addCandidate(p, Inside, b.constraint, says, func() any { return c.g.resized(s, p.value, n, len(p.path)) })
	}
}

// resized returns an array with n items, the first of them as they were.
func (g *Generator) resized(s *shape, value any, n, depth int) any {
	old, _ := value.([]any)
	if n <= len(old) {
		return slices.Clone(old[:n])
	}
	made, err := g.items(s, n, usual, depth)
	if err != nil {
		return none{}
	}
	return made
}
