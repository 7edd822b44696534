package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Life is what a contract can do with the resources that an operation creates. An operation is nil if the contract
// has none, or if it is doubtful whether it is about the same resource.
type Life struct {
	Slot    Slot
	Creator Producer
	// Reader reads a resource, Remover deletes it, Replacer replaces it (PUT), Patcher changes it (PATCH). Reader is
	// nil only for an unread life.
	Reader, Remover, Replacer, Patcher *spec.Operation
	// Lister lists the collection.
	Lister *Producer
	// Actions are operations that do something with a resource and show it ("POST /books/{id}/publish").
	Actions []*spec.Operation
	// Record is the schema of the representation; nil if the creation shows none.
	Record *spec.Schema

	// read is the path to the identifier in the body of a read, through the representation.
	read []Step
}

// LifeOf returns what can be done with what an operation creates. It returns false if the operation is not known
// to create anything, or if it is doubtful whether creating and reading are about the same resource: the
// identifier must be found by name, by a link or by Location, and both must show the same schema.
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
			reads = append(reads, s) // such as a label represented by its colour
		}
	}
	if len(reads) == 0 {
		return Life{}, false
	}
	same := func(s *spec.Schema) bool {
		return slices.ContainsFunc(reads, func(r *spec.Schema) bool { return r == s || sameMembers(r, s) })
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
	case p.Awaited && (p.record == nil || !same(p.record)): // the response is about the work in progress
		l.Record, l.Creator.Path = reads[0], nil
	case p.record != nil && (!p.stated || !same(p.record)):
		return Life{}, false
	case p.record == nil && (!p.stated || creationAnswer(op) == nil):
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
	l.Actions = m.actionsOn(l)
	return l, true
}

// sameMembers reports whether two schemas have the same members, at least two, of the same types.
func sameMembers(a, b *spec.Schema) bool {
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

// Created returns the representation in the response to the creation; false if there is none.
func (l Life) Created(body any) (map[string]any, bool) {
	if l.Creator.Awaited && len(l.Creator.Path) == 0 {
		return nil, false // it shows the work in progress
	}
	return within(body, l.Creator.Path)
}

// Read returns the representation in the response to a read; false if there is none.
func (l Life) Read(body any) (map[string]any, bool) { return within(body, l.read) }

// Identifier returns the identifier that a read shows; false if there is none.
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

// Identifying returns the member that holds the identifier, both in the response to the creation and to a read;
// false if they differ.
func (l Life) Identifying() (string, bool) {
	if len(l.read) == 0 || len(l.Creator.Path) == 0 {
		return "", false
	}
	name := l.read[len(l.read)-1].Name
	return name, name != "" && name == l.Creator.Path[len(l.Creator.Path)-1].Name
}

// ReadPath returns the path to the identifier in the body of a read, or nil. The result must not be modified.
func (l Life) ReadPath() []Step { return l.read }

// Items returns the representations in a list, each with its identifier; those without one are omitted.
func (l Life) Items(body any) []Item {
	if l.Lister == nil {
		return nil
	}
	var all []Item
	eachAt(body, "", l.Lister.Path, func(record map[string]any, name, pointer string) {
		if id, ok := nameable(record[name]); ok {
			all = append(all, Item{Identifier: Convert(id, l.Slot.Parameter.Schema), Members: record, Pointer: pointer})
		}
	})
	return all
}

// Unnamed reports whether a list shows a representation without an identifier, which may be any resource's.
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

// Item is a resource in a list.
type Item struct {
	Identifier any
	Members    map[string]any
	// Pointer is where it is in the list.
	Pointer string
}

// each calls do for the objects along a path, with the name of its last step.
func each(value any, path []Step, do func(map[string]any, string)) {
	eachAt(value, "", path, func(object map[string]any, name, _ string) { do(object, name) })
}

// eachAt is each for a value at a pointer; do gets the pointers of the objects, too.
func eachAt(value any, pointer string, path []Step, do func(object map[string]any, name, pointer string)) {
	if len(path) == 0 {
		return
	}
	if path[0].Each {
		list, _ := value.([]any)
		for i, one := range list {
			eachAt(one, jsonpointer.Index(pointer, i), path[1:], do)
		}
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	if len(path) == 1 {
		do(object, path[0].Name, pointer)
		return
	}
	eachAt(object[path[0].Name], jsonpointer.Join(pointer, path[0].Name), path[1:], do)
}

// within returns the object that holds the value at a path.
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

// Member returns the schema of a member of the representation, or nil if it is not documented.
func (l Life) Member(name string) *spec.Schema {
	for _, p := range members(l.Record) {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// MemberLike returns the member of the representation with a name, ignoring case and punctuation; nil if there is
// none.
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

// StateLike reports whether a name is that of something services change by themselves, or decide: states, phases,
// visibility.
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

// Deleted reports whether a member, by name and value, marks a resource as deleted.
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
