package scenario

import (
	"fmt"
	"time"

	"hallmark/spec"
	"hallmark/steps/client"
)

// Outage ends a run whose target stopped answering.
type Outage struct{ Text string }

func (e Outage) Error() string { return e.Text }

// settle corrects the count once it is known what became of a request. One whose response was lost may have created.
func (r *Run) settle(a *Answer, reserved reservation) {
	created := a.Exchange.Lost != "" || a.Status()/100 == 2
	switch {
	case reserved.made && !created:
		r.Budget.GiveBack(reserved.share)
	case !reserved.made && created && a.Exchange.Lost == "":
		r.Budget.Add()
	}
}

// noteLost counts lost exchanges; several in a row end the run. Of an operation that did not answer in time it tells
// whether it hangs.
func (r *Run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.Contact.Count()
		if r.Latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.SetLost(r.Latencies.Hanging(ex.Operation)) // it says more than what was lost before
		}
		return
	}
	if r.Contact.Lost(ex.Started, why.Refused) {
		r.Cancel(Outage{fmt.Sprintf("the target stopped answering: %s", ex.Lost)})
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
