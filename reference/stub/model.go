package stub

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// role is what an operation does.
type role int

const (
	other role = iota // answers by its schema
	create
	list
	read
	replace
	patch
	remove
	show         // reads a document that is alone at its path
	replaceAlone // writes one
	patchAlone
	removeAlone
	update // changes the resource that the body names
)

// kind is a kind of resources, those of one path.
type kind struct {
	// key is the path of a resource without the names of parameters ("/shelves/{}/books/{}"), collection the part
	// before it.
	key, collection string
	param           *spec.Parameter
	noun            string
	// id is the path to the identifier in the representation; nil if it is not shown.
	id []string
	// record is the schema of the representation; nil if none is documented.
	record *spec.Schema
	family *family
	// strict reports whether the document says that a named resource may not exist.
	strict bool
	// put reports whether clients put resources at paths of their choice, made whether clients create them, known
	// whether the document does anything with a single one, listed whether it lists them.
	put, made, known, listed bool
}

// family is a group of kinds that show the same resources under several paths.
type family struct {
	name  string
	kinds []*kind
}

// view is where a representation is in a body.
type view struct {
	edge spec.Edge
	// place is the path to the representation, or to the list of them.
	place []string
	// item is the edge to the representation at that place.
	item spec.Edge
	// scalars reports whether a list shows identifiers only.
	scalars bool
}

// operation is an operation of the document, with its meaning.
type operation struct {
	*spec.Operation
	segments []segment
	role     role
	// kind is that of the resources it is about; nil for none.
	kind *kind
	// outer are the kinds of its path's parameters, from left to right; without that of the resource itself.
	outer []slot
	// success is the answer in case of success; nil if none is documented.
	success  *spec.DocumentedResponse
	status   int
	view     view
	params   []*param
	paging   paging
	filters  []filter
	examples []spec.Example
	// uniques are the members of its body of which no two resources have the same value.
	uniques []string
	// ordered are the members of its body that lie above others.
	ordered []ordered
}

// slot is a path parameter as a part of a path.
type slot struct {
	key, name string
	kind      *kind
}

// api is a document as this package reads it.
type api struct {
	contract *spec.Contract
	traits   traits
	router   router
	shapes   *shapes
	maker    *maker
	ops      []*operation
	kinds    map[string]*kind
	families []*family
}

func newAPI(contract *spec.Contract, seed uint64, t traits) *api {
	a := &api{contract: contract, traits: t, shapes: &shapes{}, maker: newMaker(contract, seed), kinds: map[string]*kind{}}
	operations := contract.Operations()
	for i := range operations {
		op := &operation{Operation: &operations[i], segments: segments(operations[i].Path)}
		op.success, op.status = success(op.Operation)
		op.uniques, op.ordered = uniquesOf(op), orderedOf(op)
		if status, other := t.otherSuccess(op, op.status); other {
			op.success, op.status = op.Operation.ResponseFor(status), status
		}
		a.ops = append(a.ops, op)
		a.router.addRoute(op)
	}
	for _, op := range a.ops {
		a.slots(op)
	}
	for _, op := range a.ops {
		a.items(op)
	}
	a.unite()
	for _, op := range a.ops {
		a.collections(op)
	}
	for _, op := range a.ops {
		a.shownElsewhere(op)
	}
	for _, op := range a.ops {
		complete(a, op)
	}
	return a
}

// anonymous returns the path of some segments without the names of parameters.
func anonymous(all []segment) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteByte('/')
		b.WriteString(strings.Join(s.texts, "{}"))
	}
	return b.String()
}

// slots finds the kinds that the parameters of a path name.
func (a *api) slots(op *operation) {
	noun := ""
	for i, s := range op.segments {
		if len(s.names) == 0 {
			noun = s.texts[0]
			continue
		}
		key := anonymous(op.segments[:i+1])
		if beside := anonymous(op.segments[:i]) + "/{}"; !s.whole() && s.filed() && (a.kinds[beside] != nil || op.missing()) {
			key = beside // "/schedules/{id}.ics" is about the same as "/schedules/{id}"
		} else if !s.whole() {
			continue
		}
		k := a.kinds[key]
		if k == nil {
			k = &kind{key: key, collection: anonymous(op.segments[:i]), noun: noun}
			a.kinds[key] = k
		}
		if p := parameter(op.Operation, "path", s.names[0]); p != nil && k.param == nil {
			k.param = p
		}
		k.strict = k.strict || saysMissing(op.Operation, s.names[0], noun)
		op.outer = append(op.outer, slot{key: key, name: s.names[0], kind: k})
	}
}

func parameter(op *spec.Operation, in, name string) *spec.Parameter {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == in && p.Name == name {
			return p
		}
	}
	return nil
}

// shownElsewhere finds the parameters of a path that identify something that resources of other kinds show under
// the same name. If the operation documents a 404, no other value exists.
func (a *api) shownElsewhere(op *operation) {
	if !slices.ContainsFunc(op.Responses, func(one spec.DocumentedResponse) bool { return one.Status == http.StatusNotFound }) {
		return
	}
	for _, o := range op.outer {
		if slices.Contains(usualIDs, plainName(o.name)) || slices.Contains([]string{"version", "tag"}, plainName(o.name)) {
			continue
		}
		for _, k := range a.kinds {
			if m := a.shapes.membersOf(k.record)[o.name]; k != o.kind && m != nil && (a.shapes.isScalar(m) || a.shapes.membersOf(m)["id"] != nil) {
				o.kind.strict = true
			}
		}
	}
}

// ofOne reports whether an operation is about the resource that the last segment of its path names.
func (op *operation) ofOne() bool {
	return len(op.segments) > 0 && op.segments[len(op.segments)-1].whole()
}

// items reads the operations on single resources.
func (a *api) items(op *operation) {
	if !op.ofOne() {
		return
	}
	k := op.outer[len(op.outer)-1].kind
	k.known = true
	op.kind = k
	switch op.Method {
	case http.MethodGet:
		op.role = read
	case http.MethodPut:
		op.role, k.put = replace, true
	case http.MethodPatch:
		op.role = patch
	case http.MethodDelete:
		op.role = remove
	default:
		op.role = other
		if op.Method == http.MethodPost && op.Body != nil && op.Body.JSON() != nil {
			op.role = patch
		}
	}
	if op.Method == http.MethodGet || k.record == nil && (op.role == replace || op.role == patch) {
		if e, place := a.recordIn(op.success, k); e.Schema != nil {
			k.record = e.Schema
			k.id = a.shapes.identifies(e.Schema, k.name(), k.noun)
			_ = place
		}
	}
}

func (k *kind) name() string {
	if k.param == nil {
		return "id"
	}
	return k.param.Name
}

// recordIn returns the schema of the representation in an answer, and its place.
func (a *api) recordIn(answer *spec.DocumentedResponse, k *kind) (spec.Edge, []string) {
	if answer == nil || answer.JSON() == nil || answer.JSON().Schema == nil {
		return spec.Edge{}, nil
	}
	return a.recordAt(answer.JSON().Edge, k, 0)
}

// recordAt returns the schema of the representation in a body or in an envelope of it, and its place.
func (a *api) recordAt(whole spec.Edge, k *kind, depth int) (spec.Edge, []string) {
	members := a.shapes.membersOf(whole.Schema)
	own := a.shapes.identifies(whole.Schema, k.name(), k.noun)
	if k.record != nil && sameSchema(whole.Schema, k.record) || len(own) == 1 && own[0] != "code" && own[0] != "name" {
		return whole, nil
	}
	var names []string
	for name, m := range members {
		if a.shapes.isObject(m) && (k.record != nil && sameSchema(m, k.record) || a.shapes.identifies(m, k.name(), k.noun) != nil) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return rank(x, k.noun) - rank(y, k.noun) })
	if len(names) > 0 && (own == nil || rank(names[0], k.noun) < 10) {
		return spec.Edge{Schema: members[names[0]]}, []string{names[0]}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) { // an envelope in an envelope
		if m := members[name]; own == nil && depth < 1 && rank(name, k.noun) < 10 && a.shapes.isObject(m) {
			if e, below := a.recordAt(spec.Edge{Schema: m}, k, depth+1); len(below) > 0 {
				return e, append([]string{name}, below...)
			}
		}
	}
	return whole, nil
}

// rank orders the names of members that may hold a representation.
func rank(name, noun string) int {
	plain := plainName(name)
	if plain == plainName(noun) || plain == singular(plainName(noun)) {
		return 0
	}
	if i := slices.Index([]string{"data", "result", "item", "payload", "resource", "entity", "record", "response"}, plain); i >= 0 {
		return 1 + i
	}
	return 10
}

// sameSchema reports whether two schemas are the same, ignoring the siblings of a reference.
func sameSchema(a, b *spec.Schema) bool { return core(a) == core(b) }

func core(s *spec.Schema) *spec.Schema {
	for range 5 {
		switch {
		case s == nil:
			return nil
		case s.Ref != nil && len(s.Properties) == 0:
			s = s.Ref.Schema
		case len(s.AllOf) == 1 && len(s.Properties) == 0:
			s = s.AllOf[0].Schema
		default:
			return s
		}
	}
	return s
}

// unite joins kinds that show one schema and whose collections have the same name.
func (a *api) unite() {
	for _, op := range a.ops { // in the order of the document
		for _, o := range op.outer {
			if o.kind.family == nil {
				o.kind.family = a.familyOf(o.kind)
				o.kind.family.kinds = append(o.kind.family.kinds, o.kind)
			}
		}
	}
}

func (a *api) familyOf(k *kind) *family {
	for _, f := range a.families {
		for _, member := range f.kinds {
			if k.record != nil && member.record != nil && sameSchema(k.record, member.record) && plainName(k.noun) == plainName(member.noun) {
				return f
			}
		}
	}
	f := &family{name: k.key}
	a.families = append(a.families, f)
	return f
}

// collections interprets the operations on collections, and on documents that are alone at their paths.
func (a *api) collections(op *operation) {
	if op.ofOne() {
		return
	}
	path := anonymous(op.segments)
	own := a.kinds[path+"/{}"]
	switch op.Method {
	case http.MethodGet:
		if at := listIn(a, op, own); at != nil {
			op.role, op.view = list, *at
			op.kind = a.kindOfList(op, own, at)
			op.kind.listed = true
			return
		}
		op.role = show
	case http.MethodPost:
		if own == nil {
			own = a.kindMadeBy(op)
		}
		if own != nil {
			op.role, op.kind, own.made = create, own, true
		}
	case http.MethodPut, http.MethodPatch:
		op.role = replaceAlone
		if op.Method == http.MethodPatch {
			op.role = patchAlone
		}
		if !a.showsAlone(path) {
			op.role = other
			if k := a.kindChangedBy(op, own); k != nil {
				op.role, op.kind = update, k
			}
		}
	case http.MethodDelete:
		op.role = other
		if a.showsAlone(path) {
			op.role = removeAlone
		}
	}
}

// showsAlone reports whether a path shows a document that is alone there.
func (a *api) showsAlone(path string) bool {
	return slices.ContainsFunc(a.ops, func(op *operation) bool {
		return op.Method == http.MethodGet && anonymous(op.segments) == path && listIn(a, op, a.kinds[path+"/{}"]) == nil
	})
}

// kindOfList returns the kind of the resources in a list.
func (a *api) kindOfList(op *operation, own *kind, at *view) *kind {
	if own != nil {
		if own.record == nil && a.shapes.isObject(at.item.Schema) {
			own.record = at.item.Schema
			own.id = a.shapes.identifies(own.record, own.name(), own.noun)
		}
		return own
	}
	last := op.segments[len(op.segments)-1].texts[0]
	var alike *kind
	for _, o := range a.ops {
		if k := o.kind; k != nil && k.record != nil && o.ofOne() && sameSchema(k.record, at.item.Schema) && (alike == nil || plainName(k.noun) == plainName(last)) {
			alike = k
			if plainName(k.noun) == plainName(last) {
				break
			}
		}
	}
	if alike != nil && !within(op, alike) {
		return alike
	}
	return a.hidden(op, at.item.Schema)
}

// within reports whether the path of an operation names a resource of a kind.
func within(op *operation, k *kind) bool {
	return slices.ContainsFunc(op.outer, func(s slot) bool { return s.kind == k })
}

// hidden returns the kind of a collection whose single resources are named by no path.
func (a *api) hidden(op *operation, record *spec.Schema) *kind {
	key := anonymous(op.segments) + "/{}"
	if a.kinds[key] == nil {
		last := op.segments[len(op.segments)-1].texts[0]
		k := &kind{key: key, collection: anonymous(op.segments), noun: last, record: record}
		k.id = a.shapes.identifies(record, "id", last)
		k.family = &family{name: key, kinds: []*kind{k}}
		a.families = append(a.families, k.family)
		a.kinds[key] = k
	}
	return a.kinds[key]
}

// kindMadeBy returns the kind that an operation creates somewhere other than below its own path; nil for none.
func (a *api) kindMadeBy(op *operation) *kind {
	last := op.segments[len(op.segments)-1].texts[0]
	path := anonymous(op.segments)
	for _, o := range a.ops {
		k := o.kind
		if k == nil || !o.ofOne() || k.record == nil || within(op, k) {
			continue
		}
		e, _ := a.recordIn(op.success, k)
		if e.Schema != nil && sameSchema(e.Schema, k.record) && (plainName(k.noun) == plainName(last) || strings.HasPrefix(path, k.collection) || op.status == http.StatusCreated) {
			return k
		}
	}
	for _, o := range a.ops {
		if o.Method == http.MethodGet && o.Path == op.Path {
			if at := listIn(a, o, nil); at != nil {
				return a.kindOfList(o, nil, at)
			}
		}
	}
	return nil
}

// kindChangedBy returns the kind of the resource that the body of an operation names; nil for none.
func (a *api) kindChangedBy(op *operation, own *kind) *kind {
	if op.Body == nil || op.Body.JSON() == nil || op.Body.JSON().Schema == nil {
		return nil
	}
	body := op.Body.JSON().Schema
	if own != nil && len(own.id) == 1 && a.shapes.membersOf(body)[own.id[0]] != nil {
		return own
	}
	return nil
}

// saysMissing reports whether an operation documents that a named resource may not exist: by a 404, if the
// parameter is named like an identifier, or the description of the 404 mentions it.
func saysMissing(op *spec.Operation, param, noun string) bool {
	all := wordsOf(param)
	for i := range op.Responses {
		if op.Responses[i].Status != http.StatusNotFound || len(all) == 0 {
			continue
		}
		said := wordsOf(op.Responses[i].Description)
		return slices.Contains(usualIDs, all[len(all)-1]) || singular(plainName(noun)) == plainName(param) || noun != "" && strings.HasPrefix(plainName(param), singular(plainName(noun))) ||
			slices.ContainsFunc(all, func(w string) bool { return len(w) > 2 && slices.Contains(said, w) })
	}
	return false
}
