package vocabulary

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"hallmark/spec/phrase"
	"hallmark/steps/scenario"
)

// A server error may be due to the request, or only to the moment. So operations with undocumented responses are
// called again at the end of the run; see features/petstore/recurring.feature.

// whenDoubtsAsked implements "whatever got a response that its operation never gives is asked for once more".
func whenDoubtsAsked(ctx context.Context, s *scenario.Scenario) error {
	s.SetAnswers()
	for _, d := range s.Run.Doubts() {
		op, err := s.Operation(d.Answer.Exchange.Operation)
		if err != nil {
			continue // it was removed meanwhile
		}
		args := slices.Clone(d.Answer.Arguments)
		for name, value := range d.Answer.Path {
			if _, given := args.Value(name); !given {
				args.Set(name, value)
			}
		}
		a, err := s.Perform(ctx, op, args, d.Answer.Plan, d.Answer.Credential, "exchange "+strconv.Itoa(d.Answer.Exchange.Seq)+" once more")
		if errors.As(err, new(scenario.Stop)) {
			continue // the budget is used up
		}
		if err != nil {
			return err
		}
		s.AddAnswerTo(d, a)
	}
	return nil
}

// thenAsBefore implements "each is answered as it was". If the response is right now, the request was not the
// reason for the wrong one.
func thenAsBefore(_ context.Context, s *scenario.Scenario) error {
	for a, d := range s.Repeated() {
		if !slices.Contains(d.Statuses, a.Status()) {
			continue // it stays wrong, and its own rule has reported it
		}
		f := scenario.StatusFinding(d.Answer, "answer.status", d.Statuses, s.Run.Extension.About(d.Answer))
		f.Actual = f.Actual.With(" (and {} once more, later)", phrase.Status(a.Status()))
		f.Exchanges = []int{a.Exchange.Seq, d.Answer.Exchange.Seq}
		s.Find(nil, f)
	}
	return nil
}
