package prose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// mostSteps limits the search from schemas back to operations. Sentences beyond it are about no operation.
const mostSteps = 3_000_000

// schemas adds the texts of the schemas of all operations.
func (w *collector) schemas() {
	back := &wayBack{holders: map[*spec.Schema][]*spec.Schema{}, users: map[*spec.Schema][]Use{}}
	position := map[*spec.Operation]int{}
	for i := range w.operations {
		position[&w.operations[i]] = i
		back.operation(&w.operations[i])
	}
	roots := slices.SortedFunc(maps.Keys(back.users), func(a, b *spec.Schema) int { return strings.Compare(a.Pointer, b.Pointer) })
	var all []*spec.Schema
	spec.WalkAll(roots, func(s *spec.Schema) {
		all = append(all, s)
		for _, e := range s.Edges() {
			if e.Schema != nil {
				back.holders[e.Schema] = append(back.holders[e.Schema], s)
			}
		}
	})
	for _, s := range all {
		pointer := jsonpointer.Join(s.Pointer, "description")
		w.addText(Schema, pointer, nil)
		said := w.texts[w.known[pointer]]
		if len(said) == 0 {
			continue
		}
		known := slices.ContainsFunc(said, func(s Sentence) bool { return s.Claim.Form != "" })
		uses := back.uses(s, known)
		slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Compare(position[a.Operation], position[b.Operation]) })
		for _, use := range uses {
			w.addText(Schema, pointer, &use)
		}
	}
}

// wayBack maps schemas to what refers to them.
type wayBack struct {
	holders map[*spec.Schema][]*spec.Schema
	// users are the operations that use a schema directly: in a parameter, a body, a response or a header.
	users map[*spec.Schema][]Use
	steps int
}

func (b *wayBack) use(s *spec.Schema, u Use) {
	if s != nil {
		b.users[s] = append(b.users[s], u)
	}
}

func (b *wayBack) content(content []spec.Media, u Use) {
	for _, m := range content {
		b.use(m.Schema, u)
		b.use(m.Item.Schema, u)
	}
}

// operation notes the schemas that an operation uses.
func (b *wayBack) operation(op *spec.Operation) {
	for i := range op.Parameters {
		p := &op.Parameters[i]
		u := Use{Operation: op, Parameter: p, Sent: true}
		b.use(p.Schema, u)
		if p.Content != nil {
			b.use(p.Content.Schema, u)
		}
	}
	if op.Body != nil {
		b.content(op.Body.Content, Use{Operation: op, Sent: true})
	}
	for i := range op.Responses {
		r := &op.Responses[i]
		b.content(r.Content, Use{Operation: op, Response: r, Shown: r.Class() == 2})
		for k := range r.Headers {
			b.use(r.Headers[k].Schema, Use{Operation: op, Response: r, Header: &r.Headers[k]})
		}
	}
}

// uses returns what a schema's text is about: one use for each operation and part that reaches the schema, or only the nearest ones.
func (b *wayBack) uses(s *spec.Schema, all bool) []Use {
	var found []Use
	seen := map[*spec.Schema]bool{s: true}
	left := []*spec.Schema{s}
	member, owners := "", []*spec.Schema(nil)
	for _, holder := range b.holders[s] {
		for i := range holder.Properties {
			if holder.Properties[i].Schema == s {
				member, owners = holder.Properties[i].Name, append(owners, holder)
			}
		}
	}
	for len(left) > 0 && (all || len(found) == 0) {
		s := left[0]
		left = left[1:]
		found = append(found, b.users[s]...)
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
	for i := range found {
		found[i].Schema, found[i].Member, found[i].Owners = s, member, owners
	}
	return found
}
