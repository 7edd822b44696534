package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
)

// Patience is what a run was allowed to wait for, and how long the waits took.
type Patience struct {
	// Ready is set when the run waited for its target (--wait).
	Ready *Readiness `json:"ready,omitempty"`
	// Settled is set if the service may need a moment between write and read (--settle).
	Settled *Settling `json:"settled,omitempty"`
	// Interrupted is set if connections failed or exchanges were lost (--patience).
	Interrupted *Interruptions `json:"interrupted,omitempty"`
}

// Readiness is how a target became ready.
type Readiness struct {
	Took  time.Duration `json:"took"`
	Tries int           `json:"tries"`
	// Last is why the last unsuccessful try failed, or empty if the first one succeeded.
	Last string `json:"last,omitempty"`
}

// Interruptions are connections and exchanges that failed.
type Interruptions struct {
	// Allowed is how long the target may be unreachable (--patience).
	Allowed time.Duration `json:"allowed"`
	// Refused is the number of requests that got a connection only after retries, Longest the longest such wait.
	Refused int           `json:"refused,omitempty"`
	Longest time.Duration `json:"longest,omitempty"`
	// Lost is the number of exchanges without a complete response, Replayed how often a scenario or a part of one was repeated because of
	// that.
	Lost     int `json:"lost,omitempty"`
	Replayed int `json:"replayed,omitempty"`
	// Hanging are the operations that stopped responding.
	Hanging []string `json:"hanging,omitempty"`
}

// Settling is how long written data took to become visible.
type Settling struct {
	// Allowed is the maximum wait.
	Allowed time.Duration `json:"allowed"`
	// Times is how often data became visible in time, but not at once, Never how often it did not in time. Most and Total refer to the
	// former.
	Times int           `json:"times"`
	Never int           `json:"never,omitempty"`
	Most  time.Duration `json:"most"`
	Total time.Duration `json:"total"`
}

// Plus adds the interruptions of another part of the run. Either may be nil.
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

// Hangs reports whether an operation stopped responding.
func (p Patience) Hangs() bool { return p.Interrupted != nil && len(p.Interrupted.Hanging) > 0 }

// Sentences describes the waits for readers.
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
			lost := text.Count(i.Lost, "exchange") + " " + text.Were(i.Lost) + " lost"
			if i.Replayed > 0 {
				lost += "; their scenarios were repeated, " + text.Count(i.Replayed, "time")
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
		text := "No data needed to settle"
		if len(parts) > 0 {
			text = strings.Join(parts, ", ")
			text = strings.ToUpper(text[:1]) + text[1:]
		}
		all = append(all, text+" (--settle "+s.Allowed.String()+"): the interface allows no delay between write and read.")
	}
	return all
}
