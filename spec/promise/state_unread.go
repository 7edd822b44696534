package promise

import "github.com/hallmark-kit/hallmark/spec/sentence"

// Resources that no operation reads: the list of their collection shows them.

// Shows searches a list for a created resource.
const Shows sentence.Sentence = "{name} is looked through for it"

// describeUnread adds the inferred rules about resources that only lists show.
func describeUnread(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := firstLife(d.unread, func(l life) bool { return l.creates.ID == op.ID }); ok {
		list := l.Lister.Operation.ID
		infer(l, Readable, list+" contains what "+op.ID+" creates", "RFC 9110, section 9.3.3")
		if op.Body != nil && op.Body.JSON() != nil {
			infer(l, Kept, list+" returns what was sent to "+op.ID, "RFC 9110, section 9.3.3")
		}
		infer(l, Distinct, "Resources that "+op.ID+" creates have different identifiers", "a 201 means that a new resource was created (RFC 9110, section 15.3.2)")
	}
	if l, ok := firstLife(d.unread, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		infer(l, Again, "Deleting a resource with "+op.ID+" again succeeds, or is answered 404 or 410", "DELETE is idempotent (RFC 9110, section 9.2.2)")
	}
}

// deriveUnread adds scenarios about resources that only lists show.
func deriveUnread(d *deriver) {
	op, unread := d.op, d.options.unread().ofOperation(d.op)
	add := func(k Kind, l life, title string, when []string, then string) {
		d.group(Case{
			Kind: k, Aspect: Lives, Title: title, Given: PlainRequest.Write(l.creates.ID) + Succeeded, When: append([]string{Creates}, when...), Then: []string{then},
			Writes: true, Contract: []string{l.creates.Pointer, l.showingOperation().Pointer},
		})
	}
	if l, ok := firstLife(unread, func(l life) bool { return l.creates.ID == op.ID }); ok {
		shows := Shows.Write(l.Lister.Operation.ID)
		add(Readable, l, "what is created is listed", []string{shows}, IsFound)
		if op.Body != nil && op.Body.JSON() != nil {
			deriveKept(d, l, shows)
		}
		add(Distinct, l, "two that are created are told apart", []string{CreatesOther}, IdentifiersDiffer)
	}
	if l, ok := firstLife(unread, func(l life) bool { return l.Remover != nil && l.Remover.ID == op.ID }); ok {
		add(Again, l, "what is gone is deleted again", []string{Deletes.Write(op.ID), DeletesAgain.Write(op.ID)}, IsNoError)
	}
}
