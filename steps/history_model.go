package steps

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

// deed is what an operation did to, or showed of, one id.
type deed int

const (
	deedCreated   deed = iota // a creation was answered with the id
	deedRead                  // the animal was read
	deedListed                // the animal stood in a list
	deedNotRead               // it was asked for, and the response was 404
	deedNotListed             // a list of the whole store did not hold it
)

// event is one deed of one client. The times are those of the request and of its whole response, since the beginning.
type event struct {
	client       int
	deed         deed
	id           string
	animal       animal
	begun, ended time.Duration
	ex           *spec.Exchange
	// whole reports whether the animal stood in a list of the whole store: it could have been missed there.
	whole bool
}

func (e event) absent() bool { return e.deed == deedNotRead || e.deed == deedNotListed }

// history is the events of one id, in the order in which they began.
type history []event

// petModel is the interface, seen from one id: there is nothing until it is created, once, and from then on always the
// same animal. The state is that animal, or nil.
func petModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return (*animal)(nil) },
		Step: func(state, input, _ any) (bool, any) {
			is, _ := state.(*animal)
			e, ok := input.(event)
			switch {
			case !ok:
				return false, is
			case e.deed == deedCreated:
				return is == nil, &e.animal
			case e.absent():
				return is == nil, is
			}
			return is != nil && is.name == e.animal.name && is.category == e.animal.category, is
		},
		Equal: func(a, b any) bool {
			x, _ := a.(*animal)
			y, _ := b.(*animal)
			return x == y || x != nil && y != nil && *x == *y
		},
	}
}

// judgeable leaves out what proves nothing: ids that no creation of the history gave, and absences that were asked for
// before the creation was answered. Until then the animal may be there for one reader and not yet for another.
func (h history) judgeable() history {
	var answered time.Duration = -1
	for _, e := range h {
		if e.deed == deedCreated && (answered < 0 || e.ended < answered) {
			answered = e.ended
		}
	}
	if answered < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h), func(e event) bool { return e.absent() && e.begun <= answered })
}

// legal reports whether the interface allows a history. One that cannot be decided in time is allowed.
func (h history) legal() bool { return h.verdict() != porcupine.Illegal }

// verdict says whether the interface allows a history, or that it cannot be decided in time.
func (h history) verdict() porcupine.CheckResult {
	const patience = time.Second
	var ops []porcupine.Operation
	for _, e := range h {
		ops = append(ops, porcupine.Operation{ClientId: e.client, Input: e, Call: int64(e.begun), Return: int64(e.ended)})
	}
	return porcupine.CheckOperationsTimeout(petModel(), ops, patience)
}

// smallest returns the smallest part of a history that is not allowed, nil when all is. Mostly that is a creation and one
// event that contradicts it, which is cheap to find; else events are taken out for as long as it stays forbidden. Creations
// stay while anything else does: without them everything would be forbidden.
func (h history) smallest() history {
	var creations, others history
	for _, e := range h {
		if e.deed == deedCreated {
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
		if fewer := slices.Delete(slices.Clone(h), i, i+1); v.deed != deedCreated && !fewer.legal() {
			h = fewer
		}
	}
	return h
}

func byBeginning(a, b event) int { return cmp.Compare(a.begun, b.begun) }
