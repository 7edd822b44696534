package steps

import (
	"context"
	"strconv"

	"hallmark/steps/credentials"
	"hallmark/steps/generate"
)

// animalSteps are the steps that know animals.
func animalSteps() []form {
	return []form{
		// Given
		{`a list can hold the whole store`, func(ctx context.Context) error { return from(ctx).givenWholeStore(ctx) }},
		{`an animal that this run created`, func(ctx context.Context) error { return from(ctx).givenOwn(ctx) }},
		{`an animal that was just created`, func(ctx context.Context) error { return from(ctx).givenNew(ctx) }},
		{`a plain body with (an id of the client's own|that animal's id)`, func(ctx context.Context, whose string) error {
			return from(ctx).givenID(ctx, whose)
		}},
		{`a plain body where (\S+) is (\d+) characters long`, func(ctx context.Context, property, length string) error {
			return from(ctx).givenLong(ctx, property, length)
		}},
		{`a plain body where name is two characters long`, func(ctx context.Context) error {
			return from(ctx).planned().Change("name", generate.JSONString(credentials.RandomKey(2)))
		}},
		{`the store holds more than (\d+) animals(?: with status (\w+))?`, func(ctx context.Context, than, status string) error {
			return from(ctx).givenStock(ctx, than, status)
		}},
		{`the store holds more animals than (the greatest limit|the default limit|a list may hold)(?: with status (\w+))?`, func(ctx context.Context, than, status string) error {
			n, err := from(ctx).howMany(than)
			if err != nil {
				return err
			}
			return from(ctx).givenStock(ctx, n, status)
		}},
		{`this run has had creations refused`, func(ctx context.Context) error { return from(ctx).givenRefused(ctx) }},

		// When
		{`an animal is created (with status \w+|without a status)`, func(ctx context.Context, how string) error {
			return from(ctx).whenCreated(ctx, how)
		}},
		{`(\d+) animals are created by (\d+) clients at once`, func(ctx context.Context, animals, clients string) error {
			return from(ctx).whenManyCreate(ctx, animals, clients)
		}},
		{`creations that must be refused with (400|401) are tried`, func(ctx context.Context, status string) error {
			return from(ctx).whenRefusalsTried(ctx, status)
		}},
		{`the same plain body is sent twice`, func(ctx context.Context) error { return from(ctx).whenTwice(ctx) }},
		{`it is read (\d+) times`, func(ctx context.Context, times string) error { return from(ctx).whenReadTimes(ctx, times) }},
		{`the animal with (.+) is asked for`, func(ctx context.Context, how string) error { return from(ctx).whenOther(ctx, how) }},
		{`every animal that this run created is read again`, func(ctx context.Context) error { return from(ctx).whenAllRead(ctx) }},
		{`the lists are looked through`, func(ctx context.Context) error { return from(ctx).whenListsSeen(ctx) }},
		{`(\d+) requests are made, each second one with a bad credential`, func(ctx context.Context, times string) error {
			return from(ctx).whenHammered(ctx, times)
		}},
		{`(\d+) creations are tried with bad credentials`, func(ctx context.Context, times string) error {
			return from(ctx).whenCreationsHammered(ctx, times)
		}},
		{`(GET|HEAD|OPTIONS) (\S+) is sent`, func(ctx context.Context, method, path string) error {
			return from(ctx).whenSent(ctx, method, path)
		}},
		{`a removed (\w+) is called`, func(ctx context.Context, op string) error { return from(ctx).whenRemovedCalled(ctx, op) }},

		// Then
		{`it is an empty array where nothing matches`, func(ctx context.Context) error { return from(ctx).thenEmpty(ctx) }},
		{`every list that must hold it does`, func(ctx context.Context) error { return from(ctx).thenListsHold(ctx) }},
		{`a list of the whole store holds every animal that this run created`, func(ctx context.Context) error {
			return from(ctx).thenAllListed(ctx)
		}},
		{`no list holds it`, func(ctx context.Context) error { return from(ctx).thenNowhere(ctx) }},
		{`no animal appears behind them`, func(ctx context.Context) error { return from(ctx).thenNoneAppeared(ctx) }},
		{`each id is new`, func(ctx context.Context) error { return from(ctx).thenIDsNew(ctx) }},
		{`it is read back as it was answered(, if it was accepted)?`, func(ctx context.Context, only string) error {
			return from(ctx).thenReadBack(ctx, only != "")
		}},
		{`the id that was sent is not used`, func(ctx context.Context) error { return from(ctx).thenIDUnused(ctx) }},
		{`that animal is as it was`, func(ctx context.Context) error { return from(ctx).thenOwnUnchanged(ctx) }},
		{`each of them is created`, func(ctx context.Context) error { return from(ctx).thenAllCreated(ctx) }},
		{`each can be read as it was answered`, func(ctx context.Context) error { return from(ctx).thenAllReadable(ctx) }},
		{`each response is the same`, func(ctx context.Context) error { return from(ctx).thenSame(ctx) }},
		{`the response is 404 or the animal with that very id`, func(ctx context.Context) error { return from(ctx).thenVeryID(ctx) }},
		{`its first and last animals can be read and are the same`, func(ctx context.Context) error {
			return from(ctx).thenListedReadable(ctx)
		}},
		{`each is there with the name and the categoryId that it was answered with`, func(ctx context.Context) error {
			return from(ctx).thenKept(ctx)
		}},
		{`none holds an animal whose creation was refused`, func(ctx context.Context) error { return from(ctx).thenNoTrace(ctx) }},
		{`each bad one was answered 401 and each right one was let in`, func(ctx context.Context) error {
			return from(ctx).thenSteady(ctx)
		}},
		{`it holds at most (\d+) animals`, func(ctx context.Context, most string) error { return from(ctx).thenAtMost(ctx, most) }},
		{`it holds no more animals than (the greatest limit|the default limit|a list may hold)`, func(ctx context.Context, than string) error {
			n, err := from(ctx).howMany(than)
			if err != nil {
				return err
			}
			return from(ctx).thenAtMost(ctx, n)
		}},
		{`each animal has the status (\w+)`, func(ctx context.Context, status string) error {
			return from(ctx).thenEachStatusIs(ctx, status)
		}},
		{`its first and last animals carry that status when they are read`, func(ctx context.Context) error {
			return from(ctx).thenStatusWhenRead(ctx)
		}},
		{`no id stands in it twice`, func(ctx context.Context) error { return from(ctx).thenNoneTwice(ctx) }},
		{`leaving the limit out gives as many as the default limit(?:, filtered by status (\w+))?`, func(ctx context.Context, status string) error {
			return from(ctx).thenSameDefault(ctx, status)
		}},
		{`its order is recorded`, func(ctx context.Context) error { return from(ctx).thenOrder(ctx) }},
		{`the length of the page is recorded`, func(ctx context.Context) error { return from(ctx).thenLength(ctx) }},
		{`the status that the animal got is recorded`, func(ctx context.Context) error { return from(ctx).thenStatusRecorded(ctx) }},
		{`its header (\S+) is recorded`, func(ctx context.Context, name string) error { return from(ctx).thenHeader(ctx, name) }},
		{`what is answered beyond the interface is recorded`, func(ctx context.Context) error { return from(ctx).thenOtherRecorded(ctx) }},
	}
}

// done is for sentences whose judgement was passed on each exchange of the step before, as it came.
func done(context.Context) error { return nil }

// howMany returns the number of animals that the words stand for.
func (s *scenario) howMany(words string) (string, error) {
	n, ok := s.run.terms.Number(words)
	if !ok {
		return "", excusef("the contract does not say how many animals that is: %s", words)
	}
	return strconv.FormatInt(n, 10), nil
}
