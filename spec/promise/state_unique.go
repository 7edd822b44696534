package promise

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/sentence"
)

// Unique is the promise that no two resources have the same value, as a sentence of the document says.
const Unique Kind = "created.unique"

// Steps about values that no two resources have.
const (
	SendsSame sentence.Sentence = "another one is sent with the same {name}"
	IsNoTwin  string            = "no two have it"
)

// mostUnique bounds how many members of an operation are tried.
const mostUnique = 4

// uniquesOf returns the members of a creation's body of which a sentence says that no two resources have the same value: those that every
// creation sets, to a text or a number.
func uniquesOf(sayings *prose.Sayings, l life) []string {
	if l.Creator.Way != resource.Created || l.creates.Body == nil || l.creates.Body.JSON() == nil || l.Reader == nil || !Refuses(l.creates) {
		return nil
	}
	settable := l.Settable(l.creates)
	if slices.ContainsFunc(settable, func(p spec.Property) bool {
		return p.Schema != nil && (p.Schema.Format == "date" || p.Schema.Format == "date-time")
	}) {
		return nil // it may be taken at that time only
	}
	var all []string
	for _, claim := range sayings.Unique(l.creates, settable) {
		if name, ok := claimedUnique(claim, l); ok && !slices.Contains(all, name) && len(all) < mostUnique {
			all = append(all, name)
		}
	}
	return all
}

// claimedUnique returns the member of a creation's body that a sentence means.
func claimedUnique(claim prose.Claim, l life) (string, bool) {
	if noun := claim.Noun; noun != "" && !slices.Contains([]string{"resource", "object", "entity", "item", "entry", "record", "one"}, noun) && !resource.Means(l.Slot, noun) {
		return "", false
	}
	for _, p := range l.Settable(l.creates) {
		named := resource.SameName(p.Name, claim.Value) || resource.SameName(p.Name, strings.TrimSuffix(claim.Value, "s"))
		if named && resource.Required(l.creates, p.Name) && single(p.Schema) {
			return p.Name, true
		}
	}
	return "", false
}

// Uniques returns the members that an operation sets of which the document says that no two resources have the same.
func (p *Promises) Uniques(op *spec.Operation) []string {
	l, ok := firstLife(p.options.lives().ofOperation(op), func(l life) bool { return l.creates.ID == op.ID })
	if !ok {
		return nil
	}
	return uniquesOf(p.options.sayings, l)
}

// single reports whether values of a schema are texts or numbers of which there are many.
func single(s *spec.Schema) bool {
	return (s.Type == "string" || s.Type == "integer") && len(s.Enum) == 0 && s.Const == ""
}

// describeUnique adds that no two resources have the same value.
func describeUnique(d *describer, infer func(l life, k Kind, says, meaning string)) {
	if l, ok := firstLife(d.lives, func(l life) bool { return l.creates.ID == d.op.ID }); ok {
		if all := uniquesOf(d.sayings, l); len(all) > 0 {
			infer(l, Unique, d.op.ID+" creates no second resource with the same "+text.Enumerate(all, "or"), "a sentence says so")
		}
	}
}

// deriveUnique adds the scenarios that send a value that a created resource has.
func deriveUnique(d *deriver, l life) {
	var cases []Case
	for _, name := range uniquesOf(d.options.sayings, l) {
		cases = append(cases, Case{
			Kind: Unique, Aspect: Lives, Title: "another one has the same " + name, Given: PlainRequest.Write(d.op.ID) + Succeeded,
			When: []string{Creates, SendsSame.Write(name)}, Then: []string{IsNoTwin}, Writes: true, Contract: []string{l.creates.Pointer, l.Reader.Pointer}, Asks: 2, Makes: 2,
		})
	}
	d.group(cases...)
}
