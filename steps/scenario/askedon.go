package scenario

import "sync"

// mostAskedOn is how many extra requests a run sends to an operation to see whether a response was a matter of the
// moment. A service that fails at every fault would otherwise be called twice as often.
const mostAskedOn = 3

// askedOn counts the extra requests by operation.
type askedOn struct {
	mu    sync.Mutex
	times map[string]int
}

// MayAskOn reports whether another request may be sent to see whether a response of an operation was a matter of
// the moment, and counts it.
func MayAskOn(r *Run, operation string) bool {
	r.askedOn.mu.Lock()
	defer r.askedOn.mu.Unlock()
	if r.askedOn.times == nil {
		r.askedOn.times = map[string]int{}
	}
	r.askedOn.times[operation]++
	return r.askedOn.times[operation] <= mostAskedOn
}
