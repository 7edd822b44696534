package scenario

import (
	"net/http"
	"slices"
	"sync"

	"hallmark/steps/suite"
)

// A server error may be due to the request, or only to the moment. So operations with undocumented responses are
// called again at the end of the run; see features/petstore/recurring.feature.

// Doubt is an undocumented response, and the statuses that would have been right.
type Doubt struct {
	Answer   *Answer
	rule     string
	Statuses []int
}

// Limits on repeated calls: in all, and for each rule and operation. A service that is down gives hundreds of such
// responses.
const (
	MaxDoubts     = 24
	maxDoubtsEach = 3
)

// doubts holds the responses of a run whose requests are to be repeated.
type doubts struct {
	mu  sync.Mutex
	all []Doubt
	// right holds the URLs of reads that succeeded while the store was empty or small.
	right map[string]bool
	// askedOn counts the extra requests by operation, see [MayAskOn].
	askedOn map[string]int
}

// MayAskOn reports whether another request may be sent to see whether a response of an operation was a matter of
// the moment. It allows a few per run, since a service that fails at every fault would otherwise be called twice
// as often.
func MayAskOn(r *Run, operation string) bool {
	d := &r.doubts
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.askedOn == nil {
		d.askedOn = map[string]int{}
	}
	d.askedOn[operation]++
	return d.askedOn[operation] <= maxDoubtsEach
}

// dependsOnSmallStore reports whether a phase tests a store that is empty or small.
func dependsOnSmallStore(phase string) bool {
	return phase == suite.PhaseFirst || phase == suite.PhaseSmall
}

// answered records that a response was right.
func (d *doubts) answered(phase string, a *Answer) {
	if !dependsOnSmallStore(phase) || a.Exchange.Request.Method != http.MethodGet || a.Status()/100 != 2 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.right == nil {
		d.right = map[string]bool{}
	}
	d.right[a.Exchange.Request.URL] = true
}

// keep records a doubt from a scenario of a phase, unless there are enough of its kind. A doubt from a phase with
// an empty or small store is kept only if the same read succeeded then: the store has other contents by the time
// the request is repeated.
func (d *doubts) keep(phase string, one Doubt) {
	if phase == suite.PhaseEnd {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if dependsOnSmallStore(phase) && !d.right[one.Answer.Exchange.Request.URL] {
		return
	}
	each := 0
	for _, other := range d.all {
		if other.rule == one.rule && other.Answer.Exchange.Operation == one.Answer.Exchange.Operation {
			each++
		}
	}
	if each < maxDoubtsEach && len(d.all) < MaxDoubts {
		d.all = append(d.all, one)
	}
}

// list returns the doubts so far.
func (d *doubts) list() []Doubt {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.all)
}
