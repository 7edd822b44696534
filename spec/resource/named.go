package resource

import (
	"hallmark/spec"
)

// Named returns the operations that create what a word names, in the singular or the plural: "ticket" for POST /tickets.
func Named(m *Map, word string) []*spec.Operation {
	var all []*spec.Operation
	for i := range m.operations {
		op := &m.operations[i]
		if slot, _, ok := m.Creates(op); ok && Noun(slot) != "" && (Noun(slot) == noun(word) || Noun(slot) == plain(word)) {
			all = append(all, op)
		}
	}
	return all
}

// Noun returns the word for one of what a slot names: "ticket" for /tickets/{}; empty where its path has none.
func Noun(slot Slot) string { return noun(segment(slot.Collection)) }

// Nouns returns the words for what the operations of a contract create.
func Nouns(m *Map) []string {
	var all []string
	for i := range m.operations {
		if slot, _, ok := m.Creates(&m.operations[i]); ok {
			all = append(all, Noun(slot))
		}
	}
	return unique(all)
}
