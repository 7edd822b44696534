package scenario

import (
	"net/http"
	"slices"
	"sync"

	"hallmark/steps/suite"
)

// A server error may have to do with what was asked, or with the moment only. So what was answered as its operation never
// answers is asked for once more when all else is done; see features/petstore/recurring.feature.

// Doubt is a response of that kind, and the statuses that would have been right.
type Doubt struct {
	Answer   *Answer
	rule     string
	Statuses []int
}

// How many responses are asked for again: in all, and for each rule and operation. A service that is down gives hundreds.
const (
	MaxDoubts     = 24
	maxDoubtsEach = 3
)

// doubts are the responses of a run that are to be asked for once more.
type doubts struct {
	mu  sync.Mutex
	all []Doubt
	// right holds the addresses of reads that succeeded while the store was empty or small.
	right map[string]bool
	// askedOn counts how often an operation was asked on, see [MayAskOn].
	askedOn map[string]int
}

// MayAskOn reports whether more may be asked of an operation because a response of it may be a matter of the moment: a few times in a run,
// for a service that fails at every fault would be asked twice as much.
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

// early reports whether what a phase asks depends on a store that is empty or small.
func early(phase string) bool { return phase == suite.PhaseFirst || phase == suite.PhaseSmall }

// answered notes that a response was right.
func (d *doubts) answered(phase string, a *Answer) {
	if !early(phase) || a.Exchange.Request.Method != http.MethodGet || a.Status()/100 != 2 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.right == nil {
		d.right = map[string]bool{}
	}
	d.right[a.Exchange.Request.URL] = true
}

// add keeps a response of a scenario of a phase, unless there are enough of its kind. What was asked of a store that was empty or
// small is kept only where the same was answered rightly then: the store is another one by the time when it is asked for once more.
func (d *doubts) add(phase string, one Doubt) {
	if phase == suite.PhaseEnd {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if early(phase) && !d.right[one.Answer.Exchange.Request.URL] {
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

// list lists those so far.
func (d *doubts) list() []Doubt {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.all)
}
