package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/steps/suite"
)

// A server error may have to do with what was asked, or with the moment only. So what was answered as its operation never
// answers is asked for once more when all else is done; see features/recurring.feature.

// doubt is a response of that kind, and the statuses that would have been right.
type doubt struct {
	answer   *answer
	rule     string
	statuses []int
}

// How many responses are asked for again: in all, and for each rule and operation. A service that is down gives hundreds.
const (
	maxDoubts     = 24
	maxDoubtsEach = 3
)

// never reports whether an operation answers with a status neither here nor anywhere: the contract does not document it.
func (r *run) never(operation string, status int) bool {
	op, ok := r.contract.Operation(operation)
	return ok && status != 0 && !slices.ContainsFunc(op.Answers, func(a spec.Answer) bool { return a.Status == status })
}

// doubt keeps a response to be asked for once more. What was asked of a store that was empty or small is not: the store is
// another one by then.
func (r *run) doubt(s *scenario, a *answer, rule string, statuses []int) {
	if rule == "answer.status" || !r.never(a.ex.Operation, a.status()) || a.path == nil {
		return
	}
	if phase := s.pickle.Phase(); phase == suite.PhaseFirst || phase == suite.PhaseSmall || phase == suite.PhaseEnd {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	each := 0
	for _, d := range r.doubts {
		if d.rule == rule && d.answer.ex.Operation == a.ex.Operation {
			each++
		}
	}
	if each < maxDoubtsEach && len(r.doubts) < maxDoubts {
		r.doubts = append(r.doubts, doubt{a, rule, statuses})
	}
}

// whenDoubtsAsked is "whatever got a response that its operation never gives is asked for once more".
func (s *scenario) whenDoubtsAsked(ctx context.Context) error {
	s.run.mu.Lock()
	doubts := slices.Clone(s.run.doubts)
	s.run.mu.Unlock()
	s.answers, s.asked = nil, nil
	for _, d := range doubts {
		op, err := s.operation(d.answer.ex.Operation)
		if err != nil {
			continue // it was removed: nobody asks for it
		}
		args := slices.Clone(d.answer.args)
		for name, value := range d.answer.path {
			if _, given := args.value(name); !given {
				args.set(name, value)
			}
		}
		a, err := s.perform(ctx, op, args, d.answer.plan, d.answer.credential, "exchange "+strconv.Itoa(d.answer.ex.Seq)+" once more")
		if errors.As(err, new(stop)) {
			continue // no animal may be created any more
		}
		if err != nil {
			return err
		}
		s.answers, s.asked = append(s.answers, a), append(s.asked, d)
	}
	return nil
}

// thenAsBefore is "each is answered as it was": what is answered rightly now was not wrong for what it asked.
func (s *scenario) thenAsBefore(context.Context) error {
	for i, a := range s.answers {
		d := s.asked[i]
		if !slices.Contains(d.statuses, a.status()) {
			continue // it stays wrong, which its own rule has told
		}
		f := statusFinding(d.answer, "answer.status", d.statuses)
		f.Actual += fmt.Sprintf(" (and %d once more, later)", a.status())
		f.Exchanges = []int{a.ex.Seq, d.answer.ex.Seq}
		s.find(nil, f)
	}
	return nil
}
