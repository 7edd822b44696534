package stub

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// present returns a resource as a schema shows it: the members that the schema documents and that match it, and
// otherwise as little as the schema requires.
func (a *api) present(e spec.Edge, r *resource) any {
	if e.Schema == nil {
		return r.members
	}
	if known, ok := r.shown[e.Schema]; ok {
		return known
	}
	value := a.fit(e, a.known(e.Schema, r))
	if a.traits.nulls || a.traits.extra || a.traits.whole {
		v := a.contract.Validator(e.Schema)
		value = a.decorate(value, func(one any) bool { return conforms(v, one, schema.Response) }, func(object map[string]any) []string { return a.absentNullable(e.Schema, object) }, func(object map[string]any) map[string]any { return a.absentOptional(e.Schema, object) })
	}
	if r.shown == nil {
		r.shown = map[*spec.Schema]any{}
	}
	r.shown[e.Schema] = value
	return value
}

// known returns the members of a resource that a schema documents.
func (a *api) known(s *spec.Schema, r *resource) map[string]any {
	documented := a.shapes.membersOf(s)
	out := make(map[string]any, len(r.members))
	for name, value := range r.members {
		m := documented[name]
		if m == nil && len(documented) > 0 && !a.admits(s) {
			continue
		}
		if m != nil && hidden(m) {
			continue
		}
		out[name] = a.shownOf(m, value)
	}
	if id := a.shapes.identifies(s, r.kind.name(), r.kind.noun); len(id) == 1 && len(r.kind.id) > 0 && !slices.Equal(id, r.kind.id) && out[id[0]] == nil {
		if value, ok := memberOf(r.members, r.kind.id); ok && documented[id[0]] != nil {
			out[id[0]] = a.as(documented[id[0]], value)
		}
	}
	return out
}

// admits reports whether a schema describes members that it does not name.
func (a *api) admits(s *spec.Schema) bool {
	return slices.ContainsFunc(applicableSchemas(s), func(p *spec.Schema) bool {
		return p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil && !p.AdditionalProperties.Schema.Forbidden
	})
}

func hidden(s *spec.Schema) bool {
	return slices.ContainsFunc(certainBases(s), func(p *spec.Schema) bool { return p.WriteOnly })
}

// certainBases returns a schema and the schemas that it certainly extends.
func certainBases(s *spec.Schema) []*spec.Schema {
	all := []*spec.Schema{s}
	for i := 0; i < len(all) && i < 20; i++ {
		if all[i].Ref != nil {
			all = append(all, all[i].Ref.Schema)
		}
		for _, e := range all[i].AllOf {
			all = append(all, e.Schema)
		}
	}
	return all
}

// shownOf returns a value without write-only members.
func (a *api) shownOf(s *spec.Schema, value any) any {
	switch v := value.(type) {
	case map[string]any:
		documented := a.shapes.membersOf(s)
		out := make(map[string]any, len(v))
		for name, one := range v {
			m := documented[name]
			if m == nil || !hidden(m) {
				out[name] = a.shownOf(m, one)
			}
		}
		return out
	case []any:
		var item *spec.Schema
		if s != nil {
			if e := itemOf(s); e != nil {
				item = e.Schema
			}
		}
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = a.shownOf(item, one)
		}
		return out
	}
	return value
}

// as returns an identifier as a schema has it: a number as a text, or the reverse.
func (a *api) as(s *spec.Schema, value any) any {
	v := a.contract.Validator(s)
	if conforms(v, value, schema.Response) {
		return value
	}
	for _, one := range scalars(textOf(value), a.shapes.typesOf(s)) {
		if conforms(v, one, schema.Response) {
			return one
		}
	}
	return value
}

// fit returns a value of a schema that holds as many of the members as it can.
func (a *api) fit(e spec.Edge, members map[string]any) any {
	v := a.contract.Validator(e.Schema)
	if conforms(v, members, schema.Response) {
		return members
	}
	bases := a.maker.skeletons(e)
	for _, base := range bases {
		whole := maps.Clone(base)
		maps.Copy(whole, members)
		if conforms(v, whole, schema.Response) {
			return whole
		}
	}
	var whole map[string]any
	if len(bases) == 0 {
		made, ok := a.maker.template(e, nil)
		object, isObject := made.(map[string]any)
		if !ok || !isObject {
			if ok {
				return made
			}
			return members
		}
		whole = maps.Clone(object)
	} else {
		whole = maps.Clone(bases[0])
		most := -1
		for _, base := range bases { // the one that has most members in common
			n := 0
			for name, value := range members {
				if own, there := base[name]; there && equalJSON(own, value) {
					n++
				}
			}
			if n > most {
				most, whole = n, maps.Clone(base)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		before, there := whole[name]
		if whole[name] = members[name]; !conforms(v, whole, schema.Response) {
			delete(whole, name)
			if there {
				whole[name] = before
			}
		}
	}
	return whole
}

// memberOf returns the member that a way leads to.
func memberOf(object any, path []string) (any, bool) {
	for _, name := range path {
		members, ok := object.(map[string]any)
		if !ok {
			return nil, false
		}
		if object, ok = members[name]; !ok {
			return nil, false
		}
	}
	return object, len(path) > 0
}

// setMember sets the member that a way leads to.
func setMember(object map[string]any, path []string, value any) {
	for len(path) > 1 {
		below, ok := object[path[0]].(map[string]any)
		if !ok {
			below = map[string]any{}
		} else {
			below = maps.Clone(below)
		}
		object[path[0]] = below
		object, path = below, path[1:]
	}
	if len(path) == 1 {
		object[path[0]] = value
	}
}

// placed returns the body of an answer with a value at its place.
func (a *api) placed(v view, value any) any {
	if len(v.place) == 0 {
		return value
	}
	whole := map[string]any{}
	if bases := a.maker.skeletons(v.edge); len(bases) > 0 {
		whole = cloneObject(bases[0])
	}
	setMember(whole, v.place, value)
	return whole
}

// finished returns a body that matches its schema: the given one, or else one made from the schema.
func (a *api) finished(media *spec.Media, body any) any {
	if media.Schema == nil || conforms(a.contract.Validator(media.Schema), body, schema.Response) {
		return body
	}
	if object, ok := body.(map[string]any); ok {
		if fitted := a.fit(media.Edge, object); conforms(a.contract.Validator(media.Schema), fitted, schema.Response) {
			return fitted
		}
	}
	if made, ok := a.maker.template(media.Edge, media.Examples); ok {
		return made
	}
	return body
}

// event returns an event stream of one event.
func (a *api) event(media *spec.Media) string {
	item := media.Item
	if item.Schema == nil {
		item = media.Edge
	}
	if item.Schema == nil {
		return "data: ready\n\n"
	}
	if e := itemOf(item.Schema); e != nil && a.shapes.isArray(item.Schema) {
		item = *e
	}
	made, ok := a.maker.template(item, nil)
	if !ok {
		return ""
	}
	if text, plain := made.(string); plain {
		return "data: " + strings.ReplaceAll(text, "\n", "\ndata: ") + "\n\n"
	}
	object, _ := made.(map[string]any)
	if object["data"] == nil {
		return "data: " + string(encode(made)) + "\n\n"
	}
	var b strings.Builder
	for _, name := range []string{"event", "id", "retry", "data"} {
		if value, there := object[name]; there {
			b.WriteString(name + ": " + strings.ReplaceAll(textOf(value), "\n", "\n"+name+": ") + "\n")
		}
	}
	return b.String() + "\n"
}

// formText returns a form of a schema.
func (a *api) formText(media *spec.Media) string {
	made, ok := a.maker.template(media.Edge, media.Examples)
	object, isObject := made.(map[string]any)
	if !ok || !isObject {
		return ""
	}
	form := map[string][]string{}
	for name, value := range object {
		if list, many := value.([]any); many {
			for _, one := range list {
				form[name] = append(form[name], textOf(one))
			}
			continue
		}
		form[name] = []string{textOf(value)}
	}
	return urlValues(form)
}

// number returns an integer as JSON has it.
func number(n int) json.Number { return json.Number(textOf(plainNumbers(n))) }

// absentNullable returns the members that an object lacks and that may be null.
func (a *api) absentNullable(s *spec.Schema, object map[string]any) []string {
	var all []string
	for name, m := range a.shapes.membersOf(s) {
		if _, there := object[name]; !there && !hidden(m) && conforms(a.contract.Validator(m), nil, schema.Response) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// absentOptional returns values of the members that an object lacks and could have.
func (a *api) absentOptional(s *spec.Schema, object map[string]any) map[string]any {
	all := map[string]any{}
	for name, m := range a.shapes.membersOf(s) {
		if _, there := object[name]; there || hidden(m) {
			continue
		}
		if made, ok := a.maker.template(spec.Edge{Schema: m}, nil); ok {
			all[name] = made
		}
	}
	return all
}
