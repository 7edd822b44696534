package petstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"hallmark/spec"
)

// A history is what several clients did at once, with times. The model says which histories the interface allows: those
// whose responses agree with the operations done one after the other, each somewhere between its request and its response.
// Each id is a history of its own, since no operation touches two animals.

// EventKind is what an operation did to, or showed of, one id.
type EventKind int

// The kinds of events.
const (
	Created   EventKind = iota // a creation was answered with the id
	Read                       // the animal was read
	Listed                     // the animal stood in a list
	NotRead                    // it was asked for, and the response was 404
	NotListed                  // a list of the whole store did not hold it
)

// Event is one operation of one client. The times are those of the request and of its whole response, since the beginning.
type Event struct {
	Client       int
	Kind         EventKind
	ID           string
	Animal       Animal
	Begun, Ended time.Duration
	Exchange     *spec.Exchange
	// Whole reports whether the animal stood in a list of the whole store: it could have been missed there.
	Whole bool
}

func (e Event) absent() bool { return e.Kind == NotRead || e.Kind == NotListed }

// history is the events of one id, in the order in which they began.
type history []Event

// petModel is the interface, seen from one id: there is nothing until it is created, once, and from then on always the
// same animal. The state is that animal, or nil.
func petModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return (*Animal)(nil) },
		Step: func(state, input, _ any) (bool, any) {
			is, _ := state.(*Animal)
			e, ok := input.(Event)
			switch {
			case !ok:
				return false, is
			case e.Kind == Created:
				return is == nil, &e.Animal
			case e.absent():
				return is == nil, is
			}
			return is != nil && is.Name == e.Animal.Name && is.Category == e.Animal.Category, is
		},
		Equal: func(a, b any) bool {
			x, _ := a.(*Animal)
			y, _ := b.(*Animal)
			return x == y || x != nil && y != nil && *x == *y
		},
	}
}

// judgeable leaves out what proves nothing: ids that no creation of the history gave, and absences that were asked for
// before the creation was answered. Until then the animal may be there for one reader and not yet for another.
func (h history) judgeable() history {
	var answered time.Duration = -1
	for _, e := range h {
		if e.Kind == Created && (answered < 0 || e.Ended < answered) {
			answered = e.Ended
		}
	}
	if answered < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h), func(e Event) bool { return e.absent() && e.Begun <= answered })
}

// legal reports whether the interface allows a history. One that cannot be decided in time is allowed.
func (h history) legal() bool { return h.verdict() != porcupine.Illegal }

// verdict returns whether the interface allows a history, or that this cannot be decided in time.
func (h history) verdict() porcupine.CheckResult {
	const patience = time.Second
	var ops []porcupine.Operation
	for _, e := range h {
		ops = append(ops, porcupine.Operation{ClientId: e.Client, Input: e, Call: int64(e.Begun), Return: int64(e.Ended)})
	}
	return porcupine.CheckOperationsTimeout(petModel(), ops, patience)
}

// smallest returns the smallest part of a history that is not allowed, nil when all is. Mostly that is a creation and one
// event that contradicts it, which is cheap to find; else events are taken out for as long as it stays forbidden. Creations
// stay while anything else does: without them everything would be forbidden.
func (h history) smallest() history {
	var creations, others history
	for _, e := range h {
		if e.Kind == Created {
			creations = append(creations, e)
		} else {
			others = append(others, e)
		}
	}
	for i := 1; i < len(creations); i++ {
		if pair := (history{creations[0], creations[i]}); !pair.legal() {
			return pair
		}
	}
	for _, e := range others {
		pair := append(slices.Clone(creations), e)
		if slices.SortStableFunc(pair, byBeginning); !pair.legal() {
			return pair
		}
	}
	if h.legal() {
		return nil
	}
	for i, v := range slices.Backward(h) {
		if fewer := slices.Delete(slices.Clone(h), i, i+1); v.Kind != Created && !fewer.legal() {
			h = fewer
		}
	}
	return h
}

func byBeginning(a, b Event) int { return cmp.Compare(a.Begun, b.Begun) }
