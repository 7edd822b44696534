package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// shownPlace is a place where the response of a read holds a member.
type shownPlace struct {
	op     *spec.Operation
	path   []Step
	schema *spec.Schema
	// record is the schema that the member belongs to; collection is the member that holds that, or the last segment
	// of the path.
	record     *spec.Schema
	collection string
}

// mostShown bounds the places that are kept for each name.
const mostShown = 40

// index walks the responses of reads that need few identifiers or none, and records where they hold members that
// may identify something.
func (m *Map) index() {
	m.shownAs = map[string][]shownPlace{}
	for i := range m.operations {
		op := &m.operations[i]
		if op.Method != http.MethodGet {
			continue
		}
		for _, s := range successes(op) {
			w := walker{m: m, op: op, left: most}
			w.walk(s, nil, lastSegment(op.Path), deepest, map[*spec.Schema]bool{})
		}
	}
}

func lastSegment(path string) string {
	all := strings.Split(Anonymous(path), "/")
	for _, one := range slices.Backward(all) {
		if !strings.Contains(one, "{") {
			return one
		}
	}
	return ""
}

// walker walks a response, within bounds.
type walker struct {
	m    *Map
	op   *spec.Operation
	left int
}

func (w *walker) walk(s *spec.Schema, path []Step, collection string, depth int, above map[*spec.Schema]bool) {
	if s == nil || depth == 0 || w.left <= 0 || above[s] {
		return
	}
	above[s] = true
	defer delete(above, s)
	if item := items(s); item != nil {
		w.walk(item, append(slices.Clip(path), Step{Each: true}), collection, depth, above)
		return
	}
	all := members(s)
	w.left -= 1 + len(all)
	for _, p := range all {
		at := append(slices.Clip(path), Step{Name: p.Name})
		if scalar(p.Schema) {
			w.note(plain(p.Name), shownPlace{op: w.op, path: at, schema: p.Schema, record: s, collection: collection})
			continue
		}
		if item := items(p.Schema); item != nil && scalar(item) {
			one := noun(p.Name)
			w.note(one, shownPlace{op: w.op, path: append(at, Step{Each: true}), schema: item, collection: p.Name})
			continue
		}
		inside := p.Name
		if slices.Contains(wrapping, plain(p.Name)) {
			inside = collection
		}
		w.walk(p.Schema, at, inside, depth-1, above)
	}
}

// note records a place under a name, unless there are enough; names of a single common word are frequent.
func (w *walker) note(name string, s shownPlace) {
	bound := mostShown
	if isIdentifying(name) {
		bound *= 20
	}
	if known := w.m.shownAs[name]; len(known) < bound {
		w.m.shownAs[name] = append(known, s)
	}
}

// shownElsewhere finds other reads whose responses hold what a slot names: by the name of the parameter if that says what
// it identifies, by the schema that the slot reads, or by the name of the collection.
func (m *Map) shownElsewhere(slot Slot, q query) []Producer {
	if len(q.stated) == 0 {
		return nil // the parameter has no name
	}
	one := noun(segment(slot.Collection))
	reads := m.records(slot, q)
	all := words(slot.Parameter.Name)
	qualified := len(all) > 1 && isIdentifying(all[len(all)-1])
	of := one
	if qualified {
		of = strings.Join(all[:len(all)-1], "")
	} else if len(all) > 0 && !isIdentifying(all[len(all)-1]) {
		of = strings.Join(all, "")
	}
	var found []Producer
	try := func(names []string, ok func(shownPlace) bool, reason string) {
		for _, name := range names {
			for _, s := range m.shownAs[name] {
				if len(found) < 4 && ok(s) && fits(s.schema, slot.Parameter.Schema) && reachable(s.op, slot) {
					found = append(found, Producer{Operation: s.op, Way: Shown, Path: s.path, Reason: s.op.ID + " " + reason, record: s.record})
				}
			}
		}
	}
	names := append(slices.Clone(q.stated), q.likely...)
	try(names, func(s shownPlace) bool { return slices.Contains(reads, s.record) }, "shows the same resource")
	try(names, func(s shownPlace) bool { return of != "" && noun(s.collection) == of }, "shows resources of that name")
	try(unique([]string{one, q.stated[0]}), func(s shownPlace) bool { return s.record == nil && (noun(s.collection) == one || one == "") }, "names those of the collection")
	if qualified || len(all) == 1 && !slices.Contains(usual, all[0]) && all[0] != "tag" && all[0] != "version" {
		try(q.stated[:1], func(shownPlace) bool { return true }, "shows a member of the name of the parameter")
	}
	return found
}

// reachable reports whether an operation can be called before a slot is filled: its own identifiers precede the
// slot.
func reachable(op *spec.Operation, slot Slot) bool {
	for _, other := range SlotsOf(op) {
		if other.Key == slot.Key || !strings.HasPrefix(slot.Key, other.Key+"/") {
			return false
		}
	}
	return true
}
