package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hallmark/internal/text"
)

// Patience is what a run was asked to wait for, and how long it really took.
type Patience struct {
	// Ready is there when the run waited for its target (--wait).
	Ready *Readiness `json:"ready,omitempty"`
	// Settled is there when stores may take a moment between write and read (--settle).
	Settled *Settling `json:"settled,omitempty"`
	// Interrupted is there when connections could not be made, or exchanges were lost (--patience).
	Interrupted *Interruptions `json:"interrupted,omitempty"`
}

// Readiness is how a target became ready to be asked.
type Readiness struct {
	Took  time.Duration `json:"took"`
	Tries int           `json:"tries"`
	// Last is why the last try but the good one came to nothing; empty when the first was good.
	Last string `json:"last,omitempty"`
}

// Interruptions are what went wrong on the way to the target and back.
type Interruptions struct {
	// Allowed is how long the target might stay away (--patience).
	Allowed time.Duration `json:"allowed"`
	// Refused counts the requests that found no connection at first and one later, Longest is the longest wait of those.
	Refused int           `json:"refused,omitempty"`
	Longest time.Duration `json:"longest,omitempty"`
	// Lost counts the exchanges without a whole response, Replayed how often a scenario, or a part of one, was played again
	// for that.
	Lost     int `json:"lost,omitempty"`
	Replayed int `json:"replayed,omitempty"`
	// Hanging are the operations that did not answer any more.
	Hanging []string `json:"hanging,omitempty"`
}

// Settling is how long what had been written took to be found.
type Settling struct {
	// Allowed is how long it might take.
	Allowed time.Duration `json:"allowed"`
	// Times counts what was not found at once but in time, Never what was not found in time. Most and Total are of the
	// first kind.
	Times int           `json:"times"`
	Never int           `json:"never,omitempty"`
	Most  time.Duration `json:"most"`
	Total time.Duration `json:"total"`
}

// Plus adds those of another part of the run; either may be nil.
func (i *Interruptions) Plus(more *Interruptions) *Interruptions {
	if i == nil || more == nil {
		return cmp.Or(i, more)
	}
	all := *i
	all.Refused += more.Refused
	all.Longest = max(all.Longest, more.Longest)
	all.Lost += more.Lost
	all.Replayed += more.Replayed
	all.Hanging = slices.Compact(slices.Sorted(slices.Values(slices.Concat(all.Hanging, more.Hanging))))
	return &all
}

// Hangs reports whether an operation did not answer any more.
func (p Patience) Hangs() bool { return p.Interrupted != nil && len(p.Interrupted.Hanging) > 0 }

// Sentences say what was waited for, in sentences for a person.
func (p Patience) Sentences() []string {
	var all []string
	if r := p.Ready; r != nil {
		ready := "Ready at once (--wait)."
		if r.Tries > 1 {
			ready = "Ready after " + text.Duration(r.Took) + " (--wait), asked " + text.Number(r.Tries) + " times; before that: " + cmp.Or(r.Last, "no response") + "."
		}
		all = append(all, ready)
	}
	if i := p.Interrupted; i != nil {
		if i.Refused > 0 {
			all = append(all, text.Count(i.Refused, "request")+" waited for a connection, for "+text.Duration(i.Longest)+" at most (--patience "+i.Allowed.String()+").")
		}
		if i.Lost > 0 {
			lost := text.Count(i.Lost, "exchange") + " " + text.Were(i.Lost) + " lost on the way"
			if i.Replayed > 0 {
				lost += "; what they belong to was played again, " + text.Count(i.Replayed, "time")
			}
			all = append(all, lost+".")
		}
	}
	if s := p.Settled; s != nil {
		var parts []string
		if s.Times > 0 {
			parts = append(parts, "settled after "+text.Duration(s.Most)+" at most, "+text.Count(s.Times, "time")+" (in all "+text.Duration(s.Total)+")")
		}
		if s.Never > 0 {
			parts = append(parts, text.Count(s.Never, "time")+" not within "+s.Allowed.String())
		}
		text := "Nothing had to settle"
		if len(parts) > 0 {
			text = strings.Join(parts, ", ")
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		all = append(all, text+" (--settle "+s.Allowed.String()+"): the interface grants no delay between write and read.")
	}
	return all
}
