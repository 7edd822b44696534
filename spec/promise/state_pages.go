package promise

import (
	"hallmark/spec"
	"hallmark/spec/resource"
	"hallmark/spec/sentence"
)

// What lists show over several pages.
const (
	// Listed: what was created is listed.
	Listed Kind = "created.listed"
	// Disjoint: a page shows nothing that the page before it shows. Complete: the pages show all that one big page shows. Ends: the
	// pages come to an end.
	Disjoint Kind = "list.pages-disjoint"
	Complete Kind = "list.pages-complete"
	Ends     Kind = "list.pages-end"
)

// Words for pages, which the steps read.
const (
	CreatesMore                   = "five more are created"
	ListsThem   sentence.Sentence = "{name} lists them"
	AllListed                     = "all of them are listed"
	Pages                         = "its pages are followed"
	NothingNext                   = "no page shows what the page before it shows"
	NothingLost                   = "they show all that one page shows"
	PagesEnd                      = "they come to an end"
)

// The tags of phases in which nothing else is created: before all that has no phase, and after it.
const (
	firstPhase = "@phase:first @at-once"
	quietPhase = "@phase:stocked"
)

// Requests that cases about pages take, and those about what is listed, beyond one; and what the latter create beyond one.
const (
	pagesTake   = 10
	listedTake  = 5
	listedMakes = 5
)

// pagesOf returns how the list of an operation is paged, where it can be said which page has to show what: its pages have a size that
// requests choose, or the response says how to go on.
func pagesOf(d life) (resource.Paging, bool) {
	p, ok := resource.PagingOf(d.Lister.Operation)
	return p, ok && (p.Size != nil || p.Way != resource.ByNumber && p.Way != resource.ByOffset)
}

// lister returns the life whose list is an operation; false for none.
func lister(lives []*life, operation string) (life, bool) {
	return first(lives, func(l life) bool { return l.Lister != nil && l.Lister.Operation.ID == operation })
}

// describePages adds what is inferred of the pages of a list, and of what was created and is listed.
func describePages(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := first(d.lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok {
		infer(l, Listed, "What "+op.ID+" creates is in "+l.Lister.Operation.ID+", where that lists what is created", "the list is that of the collection")
	}
	l, ok := lister(d.listed, op.ID)
	if !ok {
		return
	}
	p, ok := pagesOf(l)
	if !ok {
		return
	}
	by := "pages are asked for by " + string(p.Way)
	infer(l, Disjoint, "A page of "+op.ID+" shows nothing that the page before it shows", by)
	if p.Size != nil {
		infer(l, Complete, "The pages of "+op.ID+" together show all that one big page shows", by)
	}
	infer(l, Ends, "The pages of "+op.ID+" come to an end", by)
}

// listedIn returns the phase in which a list is looked at for what was created. One whose pages can be followed is read when it is long, and
// has more to leave out. Any other shows as much as the service likes to show, and so is looked at while that may be all that there is.
func listedIn(lister *spec.Operation) string {
	if _, paged := resource.PagingOf(lister); paged {
		return quietPhase
	}
	return firstPhase
}

// derivePages adds scenarios about pages, and about what is listed.
func derivePages(d *deriver, lives []*life) {
	op := d.op
	if l, ok := first(lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil && l.Reader != nil }); ok {
		d.group(Case{
			Kind: Listed, Aspect: Lives, Title: "what is created is listed", Given: PlainRequest.Write(op.ID) + Succeeded,
			When: []string{Creates, CreatesMore, ListsThem.Write(l.Lister.Operation.ID)}, Then: []string{AllListed}, Writes: true, Phase: listedIn(l.Lister.Operation),
			Contract: []string{l.creates.Pointer, l.Lister.Operation.Pointer}, Asks: listedTake, Makes: listedMakes,
		})
	}
	l, ok := lister(lives, op.ID)
	if !ok {
		return
	}
	p, ok := pagesOf(l)
	if !ok {
		return
	}
	paged := func(k Kind, title, then string) {
		d.group(Case{
			Kind: k, Aspect: Lives, Title: title, Given: PlainRequest.Write(op.ID) + Succeeded, When: []string{Pages}, Then: []string{then}, Phase: lastPhase,
			Contract: []string{op.Pointer}, Asks: pagesTake,
		})
	}
	paged(Disjoint, "pages are disjoint", NothingNext)
	if p.Size != nil {
		paged(Complete, "pages are complete", NothingLost)
	}
	paged(Ends, "pages come to an end", PagesEnd)
}
