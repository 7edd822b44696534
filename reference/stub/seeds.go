package stub

import (
	"errors"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// seedCount is how many resources there are of a kind that clients cannot create.
const seedCount = 3

// complete does the rest of the work on an operation when all kinds are known.
func complete(a *api, op *operation) {
	for i := range op.Parameters {
		op.params = append(op.params, newParam(a, &op.Parameters[i]))
	}
	if op.Body != nil {
		for _, media := range op.Body.Content {
			if media.Schema != nil {
				if v := a.contract.Validator(media.Schema); v != nil {
					v.Prepare()
				}
			}
		}
	}
	switch op.role {
	case list:
		readList(a, op)
	case create, read, replace, patch, remove, update:
		e, place := a.recordIn(op.success, op.kind)
		if e.Schema != nil {
			op.view = view{edge: op.success.JSON().Edge, place: place, item: e}
		}
	case show, replaceAlone, patchAlone, removeAlone, other:
		if op.success != nil && op.success.JSON() != nil && op.success.JSON().Schema != nil {
			op.view = view{edge: op.success.JSON().Edge, item: op.success.JSON().Edge}
		}
	}
	if k := op.kind; k != nil && op.success != nil && op.success.JSON() != nil && (op.role == read || op.role == list) {
		op.examples = op.success.JSON().Examples
	}
	if k := op.kind; k != nil && op.role == replace && k.record == nil && op.Body != nil && op.Body.JSON() != nil {
		k.record = op.Body.JSON().Schema
		if k.record != nil {
			k.id = a.shapes.identifies(k.record, k.name(), k.noun)
		}
	}
}

// seedCollection seeds a collection, once.
func seedCollection(a *api, s *store, k *kind, scope []named) {
	key := k.key
	for _, n := range scope {
		key += "\x00" + n.text
	}
	if s.seeded[key] {
		return
	}
	s.seeded[key] = true
	if s.onSeed != nil {
		s.failed = errors.Join(s.failed, s.onSeed(key))
	}
	if k.anyMayExist() || len(scope) > 0 && k.made {
		return
	}
	if len(scope) > 0 && !slices.ContainsFunc(k.family.kinds, func(one *kind) bool { return one == k }) {
		return
	}
	examples := examplesOf(a, k)
	for _, members := range examples {
		seedResource(a, s, k, scope, members, "", false)
	}
	if len(scope) == 0 && k.record != nil && a.traits.crowd > 0 && (k.made || k.listed) {
		for range a.traits.crowd {
			seedResource(a, s, k, scope, usualMembers(a, k), "", true)
		}
	}
	if k.made || len(k.family.kinds) > 1 && slices.ContainsFunc(k.family.kinds, func(one *kind) bool { return one.made }) {
		return
	}
	for _, text := range namesOf(a, k) {
		seedResource(a, s, k, scope, usualMembers(a, k), text, true)
	}
	for n := s.count[k.family]; n < seedCount; n++ {
		seedResource(a, s, k, scope, usualMembers(a, k), "", true)
	}
}

// usualMembers returns the members of a seeded resource of a kind.
func usualMembers(a *api, k *kind) map[string]any {
	if k.record == nil {
		return map[string]any{}
	}
	made, ok := a.maker.template(spec.Edge{Schema: k.record}, nil)
	object, isObject := made.(map[string]any)
	if !ok || !isObject {
		return map[string]any{}
	}
	return cloneObject(object)
}

// namesOf returns the identifiers that the document itself gives for a kind: the values of an enum, an example.
func namesOf(a *api, k *kind) []string {
	if k.param == nil || k.param.Schema == nil {
		return nil
	}
	var all []string
	for _, p := range applicableSchemas(k.param.Schema) {
		for _, text := range p.Enum {
			if value, ok := decode(text); ok {
				all = append(all, textOf(value))
			}
		}
	}
	if value, ok := a.maker.parameter(k.param); ok && len(all) == 0 {
		all = append(all, textOf(value))
	}
	return all
}

// seedResource adds one resource.
func seedResource(a *api, s *store, k *kind, scope []named, members map[string]any, text string, made bool) {
	r := &resource{kind: k, members: members, at: map[string]string{}}
	for _, n := range scope {
		r.at[n.key] = n.text
	}
	m := a.memberAt(k.record, k.id)
	if text == "" {
		n := s.count[k.family]
		s.count[k.family]++
		value, named, _ := a.identifier(k, n)
		if own, there := memberOf(members, k.id); there && s.find(k, textOf(own), scope) == nil && n == 0 {
			named, value = textOf(own), own
		}
		text = named
		if m != nil && value != nil {
			setMember(r.members, k.id, value)
		}
		if n > 0 {
			alsoCalled(a, r, n, made)
		}
	} else if m != nil {
		setMember(r.members, k.id, a.as(m, text))
	}
	if s.find(k, text, scope) != nil || s.listed(k, text, scope) {
		return
	}
	r.at[k.key] = text
	s.addResource(r)
}

// examplesOf returns the representations that the document gives as examples of a kind.
func examplesOf(a *api, k *kind) []map[string]any {
	var all []map[string]any
	for _, op := range a.ops {
		if op.kind != k || op.Method != http.MethodGet {
			continue
		}
		for _, e := range op.examples {
			value, ok := decode(e.JSON)
			if !ok {
				continue
			}
			if len(op.view.place) > 0 {
				value, _ = memberOf(value, op.view.place)
			}
			switch v := value.(type) {
			case map[string]any:
				all = append(all, v)
			case []any:
				for _, one := range v {
					if object, isObject := one.(map[string]any); isObject && len(all) < 20 {
						all = append(all, object)
					}
				}
			}
		}
	}
	var kept []map[string]any
	known := map[string]bool{}
	for _, one := range all {
		id, there := memberOf(one, k.id)
		if !there || known[textOf(id)] {
			continue
		}
		known[textOf(id)] = true
		kept = append(kept, cloneObject(one))
	}
	return kept
}

// alsoCalled gives a resource values of its own in the further members that identify it, if no client sent them,
// or anew: an id beside the slug that is in paths, or one that is named after the interface.
func alsoCalled(a *api, r *resource, n int, anew bool) {
	k := r.kind
	title := wordsOf(a.contract.Title())
	for name, m := range a.shapes.membersOf(k.record) {
		words := wordsOf(name)
		if _, there := r.members[name]; there && !anew && !onlyRead(m) || slices.Equal(k.id, []string{name}) || !a.shapes.isScalar(m) || len(words) == 0 || len(words) > 2 {
			continue
		}
		if last := words[len(words)-1]; last != "id" && last != "uuid" && last != "guid" || len(words) == 2 && words[0] != singular(plainName(k.noun)) && !slices.Contains(title, words[0]) {
			continue
		}
		if value, _, ok := a.identifier(&kind{record: k.record, id: []string{name}, noun: k.noun, family: k.family}, n); ok {
			r.members[name] = value
		}
	}
}
