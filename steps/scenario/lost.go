package scenario

import (
	"fmt"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/client"
)

// Outage ends a run whose target stopped answering.
type Outage struct{ Text string }

func (e Outage) Error() string { return e.Text }

// noteLost counts lost exchanges; several in a row end the run. Of an operation that did not answer in time it tells
// whether it hangs.
func (r *Run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.contact.Count()
		if r.latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.SetLost(r.latencies.Hanging(ex.Operation)) // it says more than what was lost before
		}
		return
	}
	if r.contact.Lost(ex.Started, why.Refused) {
		r.End(Outage{fmt.Sprintf("the target stopped answering: %s", ex.Lost)})
	}
}

// noteLostText keeps the first reason why the target could not be judged to the end.
func (r *Run) noteLostText(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lostText == "" {
		r.lostText = text
	}
}

// LostText is the reason why the target could not be judged to the end; empty when it was.
func (r *Run) LostText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lostText
}

// SetLost puts a reason in the place of any before.
func (r *Run) SetLost(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lostText = text
}

// Interruptions are what the record says of exchanges that were lost; nil where there were none.
func (r *Run) Interruptions() *record.Interruptions {
	seen, hanging := r.contact.Interruptions(), r.latencies.Operations()
	if seen.Lost == 0 && seen.Refused == 0 && len(hanging) == 0 {
		return nil
	}
	return &record.Interruptions{
		Allowed: r.Patience.Reconnect, Refused: seen.Refused, Longest: seen.Longest, Lost: seen.Lost, Replayed: seen.Replayed,
		Hanging: hanging,
	}
}
