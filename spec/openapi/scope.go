package openapi

import (
	"slices"

	"hallmark/spec"
)

// spread gives the omissions in schemas their scope: the operations that come to them.
func (r *reader) spread() {
	wanted := map[*spec.Schema][]*omission{}
	for _, o := range r.omissions {
		for _, s := range o.schemas {
			wanted[s] = append(wanted[s], o)
		}
	}
	if len(wanted) == 0 {
		return
	}
	holders := map[*spec.Schema][]*spec.Schema{}
	for _, s := range r.schemas {
		for _, e := range s.Edges() {
			holders[e.Schema] = append(holders[e.Schema], s)
		}
	}
	users := r.users()
	for s, omissions := range wanted {
		ids := operationsAt(s, holders, users)
		for _, o := range omissions {
			o.Scope = union(o.Scope, ids)
		}
	}
}

// operationsAt returns the ids of the operations that come to a schema, whatever is between.
func operationsAt(s *spec.Schema, holders map[*spec.Schema][]*spec.Schema, users map[*spec.Schema][]string) []string {
	var ids []string
	seen := map[*spec.Schema]bool{s: true}
	left := []*spec.Schema{s}
	for len(left) > 0 {
		s := left[len(left)-1]
		left = left[:len(left)-1]
		ids = union(ids, users[s])
		for _, holder := range holders[s] {
			if !seen[holder] {
				seen[holder] = true
				left = append(left, holder)
			}
		}
	}
	return ids
}

// users returns the ids of the operations that come to a schema at once: from a parameter, a body, a response or a header.
func (r *reader) users() map[*spec.Schema][]string {
	users := map[*spec.Schema][]string{}
	for i := range r.operations {
		op := &r.operations[i]
		use := func(s *spec.Schema) {
			if s != nil {
				users[s] = union(users[s], []string{op.ID})
			}
		}
		media := func(content []spec.Media) {
			for _, m := range content {
				use(m.Schema)
				use(m.Item.Schema)
				for _, e := range m.Encoding {
					for _, h := range e.Headers {
						use(h.Schema)
					}
				}
			}
		}
		for _, p := range op.Parameters {
			use(p.Schema)
			if p.Content != nil {
				use(p.Content.Schema)
			}
		}
		if op.Body != nil {
			media(op.Body.Content)
		}
		for _, a := range op.Answers {
			media(a.Content)
			for _, h := range a.Headers {
				use(h.Schema)
				if h.Content != nil {
					use(h.Content.Schema)
				}
			}
		}
	}
	return users
}

// union appends what is not there yet.
func union(all, more []string) []string {
	for _, id := range more {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}
