package promise

import (
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Kinds about pages of lists.
const (
	// Listed: a created resource is listed.
	Listed Kind = "created.listed"
	// Disjoint: a page shows nothing of the page before it. Complete: the pages show everything that one big page
	// shows. Ends: the pages come to an end.
	Disjoint Kind = "list.pages-disjoint"
	Complete Kind = "list.pages-complete"
	Ends     Kind = "list.pages-end"
	// Totals: the total that a list shows does not depend on the page, and is no less than what the pages show.
	Totals Kind = "list.total"
)

// Steps about pages.
const (
	CreatesMore                   = "five more are created"
	ListsThem   sentence.Sentence = "{name} lists them"
	AllListed                     = "all of them are listed"
	Pages                         = "its pages are followed"
	NothingNext                   = "no page shows what the page before it shows"
	NothingLost                   = "they show all that one page shows"
	PagesEnd                      = "they come to an end"
	SameTotal                     = "each shows the same total, and no less than they show"
)

// The tags of phases in which nothing else is created: before the scenarios without a phase, and after them.
const (
	firstPhase = "@phase:first @at-once"
	quietPhase = "@phase:stocked"
)

// Requests of cases about pages and about listing, beyond one; and resources that the latter create, beyond one.
const (
	pagesTake   = 10
	listedTake  = 5
	listedMakes = 5
)

// pagesOf returns how the list of an operation is paged, if the contents of each page can be predicted: requests
// choose the page size, or the response says how to go on.
func pagesOf(d life) (resource.Paging, bool) {
	p, ok := resource.PagingOf(d.Lister.Operation)
	return p, ok && (p.Size != nil || p.Way != resource.ByNumber && p.Way != resource.ByOffset)
}

// lister returns the life whose list is an operation; false if there is none.
func lister(lives []*life, operation string) (life, bool) {
	return firstLife(lives, func(l life) bool { return l.Lister != nil && l.Lister.Operation.ID == operation })
}

// describePages adds the inferred rules about the pages of a list, and about the listing of created resources.
func describePages(d *describer, infer func(l life, k Kind, says, meaning string)) {
	op := d.op
	if l, ok := firstLife(d.lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil }); ok {
		infer(l, Listed, l.Lister.Operation.ID+" contains what "+op.ID+" creates, if it lists created resources at all", "the list is that of the collection")
	}
	l, ok := lister(d.listed, op.ID)
	if !ok {
		return
	}
	p, ok := pagesOf(l)
	if !ok {
		return
	}
	by := "pages are requested by " + string(p.Way)
	infer(l, Disjoint, "No page of "+op.ID+" repeats an item of the page before it", by)
	if p.Size != nil {
		infer(l, Complete, "The pages of "+op.ID+" together contain all items of one large page", by)
	}
	infer(l, Ends, "The pages of "+op.ID+" come to an end", by)
	if total, ok := resource.TotalOf(op); ok {
		infer(l, Totals, "The total in "+total.Name()+" of "+op.ID+" is the same on each page, and no less than the pages show", "it has the name of a total")
	}
}

// listedIn returns the phase in which a list is searched for created resources. One with pages that can be
// followed is read when it is long, since it then has more to omit. Any other list may be truncated by the
// service, so it is read while it is short.
func listedIn(lister *spec.Operation) string {
	if _, paged := resource.PagingOf(lister); paged {
		return quietPhase
	}
	return firstPhase
}

// derivePages adds scenarios about pages, and about what is listed.
func derivePages(d *deriver, lives []*life) {
	op := d.op
	if l, ok := firstLife(lives, func(l life) bool { return l.creates.ID == op.ID && l.Lister != nil && l.Reader != nil }); ok {
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
	if _, ok := resource.TotalOf(op); ok {
		paged(Totals, "all pages have one total", SameTotal)
	}
}
