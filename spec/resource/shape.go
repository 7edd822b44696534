package resource

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Step is one step into a JSON value: to a named member, or to each item of a list.
type Step struct {
	Name string
	Each bool
}

// Bounds on the traversal of schemas.
const (
	deepest = 4
	widest  = 3000
	most    = 30_000
	// few is how many schemas are searched linearly.
	few = 16
)

// members returns the properties of a schema and of the schemas that it is composed of, in the order of the
// document. The result must not be modified.
func members(s *spec.Schema) []spec.Property {
	from := slices.DeleteFunc(parts(s), func(part *spec.Schema) bool { return len(part.Properties) == 0 })
	switch {
	case len(from) == 0:
		return nil
	case len(from) == 1:
		all := from[0].Properties
		return slices.Clip(all[:min(len(all), widest)])
	}
	var all []spec.Property
	known := map[string]bool{}
	for _, part := range from {
		for _, p := range part.Properties {
			if !known[p.Name] && len(all) < widest {
				known[p.Name] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// parts returns a schema and the schemas that it is composed of.
func parts(s *spec.Schema) []*spec.Schema {
	if s != nil && s.Ref == nil && len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) == 0 {
		return []*spec.Schema{s} // the common case
	}
	var all []*spec.Schema
	var seen map[*spec.Schema]bool // once there are many
	var visit func(s *spec.Schema)
	visit = func(s *spec.Schema) {
		if s == nil || seen[s] || seen == nil && slices.Contains(all, s) || len(all) > widest {
			return
		}
		all = append(all, s)
		switch {
		case seen != nil:
			seen[s] = true
		case len(all) > few:
			seen = make(map[*spec.Schema]bool, 2*len(all))
			for _, one := range all {
				seen[one] = true
			}
		}
		if s.Ref != nil {
			visit(s.Ref.Schema)
		}
		for _, list := range [][]spec.Edge{s.AllOf, s.OneOf, s.AnyOf} {
			for _, e := range list {
				visit(e.Schema)
			}
		}
	}
	visit(s)
	return all
}

// items returns the schema of the items of a list; nil if it is not one.
func items(s *spec.Schema) *spec.Schema {
	for _, part := range parts(s) {
		if item := part.Item(); item != nil {
			return item
		}
	}
	return nil
}

// scalar reports whether a schema allows texts or numbers.
func scalar(s *spec.Schema) bool {
	for _, part := range parts(s) {
		if len(part.Properties) > 0 || part.Items != nil {
			return false
		}
		if slices.Contains(part.Types, "string") || slices.Contains(part.Types, "integer") || slices.Contains(part.Types, "number") {
			return true
		}
	}
	return false
}

// fits reports whether a value of one schema can be one of the other: a text cannot be an integer, but an integer
// can be written as text.
func fits(value, parameter *spec.Schema) bool {
	if parameter == nil || value == nil {
		return true
	}
	if !scalar(value) {
		return len(value.Types) == 0 && len(members(value)) == 0
	}
	if !admits(parameter, "string") && admits(parameter, "integer") {
		return admits(value, "integer") || admits(value, "number")
	}
	return true
}

func admits(s *spec.Schema, kind string) bool {
	return slices.ContainsFunc(parts(s), func(part *spec.Schema) bool { return slices.Contains(part.Types, kind) })
}

// identifier is the place of an identifier in the representation of a resource.
type identifier struct {
	path []Step
	// record is the schema of the representation.
	record *spec.Schema
	// stated reports whether its name marks it as the identifier.
	stated bool
}

// query says which identifier is searched for.
type query struct {
	stated, likely []string
	// words are the nouns for one of the collection and for all of it.
	words     []string
	parameter *spec.Schema
	// left is how many members may still be visited.
	left *int
}

// members returns the properties of a schema; none after too many were visited.
func (q query) members(s *spec.Schema) []spec.Property {
	if *q.left < 0 {
		return nil
	}
	all := members(s)
	*q.left -= 1 + len(all)
	return all
}

// identifierIn returns the identifier among the members of a representation.
func (q query) identifierIn(s *spec.Schema) (identifier, bool) {
	all := q.members(s)
	for i, names := range [][]string{q.stated, q.likely} {
		for _, name := range names {
			for _, p := range all {
				if plain(p.Name) == name && fits(p.Schema, q.parameter) {
					return identifier{path: []Step{{Name: p.Name}}, record: s, stated: i == 0}, true
				}
			}
		}
	}
	return identifier{}, false
}

// wrapping are names of members that wrap the result.
var wrapping = []string{"data", "item", "items", "result", "results", "record", "records", "entry", "entries", "list", "value", "values", "content",
	"contents", "payload", "response", "rows", "elements", "objects", "embedded", "collection", "resource", "resources", "object", "body", "hits", "nodes"}

// wraps reports whether a member may wrap the result, by its name.
func (q query) wraps(name string) bool {
	name = plain(name)
	return slices.Contains(wrapping, name) || slices.ContainsFunc(q.words, func(word string) bool { return related(name, word) })
}

// one finds the identifier of the single resource that a body is, or holds.
func (q query) one(s *spec.Schema) (identifier, bool) { return q.single(s, 2) }

func (q query) single(s *spec.Schema, depth int) (identifier, bool) {
	if s == nil || items(s) != nil {
		return identifier{}, false
	}
	direct, there := q.identifierIn(s)
	if there && direct.stated || depth == 0 {
		return direct, there
	}
	for _, p := range q.members(s) {
		if !q.wraps(p.Name) || scalar(p.Schema) {
			continue
		}
		if id, ok := q.single(p.Schema, depth-1); ok && (id.stated || !there) {
			id.path = append([]Step{{Name: p.Name}}, id.path...)
			return id, true
		}
	}
	return direct, there
}

// many finds the identifiers of the resources that a body lists.
func (q query) many(s *spec.Schema) (identifier, bool) { return q.list(s, 3) }

func (q query) list(s *spec.Schema, depth int) (identifier, bool) {
	if s == nil {
		return identifier{}, false
	}
	if item := items(s); item != nil {
		if id, ok := q.single(item, 1); ok {
			id.path = append([]Step{{Each: true}}, id.path...)
			return id, true
		}
		if scalar(item) && fits(item, q.parameter) {
			return identifier{path: []Step{{Each: true}}, record: item}, true
		}
		return identifier{}, false
	}
	if depth == 0 {
		return identifier{}, false
	}
	all := q.members(s)
	lists := 0
	for _, p := range all {
		if items(p.Schema) != nil {
			lists++
		}
	}
	var best identifier
	found := false
	for _, p := range all {
		isList := items(p.Schema) != nil
		if !q.wraps(p.Name) && (!isList || lists != 1) || scalar(p.Schema) {
			continue
		}
		if isList && scalar(items(p.Schema)) && !q.wraps(p.Name) {
			continue
		}
		if id, ok := q.list(p.Schema, depth-1); ok && (!found || id.stated && !best.stated) {
			id.path = append([]Step{{Name: p.Name}}, id.path...)
			best, found = id, true
		}
	}
	return best, found
}
