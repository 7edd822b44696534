package record

import (
	"slices"
	"time"
)

// Fate says what became of a request to create something.
type Fate string

// The fates. Of an unknown one no response came, or the run was killed while it was under way.
const (
	Created Fate = "created"
	Refused Fate = "refused"
	Unknown Fate = "unknown"
	// Removed is one that the run deleted again.
	Removed Fate = "removed"
)

// Creation is a resource that a run created, or may have: whoever keeps the service clean needs to know those that it did not delete
// again.
type Creation struct {
	// N numbers the requests that may create, from 1.
	N int `json:"n"`
	// ID is the service's own, as decimal text; empty when no response told it.
	ID string `json:"id,omitempty"`
	// Name is what was sent; empty also when the body held no name that is a text.
	Name string `json:"name"`
	// Scenario is the id of the scenario that asked for it.
	Scenario string `json:"scenario"`
	// Asked is when the request was sent.
	Asked time.Time `json:"asked"`
	Fate  Fate      `json:"fate"`
}

// Left returns what of a list is there still, or may be.
func Left(all []Creation) []Creation {
	return slices.DeleteFunc(slices.Clone(all), func(c Creation) bool { return c.Fate == Removed })
}

// ledger collects what a run created.
type ledger struct {
	last int
	all  map[int]Creation // by number, also those that were refused
	// byName holds the numbers of the requests that carried a name, ids what is known to be there.
	byName map[string][]int
	ids    map[string]bool
}

// note keeps what is known of a request; alsoNames are other names that it carried.
func (l *ledger) note(a Creation, alsoNames ...string) {
	if l.all == nil {
		l.all, l.byName, l.ids = map[int]Creation{}, map[string][]int{}, map[string]bool{}
	}
	l.last = max(l.last, a.N)
	if _, known := l.all[a.N]; !known {
		for _, name := range append(alsoNames, a.Name) {
			if name != "" && !slices.Contains(l.byName[name], a.N) {
				l.byName[name] = append(l.byName[name], a.N)
			}
		}
	}
	l.all[a.N] = a
	if a.ID != "" {
		l.ids[a.ID] = true
	}
}

// seen notes a resource that a response showed: one that was refused and is there all the same, or whose response never came.
// False when it was known, or when no request is left that may have made it. Where a request has a resource already, another
// id under its name is a service's mistake, and may be the id of somebody else's.
func (l *ledger) seen(name, id string) (Creation, bool) {
	if id == "" || l.ids[id] {
		return Creation{}, false
	}
	for _, n := range l.byName[name] {
		if a := l.all[n]; a.ID == "" {
			a.Name, a.ID, a.Fate = name, id, Created
			l.note(a)
			return a, true
		}
	}
	return Creation{}, false
}

// list returns those that are there, may be, or were, in the order in which they were asked for.
func (l *ledger) list() []Creation {
	var all []Creation
	for n := 1; n <= l.last; n++ {
		if a, there := l.all[n]; there && a.Fate != Refused {
			all = append(all, a)
		}
	}
	return all
}
