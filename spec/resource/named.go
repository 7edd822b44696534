package resource

import (
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
)

// Named returns the operations that create what a word names, in the singular or the plural: POST /tickets for
// "ticket".
func Named(m *Map, word string) []*spec.Operation {
	var all []*spec.Operation
	for i := range m.operations {
		op := &m.operations[i]
		if slot, _, ok := m.Creates(op); ok && Noun(*slot) != "" && (Noun(*slot) == noun(word) || Noun(*slot) == plain(word)) {
			all = append(all, op)
		}
	}
	return all
}

// Noun returns the singular noun for what a slot names: "ticket" for /tickets/{}; "" if its path has none.
func Noun(slot Slot) string { return noun(segment(slot.Collection)) }

// Means reports whether a noun, or several of them, are what a slot names: "tickets" for /tickets/{}.
func Means(slot Slot, nouns string) bool {
	one := Noun(slot)
	return one != "" && plain(singular(strings.ReplaceAll(nouns, " ", "-"))) == one
}

// Nouns returns the nouns for what the operations of a contract create.
func Nouns(m *Map) []string {
	var all []string
	for i := range m.operations {
		if slot, _, ok := m.Creates(&m.operations[i]); ok {
			all = append(all, Noun(*slot))
		}
	}
	return unique(all)
}

// weak are words that name identifiers, and many other things.
var weak = []string{"name", "code", "number", "no", "num", "version", "tag", "token", "hash", "ref", "handle"}

// Names reports whether a path parameter names something that may not exist, rather than an input of a
// computation: something creates, lists or shows what it names, or a request changes it; it is named like an
// identifier, or after the preceding segment; or the description of the 404 mentions it. Many documents list a 404
// for each operation.
func Names(m *Map, op *spec.Operation, p spec.Parameter) bool {
	slots := SlotsOf(op)
	for i, slot := range slots {
		if slot.Parameter.Name != p.Name {
			continue
		}
		all := words(p.Name)
		if len(m.Producers(slot)) > 0 || m.Remover(slot) != nil || m.on(slot, http.MethodPut) != nil || m.on(slot, http.MethodPatch) != nil || len(all) == 0 {
			return true
		}
		last := all[len(all)-1]
		if related(plain(p.Name), Noun(slot)) || isIdentifying(last) && !slices.Contains(weak, last) {
			return true
		}
		alone := i+1 == len(slots) || slots[i+1].Collection != slot.Key
		return isIdentifying(last) && alone && Noun(slot) != "" || saysMissing(op, all)
	}
	return true
}

// saysMissing reports whether the description of a documented 404 has one of some words.
func saysMissing(op *spec.Operation, some []string) bool {
	for i := range op.Responses {
		if a := &op.Responses[i]; a.Status == http.StatusNotFound {
			for _, w := range words(a.Description) {
				if len(w) > 2 && slices.Contains(some, w) {
					return true
				}
			}
		}
	}
	return false
}
