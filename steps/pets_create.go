package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
)

// Steps that create animals and judge what creation answered.

// create creates a plain animal, with a status unless it is empty, by the given rule for its status.
func (s *scenario) create(ctx context.Context, status string) (*answer, error) {
	op, err := s.operation("createPet")
	if err != nil {
		return nil, err
	}
	plan := &generate.Plan{}
	if status != "" {
		plan.Set = append(plan.Set, generate.Change{Property: "status", JSON: generate.JSONString(status)})
	}
	a, err := s.perform(ctx, op, arguments{}, plan, credentials.Right(s.run.target.Key), "a plain animal")
	if err != nil {
		return nil, err
	}
	s.expect(a, "create.accepted", s.run.terms.Added)
	if a.status()/100 == 2 {
		for _, p := range op.Body.Schema.Properties {
			s.judgeEcho(a, op, p.Name)
		}
	}
	return a, nil
}

// whenCreated is "an animal is created with status sold" and "… without a status".
func (s *scenario) whenCreated(ctx context.Context, how string) error {
	status := strings.TrimPrefix(how, "with status ")
	if how == "without a status" {
		status = ""
	}
	a, err := s.create(ctx, status)
	if err != nil {
		return err
	}
	s.answers = []*answer{a}
	if _, ok := s.made(a); !ok {
		return stopf("createPet did not answer with an animal")
	}
	return nil
}

// made is the animal that a creation answered with; false when it was refused or answered something else.
func (s *scenario) made(a *answer) (petstore.Animal, bool) {
	if a.status()/100 != 2 {
		return petstore.Animal{}, false
	}
	return petstore.AnimalOf(a.value.Tree)
}

// givenOwn is "an animal that this run created": one that is there already, or a new one.
func (s *scenario) givenOwn(ctx context.Context) error {
	if all := s.run.memory.Animals(); len(all) > 0 {
		s.own = &all[len(all)-1]
		return nil
	}
	return s.givenNew(ctx)
}

// givenNew is "an animal that was just created", so that nobody has read it yet.
func (s *scenario) givenNew(ctx context.Context) error {
	a, err := s.create(ctx, s.run.terms.PlainStatus())
	if err != nil {
		return err
	}
	made, ok := s.made(a)
	if !ok {
		return stopf("createPet did not answer with an animal")
	}
	s.own = &petstore.Creation{Animal: made, Seq: a.ex.Seq}
	return nil
}

// givenID is "a plain body with an id of the client's own" and "… with that animal's id".
func (s *scenario) givenID(ctx context.Context, whose string) error {
	id := s.run.FreshID()
	if whose == "that animal's id" {
		if s.own == nil {
			return fmt.Errorf("no animal was given before this step")
		}
		if err := s.lookAtOwn(ctx); err != nil {
			return err
		}
		id = s.own.ID
	}
	s.sentID = id
	s.planned().Extra = `"id": ` + id
	return nil
}

// lookAtOwn reads the animal that was given, so that what differs already is not held against the next request.
func (s *scenario) lookAtOwn(ctx context.Context) error {
	if _, gone := s.run.removed["getPet"]; gone {
		return nil
	}
	a, err := s.get(ctx, s.own.ID)
	if err != nil {
		return err
	}
	if is, ok := petstore.AnimalOf(a.value.Tree); ok && a.status() == s.run.terms.Found && is.ID == s.own.ID {
		s.own = &petstore.Creation{Animal: is, Seq: a.ex.Seq, Read: true}
	}
	return nil
}

// thenIDUnused is "the id that was sent is not used".
func (s *scenario) thenIDUnused(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	s.adviseOpen(a)
	made, ok := s.made(a)
	if !ok {
		return nil // refusing the id is the service's right
	}
	if made.ID != s.sentID {
		s.kept("create.id.own")
	} else {
		s.find(a.ex, spec.Finding{
			Rule: "create.id.own", Kind: spec.KindDuplicate, Expected: "an id of the service's own", Actual: made.ID + ", the id that the client sent",
			Where: check.Place(a.ex) + ", /id", Pointer: "/id", Cause: "create.id.own",
			About: spec.About{IDs: []string{made.ID}, Shows: spec.Ambiguous},
		})
	}
	return nil
}

// thenOwnUnchanged is "that animal is as it was".
func (s *scenario) thenOwnUnchanged(ctx context.Context) error {
	return s.readBack(ctx, *s.own, "create.id.own")
}

// thenIDsNew is "each id is new": among the responses of the last step.
func (s *scenario) thenIDsNew(context.Context) error {
	first := map[string]*answer{}
	for _, a := range s.answers {
		made, ok := s.made(a)
		if !ok {
			continue
		}
		before := first[made.ID]
		switch {
		case before == nil && len(first) > 0:
			s.kept("create.id.unique")
		case before != nil && !s.broken(a.ex):
			s.find(a.ex, spec.Finding{
				Rule: "create.id.unique", Kind: spec.KindDuplicate, Expected: "an id that no other animal has",
				Actual: "the id " + made.ID + " for two animals", Where: check.Place(a.ex) + ", /id", Pointer: "/id",
				Exchanges: []int{before.ex.Seq, a.ex.Seq}, Cause: "create.id.unique",
				About: spec.About{IDs: []string{made.ID}, Shows: spec.Ambiguous},
			})
		}
		first[made.ID] = a
	}
	return nil
}

// whenManyCreate is "36 animals are created by 12 clients at once". The clients wait for each other before each of their
// creations, so that these meet in the service.
func (s *scenario) whenManyCreate(ctx context.Context, animals, clients string) error {
	n, _ := strconv.Atoi(animals)
	at, _ := strconv.Atoi(clients)
	if n < 1 || at < 1 || n > 1000 {
		return fmt.Errorf("%s animals by %s clients cannot be created", animals, clients)
	}
	statuses := append(s.run.terms.Statuses(), "")
	s.answers = nil
	if left := s.run.budget.Left(s.share()); s.repeats && left >= at && left < n {
		n, s.cutShort = left-left%at, true // fewer rounds may show it as well
	}
	for done := 0; done < n; done += at {
		var wg sync.WaitGroup
		results := make([]*answer, min(at, n-done))
		errs := make([]error, len(results))
		start := make(chan struct{})
		for i := range results {
			wg.Go(func() {
				<-start
				errs[i] = s.anew(ctx, func() (err error) {
					results[i], err = s.create(ctx, statuses[(done+i)%len(statuses)])
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
			s.answers = append(s.answers, results[i])
		}
	}
	return nil
}

// thenAllCreated is "each of them is created".
func (s *scenario) thenAllCreated(context.Context) error {
	if !slices.ContainsFunc(s.answers, func(a *answer) bool { _, ok := s.made(a); return ok }) {
		return stopf("none of the creations was answered with an animal")
	}
	return nil // each status was judged when it came
}

// thenAllReadable is "each can be read as it was answered".
func (s *scenario) thenAllReadable(ctx context.Context) error {
	const readers = 8
	queue := make(chan *answer, len(s.answers))
	for _, a := range s.answers {
		queue <- a
	}
	close(queue)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first error
	for range readers {
		wg.Go(func() {
			for a := range queue {
				made, ok := s.made(a)
				if !ok || s.run.memory.IsSpoilt(made.ID) {
					continue
				}
				if err := s.readBack(ctx, petstore.Creation{Animal: made, Seq: a.ex.Seq}, "get.created"); err != nil {
					mu.Lock()
					first = err
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}

// whenTwice is "the same plain body is sent twice".
func (s *scenario) whenTwice(ctx context.Context) error {
	op, err := s.operation("createPet")
	if err != nil {
		return err
	}
	name := generate.JSONString(s.run.FreshName())
	for range 2 {
		plan := generate.With("name", name)
		a, err := s.perform(ctx, op, arguments{}, plan, credentials.Right(s.run.target.Key), s.pickle.Name)
		if err != nil {
			return err
		}
		s.answers = []*answer{a}
	}
	return nil
}

// thenLong is "a plain body where name is 300 characters long".
func (s *scenario) givenLong(_ context.Context, property, length string) error {
	n, err := strconv.Atoi(length)
	if err != nil || n > 1<<20 {
		return fmt.Errorf("%q is no usable length", length)
	}
	return s.planned().Change(property, generate.JSONString(fmt.Sprintf("{unique:%d}", n)))
}
