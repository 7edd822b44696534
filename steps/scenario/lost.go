package scenario

import (
	"slices"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// Outage ends a run whose target stopped answering.
type Outage struct {
	Text string
	// Suspects are the requests that were under way then.
	Suspects []record.Suspect
}

func (e Outage) Error() string { return e.Text }

// noteLost counts a lost exchange. Several in a row end the run; an operation that does not answer in time may turn out to hang.
func (r *Run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.contact.Count()
		if r.latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.SetLost(r.latencies.Hanging(ex.Operation)) // more specific than any reason noted before
		}
		return
	}
	if why.Refused == 0 && !why.Unsent && !why.Closed {
		r.underWay.addLost(lostRequest{seq: ex.Seq, read: why.Read, started: ex.Started, at: time.Now()})
	}
	if r.contact.Lost(ex.Started, why.Refused) {
		r.End(Outage{"the target stopped answering: " + ex.Lost, r.underWay.suspects()})
	}
}

// underWay collects the requests that were sent and got no response since the target last answered. Safe for concurrent use.
type underWay struct {
	mu   sync.Mutex
	lost []lostRequest
}

// lostRequest is a request that was sent at started; its connection was found broken at the time at.
type lostRequest struct {
	seq         int
	read        bool
	started, at time.Time
}

// responded notes a response to a request that was sent at started: a target that takes new requests did not die of those lost before.
func (u *underWay) responded(started time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = slices.DeleteFunc(u.lost, func(l lostRequest) bool { return l.at.Before(started) })
}

func (u *underWay) addLost(l lostRequest) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = append(u.lost, l)
}

// suspects returns the requests that had been sent when the first connection broke, in the order of sending. Those sent later found the
// target dead.
func (u *underWay) suspects() []record.Suspect {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.lost) == 0 {
		return nil
	}
	first := slices.MinFunc(u.lost, func(a, b lostRequest) int { return a.at.Compare(b.at) }).at
	sent := slices.DeleteFunc(slices.Clone(u.lost), func(l lostRequest) bool { return l.started.After(first) })
	slices.SortStableFunc(sent, func(a, b lostRequest) int { return a.started.Compare(b.started) })
	var all []record.Suspect
	for _, l := range sent {
		all = append(all, record.Suspect{Exchange: l.seq, Read: l.read})
	}
	return all
}

// noteLostText notes a reason why the target could not be judged to the end. The first one is kept.
func (r *Run) noteLostText(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lostText == "" {
		r.lostText = text
	}
}

// LostText returns the reason why the target could not be judged to the end, or the empty string.
func (r *Run) LostText() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lostText
}

// SetLost replaces the reason why the target could not be judged to the end.
func (r *Run) SetLost(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lostText = text
}

// Interruptions returns what the record says of lost exchanges, or nil if there were none.
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
