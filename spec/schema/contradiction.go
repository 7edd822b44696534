package schema

import (
	"maps"
	"slices"

	"hallmark/internal/text"
	"hallmark/spec/source"
)

// What no value can keep says nothing of the services that are judged by it: nobody means it, and each would break it. It is a hole, as
// what has no meaning is.

// excluding returns why no value keeps a schema and all that it is made of by allOf: their types exclude each other. Empty where some
// may, be it null only. Of a plain schema it is known already that the value is not null.
func excluding(s *Set, pointer string, plain bool) string {
	var left map[string]bool // nil for any
	for at, n := range together(s, pointer) {
		if lookup(n, "$ref") != nil && s.dialect != OpenAPI31 {
			continue // what stands beside it is ignored
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
			return "no value keeps all of it: one part takes " + anyOfTypes(before) + ", another " + anyOfTypes(own) + " (" + at + ")"
		}
	}
	return ""
}

// typesOf returns the types that a schema by itself takes, integers where it takes numbers; nil for all.
func typesOf(n *source.Node, plain bool) map[string]bool {
	all := map[string]bool{}
	add := func(item *source.Node) {
		if item = resolve(item); item == nil || item.Kind != source.ScalarNode {
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
			return nil // it is no type, and not judged by
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

// anyOfTypes lists types for the eye.
func anyOfTypes(all map[string]bool) string {
	names := slices.Sorted(maps.Keys(all))
	if all["number"] {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "integer" })
	}
	return text.Enumerate(names, "or")
}
