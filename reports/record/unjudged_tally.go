package record

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
)

// UnjudgedTally counts the values in responses that could not be judged, by contractPlace. It is safe for concurrent use.
type UnjudgedTally struct {
	mu      sync.Mutex
	byPlace map[contractPlace]*Unjudged
}

// contractPlace is a place in the contract, and why nothing is judged by it.
type contractPlace struct{ pointer, reason string }

// mostUnjudged is how many places are listed; the rest is counted under one entry.
const mostUnjudged = 1_000

// Add counts what could not be judged in one response of an operation.
func (u *UnjudgedTally) Add(operation string, holes []spec.Unjudged) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, h := range holes {
		at := contractPlace{h.Pointer, h.Reason}
		if u.byPlace[at] == nil && len(u.byPlace) >= mostUnjudged {
			at, h.Hole = contractPlace{reason: "in other places"}, spec.Hole{Reason: "in other places"}
		}
		if u.byPlace == nil {
			u.byPlace = map[contractPlace]*Unjudged{}
		}
		if u.byPlace[at] == nil {
			u.byPlace[at] = &Unjudged{Remark: Remark{Pointer: h.Pointer, Line: h.Line, Text: h.Reason}}
		}
		one := u.byPlace[at]
		if one.Values++; !slices.Contains(one.Operations, operation) {
			one.Operations = append(one.Operations, operation)
		}
		if !slices.Contains(one.Rules, h.Rule) {
			one.Rules = append(one.Rules, h.Rule)
		}
	}
}

// List returns the counts in the order of the document.
func (u *UnjudgedTally) List() []Unjudged {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []Unjudged
	for _, one := range slices.Collect(maps.Values(u.byPlace)) {
		copied := *one
		copied.Operations, copied.Rules = slices.Sorted(slices.Values(one.Operations)), slices.Sorted(slices.Values(one.Rules))
		all = append(all, copied)
	}
	slices.SortFunc(all, func(a, b Unjudged) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Text, b.Text))
	})
	return all
}
