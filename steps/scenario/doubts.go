package scenario

import (
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
}

// add keeps a response of a scenario of a phase, unless there are enough of its kind. What was asked of a store that was empty or
// small is not kept: the store is another one by then.
func (d *doubts) add(phase string, one Doubt) {
	if phase == suite.PhaseFirst || phase == suite.PhaseSmall || phase == suite.PhaseEnd {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
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
