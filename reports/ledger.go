package reports

import "time"

// Fate says what became of a request to create an animal.
type Fate string

// The fates. Of an unknown one no answer came, or the run was killed while it was under way.
const (
	Created Fate = "created"
	Refused Fate = "refused"
	Unknown Fate = "unknown"
)

// Animal is one that a run created, or may have. The interface deletes nothing: whoever keeps the service clean needs to
// know them.
type Animal struct {
	// N numbers the requests that may create, from 1.
	N int `json:"n"`
	// ID is the service's own, as decimal text; empty when no answer told it.
	ID string `json:"id,omitempty"`
	// Name is what was sent; empty also when the body held no name that is a text.
	Name string `json:"name"`
	// Scenario is the id of the scenario that asked for it.
	Scenario string `json:"scenario"`
	// Asked is when the request was sent.
	Asked time.Time `json:"asked"`
	Fate  Fate      `json:"fate"`
}

// ledger collects the animals of a run.
type ledger struct {
	last    int
	animals map[int]Animal // by number; those that were refused are gone
}

func (l *ledger) note(a Animal) {
	if l.animals == nil {
		l.animals = map[int]Animal{}
	}
	l.last = max(l.last, a.N)
	if a.Fate == Refused {
		delete(l.animals, a.N)
		return
	}
	l.animals[a.N] = a
}

// list gives them in the order in which they were asked for.
func (l *ledger) list() []Animal {
	var all []Animal
	for n := 1; n <= l.last; n++ {
		if a, there := l.animals[n]; there {
			all = append(all, a)
		}
	}
	return all
}
