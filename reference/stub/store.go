package stub

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// resource is a resource of the service.
type resource struct {
	kind    *kind
	members map[string]any
	// bytes are those of a document that is opaque.
	bytes []byte
	// at holds the path texts that identify its place, by the paths up to them.
	at           map[string]string
	seq, version int
	// made is when it was created by a request.
	made time.Time
	// shown are its representations by schema, until it changes.
	shown map[*spec.Schema]any
}

// table is the resources of a family.
type table struct {
	all []*resource // in the order of their making
	by  map[string][]*resource
}

// store holds everything that a service keeps.
type store struct {
	tables map[*family]*table
	// alone are the documents that are alone at their paths, nil for one that was removed.
	alone map[string]*resource
	// seeded are the collections that have been seeded.
	seeded map[string]bool
	// count is how many identifiers of a family have been assigned.
	count map[*family]int
	seq   int
	// onChange is called with changes, and onSeed with collections that have been seeded; both may be nil. failed is the
	// first error.
	onChange func(key string, r *resource) error
	onSeed   func(key string) error
	failed   error
}

func newStore() *store {
	return &store{tables: map[*family]*table{}, alone: map[string]*resource{}, seeded: map[string]bool{}, count: map[*family]int{}}
}

func (s *store) table(f *family) *table {
	t := s.tables[f]
	if t == nil {
		t = &table{by: map[string][]*resource{}}
		s.tables[f] = t
	}
	return t
}

// keysOf returns the keys that find a resource: the texts of paths of its family.
func keysOf(r *resource) []string {
	var all []string
	for _, k := range r.kind.family.kinds {
		text, ok := r.at[k.key]
		if !ok {
			value, there := memberOf(r.members, k.id)
			if !there {
				continue
			}
			text = textOf(value)
		}
		all = append(all, k.key+"\x00"+text)
	}
	return all
}

func (s *store) addResource(r *resource) {
	s.seq++
	r.seq, r.version = s.seq, 1
	t := s.table(r.kind.family)
	t.all = append(t.all, r)
	for _, key := range keysOf(r) {
		t.by[key] = append(t.by[key], r)
	}
	s.changed(r)
}

// remove removes a resource from the store.
func (s *store) remove(r *resource) {
	t := s.table(r.kind.family)
	if i, found := slices.BinarySearchFunc(t.all, r.seq, func(one *resource, seq int) int { return one.seq - seq }); found {
		t.all = slices.Delete(t.all, i, i+1)
	}
	t.forget(r)
	s.notify(r.key(), nil)
}

// aloneKey begins the keys of documents that are alone at their paths.
const aloneKey = "alone "

// aloneKind returns the kind of a document that is alone at its path.
func aloneKind(key string) *kind { return &kind{key: key, family: &family{name: key}} }

// notify reports a change; nil means that the resource was removed.
func (s *store) notify(key string, r *resource) {
	if s.onChange != nil {
		s.failed = errors.Join(s.failed, s.onChange(key, r))
	}
}

// order sorts the resources by their making.
func (t *table) order() {
	slices.SortFunc(t.all, func(a, b *resource) int { return a.seq - b.seq })
}

func (t *table) forget(r *resource) {
	for _, key := range keysOf(r) {
		t.by[key] = slices.DeleteFunc(t.by[key], func(one *resource) bool { return one == r })
		if len(t.by[key]) == 0 {
			delete(t.by, key)
		}
	}
}

// change gives a resource other members.
func (s *store) change(r *resource, members map[string]any) {
	if r.kind != nil {
		t := s.table(r.kind.family)
		t.forget(r)
		r.members = members
		for _, key := range keysOf(r) {
			t.by[key] = append(t.by[key], r)
		}
	} else {
		r.members = members
	}
	r.version++
	s.changed(r)
}

func (s *store) changed(r *resource) {
	r.shown = nil
	s.notify(r.key(), r)
}

// find returns the resource of a kind that a path names; nil for none. The scope is that of the path before it.
func (s *store) find(k *kind, text string, scope []named) *resource {
	for _, r := range s.table(k.family).by[k.key+"\x00"+text] {
		if r.inScope(scope) {
			return r
		}
	}
	return nil
}

// listed reports whether a list in a scope shows a resource with a name, such as one that was put below another
// path.
func (s *store) listed(k *kind, text string, scope []named) bool {
	return slices.ContainsFunc(s.table(k.family).by[k.key+"\x00"+text], func(r *resource) bool { return r.certainlyInScope(scope, k) })
}

// inScope reports whether a resource is in a scope, as far as its place is known.
func (r *resource) inScope(scope []named) bool {
	return !slices.ContainsFunc(scope, func(n named) bool {
		own, known := r.at[n.key]
		return known && own != n.text || !known && !r.belongs(n)
	})
}

// belongs reports whether a resource may belong to what a path names before it, judging by its members: the login
// of its owner for a parameter called owner.
func (r *resource) belongs(n named) bool {
	switch v := r.members[n.name].(type) {
	case map[string]any:
		for _, one := range v {
			if text, ok := one.(string); ok && text == n.text || !ok && textOf(one) == n.text {
				return true
			}
		}
		return len(v) == 0
	case string:
		return v == n.text
	}
	return true
}

// certainlyInScope reports whether a resource certainly is in a scope.
func (r *resource) certainlyInScope(scope []named, k *kind) bool {
	return !slices.ContainsFunc(scope, func(n named) bool {
		own, known := r.at[n.key]
		if !known && k != nil && r.kind != k && !strings.HasPrefix(r.kind.key, n.key) {
			return true // it was never put there
		}
		return known && own != n.text
	})
}

// key returns the key of the resource in a file.
func (r *resource) key() string {
	var b strings.Builder
	b.WriteString("one " + r.kind.key)
	for _, name := range slices.Sorted(maps.Keys(r.at)) {
		b.WriteString("\x00" + name + "\x00" + r.at[name])
	}
	return b.String()
}
