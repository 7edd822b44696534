package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Paths with two identifiers in a row, such as /repos/{owner}/{repo}: no collection has the first alone, and both are members of one
// representation.

// Above is an identifier that precedes another one in a path, and is found in the same representation.
type Above struct {
	Slot Slot
	Path []Step
}

// composite returns the operations that create or list what two adjacent identifiers name together, elsewhere: their responses have the schema
// that is read there, and members for both.
func (m *Map) composite(slot Slot, q query) []Producer {
	if !strings.HasSuffix(slot.Collection, "{}") {
		return nil
	}
	var before Slot
	for _, op := range m.operationsAt[slot.Key] {
		for _, one := range SlotsOf(op) {
			if one.Key == slot.Collection && one.Whole {
				before = one
			}
		}
	}
	reads := m.records(slot, q)
	if before.Key == "" || len(reads) == 0 {
		return nil
	}
	var all []Producer
	for i := range m.operations {
		op := &m.operations[i]
		if len(SlotsOf(op)) > 0 || op.Method != http.MethodGet && (op.Method != http.MethodPost || creationAnswer(op) == nil) {
			continue
		}
		for _, s := range successes(op) {
			id, ok := q.one(s)
			way := Created
			if op.Method == http.MethodGet {
				id, ok = q.many(s)
				way = Listed
			}
			if !ok || len(id.path) == 0 || !slices.Contains(reads, id.record) {
				continue
			}
			record := id.path[:len(id.path)-1]
			own, named := identifierOf(id.record, slot.Parameter)
			above, held := identifierOf(id.record, before.Parameter)
			if !named || !held || slices.Equal(own, above) {
				continue
			}
			all = append(all, Producer{
				Operation: op, Way: way, Path: slices.Concat(record, own), record: id.record, stated: true,
				Above: []Above{{before, slices.Concat(record, above)}}, Reason: op.ID + " answers with what " + slot.Key + " reads",
			})
			break
		}
	}
	return all
}

// identifierOf returns the path of the member of a representation that a path parameter names: one of its name, or the identifier of an object
// of its name; for a parameter named after the resource, the name or identifier of the resource. A text is preferred for a text.
func identifierOf(record *spec.Schema, p spec.Parameter) ([]Step, bool) {
	all := members(record)
	full := strings.Join(words(p.Name), "")
	find := func(in []spec.Property, names []string, texts bool) (spec.Property, bool) {
		for _, name := range names {
			for _, one := range in {
				if plain(one.Name) == name && scalar(one.Schema) && fits(one.Schema, p.Schema) && admits(one.Schema, "string") == texts {
					return one, true
				}
			}
		}
		return spec.Property{}, false
	}
	wants := []bool{true, false}
	if p.Schema != nil && !admits(p.Schema, "string") {
		wants = []bool{false, true}
	}
	usual := []string{"login", "slug", "name", "username", "key", "code", "id", "uuid"}
	for _, texts := range wants {
		if one, ok := find(all, []string{full, full + "name", full + "login", full + "slug", full + "id"}, texts); ok {
			return []Step{{Name: one.Name}}, true
		}
		for _, holder := range all {
			if plain(holder.Name) != full || scalar(holder.Schema) {
				continue
			}
			if one, ok := find(members(holder.Schema), usual, texts); ok {
				return []Step{{Name: holder.Name}, {Name: one.Name}}, true
			}
		}
		if !slices.ContainsFunc(all, func(one spec.Property) bool { return plain(one.Name) == full }) {
			if one, ok := find(all, []string{"slug", "name", "key", "code", "id", "uuid"}, texts); ok {
				return []Step{{Name: one.Name}}, true
			}
		}
	}
	return nil, false
}

// Together returns the identifiers that a response shows with those that precede them in a path, from the same representations.
func (p Producer) Together(slot Slot, body any) []Pair {
	var all []Pair
	depth := 0
	for i, step := range p.Path {
		if step.Each {
			depth = i + 1
		}
	}
	for _, one := range valuesAt(body, p.Path[:depth]) {
		own := collect(one, p.Path[depth:])
		if len(own) != 1 {
			continue
		}
		pair := Pair{Identifier: Convert(own[0], slot.Parameter.Schema)}
		for _, above := range p.Above {
			if found := collect(one, above.Path[depth:]); len(found) == 1 {
				pair.Above = append(pair.Above, Convert(found[0], above.Slot.Parameter.Schema))
			}
		}
		if len(pair.Above) == len(p.Above) {
			all = append(all, pair)
		}
	}
	return all
}

// Pair is an identifier, and those that precede it in a path, in the order of [Producer.Above].
type Pair struct {
	Identifier any
	Above      []any
}

// valuesAt returns the values at a path.
func valuesAt(value any, path []Step) []any {
	if len(path) == 0 {
		return []any{value}
	}
	if !path[0].Each {
		members, _ := value.(map[string]any)
		return valuesAt(members[path[0].Name], path[1:])
	}
	list, _ := value.([]any)
	var all []any
	for _, one := range list[:min(len(list), mostFound)] {
		all = append(all, valuesAt(one, path[1:])...)
	}
	return all
}

// NamedTogether reports whether the value of a slot of a path comes with that of a later one, from what an operation creates.
func (m *Map) NamedTogether(slot Slot, all []Slot) bool {
	return slices.ContainsFunc(all, func(later Slot) bool {
		return later.Key != slot.Key && slices.ContainsFunc(m.Creators(later), func(p Producer) bool {
			return slices.ContainsFunc(p.Above, func(a Above) bool { return a.Slot.Key == slot.Key })
		})
	})
}
