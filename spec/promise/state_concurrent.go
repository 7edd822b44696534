package promise

import (
	"strconv"

	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Kinds about concurrent requests.
const (
	// Concurrent: resources created concurrently have different identifiers, and each is read as it was sent.
	Concurrent Kind = "created.concurrent"
	// Crossing: some order of concurrent changes explains later reads.
	Crossing Kind = "updated.concurrent"
	// GoneWhileRead: a resource deleted while it is read is gone, and stays so.
	GoneWhileRead Kind = "deleted.concurrent"
)

// concurrentKinds returns the kinds of promises about concurrent requests.
func concurrentKinds() []Kind { return []Kind{Concurrent, Crossing, GoneWhileRead} }

// How many resources are created, and how many changes and reads are made, concurrently.
const (
	CreatedAtOnce = 6
	ChangedAtOnce = 4
	ReadAtOnce    = 3
)

// Steps about concurrent requests.
const (
	CreatesAtOnce sentence.Sentence = "{number} are created at the same time"
	ReadsEach     sentence.Sentence = "{name} reads each of them"
	EachItsOwn                      = "each is told apart, and is what was sent"
	ChangesText   sentence.Sentence = "{name} gives it a new text"
	ChangesAtOnce sentence.Sentence = "{name} gives it other texts at the same time, while {name} reads it"
	DeletesAtOnce sentence.Sentence = "{name} deletes it, while {name} reads it"
	Explained                       = "one order of the changes explains what is read"
	GoneForGood                     = "it is gone, and stays so"
)

// describeConcurrent adds the inferred rules about concurrent requests to an operation.
func describeConcurrent(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := firstLife(d.lives, func(l life) bool { return l.creates.ID == op.ID && l.Creator.Way == resource.Created }); ok {
		infer(l, Concurrent, "Resources that "+op.ID+" creates concurrently have different identifiers, and "+l.Reader.ID+" returns each as it was sent",
			"each 201 means that a new resource was created (RFC 9110, section 15.3.2)")
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.changes(op) }); ok && len(l.Texts(op)) > 0 {
		infer(l, Crossing, "After concurrent requests to "+op.ID+", "+l.Reader.ID+" returns what one of them sent",
			"a success means that the change was applied (RFC 9110, section 15.3)")
	}
	if l, ok := firstLife(d.lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		infer(l, GoneWhileRead, "A resource that "+op.ID+" deletes while "+l.Reader.ID+" reads it is gone afterwards", "RFC 9110, section 9.3.5")
	}
}

// deriveConcurrent adds scenarios about concurrent requests to an operation.
func deriveConcurrent(d *deriver, lives []*life) {
	op := d.op
	add := func(l life, c Case) {
		begins := op.ID
		if c.When[0] == Creates {
			begins = l.creates.ID
		}
		c.Aspect, c.Given, c.Writes, c.Contract = Lives, PlainRequest.Write(begins)+Succeeded, true, []string{op.Pointer, l.Reader.Pointer}
		d.group(c)
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID && l.Creator.Way == resource.Created }); ok {
		add(l, Case{
			Kind: Concurrent, Title: "several are created at the same time",
			When: []string{CreatesAtOnce.Write(strconv.Itoa(CreatedAtOnce)), ReadsEach.Write(l.Reader.ID)}, Then: []string{EachItsOwn},
			Asks: 2 * CreatedAtOnce, Makes: CreatedAtOnce - 1,
		})
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.changes(op) }); ok && len(l.Texts(op)) > 0 {
		reader, name := l.Reader.ID, op.ID
		add(l, Case{
			Kind: Crossing, Title: "several change it at the same time",
			When: []string{ToBeChanged, ChangesText.Write(name), Reads.Write(reader), ChangesAtOnce.Write(name, reader)}, Then: []string{Explained},
			Asks: ChangedAtOnce + 3*ReadAtOnce,
		})
	}
	if l, ok := firstLife(lives, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		reader := l.Reader.ID
		add(l, Case{
			Kind: GoneWhileRead, Title: "it is deleted while it is read",
			When: []string{Creates, Reads.Write(reader), DeletesAtOnce.Write(op.ID, reader)}, Then: []string{GoneForGood},
			Asks: 3 * ReadAtOnce,
		})
	}
}
