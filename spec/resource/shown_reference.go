package resource

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// mostShownFor is how many places are considered for one reference.
const mostShownFor = 4

// ShownFor returns the reads whose responses show what a reference names, for one that no collection of the contract is known for: lists of
// things of that name, anywhere in a response, and members of the very name of the place. A read may need only identifiers that the path of
// the operation has, too. The operation itself does not count.
func (m *Map) ShownFor(op *spec.Operation, r Reference) []Producer {
	all := r.qualified()
	if len(all) < 2 {
		return nil
	}
	full, last, of := strings.Join(all, ""), all[len(all)-1], strings.Join(all[:len(all)-1], "")
	var found []Producer
	try := func(names []string, ok func(shownPlace) bool) {
		for _, name := range names {
			for _, s := range m.shownAs[name] {
				if len(found) < mostShownFor && s.op.ID != op.ID && ok(s) && (fits(s.schema, r.Schema) || r.Schema == nil) && pathWithin(s.op, op) {
					found = append(found, Producer{Operation: s.op, Way: Shown, Path: s.path, Reason: s.op.ID + " shows what " + r.Name() + " names", record: s.record})
				}
			}
		}
	}
	try(unique([]string{last, "id", "uuid", "code", "key", "slug", "name"}), func(s shownPlace) bool { return noun(s.collection) == of })
	try([]string{full}, func(shownPlace) bool { return true })
	return found
}

// qualified returns the words of the place, those of the member that holds it included if it is called by one word alone.
func (r Reference) qualified() []string {
	all := identifies(r.Name())
	if len(all) != 1 {
		return all
	}
	var names []string
	for _, step := range r.Path {
		if !step.Each {
			names = append(names, step.Name)
		}
	}
	if len(names) < 2 {
		return nil
	}
	return append(words(noun(names[len(names)-2])), all...)
}

// people are words for persons, beside those of which each one matters.
var people = []string{"customer", "person", "contact", "recipient", "employee", "patient", "client", "owner", "author", "assignee", "buyer", "seller", "guest", "student", "sender", "receiver", "payer", "payee", "beneficiary", "wallet", "balance"}

// IsOfOthers reports whether the place names persons, their means of access or their money, so that what exists may not be referred to.
func (r Reference) IsOfOthers() bool {
	return slices.ContainsFunc(append(r.qualified(), words(r.Name())...), func(word string) bool {
		one := singular(word)
		// The word for identifiers is one for keys, too.
		return slices.Contains(people, one) || sensitive[one] != "" && !slices.Contains(identifierWords, one)
	})
}

// pathWithin reports whether all identifiers in the path of one operation are in that of another one, too.
func pathWithin(op, other *spec.Operation) bool {
	known := SlotsOf(other)
	return !slices.ContainsFunc(SlotsOf(op), func(slot Slot) bool {
		return !slices.ContainsFunc(known, func(k Slot) bool { return k.Key == slot.Key })
	})
}
