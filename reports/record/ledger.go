package record

import (
	"slices"
	"time"
)

// Fate is the outcome of a request to create something.
type Fate string

// The fates. Unknown means that there was no response, or that the run was killed while the request was in flight.
const (
	Created Fate = "created"
	Refused Fate = "refused"
	Unknown Fate = "unknown"
	// Removed: the run deleted it again.
	Removed Fate = "removed"
)

// Creation is a resource that a run created, or may have created. Whoever cleans up the service needs those that the run did not delete.
type Creation struct {
	// N numbers the requests that may create, from 1.
	N int `json:"n"`
	// ID is the id that the service assigned, as decimal text, or empty if no response showed it.
	ID string `json:"id,omitempty"`
	// Name is the name that was sent. It is empty if the body had no name that is a string.
	Name string `json:"name"`
	// Scenario is the id of the scenario that requested it.
	Scenario string `json:"scenario"`
	// Asked is when the request was sent.
	Asked time.Time `json:"asked"`
	Fate  Fate      `json:"fate"`
}

// Left returns the creations that still exist, or may.
func Left(all []Creation) []Creation {
	return slices.DeleteFunc(slices.Clone(all), func(c Creation) bool { return c.Fate == Removed })
}

// ledger collects what a run created.
type ledger struct {
	last int
	all  map[int]Creation // by number, including rejected ones
	// byName holds the numbers of the requests that sent a name, ids the ids known to exist.
	byName map[string][]int
	ids    map[string]bool
}

// note records what is known about a request; alsoNames are other names that it sent.
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

// seen records a resource that a response showed, whose creation was rejected or never answered. It returns false if the resource was
// known, or if no remaining request may have created it. If a request already has a resource, another id under its name is a mistake of the
// service, and may belong to somebody else.
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

// list returns the resources that exist, may exist or existed, in request order.
func (l *ledger) list() []Creation {
	var all []Creation
	for n := 1; n <= l.last; n++ {
		if a, there := l.all[n]; there && a.Fate != Refused {
			all = append(all, a)
		}
	}
	return all
}
