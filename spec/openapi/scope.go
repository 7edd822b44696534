package openapi

import (
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// mostSteps limits the search from schemas back to operations. Beyond it an omission has no scope and concerns the whole document.
const mostSteps = 3_000_000

// spread computes the scope of the omissions in schemas: the operations that reach them.
func spread(r *reader) {
	wanted := map[*spec.Schema][]*omission{}
	for _, o := range r.omissions {
		for _, s := range o.schemas {
			wanted[s] = append(wanted[s], o)
		}
	}
	if len(wanted) == 0 {
		return
	}
	back := wayBack{holders: map[*spec.Schema][]*spec.Schema{}, users: map[*spec.Schema]map[string]bool{}}
	for _, s := range r.schemas {
		for _, e := range s.Edges() {
			back.holders[e.Schema] = append(back.holders[e.Schema], s)
		}
	}
	for i := range r.operations {
		back.uses(&r.operations[i])
	}
	inOrder := slices.SortedFunc(maps.Keys(wanted), func(a, b *spec.Schema) int { return strings.Compare(a.Pointer, b.Pointer) })
	for _, s := range inOrder {
		ids := back.operations(s)
		for _, o := range wanted[s] {
			for id := range ids {
				o.operations[id] = true
			}
		}
	}
}

// wayBack maps schemas to what refers to them.
type wayBack struct {
	holders map[*spec.Schema][]*spec.Schema
	// users are the ids of the operations that use a schema directly: in a parameter, a body, a response or a header.
	users map[*spec.Schema]map[string]bool
	steps int
}

func (b *wayBack) use(s *spec.Schema, id string) {
	switch {
	case s == nil:
	case b.users[s] == nil:
		b.users[s] = map[string]bool{id: true}
	default:
		b.users[s][id] = true
	}
}

func (b *wayBack) content(content []spec.Media, id string) {
	for _, m := range content {
		b.use(m.Schema, id)
		b.use(m.Item.Schema, id)
		for _, e := range m.Encoding {
			b.headers(e.Headers, id)
		}
	}
}

func (b *wayBack) headers(headers []spec.Header, id string) {
	for _, h := range headers {
		b.use(h.Schema, id)
		if h.Content != nil {
			b.use(h.Content.Schema, id)
		}
	}
}

func (b *wayBack) uses(op *spec.Operation) {
	for _, p := range op.Parameters {
		b.use(p.Schema, op.ID)
		if p.Content != nil {
			b.use(p.Content.Schema, op.ID)
		}
	}
	if op.Body != nil {
		b.content(op.Body.Content, op.ID)
	}
	for _, a := range op.Responses {
		b.content(a.Content, op.ID)
		b.headers(a.Headers, op.ID)
	}
}

// operations returns the ids of the operations that reach a schema, directly or not.
func (b *wayBack) operations(s *spec.Schema) map[string]bool {
	ids := map[string]bool{}
	seen := map[*spec.Schema]bool{s: true}
	left := []*spec.Schema{s}
	for len(left) > 0 {
		s := left[len(left)-1]
		left = left[:len(left)-1]
		for id := range b.users[s] {
			ids[id] = true
		}
		for _, holder := range b.holders[s] {
			if b.steps++; b.steps > mostSteps {
				return nil
			}
			if !seen[holder] {
				seen[holder] = true
				left = append(left, holder)
			}
		}
		b.steps += len(b.users[s])
	}
	return ids
}
