package petstore

import (
	"context"
	"strconv"

	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// animalSteps are the steps that know animals.
func animalSteps() []scenario.Form {
	return []scenario.Form{
		// Given
		{Pattern: `a list can hold the whole store`, Do: step(givenWholeStore)},
		{Pattern: `an animal that this run created`, Do: step(givenOwn)},
		{Pattern: `an animal that was just created(?: with status (\w+))?`, Do: stepWith(givenNew)},
		{Pattern: `it is read (\d+) times`, Do: stepWith(whenReadTimes)},
		{Pattern: `each response is the same`, Do: step(thenSame)},
		{Pattern: `a plain body with (an id of the client's own|that animal's id)`, Do: stepWith(givenID)},
		{Pattern: `the store holds more than (\d+) animals(?: with status (\w+))?`, Do: stepWithTwo(givenStock)},
		{Pattern: `the store holds more animals than (the greatest limit|the default limit|a list may hold)(?: with status (\w+))?`, Do: func(ctx context.Context, than, status string) error {
			n, err := howMany(sceneOf(scenario.From(ctx)), than)
			if err != nil {
				return err
			}
			return givenStock(ctx, sceneOf(scenario.From(ctx)), n, status)
		}},
		{Pattern: `this run has had creations refused`, Do: step(givenRefused)},

		// When
		{Pattern: `an animal is created (with status \w+|without a status)`, Do: stepWith(whenCreated)},
		{Pattern: `(\d+) animals are created by (\d+) clients at once`, Do: stepWithTwo(whenManyCreate)},
		{Pattern: `creations that must be refused with (400|401) are tried`, Do: stepWith(whenRefusalsTried)},
		{Pattern: `the same plain body is sent twice`, Do: step(whenTwice)},
		{Pattern: `the animal with (.+) is asked for`, Do: stepWith(whenOther)},
		{Pattern: `every animal that this run created is looked for again`, Do: step(whenAllLookedUp)},
		{Pattern: `the lists are looked through`, Do: step(whenListsSeen)},

		// Then
		{Pattern: `it is an empty array where nothing matches`, Do: step(thenEmpty)},
		{Pattern: `every list that must hold it does`, Do: step(thenListsHold)},
		{Pattern: `a list of the whole store holds every animal that this run created`, Do: step(thenAllListed)},
		{Pattern: `no animal appears behind them`, Do: step(thenNoneAppeared)},
		{Pattern: `each id is new`, Do: step(thenIDsNew)},
		{Pattern: `it is read back as it was answered(, if it was accepted)?`, Do: func(ctx context.Context, only string) error {
			return thenReadBack(ctx, sceneOf(scenario.From(ctx)), only != "")
		}},
		{Pattern: `the id that was sent is not used`, Do: step(thenIDUnused)},
		{Pattern: `that animal is as it was`, Do: step(thenOwnUnchanged)},
		{Pattern: `each of them is created`, Do: step(thenAllCreated)},
		{Pattern: `each can be read as it was answered`, Do: step(thenAllReadable)},
		{Pattern: `the response is 404 or the animal with that very id`, Do: step(thenVeryID)},
		{Pattern: `its first and last animals can be read and are the same`, Do: step(thenListedReadable)},
		{Pattern: `each is there with the name and the categoryId that it was answered with`, Do: step(thenKept)},
		{Pattern: `none holds an animal whose creation was refused`, Do: step(thenNoTrace)},
		{Pattern: `it holds no more animals than (the greatest limit|the default limit|a list may hold)`, Do: func(ctx context.Context, than string) error {
			n, err := howMany(sceneOf(scenario.From(ctx)), than)
			if err != nil {
				return err
			}
			return thenAtMost(ctx, sceneOf(scenario.From(ctx)), n)
		}},
		{Pattern: `its first and last animals carry that status when they are read`, Do: step(thenStatusWhenRead)},
		{Pattern: `leaving the limit out gives as many as the default limit(?:, filtered by status (\w+))?`, Do: stepWith(thenSameDefault)},
		{Pattern: `its order is recorded`, Do: step(thenOrder)},
		{Pattern: `the length of the page is recorded`, Do: step(thenLength)},
		{Pattern: `the status that the animal got is recorded`, Do: step(thenStatusRecorded)},
	}
}

// howMany returns the number of animals that the words stand for.
func howMany(s *scene, words string) (string, error) {
	n, ok := s.pets.terms.Number(words)
	if !ok {
		return "", scenario.Excusef("the contract does not say how many animals that is: %s", words)
	}
	return strconv.FormatInt(n, 10), nil
}

// step is what is called for a step whose pattern has no group; stepWith is that for one group, stepWithTwo for two.
func step(do func(context.Context, *scene) error) func(context.Context) error {
	return func(ctx context.Context) error { return do(ctx, sceneOf(scenario.From(ctx))) }
}

func stepWith(do func(context.Context, *scene, string) error) func(context.Context, string) error {
	return func(ctx context.Context, a string) error { return do(ctx, sceneOf(scenario.From(ctx)), a) }
}

func stepWithTwo(do func(context.Context, *scene, string, string) error) func(context.Context, string, string) error {
	return func(ctx context.Context, a, b string) error { return do(ctx, sceneOf(scenario.From(ctx)), a, b) }
}

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
