package lifecycle

import (
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// A history records what several clients did to one resource concurrently, with times. A resource is modelled as a
// register that holds the values of some of its members: changes set them, reads show them. A history is explained
// if its events can be ordered so that each read shows what the change before it set, and no event precedes one
// that had ended before it began.

// event is one request of a history. Times are measured from the beginning of the history; ended is when the whole
// response had arrived.
type event struct {
	client int
	// set reports whether it is an acknowledged change; otherwise it is a read.
	set bool
	// values holds the values of the tracked members, in order. They are empty where a read shows nothing conclusive.
	values       []string
	begun, ended time.Duration
	// late reports whether the read began after all changes had been answered and had had time to show.
	late   bool
	answer *scenario.Answer
}

// history holds the events of one resource.
type history []event

// registerModel returns the model of a register with an initial value.
func registerModel(begin string) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return begin },
		Step: func(state, input, _ any) (bool, any) {
			e, ok := input.(step)
			switch {
			case !ok:
				return false, state
			case e.set:
				return true, e.value
			}
			return state == e.value, state
		},
	}
}

// step is an event as seen by the model.
type step struct {
	set   bool
	value string
}

// explained reports whether some order of the events explains the reads of a register with the given initial
// value. What cannot be decided in time counts as explained.
func explained(begin string, all []porcupine.Operation) bool {
	const patience = time.Second
	return porcupine.CheckOperationsTimeout(registerModel(begin), all, patience) != porcupine.Illegal
}

// operation returns an event as an operation of the model. A concurrent read may show the state of a moment before
// it: nothing promises that a change is visible at once.
func (e event) operation(value string, stale time.Duration) porcupine.Operation {
	begun := e.begun
	if !e.set && !e.late {
		begun -= stale
	}
	return porcupine.Operation{ClientId: e.client, Input: step{e.set, value}, Call: int64(begun), Return: int64(e.ended)}
}

// unexplained returns the reads that no order of the changes explains: one that shows a value that was never set
// or had been overwritten, or late ones that together show a state that no change left. It returns nil if there
// are none. begin holds the values of the members before the first change; stale is how long a read may show an
// earlier state.
func (h history) unexplained(begin []string, stale time.Duration) history {
	sets := slices.DeleteFunc(slices.Clone(h), func(e event) bool { return !e.set })
	reads := slices.DeleteFunc(slices.Clone(h), func(e event) bool { return e.set })
	for m := range begin {
		for _, r := range reads {
			if r.values[m] == "" {
				continue
			}
			all := []porcupine.Operation{r.operation(r.values[m], stale)}
			for _, e := range sets {
				all = append(all, e.operation(e.values[m], stale))
			}
			if !explained(begin[m], all) {
				return history{r}
			}
		}
	}
	late := slices.DeleteFunc(reads, func(e event) bool { return !e.late || slices.Contains(e.values, "") })
	for n := 1; n <= min(2, len(late)); n++ { // one alone, or two that differ
		for _, r := range late[n-1:] {
			part := append(slices.Clone(late[:n-1]), r)
			var all []porcupine.Operation
			for _, e := range append(slices.Clone(sets), part...) {
				all = append(all, e.operation(strings.Join(e.values, "\x00"), stale))
			}
			if !explained(strings.Join(begin, "\x00"), all) {
				return part
			}
		}
	}
	return nil
}
