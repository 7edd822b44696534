package vocabulary

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"hallmark/spec/phrase"
	"hallmark/steps/scenario"
)

// A server error may have to do with what was asked, or with the moment only. So what was answered as its operation never
// answers is asked for once more when all else is done; see features/petstore/recurring.feature.

// whenDoubtsAsked is "whatever got a response that its operation never gives is asked for once more".
func whenDoubtsAsked(ctx context.Context, s *scenario.Scenario) error {
	s.SetAnswers()
	for _, d := range s.Run.Doubts() {
		op, err := s.Operation(d.Answer.Exchange.Operation)
		if err != nil {
			continue // it was removed: nobody asks for it
		}
		args := slices.Clone(d.Answer.Arguments)
		for name, value := range d.Answer.Path {
			if _, given := args.Value(name); !given {
				args.Set(name, value)
			}
		}
		a, err := s.Perform(ctx, op, args, d.Answer.Plan, d.Answer.Credential, "exchange "+strconv.Itoa(d.Answer.Exchange.Seq)+" once more")
		if errors.As(err, new(scenario.Stop)) {
			continue // nothing may be created any more
		}
		if err != nil {
			return err
		}
		s.AddAnswerTo(d, a)
	}
	return nil
}

// thenAsBefore is "each is answered as it was": what is answered rightly now was not wrong for what it asked.
func thenAsBefore(_ context.Context, s *scenario.Scenario) error {
	for a, d := range s.Repeated() {
		if !slices.Contains(d.Statuses, a.Status()) {
			continue // it stays wrong, which its own rule has told
		}
		f := scenario.StatusFinding(d.Answer, "answer.status", d.Statuses, s.Run.Extension.About(d.Answer))
		f.Actual = f.Actual.With(" (and {} once more, later)", phrase.Status(a.Status()))
		f.Exchanges = []int{a.Exchange.Seq, d.Answer.Exchange.Seq}
		s.Find(nil, f)
	}
	return nil
}
