package scenario

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"hallmark/reports/record"
	"hallmark/spec"
)

// unjudged counts the values of responses that could not be judged, by the place of the contract and the reason. It is shared by all
// scenarios.
type unjudged struct {
	mu sync.Mutex
	by map[place]*record.Unjudged
}

// place is a place of the contract, and why nothing is judged by it.
type place struct{ pointer, reason string }

// mostUnjudged is how many places are listed; what stands at others is counted as one of no place.
const mostUnjudged = 1_000

// note counts what one response of an operation could not be judged by.
func (u *unjudged) note(operation string, holes []spec.Unjudged) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, h := range holes {
		at := place{h.Pointer, h.Reason}
		if u.by[at] == nil && len(u.by) >= mostUnjudged {
			at, h.Hole = place{reason: "in other places"}, spec.Hole{Reason: "in other places"}
		}
		if u.by == nil {
			u.by = map[place]*record.Unjudged{}
		}
		if u.by[at] == nil {
			u.by[at] = &record.Unjudged{Remark: record.Remark{Pointer: h.Pointer, Line: h.Line, Text: h.Reason}}
		}
		one := u.by[at]
		if one.Values++; !slices.Contains(one.Operations, operation) {
			one.Operations = append(one.Operations, operation)
		}
		if !slices.Contains(one.Rules, h.Rule) {
			one.Rules = append(one.Rules, h.Rule)
		}
	}
}

// list returns what was counted, in the order of the document.
func (u *unjudged) list() []record.Unjudged {
	u.mu.Lock()
	defer u.mu.Unlock()
	var all []record.Unjudged
	for _, one := range slices.Collect(maps.Values(u.by)) {
		copied := *one
		copied.Operations, copied.Rules = slices.Sorted(slices.Values(one.Operations)), slices.Sorted(slices.Values(one.Rules))
		all = append(all, copied)
	}
	slices.SortFunc(all, func(a, b record.Unjudged) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Text, b.Text))
	})
	return all
}
