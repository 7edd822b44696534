package promise

import (
	"encoding/json"

	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Words about identifiers, which the steps read.
const (
	ReadsNear      sentence.Sentence = "{name} is asked for identifiers near its own"
	NoneIsAnother  string            = "each is answered with itself or not at all"
	CreatesByItsID string            = "another one is created with its identifier"
	HasItsOwnID    string            = "that one has an identifier of its own"
)

// asksNear is how many requests a scenario about near identifiers makes.
const asksNear = 8

// deriveNear adds scenarios about identifiers that belong to nothing, or to something else.
func deriveNear(d *deriver, lives []*life) {
	op := d.op
	if l, ok := firstLife(lives, func(l life) bool { return l.Reader.ID == op.ID }); ok && numbered(l) {
		d.group(Case{
			Kind: Itself, Aspect: Lives, Title: "identifiers near its own are not its own", Given: PlainRequest.Write(l.creates.ID) + Succeeded,
			When: []string{Creates, Reads.Write(op.ID), ReadsNear.Write(op.ID)}, Then: []string{NoneIsAnother}, Writes: true, Asks: asksNear,
			Contract: []string{l.creates.Pointer, l.Reader.Pointer}, Phase: spareOnly(l.creates),
		})
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID }); ok && givesIdentifiers(d, l) {
		d.group(Case{
			Kind: Distinct, Aspect: Lives, Title: "another one is asked for with its identifier", Given: PlainRequest.Write(op.ID) + Succeeded,
			When: []string{Creates, Reads.Write(l.Reader.ID), CreatesByItsID, ReadsAgain.Write(l.Reader.ID)}, Then: []string{HasItsOwnID}, Phase: lastPhase,
			Writes: true, Makes: 1, Asks: 3,
			Contract: []string{l.creates.Pointer},
		})
	}
}

// numbered reports whether paths name a resource by any integer.
func numbered(l life) bool {
	s := l.Slot.Parameter.Schema
	return s != nil && s.Type == "integer" && len(s.Enum) == 0 && s.Const == "" && s.Default == ""
}

// givesIdentifiers reports whether the service gives what an operation creates its identifier: the member that shows it is none that clients
// may send, and yet one that the schema of the body does not forbid.
func givesIdentifiers(d *deriver, l life) bool {
	name, one := l.Identifying()
	if !one || l.Creator.Way != resource.Created || d.op.Body == nil || d.op.Body.JSON() == nil || len(l.Settable(d.op)) == 0 {
		return false
	}
	s := d.op.Body.JSON().Schema
	if p := property(s, name, 0); p != nil && (p.Schema == nil || !p.Schema.ReadOnly) {
		return false
	}
	base := d.generate.Base(instance.Subject{Name: "the body", Edge: d.op.Body.JSON().Edge, Examples: d.op.Body.JSON().Examples})
	var id any = "hallmark"
	if m := l.Member(name); m != nil && m.Type == "integer" {
		id = json.Number("1")
	}
	with, ok := replaced(base, jsonpointer.Join("", name), id)
	return ok && d.options.Valid(s, with)
}
