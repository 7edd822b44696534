package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Reference is a place in the requests of an operation, outside the path, that refers to a resource of a
// collection.
type Reference struct {
	// Slot is where paths name the same resource.
	Slot Slot
	// Parameter is the referring parameter; nil for a member of the body, to which Path leads.
	Parameter *spec.Parameter
	Path      []Step
	// Schema is the schema of the place.
	Schema *spec.Schema
	// Required reports whether each request has it.
	Required bool
}

// Name returns the name of the place.
func (r Reference) Name() string {
	if r.Parameter != nil {
		return r.Parameter.Name
	}
	for _, step := range slices.Backward(r.Path) {
		if !step.Each {
			return step.Name
		}
	}
	return ""
}

// References returns the places of an operation that certainly refer to resources of collections, except those
// whose resources cannot exist before the operation is called. The result must not be modified.
func (m *Map) References(op *spec.Operation) []Reference {
	m.orderOnce.Do(m.findOrder)
	return m.references[op.ID]
}

// Candidates returns the places in an operation's parameters and body that are named like references, including
// those whose target is unknown, with a slot without a key. The result must not be modified.
func (m *Map) Candidates(op *spec.Operation) []Reference {
	if known, is := m.candidates.Load(op.ID); is {
		all, _ := known.([]Reference)
		return all
	}
	all := m.findCandidates(op)
	m.candidates.Store(op.ID, all)
	return all
}

func (m *Map) findCandidates(op *spec.Operation) []Reference {
	var all []Reference
	known := SlotsOf(op)
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if p.In == "path" || p.In == "cookie" || Fixed(*p) || p.Schema == nil || !scalar(p.Schema) || len(identifies(p.Name)) == 0 {
			continue
		}
		all = append(all, Reference{Parameter: p, Schema: p.Schema, Required: p.Required, Slot: m.slotNamed(p.Name, "", p.Schema, known)})
	}
	if op.Body == nil || op.Body.Schema() == nil {
		return all
	}
	left, of := widest, ""
	if len(known) == 0 && (op.Method == http.MethodPut || op.Method == http.MethodPatch) {
		of = lastSegment(op.Path) // its body says what it changes
	}
	m.inside(op.Body.Schema(), known, nil, of, op.Body.Required, map[*spec.Schema]bool{}, func(r Reference) bool {
		if of != "" && len(r.Path) == 1 && r.Slot.Key != "" && noun(segment(r.Slot.Collection)) == noun(of) {
			r.Required = true
		}
		all = append(all, r)
		left--
		return left > 0
	})
	return all
}

// inside searches a body for references.
func (m *Map) inside(s *spec.Schema, known []Slot, path []Step, of string, required bool, above map[*spec.Schema]bool, found func(Reference) bool) {
	if s == nil || above[s] || len(path) >= deepest {
		return
	}
	above[s] = true
	defer delete(above, s)
	if item := items(s); item != nil {
		m.inside(item, known, append(slices.Clip(path), Step{Each: true}), noun(of), required, above, found)
		return
	}
	for _, p := range members(s) {
		at := append(slices.Clip(path), Step{Name: p.Name})
		needed := required && requires(s, p.Name)
		switch {
		case p.Schema == nil || p.Schema.ReadOnly:
		case scalar(p.Schema):
			if len(identifies(p.Name)) > 0 && !Fixed(spec.Parameter{Edge: spec.Edge{Schema: p.Schema}}) &&
				!found(Reference{Path: at, Schema: p.Schema, Required: needed, Slot: m.slotNamed(p.Name, of, p.Schema, known)}) {
				return
			}
		default:
			m.inside(p.Schema, known, at, p.Name, needed, above, found)
		}
	}
}

// requires reports whether an object always has a member.
func requires(s *spec.Schema, name string) bool {
	return slices.Contains(s.Required, name) || s.Ref != nil && requires(s.Ref.Schema, name) ||
		slices.ContainsFunc(s.AllOf, func(e spec.Edge) bool { return e.Schema != nil && e.Schema != s && requires(e.Schema, name) })
}

// identifierWords are the last words of names that mark identifiers and little else.
var identifierWords = []string{"id", "uuid", "guid", "code", "slug", "key"}

// identifies returns the words of a name that ends like an identifier's, or none.
func identifies(name string) []string {
	all := words(name)
	if len(all) == 0 || !slices.Contains(identifierWords, all[len(all)-1]) {
		return nil
	}
	return all
}

// slotNamed returns the only slot that a place in a request refers to, by its name and that of its holder; one without
// a key if there is none, or a doubt. known are the slots of the request's path.
func (m *Map) slotNamed(name, holder string, s *spec.Schema, known []Slot) Slot {
	all := identifies(name)
	if len(all) == 0 {
		return Slot{}
	}
	if of := noun(holder); len(all) == 1 && of != "" {
		all = append([]string{of}, all...)
	}
	if len(all) == 1 {
		return Slot{}
	}
	var found []Slot
	for i, slot := range m.slots() {
		if m.slotWords[i].matches(all) && (fits(slot.Parameter.Schema, s) || fits(s, slot.Parameter.Schema)) {
			found = append(found, slot)
		}
	}
	if len(found) != 1 || !placed(found[0], known) {
		return Slot{}
	}
	return found[0]
}

// slotWords are the words of a slot.
type slotWords struct {
	// one is the noun of its collection, last the last word of its parameter, and own all words of that; empty if the
	// slot has no noun.
	one, last, own string
}

func wordsOf(slot Slot) slotWords {
	one, parameter := noun(segment(slot.Collection)), words(slot.Parameter.Name)
	if one == "" || len(parameter) == 0 || !slot.Whole || Fixed(slot.Parameter) {
		return slotWords{}
	}
	return slotWords{one: one, last: parameter[len(parameter)-1], own: strings.Join(parameter, "")}
}

// matches reports whether the words of a place mean the identifier of a slot: those of the slot's parameter, if they
// name the collection ("customerId", "/customers/{customerId}"), those combined with the noun of the collection
// ("plan_code", "/plans/{code}", and "external_plan_id", "/plans/{external_id}"), or with a word specific to the
// vendor instead ("wallet_id", "/wallets/{acme_id}").
func (w slotWords) matches(all []string) bool {
	if w.one == "" {
		return false
	}
	last, full := all[len(all)-1], strings.Join(all, "")
	of := strings.Join(all[:len(all)-1], "")
	switch {
	case full == w.own:
		return strings.HasSuffix(of, w.one) || related(of, w.one)
	case w.own == w.one: // "/customers/{customer}"
		return of == w.one && last == "id"
	case w.last != last:
		return false
	case of == w.one:
		return !strings.Contains(w.own, w.one)
	}
	return strings.Replace(full, w.one, "", 1) == w.own && strings.Contains(of, w.one)
}

// placed reports whether all parents of a slot are known from a request's own path.
func placed(slot Slot, known []Slot) bool {
	return strings.Count(slot.Key, "{") == 1 || slices.ContainsFunc(known, func(k Slot) bool {
		return slot.Below(k) && strings.Count(slot.Key, "{") == strings.Count(k.Key, "{")+1
	})
}

// slots returns the slots of the whole contract with known producers, without duplicates.
func (m *Map) slots() []Slot {
	m.slotsOnce.Do(func() {
		known := map[string]bool{}
		for i := range m.operations {
			for _, slot := range SlotsOf(&m.operations[i]) {
				if key := slot.Key; !known[key] && len(m.Producers(slot)) > 0 {
					known[key] = true
					m.allSlots, m.slotWords = append(m.allSlots, slot), append(m.slotWords, wordsOf(slot))
				}
			}
		}
	})
	return m.allSlots
}

// findOrder keeps the references whose resources can exist beforehand: what they refer to must not itself need
// what the operation provides. Otherwise each would wait for the other.
func (m *Map) findOrder() {
	needs, gives := map[string][]string{}, map[string][]string{}
	candidates := map[string][]Reference{}
	for i := range m.operations {
		op := &m.operations[i]
		for _, r := range m.Candidates(op) {
			if r.Slot.Key != "" {
				candidates[op.ID] = append(candidates[op.ID], r)
			}
		}
	}
	for _, slot := range m.slots() {
		for _, p := range m.Producers(slot) {
			gives[p.Operation.ID] = append(gives[p.Operation.ID], slot.Key)
			for _, before := range SlotsOf(p.Operation) {
				if before.Key != slot.Key {
					needs[slot.Key] = append(needs[slot.Key], before.Key)
				}
			}
			for _, r := range candidates[p.Operation.ID] {
				needs[slot.Key] = append(needs[slot.Key], r.Slot.Key)
			}
		}
	}
	m.references = map[string][]Reference{}
	for id, all := range candidates {
		for _, r := range all {
			if !slices.ContainsFunc(gives[id], func(key string) bool { return reaches(needs, r.Slot.Key, key) }) {
				m.references[id] = append(m.references[id], r)
			}
		}
	}
}

// reaches reports whether one key leads to another.
func reaches(needs map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	var visit func(key string) bool
	visit = func(key string) bool {
		if key == to {
			return true
		}
		if seen[key] {
			return false
		}
		seen[key] = true
		return slices.ContainsFunc(needs[key], visit)
	}
	return visit(from)
}

// Pointer returns the pointer of the place in a body; false for a parameter, and for places in the items of a
// list.
func (r Reference) Pointer() (string, bool) {
	pointer := ""
	for _, step := range r.Path {
		if step.Each {
			return "", false
		}
		pointer = jsonpointer.Join(pointer, step.Name)
	}
	return pointer, r.Parameter == nil
}

// Qualified reports whether the name of the place says what it identifies.
func (r Reference) Qualified() bool { return len(words(r.Name())) > 1 }
