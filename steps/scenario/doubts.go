package scenario

import (
	"slices"

	"hallmark/spec"
	"hallmark/steps/suite"
)

// A server error may have to do with what was asked, or with the moment only. So what was answered as its operation never
// answers is asked for once more when all else is done; see features/recurring.feature.

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

// NeverAnswers reports whether an operation answers with a status neither here nor anywhere: the contract does not document it.
func (r *Run) NeverAnswers(operation string, status int) bool {
	op, ok := r.Contract.Operation(operation)
	return ok && status != 0 && !slices.ContainsFunc(op.Answers, func(a spec.Answer) bool { return a.Status == status })
}

// Doubt keeps a response to be asked for once more. What was asked of a store that was empty or small is not: the store is
// another one by then.
func (r *Run) doubt(s *Scenario, a *Answer, rule string, statuses []int) {
	if rule == "answer.status" || !r.NeverAnswers(a.Exchange.Operation, a.Status()) || a.Path == nil {
		return
	}
	if phase := s.Pickle.Phase(); phase == suite.PhaseFirst || phase == suite.PhaseSmall || phase == suite.PhaseEnd {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	each := 0
	for _, d := range r.doubts {
		if d.rule == rule && d.Answer.Exchange.Operation == a.Exchange.Operation {
			each++
		}
	}
	if each < maxDoubtsEach && len(r.doubts) < MaxDoubts {
		r.doubts = append(r.doubts, Doubt{a, rule, statuses})
	}
}

// Doubts are the responses that are to be asked for once more.
func (r *Run) Doubts() []Doubt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.doubts)
}
