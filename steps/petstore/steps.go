package petstore

import (
	"context"
	"strconv"

	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
)

// animalSteps are the steps that know animals.
func animalSteps() []scenario.Form {
	return []scenario.Form{
		// Given
		{Pattern: `a list can hold the whole store`, Do: func(ctx context.Context) error { return givenWholeStore(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `an animal that this run created`, Do: func(ctx context.Context) error { return givenOwn(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `an animal that was just created`, Do: func(ctx context.Context) error { return givenNew(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `a plain body with (an id of the client's own|that animal's id)`, Do: func(ctx context.Context, whose string) error {
			return givenID(ctx, sceneOf(scenario.From(ctx)), whose)
		}},
		{Pattern: `a plain body where (\S+) is (\d+) characters long`, Do: func(ctx context.Context, property, length string) error {
			return givenLong(ctx, sceneOf(scenario.From(ctx)), property, length)
		}},
		{Pattern: `a plain body where name is two characters long`, Do: func(ctx context.Context) error {
			return sceneOf(scenario.From(ctx)).Planned().Change("name", generate.JSONString(credentials.RandomKey(2)))
		}},
		{Pattern: `the store holds more than (\d+) animals(?: with status (\w+))?`, Do: func(ctx context.Context, than, status string) error {
			return givenStock(ctx, sceneOf(scenario.From(ctx)), than, status)
		}},
		{Pattern: `the store holds more animals than (the greatest limit|the default limit|a list may hold)(?: with status (\w+))?`, Do: func(ctx context.Context, than, status string) error {
			n, err := howMany(sceneOf(scenario.From(ctx)), than)
			if err != nil {
				return err
			}
			return givenStock(ctx, sceneOf(scenario.From(ctx)), n, status)
		}},
		{Pattern: `this run has had creations refused`, Do: func(ctx context.Context) error { return givenRefused(ctx, sceneOf(scenario.From(ctx))) }},

		// When
		{Pattern: `an animal is created (with status \w+|without a status)`, Do: func(ctx context.Context, how string) error {
			return whenCreated(ctx, sceneOf(scenario.From(ctx)), how)
		}},
		{Pattern: `(\d+) animals are created by (\d+) clients at once`, Do: func(ctx context.Context, animals, clients string) error {
			return whenManyCreate(ctx, sceneOf(scenario.From(ctx)), animals, clients)
		}},
		{Pattern: `creations that must be refused with (400|401) are tried`, Do: func(ctx context.Context, status string) error {
			return whenRefusalsTried(ctx, sceneOf(scenario.From(ctx)), status)
		}},
		{Pattern: `the same plain body is sent twice`, Do: func(ctx context.Context) error { return whenTwice(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `it is read (\d+) times`, Do: func(ctx context.Context, times string) error {
			return whenReadTimes(ctx, sceneOf(scenario.From(ctx)), times)
		}},
		{Pattern: `the animal with (.+) is asked for`, Do: func(ctx context.Context, how string) error { return whenOther(ctx, sceneOf(scenario.From(ctx)), how) }},
		{Pattern: `every animal that this run created is read again`, Do: func(ctx context.Context) error { return whenAllRead(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `the lists are looked through`, Do: func(ctx context.Context) error { return whenListsSeen(ctx, sceneOf(scenario.From(ctx))) }},

		// Then
		{Pattern: `it is an empty array where nothing matches`, Do: func(ctx context.Context) error { return thenEmpty(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `every list that must hold it does`, Do: func(ctx context.Context) error { return thenListsHold(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `a list of the whole store holds every animal that this run created`, Do: func(ctx context.Context) error {
			return thenAllListed(ctx, sceneOf(scenario.From(ctx)))
		}},
		{Pattern: `no list holds it`, Do: func(ctx context.Context) error { return thenNowhere(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `no animal appears behind them`, Do: func(ctx context.Context) error { return thenNoneAppeared(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `each id is new`, Do: func(ctx context.Context) error { return thenIDsNew(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `it is read back as it was answered(, if it was accepted)?`, Do: func(ctx context.Context, only string) error {
			return thenReadBack(ctx, sceneOf(scenario.From(ctx)), only != "")
		}},
		{Pattern: `the id that was sent is not used`, Do: func(ctx context.Context) error { return thenIDUnused(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `that animal is as it was`, Do: func(ctx context.Context) error { return thenOwnUnchanged(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `each of them is created`, Do: func(ctx context.Context) error { return thenAllCreated(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `each can be read as it was answered`, Do: func(ctx context.Context) error { return thenAllReadable(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `each response is the same`, Do: func(ctx context.Context) error { return thenSame(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `the response is 404 or the animal with that very id`, Do: func(ctx context.Context) error { return thenVeryID(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `its first and last animals can be read and are the same`, Do: func(ctx context.Context) error {
			return thenListedReadable(ctx, sceneOf(scenario.From(ctx)))
		}},
		{Pattern: `each is there with the name and the categoryId that it was answered with`, Do: func(ctx context.Context) error {
			return thenKept(ctx, sceneOf(scenario.From(ctx)))
		}},
		{Pattern: `none holds an animal whose creation was refused`, Do: func(ctx context.Context) error { return thenNoTrace(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `it holds at most (\d+) animals`, Do: func(ctx context.Context, most string) error {
			return thenAtMost(ctx, sceneOf(scenario.From(ctx)), most)
		}},
		{Pattern: `it holds no more animals than (the greatest limit|the default limit|a list may hold)`, Do: func(ctx context.Context, than string) error {
			n, err := howMany(sceneOf(scenario.From(ctx)), than)
			if err != nil {
				return err
			}
			return thenAtMost(ctx, sceneOf(scenario.From(ctx)), n)
		}},
		{Pattern: `each animal has the status (\w+)`, Do: func(ctx context.Context, status string) error {
			return thenEachStatusIs(ctx, sceneOf(scenario.From(ctx)), status)
		}},
		{Pattern: `its first and last animals carry that status when they are read`, Do: func(ctx context.Context) error {
			return thenStatusWhenRead(ctx, sceneOf(scenario.From(ctx)))
		}},
		{Pattern: `no id stands in it twice`, Do: func(ctx context.Context) error { return thenNoneTwice(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `leaving the limit out gives as many as the default limit(?:, filtered by status (\w+))?`, Do: func(ctx context.Context, status string) error {
			return thenSameDefault(ctx, sceneOf(scenario.From(ctx)), status)
		}},
		{Pattern: `its order is recorded`, Do: func(ctx context.Context) error { return thenOrder(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `the length of the page is recorded`, Do: func(ctx context.Context) error { return thenLength(ctx, sceneOf(scenario.From(ctx))) }},
		{Pattern: `the status that the animal got is recorded`, Do: func(ctx context.Context) error { return thenStatusRecorded(ctx, sceneOf(scenario.From(ctx))) }},
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
