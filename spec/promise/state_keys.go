package promise

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// Kinds about idempotency keys.
const (
	// SameKey: the same request with the same key creates nothing new. OtherKey: with another key it creates another
	// resource.
	SameKey  Kind = "created.same-key"
	OtherKey Kind = "created.other-key"
)

// Steps about idempotency keys.
const (
	CreatesByKey = "it creates a resource by a new idempotency key"
	ByThatKey    = "the same is sent by that key"
	ByAnotherKey = "the same is sent by another key"
	SameOne      = "it is the same resource"
	AnotherOne   = "it is another resource"
)

// describeKeys adds the inferred rules about the idempotency key of a creating operation.
func describeKeys(d *describer, infer func(l life, k Kind, says, meaning string)) {
	l, ok := keyed(slices.Concat(d.lives, d.unread), d.op)
	if p := resource.IdempotencyKey(d.op); ok && p != nil {
		infer(l, SameKey, "Repeating a request to "+d.op.ID+" with the same "+p.Name+" creates nothing new", "the parameter has the name of an idempotency key")
		infer(l, OtherKey, "Repeating a request to "+d.op.ID+" with another "+p.Name+" creates another resource", "a 201 means that a new resource was created (RFC 9110, section 15.3.2)")
	}
}

// keyed returns the life of what an operation creates, be it read or only listed.
func keyed(lives []*life, op *spec.Operation) (life, bool) {
	return firstLife(lives, func(l life) bool { return l.creates.ID == op.ID && l.Creator.Way == resource.Created })
}

// deriveKeys adds scenarios about the idempotency key of a creating operation.
func deriveKeys(d *deriver, lives []*life) {
	l, ok := keyed(slices.Concat(lives, d.options.unread().ofOperation(d.op)), d.op)
	p := resource.IdempotencyKey(d.op)
	if !ok || p == nil {
		return
	}
	add := func(k Kind, title, when, then string) {
		d.group(Case{
			Kind: k, Aspect: Lives, Title: title, Given: PlainRequest.Write(d.op.ID) + Succeeded, When: []string{CreatesByKey, when}, Then: []string{then}, Writes: true,
			Contract: []string{l.creates.Pointer, p.Pointer}, Asks: 1, Makes: 1,
		})
	}
	add(SameKey, "the same key repeats what was created", ByThatKey, SameOne)
	add(OtherKey, "another key creates another one", ByAnotherKey, AnotherOne)
}
