package lifecycle

import (
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"hallmark/steps/scenario"
)

// A history is what several clients did to one resource at the same time, with times. The model of a resource is a register that
// holds the values of some of its members: a change sets them, a read shows them. A history is explained where its changes and reads
// can be put in an order in which each read shows what the change before it set, and in which nothing lies before what had ended
// when it began.

// event is one request of a history. The times are those of the request and of its whole response, since the beginning.
type event struct {
	client int
	// set reports whether it is a change that was acknowledged; else it is a read.
	set bool
	// values are those of the members that are followed, in their order. They are empty where the read shows nothing of a member
	// from which anything follows.
	values       []string
	begun, ended time.Duration
	// late reports whether the read was made after all changes had been answered, and had the time to show.
	late   bool
	answer *scenario.Answer
}

// history is the events of one resource.
type history []event

// registerModel returns the model of a register that begins with a value.
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

// step is an event as the model sees it.
type step struct {
	set   bool
	value string
}

// explained reports whether there is an order of the events by which a register holds what the reads show, if it begins with a value.
// What cannot be decided in time is explained.
func explained(begin string, all []porcupine.Operation) bool {
	const patience = time.Second
	return porcupine.CheckOperationsTimeout(registerModel(begin), all, patience) != porcupine.Illegal
}

// operation returns an event as an operation of the model. A read made while something changes may show what was so for some time
// before it: nothing promises that a change shows at once.
func (e event) operation(value string, stale time.Duration) porcupine.Operation {
	begun := e.begun
	if !e.set && !e.late {
		begun -= stale
	}
	return porcupine.Operation{ClientId: e.client, Input: step{e.set, value}, Call: int64(begun), Return: int64(e.ended)}
}

// unexplained returns the reads that no order of the changes explains: one that shows a value of a member that nobody set or that
// was overwritten before, or the late ones that together show another state than any change left behind. It is nil where there are
// none. begin are the values of the members before the first change; stale is for how long a read may show what was so before.
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
	for n := 1; n <= min(2, len(late)); n++ { // one of them alone, or two that differ
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
