package petstore

import (
	"context"
	"fmt"

	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// generatedAnimalSteps are those that try what was generated for animals.
func generatedAnimalSteps() []scenario.Form {
	return []scenario.Form{
		{Pattern: `no list holds an animal of theirs`, Do: step(whenNoTrace)},
		{
			Pattern: `generated sequences of operations are performed`,
			Do:      func(ctx context.Context) error { return whenAnySequence(ctx, sceneOf(scenario.From(ctx)), false) },
			Creates: func(r *scenario.Run) int {
				n := 0
				for _, commands := range sequencesOf(petsOf(r), false) {
					n += CreationsIn(commands)
				}
				return n
			},
		},
		{Pattern: `generated sequences of reading operations are performed`, Do: func(ctx context.Context) error {
			return whenAnySequence(ctx, sceneOf(scenario.From(ctx)), true)
		}},
		{Pattern: `each response agrees with those before it`, Do: vocabulary.Judged},
		{
			Pattern: `generated operations of several clients are performed at once`,
			Do:      step(whenAnyHistory),
			Creates: func(r *scenario.Run) int { return historiesOf(petsOf(r)) * HistoryCreations },
		},
		{Pattern: `the responses agree with the operations in some order`, Do: vocabulary.Judged},
	}
}

// whenNoTrace is "no list holds an animal of theirs". The memory of the run judges every list that is seen.
func whenNoTrace(ctx context.Context, s *scene) error {
	before := len(s.Findings())
	err := whenListsSeen(ctx, s)
	s.TellFrom(before, fmt.Sprintf("invalid bodies of --seed %d, what shows it", s.Run.Seed))
	return err
}
