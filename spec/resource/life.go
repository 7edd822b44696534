package resource

import (
	"net/http"
	"slices"
	"strings"

	"hallmark/spec"
)

// Life is what a contract can do with the resources that an operation creates. Each operation is nil where the contract has none, or
// where it is in doubt that it is about the same resource.
type Life struct {
	Slot    Slot
	Creator Producer
	// Reader reads one, Remover deletes it, Replacer replaces it (PUT), Patcher changes it (PATCH). Only of an Unread life Reader is nil.
	Reader, Remover, Replacer, Patcher *spec.Operation
	// Lister lists those of the collection.
	Lister *Producer
	// Record is the schema of the representation; nil where the creation shows none.
	Record *spec.Schema

	// read leads to the representation in the body of a read, and to its identifier.
	read []Step
}

// LifeOf returns what can be done with what an operation creates; false where it is not known to create, or where the pair of
// creating and reading is in doubt: the identifier comes by name, by a link or by Location, and both show the same schema.
func LifeOf(m *Map, op *spec.Operation) (Life, bool) {
	slot, p, ok := m.Creates(op)
	if !ok || !slot.Whole {
		return Life{}, false
	}
	l := Life{Slot: *slot, Creator: p, Reader: m.Reader(*slot), Record: p.record}
	if l.Reader == nil {
		return Life{}, false
	}
	left := most
	one := noun(segment(slot.Collection))
	q := query{left: &left, words: []string{one, plain(segment(slot.Collection))}, parameter: slot.Parameter.Schema}
	q.stated, q.likely = namesFor(slot.Parameter.Name, one)
	var reads []*spec.Schema
	for _, s := range successes(l.Reader) {
		if id, ok := q.one(s); ok {
			l.read = id.path
			reads = append(reads, id.record)
		} else if items(s) == nil {
			reads = append(reads, s) // as a label that is only its colour
		}
	}
	if len(reads) == 0 {
		return Life{}, false
	}
	same := func(s *spec.Schema) bool {
		return slices.ContainsFunc(reads, func(r *spec.Schema) bool { return r == s || alike(r, s) })
	}
	switch {
	case p.Way == Chosen:
		l.Record = reads[0]
		if all := successes(op); len(all) > 0 && !slices.ContainsFunc(all, same) {
			i := slices.IndexFunc(all, func(s *spec.Schema) bool { id, ok := q.one(s); return ok && same(id.record) })
			if i < 0 {
				return Life{}, false
			}
			id, _ := q.one(all[i])
			l.Creator.Path = id.path // the representation is wrapped
		}
	case p.Awaited && (p.record == nil || !same(p.record)): // the response is about what does it
		l.Record, l.Creator.Path = reads[0], nil
	case p.record != nil && (!p.stated || !same(p.record)):
		return Life{}, false
	case p.record == nil && (!p.stated || created(op) == nil):
		return Life{}, false
	case p.record == nil:
		l.Record = reads[0]
	}
	l.Remover, l.Replacer, l.Patcher = m.Remover(*slot), m.on(*slot, http.MethodPut), m.on(*slot, http.MethodPatch)
	for _, one := range m.Producers(*slot) {
		if one.Way == Listed && one.Operation.Method == http.MethodGet && Anonymous(one.Operation.Path) == slot.Collection && one.stated && len(one.Path) > 0 {
			l.Lister = &one
			break
		}
	}
	return l, true
}

// alike reports whether two schemas have the same members, at least two, of the same types.
func alike(a, b *spec.Schema) bool {
	x, y := members(a), members(b)
	if len(x) < 2 || len(x) != len(y) {
		return false
	}
	for _, p := range x {
		i := slices.IndexFunc(y, func(o spec.Property) bool { return o.Name == p.Name })
		if i < 0 || p.Schema != nil && y[i].Schema != nil && !slices.Equal(p.Schema.Types, y[i].Schema.Types) {
			return false
		}
	}
	return true
}

// Created returns the representation that the response to the creation shows; false for none.
func (l Life) Created(body any) (map[string]any, bool) {
	if l.Creator.Awaited && len(l.Creator.Path) == 0 {
		return nil, false // it shows what makes it
	}
	return within(body, l.Creator.Path)
}

// Read returns the representation that the response to a read shows; false for none.
func (l Life) Read(body any) (map[string]any, bool) { return within(body, l.read) }

// Identifier returns the identifier that a read shows; false for none.
func (l Life) Identifier(body any) (any, bool) {
	if len(l.read) == 0 {
		return nil, false
	}
	all := collect(body, l.read)
	if len(all) != 1 {
		return nil, false
	}
	return Convert(all[0], l.Slot.Parameter.Schema), true
}

// Identifying returns the member that holds the identifier, in the response to the creation and in that to a read; false where they differ.
func (l Life) Identifying() (string, bool) {
	if len(l.read) == 0 || len(l.Creator.Path) == 0 {
		return "", false
	}
	name := l.read[len(l.read)-1].Name
	return name, name != "" && name == l.Creator.Path[len(l.Creator.Path)-1].Name
}

// ReadPath returns the steps to the identifier in the body of a read; none where it shows none. The result must not be changed.
func (l Life) ReadPath() []Step { return l.read }

// Items returns the representations that a list shows, each with its identifier; those without one are left out.
func (l Life) Items(body any) []Item {
	if l.Lister == nil {
		return nil
	}
	var all []Item
	each(body, l.Lister.Path, func(record map[string]any, name string) {
		if id, ok := nameable(record[name]); ok {
			all = append(all, Item{Identifier: Convert(id, l.Slot.Parameter.Schema), Members: record})
		}
	})
	return all
}

// Unnamed reports whether a list shows a representation without an identifier: it may be that of any resource.
func (l Life) Unnamed(body any) bool {
	found := false
	if l.Lister != nil {
		each(body, l.Lister.Path, func(record map[string]any, name string) {
			if _, ok := nameable(record[name]); !ok {
				found = true
			}
		})
	}
	return found
}

// Item is one of the resources that a list shows.
type Item struct {
	Identifier any
	Members    map[string]any
}

// each calls do for the objects that steps lead to, with the name of the last one.
func each(value any, path []Step, do func(map[string]any, string)) {
	if len(path) == 0 {
		return
	}
	if path[0].Each {
		list, _ := value.([]any)
		for _, one := range list {
			each(one, path[1:], do)
		}
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	if len(path) == 1 {
		do(object, path[0].Name)
		return
	}
	each(object[path[0].Name], path[1:], do)
}

// within returns the object that holds what the last step leads to.
func within(body any, path []Step) (map[string]any, bool) {
	for _, step := range path[:max(len(path)-1, 0)] {
		object, ok := body.(map[string]any)
		if !ok || step.Each {
			return nil, false
		}
		body = object[step.Name]
	}
	object, ok := body.(map[string]any)
	return object, ok
}

// Member returns the schema of a member of the representation; nil where it is not documented.
func (l Life) Member(name string) *spec.Schema {
	for _, p := range members(l.Record) {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// MemberLike returns the member of the representation that has a name but for its signs and case; nil where there is none.
func (l Life) MemberLike(name string) (string, *spec.Schema) {
	if s := l.Member(name); s != nil {
		return name, s
	}
	for _, p := range members(l.Record) {
		if plain(p.Name) == plain(name) && plain(name) != "" {
			return p.Name, p.Schema
		}
	}
	return "", nil
}

// StateLike reports whether a name is that of what services move on by themselves, or decide about: states, phases, visibility.
func StateLike(name string) bool {
	all := words(name)
	return slices.ContainsFunc(all, func(w string) bool {
		return slices.Contains([]string{
			"status", "state", "phase", "stage", "visibility", "published", "approved", "active", "enabled", "disabled", "role", "verified", "public", "private", "draft",
			"moderated", "moderation", "progress", "availability", "locked", "archived", "deleted", "hidden", "step", "condition", "health", "count", "total",
			"version", "revision", "etag", "updated", "modified", "created", "changed", "timestamp", "expires", "expiry", "token", "secret", "password", "key", "hash",
			"position", "order", "rank", "sequence", "index", "url", "uri", "href", "link", "links", "path", "slug",
		}, strings.ToLower(w))
	})
}

// Deleted reports whether a member marks a resource as deleted: by its name, with a value that says so.
func Deleted(name string, value any) bool {
	all := words(name)
	marks := slices.ContainsFunc(all, func(w string) bool {
		return slices.Contains([]string{"deleted", "removed", "archived", "trashed", "purged", "destroyed", "expired", "cancelled", "canceled"}, w)
	})
	switch v := value.(type) {
	case bool:
		return marks && v
	case string:
		return marks && v != ""
	}
	return marks && value != nil
}
