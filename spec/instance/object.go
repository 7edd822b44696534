package instance

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

var errFewValues = errors.New("its items must be unique, but there are too few different values")

func tooMany(c count) error {
	return fmt.Errorf("%s requires %d, which is too many for hallmark", c.pointer(), c.n)
}

// maxFull is how many optional members a full object has.
const maxFull = 100

// objects hands objects of the shape to try.
func (g *builder) objects(s *shape, m mode, depth int, try func(any) bool) error {
	base, err := g.required(s, m, depth)
	if err != nil {
		return err
	}
	if m == full {
		all := g.everything(s, base, m, depth)
		if !try(all) {
			return nil
		}
		if !try(g.accumulate(s, base, all)) {
			return nil
		}
	}
	if !try(base) {
		return nil
	}
	optional := g.optional(s)
	if len(optional) == 0 {
		return nil
	}
	// The parts that the shape does not hold (not, overlapping branches) may want more.
	if m != full && !try(g.everything(s, base, usual, depth)) {
		return nil
	}
	for i, name := range optional {
		if i >= maxPicks/2 {
			break
		}
		if v, err := g.build(s.member(g, name), usual, depth+1); err == nil && !try(withMember(base, name, v)) {
			return nil
		}
	}
	return nil
}

// required returns an object with the members that must be there.
func (g *builder) required(s *shape, m mode, depth int) (map[string]any, error) {
	if s.minMembers.there() && s.minMembers.n > maxItems {
		return nil, tooMany(s.minMembers)
	}
	if len(s.required) > maxWeight {
		return nil, errLarge
	}
	out := map[string]any{}
	put := func(name string) error {
		v, err := g.memberValue(s, name, m, depth)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		out[name] = v
		return nil
	}
	for _, n := range s.required {
		if g.hidden(s.member(g, n.name)) {
			continue
		}
		if err := put(n.name); err != nil {
			return nil, deepest(err)
		}
	}
	for _, name := range sortedKeys(s.forced) {
		if err := put(name); err != nil {
			return nil, deepest(err)
		}
	}
	for range maxItems {
		more := s.needs(out)
		if len(more) == 0 {
			break
		}
		for _, name := range more {
			if err := put(name); err != nil {
				return nil, deepest(err)
			}
		}
	}
	if s.minMembers.there() {
		g.fill(s, out, int(s.minMembers.n), depth)
	}
	return out, nil
}

// deepest limits the names in front of an error, since required members may be deeply nested.
func deepest(err error) error {
	const long = 40
	if len(err.Error()) < long {
		return err
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// memberValue returns a value for a member: the one that a discriminator demands, if the member's schema allows
// it.
func (g *builder) memberValue(s *shape, name string, m mode, depth int) (any, error) {
	child := s.member(g, name)
	if f, ok := s.forced[name]; ok && (len(child) == 0 || g.keeps(child, f.value)) {
		return f.value, nil
	}
	if len(child) == 0 {
		return anything(1), nil
	}
	v, err := g.build(child, m, depth+1)
	if text, is := v.(string); is && err == nil && isEnd(name) && len(g.examples(child, nil)) == 0 {
		if last := lastMoment(text); last != "" && g.keeps(child, last) {
			return last, nil
		}
	}
	return v, err
}

// isEnd reports whether a member says when something ends. Services refuse a time in the past, and an end before
// its beginning, which no schema can express.
func isEnd(name string) bool {
	var letters []rune
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			letters = append(letters, ' ')
		}
		letters = append(letters, unicode.ToLower(r))
	}
	for _, word := range strings.FieldsFunc(string(letters), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains([]string{"end", "ends", "ending", "until", "expires", "expiry", "expiration", "expire", "due", "deadline", "finish", "stop"}, word) {
			return true
		}
	}
	return false
}

// lastMoment returns a date or a time far in the future, in the format of a text; "" if the text is neither.
func lastMoment(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err == nil {
		return "2099-12-31T23:59:59Z"
	}
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return "2099-12-31"
	}
	return ""
}

// fill adds members until there are n.
func (g *builder) fill(s *shape, out map[string]any, n, depth int) {
	for _, names := range [][]string{g.optional(s), g.fresh(s, n)} {
		for _, name := range names {
			if len(out) >= n {
				return
			}
			if _, ok := out[name]; ok {
				continue
			}
			if v, err := g.memberValue(s, name, usual, depth); err == nil {
				out[name] = v
			}
		}
	}
}

// everything returns an object with all optional members for which a value is found.
func (g *builder) everything(s *shape, base map[string]any, m mode, depth int) map[string]any {
	out := maps.Clone(base)
	for i, name := range g.optional(s) {
		if i >= maxFull || s.maxMembers.there() && int64(len(out)) >= s.maxMembers.n {
			break
		}
		if _, ok := out[name]; ok {
			continue
		}
		if v, err := g.memberValue(s, name, m, depth); err == nil {
			out[name] = v
		}
	}
	// An object without members of its own is a map, and an empty map tests nothing.
	if isMap := slices.ContainsFunc(s.parts, func(p *part) bool { return p.AdditionalProperties != nil && !p.AdditionalProperties.Schema.Forbidden }); isMap && len(s.names()) == 0 {
		g.fill(s, out, max(len(out), 1), depth)
	}
	return out
}

// accumulate adds the members of all to base, as long as the object conforms to its schemas.
func (g *builder) accumulate(s *shape, base, all map[string]any) map[string]any {
	out := maps.Clone(base)
	for _, name := range g.optional(s) {
		v, ok := all[name]
		if !ok || g.effort <= 0 {
			continue
		}
		out[name] = v
		if !g.keeps(s.parts[:1], out) {
			if before, was := base[name]; was {
				out[name] = before
			} else {
				delete(out, name)
			}
		}
	}
	return out
}

func withMember(o map[string]any, name string, v any) map[string]any {
	out := make(map[string]any, len(o)+1)
	maps.Copy(out, o)
	out[name] = v
	return out
}

func withoutMember(o map[string]any, name string) map[string]any {
	out := maps.Clone(o)
	delete(out, name)
	return out
}

// optional returns the documented members that are not required and go in the direction.
func (g *builder) optional(s *shape) []string {
	return slices.DeleteFunc(s.names(), func(name string) bool {
		return s.requires(name) || g.hidden(s.member(g, name))
	})
}

// fresh returns names for members that are not documented.
func (g *builder) fresh(s *shape, n int) []string {
	var all []string
	var naming parts
	for _, p := range s.parts {
		for i := range p.PatternProperties {
			all = append(all, g.matching(p.PatternProperties[i].Name, n)...)
		}
		if p.PropertyNames != nil {
			naming = naming.with(*p.PropertyNames, p.chain)
		}
	}
	if len(naming) > 0 {
		for _, v := range g.several(naming, n, 1) {
			if name, ok := v.(string); ok {
				all = append(all, name)
			}
		}
	}
	for i := range n {
		all = append(all, "member"+strings.Repeat("x", i))
	}
	known := s.names()
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(known, name) })
}

// hidden reports whether a member with these schemas does not go in the direction.
func (g *builder) hidden(c parts) bool {
	for _, p := range g.gathered(c, firstBranch).parts {
		if p.ReadOnly && g.direction == Request || p.WriteOnly && g.direction == Response {
			return true
		}
	}
	return false
}
