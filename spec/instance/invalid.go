package instance

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// Invalid returns instances with exactly one fault: with the value of the base in its place, each is valid. The
// kinds take turns, in the order of invalidKinds; within a kind each place occurs before any occurs again.
func (g *Generator) Invalid(s Subject) Cases {
	var out Cases
	base, err := g.base(s, edgeOf(s.Edge, s.Outer))
	root, c := g.begin(s)
	if len(root) == 0 {
		return out
	}
	if err != nil {
		out.Defects = append(out.Defects, Defect{root[0].Pointer, "no valid value was found: " + err.Error()})
		return out
	}
	out.Base = base
	places := g.places(root, base)
	places = append(places, g.otherBranches(places)...)
	c.conditions = conditionsOf(places)
	for i := range places {
		c.invalid(&places[i])
	}
	c.choose(root, false, &out, map[[sha256.Size]byte]bool{})
	return out
}

// conditionsOf returns the places of the schemas under if at the given places.
func conditionsOf(places []place) map[string]bool {
	all := map[string]bool{}
	for i := range places {
		for _, at := range places[i].shape.points {
			if at.keyword == "if" {
				all[at.by.If.Chain()[0]] = true
			}
		}
	}
	return all
}

// invalid adds candidates that are not allowed at a place.
func (c *collector) invalid(p *place) {
	s := p.shape
	c.types(p)
	if !s.nullable.there() {
		c.addCandidate(p, Null, s.typeConstraint(), "is null", func() any { return nil })
	}
	c.notMembers(p)
	c.noVariant(p)
	c.excluded(p)
	switch v := p.value.(type) {
	case string:
		c.badLengths(p)
		c.badTexts(p)
	case map[string]any:
		c.badMembers(p, v)
	case []any:
		c.badCounts(p, v)
		c.laterItems(p, v)
	case json.Number:
		c.badNumbers(p)
	}
}

// types adds a value of each other JSON type.
func (c *collector) types(p *place) {
	s := p.shape
	article := map[string]string{
		"string": "a string", "integer": "an integer", "number": "a number", "boolean": "a boolean", "array": "an array", "object": "an object",
		"null": "null",
	}
	wanted := ""
	if s.typed.there() && len(s.types) == 1 {
		wanted = " instead of " + article[s.types[0]]
	}
	note := func(v any, says string) {
		c.addCandidate(p, Type, s.typeConstraint(), says, func() any { return v })
	}
	others := []any{"text", json.Number("1"), true, map[string]any{}, []any{}}
	if slices.Contains(s.types, "string") {
		others[0], others[1] = others[1], others[0]
	}
	for _, v := range others {
		name := typeName(v)
		if slices.Contains(s.types, name) || name == "number" && slices.Contains(s.types, "integer") {
			continue
		}
		if s.typed.there() && !s.typed.by.alternative || len(s.points) == 0 || s.enumerated.there() {
			note(v, "is "+typeOf(v)+wanted)
		}
	}
	if s.typed.there() && s.typed.by.alternative {
		return // the quoted text may belong to another branch, and noVariant handles the rest
	}
	switch v := p.value.(type) {
	case json.Number:
		note(v.String(), "is a number in quotes")
		note([]any{v}, "is a number in an array")
	case bool:
		note(textOf(v), "is a boolean in quotes")
	case string:
		note([]any{v}, "is a string in an array")
	case map[string]any:
		note([]any{v}, "is an object in an array")
	}
}

func typeName(v any) string {
	return strings.TrimPrefix(strings.TrimPrefix(typeOf(v), "a "), "an ")
}

// notMembers adds values that are close to those of an enum, but not in it.
func (c *collector) notMembers(p *place) {
	s := p.shape
	if !s.enumerated.there() {
		return
	}
	about := constraint{s.enumerated.by, strings.SplitN(s.enumerated.keyword, "/", 2)[0]}
	note := func(v any, is string) {
		if !slices.ContainsFunc(s.choices, func(m choice) bool { return exactjson.Equal(m.value, v) }) {
			c.addCandidate(p, NotMember, about, fmt.Sprintf("is %s, %s", describe(v), is), func() any { return v })
		}
	}
	const mostMembers = 8
	texts, numbers := 0, 0
	for _, m := range s.choices {
		switch v := m.value.(type) {
		case string:
			if texts++; texts == 1 {
				note("nonesuch", "none of its values")
				note("", "empty, and none of its values")
			}
			if texts > mostMembers || v == "" {
				continue
			}
			for _, near := range nearly(v) {
				note(near.text, near.is)
			}
		case json.Number:
			r := parse(string(v))
			if numbers++; r == nil || numbers > mostMembers {
				continue
			}
			step := stepOf(string(v))
			note(write(plus(r, step)), "next to one of its values")
			note(write(minus(r, step)), "next to one of its values")
		case bool:
			note(!v, "not its only value")
		}
	}
}

type nearText struct{ text, is string }

// nearly returns texts that a careless comparison confuses with a word.
func nearly(word string) []nearText {
	runes := []rune(word)
	out := []nearText{
		{strings.ToUpper(word), "in upper case"},
		{strings.ToUpper(string(runes[:1])) + string(runes[1:]), "with a capital first letter"},
		{strings.ToLower(word), "in lower case"},
		{word + " ", "with a trailing blank"},
		{string(runes[:len(runes)-1]), "cut short"},
		{" " + word, "with a leading blank"},
		{word + "x", "with one more character"},
	}
	last := runes[len(runes)-1]
	for _, v := range []struct {
		end rune
		is  string
	}{{last + 1, "with a later last character"}, {last - 1, "with an earlier last character"}} {
		if v.end > ' ' && v.end <= '~' {
			out = append(out, nearText{string(runes[:len(runes)-1]) + string(v.end), v.is})
		}
	}
	return slices.DeleteFunc(out, func(n nearText) bool { return n.text == word || n.text == "" })
}

// noVariant adds values that no branch allows, and discriminator values without a schema.
func (c *collector) noVariant(p *place) {
	for _, at := range p.shape.points {
		if at.keyword == "if" {
			continue
		}
		if at.keyword != "discriminator" && at.alternatives() > 1 {
			for _, v := range []any{"text", json.Number("1"), true, map[string]any{}, []any{}} {
				c.addCandidate(p, NoVariant, constraint{at.by, at.keyword}, "is "+typeOf(v)+", which is none of its variants", func() any { return v })
			}
		}
		object, _ := p.value.(map[string]any)
		b := at.branches[at.picked]
		if b.property == "" || object == nil {
			continue
		}
		about := constraint{at.by, "discriminator"}
		for _, v := range []string{"nonesuch", b.value + " ", strings.ToUpper(b.value)} {
			if !slices.ContainsFunc(at.branches, func(o branch) bool { return o.value == v }) {
				c.addMember(p, b.property, Discriminator, about, fmt.Sprintf("is %s, which stands for none of the variants", describe(v)), func() any {
					return withMember(object, b.property, v)
				})
			}
		}
	}
}

// excluded adds values that not excludes.
func (c *collector) excluded(p *place) {
	s, g := p.shape, c.g
	for _, q := range s.parts {
		if q.Not == nil || q.Not.Schema == nil {
			continue
		}
		about := constraint{q, "not"}
		if object, is := p.value.(map[string]any); is {
			c.addCandidate(p, Excluded, about, "has what it must not have together", func() any { return g.together(s, object, q.Not.Schema.Required, len(p.path)) })
			continue
		}
		wrong, err := g.build(edgeOf(*q.Not, nil), usual, len(p.path)+1)
		if err == nil && slices.Contains(s.types, typeName(wrong)) {
			c.addCandidate(p, Excluded, about, "is "+describe(wrong)+", which is excluded", func() any { return wrong })
		}
	}
}

// together returns an object with additional members.
func (g *Generator) together(s *shape, object map[string]any, names []string, depth int) any {
	out := object
	for _, name := range names {
		if _, there := out[name]; there {
			continue
		}
		v, err := g.memberValue(s, name, usual, depth+1)
		if err != nil {
			return none{}
		}
		out = withMember(out, name, v)
	}
	return out
}

// laterItems adds a list whose last item has another type, which a service that checks only the first item
// accepts.
func (c *collector) laterItems(p *place, items []any) {
	s, g := p.shape, c.g
	n := max(2, len(items))
	if s.maxItems.there() && s.maxItems.n < int64(n) || len(s.item(n-1)) == 0 {
		return
	}
	at := c.g.view(s.item(n-1), firstBranch)
	for _, wrong := range []any{map[string]any{}, []any{}, true, "text", json.Number("1")} {
		name := typeName(wrong)
		if slices.Contains(at.types, name) || name == "number" && slices.Contains(at.types, "integer") || !at.typed.there() {
			continue
		}
		list, is := g.resized(s, items, n, len(p.path)).([]any)
		if !is || len(list) != n {
			return
		}
		last := &place{
			parts: s.item(n - 1), shape: at, value: list[n-1], path: append(slices.Clip(p.path), strconv.Itoa(n-1)), added: p.added + 1, within: append([]string{}, p.path...),
			wrap: func(v any) any {
				all := slices.Clone(list)
				all[n-1] = v
				return p.wrap(all)
			},
		}
		c.addCandidate(last, Type, at.typeConstraint(), "is "+typeOf(wrong)+", behind what is right", func() any { return wrong })
		return
	}
}

// badMembers adds objects without required members, with forbidden members, and with too few or too many.
func (c *collector) badMembers(p *place, object map[string]any) {
	s, g := p.shape, c.g
	for _, n := range s.required {
		if _, there := object[n.name]; there {
			c.addMember(p, n.name, LeftOut, n.constraint, "is left out", func() any { return withoutMember(object, n.name) })
		}
	}
	for _, q := range s.parts {
		for _, first := range sortedKeys(q.DependentRequired) {
			for _, name := range q.DependentRequired[first] {
				c.dependent(p, object, q, first, name)
			}
		}
	}
	c.unknown(p, object)
	c.misnamed(p, object)
	if b := s.minMembers; b.there() && b.n > 0 && b.n <= maxItems {
		c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("has %d members, one too few", b.n-1), func() any { return g.sized(s, object, int(b.n-1), len(p.path)) })
	}
	if b := s.maxMembers; b.there() && b.n < maxItems {
		c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("has %d members, one too many", b.n+1), func() any { return g.sized(s, object, int(b.n+1), len(p.path)) })
	}
}

// dependent adds an object without a member that another one requires.
func (c *collector) dependent(p *place, object map[string]any, q *part, first, name string) {
	if p.shape.requires(name) {
		return
	}
	about := constraint{q, join("dependentRequired", first)}
	_, there := object[first]
	_, both := object[name]
	if !there && !both {
		c.dependentAlone(p, object, about, first, name)
	}
	if there && both {
		c.addMember(p, name, LeftOut, about, "is left out, which "+first+" requires", func() any { return withoutMember(object, name) })
	}
}

// dependentAlone adds an object with a member but without the one that it requires, if the base has neither.
func (c *collector) dependentAlone(p *place, object map[string]any, about constraint, first, name string) {
	both := object
	for _, one := range []string{first, name} {
		v, err := c.g.memberValue(p.shape, one, usual, len(p.path)+1)
		if err != nil {
			return
		}
		both = withMember(both, one, v)
	}
	with := &place{parts: p.parts, shape: p.shape, value: both, path: p.path, wrap: p.wrap, added: p.added + 2, within: append([]string{}, p.path...)}
	c.addMember(with, name, LeftOut, about, "is left out, which "+first+" requires", func() any { return withoutMember(both, name) })
}

// unknown adds an object with a forbidden member.
func (c *collector) unknown(p *place, object map[string]any) {
	by := p.shape.closedBy()
	if !by.there() {
		return
	}
	known := p.shape.names()
	names := []string{"unexpected"}
	if len(known) > 0 {
		names = append(names, strings.ToUpper(known[0]), known[0]+"_")
	}
	for _, name := range names {
		if _, there := object[name]; there || slices.Contains(known, name) {
			continue
		}
		c.addMember(p, name, Unknown, by, "is there, though no such member is allowed", func() any { return withMember(object, name, "text") })
	}
}

// misnamed adds objects with members whose names are not allowed.
func (c *collector) misnamed(p *place, object map[string]any) {
	for _, q := range p.shape.parts {
		if q.PropertyNames == nil {
			continue
		}
		for _, name := range []string{"", "!", "a b", strings.Repeat("x", maxItems)} {
			if _, there := object[name]; there {
				continue
			}
			c.addMember(p, name, Unknown, constraint{q, "propertyNames"}, "is there, though no member may have that name", func() any {
				v, err := c.g.memberValue(p.shape, name, usual, len(p.path)+1)
				if err != nil {
					return none{}
				}
				return withMember(object, name, v)
			})
		}
	}
}

// badCounts adds arrays with too few items, too many, and a duplicate.
func (c *collector) badCounts(p *place, items []any) {
	s, g := p.shape, c.g
	if b := s.minItems; b.there() && b.n > 0 && b.n <= maxItems {
		c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("has one item too few, %d", b.n-1), func() any { return g.resized(s, items, int(b.n-1), len(p.path)) })
	}
	if b := s.maxItems; b.there() && b.n < maxItems {
		c.addCandidate(p, Outside, b.constraint, fmt.Sprintf("has one item too many, %d", b.n+1), func() any { return g.resized(s, items, int(b.n+1), len(p.path)) })
	}
	if wants := s.contains(); len(wants) > 0 && len(items) > 0 {
		c.addCandidate(p, Outside, constraint{wants[0], "contains"}, "holds no item of those that it must contain", func() any {
			v, err := g.build(s.item(0), usual, len(p.path)+1)
			if len(s.item(0)) == 0 {
				v, err = nil, nil
			}
			if err != nil {
				return none{}
			}
			return []any{v}
		})
	}
	if !s.unique.there() || s.maxItems.there() && s.maxItems.n < 2 {
		return
	}
	c.addCandidate(p, Duplicate, s.unique, "holds an item twice", func() any {
		held := items
		if len(held) == 0 {
			made, err := g.items(s, 1, usual, len(p.path))
			if err != nil {
				return none{}
			}
			held = made
		}
		if s.maxItems.there() && int64(len(held)) >= s.maxItems.n {
			held = held[:s.maxItems.n-1]
		}
		return append(slices.Clone(held), held[0])
	})
}

func sortedKeys[V any](m map[string]V) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.SortFunc(all, cmp.Compare[string])
	return all
}
