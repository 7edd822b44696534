package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
)

// Way is how an operation yields an identifier.
type Way int

// The ways, the most certain first.
const (
	// Created: the operation creates a resource, and its response identifies it.
	Created Way = iota
	// Chosen: the client of the operation, a PUT, makes up the identifier of what it creates.
	Chosen
	// Listed: the operation lists the collection.
	Listed
	// Shown: the response of another operation holds it. Like a listed one, it may be used for reading only.
	Shown
)

// Producer is an operation that yields an identifier, and the place of the identifier in its response.
type Producer struct {
	Operation *spec.Operation
	Way       Way
	// Path leads to the identifier in the body of a success; nil if only the Location header may have it.
	Path []Step
	// Sent leads to it in the body of the request, if the client makes it up; nil otherwise.
	Sent []Step
	// Awaited reports whether the response only says where to read the progress of the creation, whose final state
	// names the resource. Result leads to the identifier there; nil if a URL has it.
	Awaited bool
	Result  []Step
	// Above are identifiers that precede it in the path and are found in the same representation, if no parent is named otherwise.
	Above []Above
	// Reason says why it is considered the identifier.
	Reason string
	// record is the schema of the representation.
	record *spec.Schema
	stated bool
}

// producers infers the producers of a slot, the best first.
func (m *Map) producers(slot Slot) []Producer {
	one := noun(segment(slot.Collection))
	left := most
	q := query{left: &left, words: []string{one, plain(segment(slot.Collection))}, parameter: slot.Parameter.Schema}
	q.stated, q.likely = namesFor(slot.Parameter.Name, one)
	var all []Producer
	all = append(all, m.linked(slot)...)
	if slot.Whole {
		all = append(all, m.creators(slot, q)...)
	}
	for _, op := range m.operationsAt[slot.Collection] {
		if op.Method == http.MethodGet {
			if p, ok := q.listedBy(op); ok {
				p.Reason = op.ID + " lists what the collection " + slot.Collection + " holds"
				all = append(all, p)
			}
		}
	}
	for _, p := range m.composite(slot, q) {
		if !slices.ContainsFunc(all, func(known Producer) bool { return known.Way == p.Way }) {
			all = append(all, p)
		}
	}
	if !slices.ContainsFunc(all, func(p Producer) bool { return p.Way == Listed }) {
		all = append(all, m.shownElsewhere(slot, q)...)
	}
	slices.SortStableFunc(all, func(a, b Producer) int { return int(a.Way) - int(b.Way) })
	return all
}

// creators returns the operations that create what a slot names: POST to its collection, and PUT to itself.
func (m *Map) creators(slot Slot, q query) []Producer {
	var all []Producer
	for _, op := range m.operationsAt[slot.Collection] {
		if op.Method != http.MethodPost {
			continue
		}
		p, ok := q.createdBy(op)
		if own := m.monitorsPath(op); ok && own != nil && slices.Equal(p.Path, own) { // it names the monitor
			p.Path, p.record = nil, nil
			ok = p.Sent != nil
		}
		if result, is := m.createdLater(slot, q, op); is {
			if !ok {
				p = Producer{Operation: op, Way: Created, Sent: q.sentBy(op)}
			}
			p.Awaited, p.Result, p.stated, ok = true, result, true, true
		}
		if ok {
			p.Reason = op.ID + " creates in the collection " + slot.Collection
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		all = append(all, m.beside(slot, q)...)
	}
	for _, op := range m.operationsAt[slot.Key] {
		if op.Method != http.MethodPut || !clientChosen(slot.Parameter) || creationAnswer(op) == nil && (len(all) > 0 || !isNameParameter(slot.Parameter)) {
			continue
		}
		all = append(all, Producer{Operation: op, Way: Chosen, Reason: "clients of " + op.ID + " choose the identifier", stated: true})
	}
	return all
}

// clientChosen reports whether a client can make up a new value of a parameter.
func clientChosen(p spec.Parameter) bool {
	s := p.Schema
	return s != nil && len(s.Enum) == 0 && s.Const == "" && (admits(s, "string") || len(s.Types) == 0)
}

// isNameParameter reports whether a parameter is a name, as clients choose them, rather than an id, as services assign them.
func isNameParameter(p spec.Parameter) bool {
	all := words(p.Name)
	return len(all) > 0 && !slices.Contains([]string{"id", "uuid", "guid", "sid", "number"}, all[len(all)-1])
}

// beside returns the operation that creates what a slot names at another path: "/pet/{petId}" and "/pets",
// "/pets/new" and "/pets/{petId}". To be the same resource, its response must have the schema that the slot reads,
// or a member named like the parameter.
func (m *Map) beside(slot Slot, q query) []Producer {
	parent := slot.Collection[:max(strings.LastIndexByte(slot.Collection, '/'), 0)]
	one := noun(segment(slot.Collection))
	if one == "" {
		return nil
	}
	reads := m.records(slot, q)
	var all []Producer
	for i := range m.operations {
		op := &m.operations[i]
		if op.Method != http.MethodPost {
			continue
		}
		path := Anonymous(op.Path)
		rest, below := strings.CutPrefix(path, slot.Collection+"/")
		sibling, next := strings.CutPrefix(path, parent+"/")
		verb := below && slices.Contains([]string{"new", "create", "add", "register"}, strings.ToLower(rest))
		if !verb && (!next || strings.Contains(sibling, "/") || noun(sibling) != one) {
			continue
		}
		p, ok := q.createdBy(op)
		switch {
		case !ok || !p.stated:
		case creationAnswer(op) != nil && p.record != nil && slices.Contains(reads, p.record):
			p.Reason = op.ID + " answers with what " + slot.Key + " reads, and creates it"
			all = append(all, p)
		case len(p.Path) == 1 && plain(p.Path[0].Name) == plain(slot.Parameter.Name) && len(words(slot.Parameter.Name)) > 1:
			p.Reason = op.ID + " answers with a member of the very name of the parameter"
			all = append(all, p)
		}
	}
	return all
}

// records returns the schemas of the single resource that a slot reads.
func (m *Map) records(slot Slot, q query) []*spec.Schema {
	var all []*spec.Schema
	for _, op := range m.operationsAt[slot.Key] {
		if op.Method != http.MethodGet {
			continue
		}
		for _, s := range successes(op) {
			if id, ok := q.one(s); ok {
				all = append(all, id.record)
			}
		}
	}
	return all
}

// createdBy finds the identifier in a success of a creation.
func (q query) createdBy(op *spec.Operation) (Producer, bool) {
	p := Producer{Operation: op, Way: Created, Sent: q.sentBy(op)}
	for _, s := range successes(op) {
		if id, ok := q.one(s); ok {
			p.Path, p.record, p.stated = id.path, id.record, id.stated
			return p, true
		}
		if items(s) != nil {
			return Producer{}, false // it searches, or creates many
		}
	}
	if a := creationAnswer(op); a != nil {
		p.stated = a.Class() == 3 || slices.ContainsFunc(a.Headers, func(h spec.Header) bool { return strings.EqualFold(h.Name, "Location") })
		return p, true
	}
	return p, p.Sent != nil
}

// sentBy finds the identifier in the body of a creation, if the client makes it up.
func (q query) sentBy(op *spec.Operation) []Step {
	if op.Body == nil {
		return nil
	}
	for _, name := range q.stated {
		for _, p := range members(op.Body.Schema()) {
			if plain(p.Name) == name && !p.Schema.ReadOnly && fits(p.Schema, q.parameter) {
				return []Step{{Name: p.Name}}
			}
		}
	}
	return nil
}

// listedBy finds the identifiers in a list.
func (q query) listedBy(op *spec.Operation) (Producer, bool) {
	for _, s := range successes(op) {
		if id, ok := q.many(s); ok {
			return Producer{Operation: op, Way: Listed, Path: id.path, record: id.record, stated: id.stated}, true
		}
	}
	return Producer{}, false
}

// linked returns the operations whose responses the contract links to an operation with the slot.
func (m *Map) linked(slot Slot) []Producer {
	var all []Producer
	for _, l := range m.links[slot.Key] {
		way := Shown
		if l.from.Method == http.MethodPost && Anonymous(l.from.Path) == slot.Collection {
			way = Created
		}
		var path []Step
		for _, token := range jsonpointer.Tokens(l.pointer) {
			path = append(path, Step{Name: token})
		}
		all = append(all, Producer{Operation: l.from, Way: way, Path: path, Reason: "the link " + l.name + " of " + l.from.ID + " leads there", stated: true})
	}
	return all
}

// successes returns the schemas of the JSON bodies of an operation's successes; those of the default if no other
// is documented.
func successes(op *spec.Operation) []*spec.Schema {
	var all []*spec.Schema
	for _, class := range []int{2, 0} {
		for i := range op.Responses {
			if a := &op.Responses[i]; a.Class() == class {
				if s := a.Schema(); s != nil {
					all = append(all, s)
				}
			}
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// creationAnswer returns the response with which an operation says where the created resource is: the one documented for
// 201 or, for a POST that documents no other success, a redirect; or nil.
func creationAnswer(op *spec.Operation) *spec.DocumentedResponse {
	for i := range op.Responses {
		if op.Responses[i].Status == http.StatusCreated {
			return &op.Responses[i]
		}
	}
	if op.Method == http.MethodPost && op.OnlyRedirects() {
		for i := range op.Responses {
			if a := &op.Responses[i]; a.Class() == 3 && a.Status != http.StatusNotModified {
				return a
			}
		}
	}
	return nil
}
