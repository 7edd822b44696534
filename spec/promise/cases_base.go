package promise

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/sentence"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Cases that give a place the value that it has in the base. They change nothing, and take no request, unless the
// service refused the base and accepted another plain request: then they show at which place it refuses what the
// contract allows.

// mostBack bounds the number of such cases of one operation.
const mostBack = 24

// asInBase returns such cases for a body, one for each place that other cases are about.
func (x *bodies) asInBase(valid instance.Cases, options wire.BodyOptions) []Case {
	if s := wire.SurvivesBody(x.sent, x.base, options); s.Fate != wire.Carried || s.Open != "" {
		return nil
	}
	var cases []Case
	add := func(tokens []string, says string, change Change, at *spec.Schema) {
		name := "the body"
		if len(tokens) > 0 {
			name = strings.Join(tokens, ".")
		}
		cases = append(cases, Case{
			Kind: Accepted, Aspect: Differs, Title: name + " " + says, Change: change, Contract: append(slices.Clone(x.chain), x.media.Pointer, at.Pointer),
		})
	}
	for _, pointer := range pointersOf(x.base, "", 0) {
		tokens := jsonpointer.Tokens(pointer)
		value, _ := exactjson.Lookup(x.base, tokens)
		at := schemaAt(instance.Case{Pointer: pointer}, x.media.Schema)
		if says := atItsBound(at, lastName(pointer), value); says != "" && !x.given(pointer) && !x.depends(pointer, false) {
			change := changeOf(InBody, pointer, jsonText(value))
			if len(tokens) == 0 {
				change = changeOf(BodyIs, jsonText(value))
			}
			add(tokens, says, change, at)
		}
	}
	for _, c := range valid.Cases {
		if left, ok := x.leftOut(c); ok && addsOptional(c) {
			cases = append(cases, left)
		}
	}
	return withoutDuplicates(cases)
}

// addsOptional reports whether a case gives an optional member a value that the base lacks: for some members each
// value is a case.
func addsOptional(c instance.Case) bool {
	return c.Kind == instance.OptionalAdded || c.Kind == instance.Member || c.Kind == instance.Smallest || c.Kind == instance.Variant
}

// leftOut returns the case that leaves out an optional member that is missing in the base but not in a valid case;
// false if there is none. It changes nothing if the plain request has no such member.
func (x *bodies) leftOut(c instance.Case) (Case, bool) {
	tokens := jsonpointer.Tokens(c.Pointer)
	if len(tokens) == 0 || x.given(c.Pointer) {
		return Case{}, false
	}
	_, has := exactjson.Lookup(c.Value, tokens)
	_, there := exactjson.Lookup(x.base, tokens)
	_, above := exactjson.Lookup(x.base, tokens[:len(tokens)-1])
	at := schemaAt(c, x.media.Schema)
	if !has || there || !above || at == nil || dependent(at, true) || x.depends(c.Pointer, true) {
		return Case{}, false
	}
	return Case{
		Kind: Accepted, Part: PartLeftOut, Aspect: Differs, Title: strings.Join(tokens, ".") + " is left out", Change: changeOf(NotInBody, sentence.Quoted(c.Pointer)),
		Contract: append(slices.Clone(x.chain), x.media.Pointer, at.Pointer),
	}, true
}

// pointersOf returns the pointers into a value, from the outside in; for arrays to the first item only.
func pointersOf(value any, pointer string, depth int) []string {
	const deepest = 4
	all := []string{pointer}
	if depth == deepest {
		return all
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, pointersOf(v[name], jsonpointer.Join(pointer, name), depth+1)...)
		}
	case []any:
		if len(v) > 0 {
			all = append(all, pointersOf(v[0], jsonpointer.Join(pointer, "0"), depth+1)...)
		}
	}
	return all
}

// parameterInBase returns such a case for a parameter, or none.
func parameterInBase(p spec.Parameter, base any, chain []string) []Case {
	says := atItsBound(p.Schema, p.Name, base)
	if says == "" {
		return nil
	}
	return []Case{{Kind: Accepted, Aspect: Differs, Title: p.Name + " " + says, Change: withParameter(p, base), Contract: append(slices.Clone(chain), p.Schema.Pointer)}}
}

// atItsBound says how a value is stated by its schema: an enum value, a bound, or of a length given by a bound. It
// returns "" for other values, which a service may have reasons to refuse.
func atItsBound(s *spec.Schema, name string, value any) string {
	if s == nil || conditional(s.Description) || namesOther(name) {
		return ""
	}
	for _, part := range partsOf(s, 0) {
		if says := atBoundOf(part, value); says != "" {
			return says
		}
	}
	return ""
}

// partsOf returns a schema and the schemas that it is composed of.
func partsOf(s *spec.Schema, depth int) []*spec.Schema {
	const deepest = 8
	if s == nil || depth > deepest {
		return nil
	}
	all := []*spec.Schema{s}
	if s.Ref != nil {
		all = append(all, partsOf(s.Ref.Schema, depth+1)...)
	}
	for _, e := range s.AllOf {
		all = append(all, partsOf(e.Schema, depth+1)...)
	}
	return all
}

// atBoundOf is atItsBound for a single schema.
func atBoundOf(s *spec.Schema, value any) string {
	if len(s.Enum) > 0 {
		return "is " + jsonText(value) + ", one of its values"
	}
	switch v := value.(type) {
	case bool:
		return "is " + jsonText(v)
	case json.Number:
		if bounded(s) {
			return "is " + string(v) + ", within its bounds"
		}
	case string:
		if n := int64(len([]rune(v))); s.Format == "" && s.Pattern == "" && len(s.Examples) == 0 && s.Default == "" &&
			(s.MinLength != nil && n == *s.MinLength || s.MaxLength != nil && n == *s.MaxLength) {
			return "has " + text.Count(int(n), "character") + ", a length that it may have"
		}
	case []any:
		if n := int64(len(v)); s.MinItems != nil && n == *s.MinItems {
			return fmt.Sprintf("has %s, as few as may be", text.Count(int(n), "item"))
		}
	}
	return ""
}

// unshown reports whether a case sets a member to null that the responses of the operation always show with a
// value: a service has no null for it, and may refuse it, although null often means that a member is left out.
func (x *bodies) unshown(c instance.Case) bool {
	tokens := jsonpointer.Tokens(c.Pointer)
	if value, there := exactjson.Lookup(c.Value, tokens); !there || value != nil || len(tokens) != 1 {
		return false
	}
	for _, a := range x.op.Responses {
		for _, m := range a.Content {
			if a.Class() == 2 && x.showsValue(m.Schema, tokens[0], 0) {
				return true
			}
		}
	}
	return false
}

// showsValue reports whether an object of a schema, or one in at most two envelopes, always has a member that is
// never null. A member that may be left out can be shown without a value.
func (x *bodies) showsValue(s *spec.Schema, name string, depth int) bool {
	const envelopes = 2
	if s == nil || depth > envelopes {
		return false
	}
	if p := property(s, name, 0); p != nil {
		return p.Required && !x.options.Valid(p.Schema, nil)
	}
	found := false
	s.Walk(func(one *spec.Schema) { found = found || one.Property(name) != nil })
	return found && slices.ContainsFunc(s.Properties, func(p spec.Property) bool { return x.showsValue(p.Schema, name, depth+1) })
}
