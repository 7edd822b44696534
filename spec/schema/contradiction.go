package schema

import (
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec/source"
)

// A schema that no value can satisfy is a mistake, and every service would violate it. So it is a hole, like a
// schema without meaning.

// excluding returns why no value can satisfy a schema and its allOf, because their types exclude each other; "" if
// some value can, if only null. For a plain schema the value is known not to be null.
func excluding(s *Set, pointer string, plain bool) string {
	var left map[string]bool // nil means any type
	for at, n := range together(s, pointer) {
		if lookup(n, "$ref") != nil && s.dialect != OpenAPI31 {
			continue // its siblings are ignored
		}
		own := typesOf(n, plain && at == pointer)
		if own == nil {
			continue
		}
		before := maps.Clone(left)
		if left == nil {
			left = own
			continue
		}
		maps.DeleteFunc(left, func(name string, _ bool) bool { return !own[name] })
		if len(left) == 0 {
			return "no value satisfies all of it: one part allows " + anyOfTypes(before) + ", another " + anyOfTypes(own) + " (" + at + ")"
		}
	}
	return ""
}

// typesOf returns the types that a schema by itself allows, with integers if it allows numbers; nil means all.
func typesOf(n *source.Node, plain bool) map[string]bool {
	all := map[string]bool{}
	add := func(item *source.Node) {
		if item.Kind != source.ScalarNode {
			return
		}
		all[item.Value] = true
		if item.ShortTag() == "!!null" {
			all["null"] = true
		}
	}
	switch t := lookup(n, "type"); {
	case t == nil:
		return nil
	case t.Kind == source.SequenceNode:
		for _, item := range t.Content {
			add(item)
		}
	default:
		add(t)
	}
	for name := range all {
		if !slices.Contains(types, name) {
			return nil // not a type, and ignored
		}
	}
	if all["number"] {
		all["integer"] = true
	}
	if !plain && (isTrue(lookup(n, "nullable")) || isTrue(lookup(n, "x-nullable"))) {
		all["null"] = true
	}
	return all
}

// anyOfTypes lists types for messages.
func anyOfTypes(all map[string]bool) string {
	names := slices.Sorted(maps.Keys(all))
	if all["number"] {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "integer" })
	}
	return text.Enumerate(names, "or")
}
