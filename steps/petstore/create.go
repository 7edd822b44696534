package petstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// Steps that create animals and judge what creation answered.

// whenCreated is "an animal is created with status sold" and "… without a status".
func whenCreated(ctx context.Context, s *scene, how string) error {
	status := strings.TrimPrefix(how, "with status ")
	if how == "without a status" {
		status = ""
	}
	a, err := createPet(ctx, s, status)
	if err != nil {
		return err
	}
	s.SetAnswers(a)
	if _, ok := madeBy(a); !ok {
		return scenario.Stopf("createPet did not answer with an animal")
	}
	return nil
}

// givenOwn is "an animal that this run created": one that is there already, or a new one.
func givenOwn(ctx context.Context, s *scene) error {
	if all := s.pets.memory.Animals(); len(all) > 0 {
		s.own = &all[len(all)-1]
		return nil
	}
	return givenNew(ctx, s, "")
}

// givenNew is "an animal that was just created[ with status sold]", so that nobody has read it yet.
func givenNew(ctx context.Context, s *scene, status string) error {
	a, err := createPet(ctx, s, cmp.Or(status, s.pets.terms.PlainStatus()))
	if err != nil {
		return err
	}
	made, ok := madeBy(a)
	if !ok {
		return scenario.Stopf("createPet did not answer with an animal")
	}
	s.own = &Creation{Animal: made, Seq: a.Exchange.Seq}
	return nil
}

// givenID is "a plain body with an id of the client's own" and "… with that animal's id".
func givenID(ctx context.Context, s *scene, whose string) error {
	id := s.Run.FreshID()
	if whose == "that animal's id" {
		if s.own == nil {
			return fmt.Errorf("no animal was given before this step")
		}
		if err := lookAtOwn(ctx, s); err != nil {
			return err
		}
		id = s.own.ID
	}
	s.sentID = id
	s.Planned().Extra = `"id": ` + id
	return nil
}

// lookAtOwn reads the animal that was given, so that what differs already is not held against the next request.
func lookAtOwn(ctx context.Context, s *scene) error {
	if _, gone := s.Run.Removed["getPet"]; gone {
		return nil
	}
	a, err := getPet(ctx, s, s.own.ID)
	if err != nil {
		return err
	}
	if is, ok := AnimalOf(a.Value.Tree); ok && a.Status() == s.pets.terms.Found && is.ID == s.own.ID {
		s.own = &Creation{Animal: is, Seq: a.Exchange.Seq, Read: true}
	}
	return nil
}

// thenIDUnused is "the id that was sent is not used".
func thenIDUnused(_ context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	vocabulary.AdviseOpen(s.Scenario, a)
	made, ok := madeBy(a)
	if !ok {
		return nil // refusing the id is the service's right
	}
	if made.ID != s.sentID {
		s.Kept("create.id.own")
	} else {
		s.Find(a.Exchange, spec.Finding{
			Rule: "create.id.own", Kind: spec.KindDuplicate, Expected: phrase.Of("an id of the service's own"),
			Actual: phrase.Of("{}, the id that the client sent", phrase.ID(made.ID)),
			Where:  check.Place(a.Exchange).At("/id"), Pointer: "/id", Cause: "create.id.own",
			About: spec.About{IDs: []string{made.ID}, Shows: spec.Ambiguous},
		})
	}
	return nil
}

// thenOwnUnchanged is "that animal is as it was".
func thenOwnUnchanged(ctx context.Context, s *scene) error {
	return readBack(ctx, s, *s.own, "create.id.own")
}

// thenIDsNew is "each id is new": among the responses of the last step.
func thenIDsNew(_ context.Context, s *scene) error {
	first := map[string]*scenario.Answer{}
	for _, a := range s.Answers() {
		made, ok := madeBy(a)
		if !ok {
			continue
		}
		before := first[made.ID]
		switch {
		case before == nil && len(first) > 0:
			s.Kept("create.id.unique")
		case before != nil && !s.Broken(a.Exchange):
			s.Find(a.Exchange, spec.Finding{
				Rule: "create.id.unique", Kind: spec.KindDuplicate, Expected: phrase.Of("an id that no other animal has"),
				Actual: phrase.Of("the id {} for two animals", phrase.ID(made.ID)), Where: check.Place(a.Exchange).At("/id"), Pointer: "/id",
				Exchanges: []int{before.Exchange.Seq, a.Exchange.Seq}, Cause: "create.id.unique",
				About: spec.About{IDs: []string{made.ID}, Shows: spec.Ambiguous},
			})
		}
		first[made.ID] = a
	}
	return nil
}

// whenManyCreate is "36 animals are created by 12 clients at once". The clients wait for each other before each of their
// creations, so that these meet in the service.
func whenManyCreate(ctx context.Context, s *scene, animals, clients string) error {
	n, _ := strconv.Atoi(animals)
	at, _ := strconv.Atoi(clients)
	if n < 1 || at < 1 || n > 1000 {
		return fmt.Errorf("%s animals by %s clients cannot be created", animals, clients)
	}
	statuses := append(s.pets.terms.Statuses(), "")
	ctx = scenario.Together(ctx)
	s.SetAnswers()
	if left := s.Budget.Left(); s.IsRepetition() && left >= at && left < n {
		n = left - left%at // fewer rounds may show it as well
		s.Budget.CutShort()
	}
	for done := 0; done < n; done += at {
		var wg sync.WaitGroup
		results := make([]*scenario.Answer, min(at, n-done))
		errs := make([]error, len(results))
		start := make(chan struct{})
		for i := range results {
			wg.Go(func() {
				<-start
				errs[i] = s.Anew(ctx, func() (err error) {
					results[i], err = createPet(ctx, s, statuses[(done+i)%len(statuses)])
					return err
				})
			})
		}
		close(start)
		wg.Wait()
		for i, err := range errs {
			if err != nil {
				return err
			}
			s.AddAnswer(results[i])
		}
	}
	return nil
}

// thenAllCreated is "each of them is created".
func thenAllCreated(_ context.Context, s *scene) error {
	if !slices.ContainsFunc(s.Answers(), func(a *scenario.Answer) bool { _, ok := madeBy(a); return ok }) {
		return scenario.Stopf("none of the creations was answered with an animal")
	}
	return nil // each status was judged when it came
}

// thenAllReadable is "each can be read as it was answered".
func thenAllReadable(ctx context.Context, s *scene) error {
	all := s.Answers()
	return s.Run.Lanes.Do(len(all), func(i int) error {
		made, ok := madeBy(all[i])
		if !ok || s.pets.memory.IsSpoilt(made.ID) {
			return nil
		}
		return readBack(ctx, s, Creation{Animal: made, Seq: all[i].Exchange.Seq}, "get.created")
	})
}

// whenTwice is "the same plain body is sent twice".
func whenTwice(ctx context.Context, s *scene) error {
	op, err := s.Operation("createPet")
	if err != nil {
		return err
	}
	name := generate.JSONString(s.Run.FreshName())
	for range 2 {
		plan := generate.With("name", name)
		a, err := s.Perform(ctx, op, scenario.Arguments{}, plan, credentials.Right(s.Run.Target.Key), s.Pickle.Name)
		if err != nil {
			return err
		}
		s.SetAnswers(a)
	}
	return nil
}
