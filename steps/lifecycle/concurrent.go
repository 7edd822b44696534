package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// concurrent is what is done concurrently with one instance, or with several created at once.
type concurrent struct {
	// made holds the instances that were created concurrently, with their reads.
	made []*instance
	// since is how many resources the run had created before them, and meanwhile how many it created until they were
	// read.
	since, meanwhile int
	// members are the members whose values are tracked through changes, begin their values before.
	members []spec.Property
	begin   []string
	history history
	// meaning is why nothing is concluded, or empty.
	meaning string
}

// concurrentForms returns the steps about concurrent requests.
func concurrentForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.CreatesAtOnce.Pattern(), Do: whenCreatedAtOnce},
		{Pattern: promise.ReadsEach.Pattern(), Do: movedBy(readsEach)},
		{Pattern: promise.EachItsOwn, Do: then(eachItsOwn)},
		{Pattern: promise.ChangesText.Pattern(), Do: movedBy(changesText)},
		{Pattern: promise.ChangesAtOnce.Pattern(), Do: movedByTwo(changesAtOnce)},
		{Pattern: promise.Explained, Do: then(explains)},
		{Pattern: promise.DeletesAtOnce.Pattern(), Do: movedByTwo(deletesAtOnce)},
		{Pattern: promise.GoneForGood, Do: then(goneForGood)},
	}
}

func movedByTwo(m func(op, reader *spec.Operation) move) func(context.Context, string, string) error {
	return func(ctx context.Context, name, reads string) error {
		s := scenario.From(ctx)
		op, err := operation(s, unquoted(name))
		if err != nil {
			return err
		}
		reader, err := operation(s, unquoted(reads))
		if err != nil {
			return err
		}
		return perform(ctx, s, m(op, reader))
	}
}

// together starts n clients at once, and waits for them. With a context of [scenario.Together] their requests
// start at once, too. Errors that only end the scenario are dropped.
func together(n int, act func(client int) error) error {
	start := make(chan struct{})
	errs := make([]error, n)
	var all sync.WaitGroup
	for one := range n {
		all.Go(func() {
			<-start
			errs[one] = act(one)
		})
	}
	close(start)
	all.Wait()
	return errors.Join(slices.DeleteFunc(errs, endsScenario)...)
}

// whenCreatedAtOnce implements "6 are created at the same time".
func whenCreatedAtOnce(ctx context.Context, number string) error {
	n, err := strconv.Atoi(number)
	if err != nil || n < 2 || n > mostAtOnce {
		return fmt.Errorf("%q is no number from 2 to %d", number, mostAtOnce)
	}
	return perform(ctx, scenario.From(ctx), func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		in.concurrent.since = s.Run.Budget().Created()
		in.concurrent.made, err = createSeveral(scenario.Together(ctx), s, in, n, together)
		return err
	})
}

// mostInFlight is how many creations of other scenarios may be done but not counted yet.
const mostInFlight = 16

// mostAtOnce bounds how many resources are created concurrently.
const mostAtOnce = 64

// createSeveral creates n resources, run by order concurrently or in sequence. It returns those that were created.
func createSeveral(ctx context.Context, s *scenario.Scenario, in *instance, n int, order func(int, func(int) error) error) ([]*instance, error) {
	st := in.story
	if !s.Budget.Room(n) {
		s.Budget.CutShort()
		return nil, scenario.Stopf("the run may not create %d more (--max-created)", n)
	}
	all := make([]*instance, n)
	for i := range all {
		r, err := scenario.Creation(ctx, s, st.making)
		if err != nil {
			return nil, err
		}
		all[i] = &instance{story: st, asked: varied(s, st, r)}
	}
	err := order(n, func(i int) (err error) {
		all[i].created, err = s.Ask(ctx, all[i].asked, st.making.Credential, s.Pickle.Name)
		return err
	})
	if err != nil {
		return nil, err
	}
	refused := 0
	for _, one := range all {
		if one.created == nil {
			continue
		}
		judgeConcurrentStatus(s, in.note(one.note(one.created)))
		if in.created == nil || one.created.Status()/100 == 2 {
			in.asked, in.created = one.asked, one.created
		}
		if one.created.Status()/100 != 2 {
			refused = one.created.Status()
		}
		one.resource = one.created.Made()
	}
	all = slices.DeleteFunc(all, func(one *instance) bool {
		return one.created == nil || one.created.Status()/100 != 2 || one.resource == nil
	})
	switch {
	case len(all) > 1:
		s.SetAnswers(in.created)
		return all, nil
	case refused != 0: // a service may accept only one, or few, at a time
		return nil, scenario.Excusef("fewer than two resources could be created: one was answered %d", refused)
	}
	return nil, scenario.Excusef("fewer than two resources could be created")
}

// varied returns a request to create a resource, with a unique text if nothing else distinguishes it from others.
func varied(s *scenario.Scenario, st *story, r request.Request) request.Request {
	plain, _, _ := st.making.Plain.Request.Body()
	if body, _, _ := r.Body(); !same(plain, body) {
		return r
	}
	given := map[string]bool{}
	for _, m := range s.Run.Promises.Given().Members(r.Operation) {
		given[m.Pointer] = true
	}
	for _, held := range []bool{true, false} {
		for _, p := range st.life.Texts(r.Operation) {
			if with := withValid(s, r, p.Name, s.Run.FreshName()); !given["/"+p.Name] && holdsMember(r, p.Name) == held && !with.Equal(r) {
				return with
			}
		}
	}
	return r
}

// readsEach implements "<operation> reads each of them".
func readsEach(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		err := readAll(ctx, s, in, in.concurrent.made, op)
		in.concurrent.meanwhile = s.Run.Budget().Created() - in.concurrent.since
		return err
	}
}

// readAll reads each of several resources concurrently.
func readAll(ctx context.Context, s *scenario.Scenario, in *instance, all []*instance, op *spec.Operation) error {
	ctx = scenario.Together(ctx)
	err := together(len(all), func(i int) error {
		a, err := read(ctx, s, all[i], op, false)
		if err == nil {
			all[i].reads = []*scenario.Answer{all[i].note(a)}
		}
		return err
	})
	for _, one := range all {
		for _, a := range one.reads {
			judgeConcurrentStatus(s, in.note(a))
		}
	}
	return err
}

// eachItsOwn implements "each is told apart, and is what was sent". A violation counts only if resources created
// one after another do not show it: a service may keep only so many, or one for each name.
func eachItsOwn(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	j, all := ownOf(s, in.concurrent.made)
	if !j.broken() {
		return j, nil
	}
	control := &instance{story: in.story}
	oneByOne := func(n int, act func(int) error) error {
		for i := range n {
			if err := act(i); err != nil && !endsScenario(err) {
				return err
			}
		}
		return nil
	}
	n := len(in.concurrent.made)
	if j.finding.Kind == spec.KindLost { // a store that keeps only the newest may have dropped it for those of other scenarios
		n = min(max(n, 2*in.concurrent.meanwhile+mostInFlight), mostAtOnce)
	}
	ctx, release, err := s.Alone(ctx) // otherwise concurrency with other scenarios could cause the same
	if err != nil {
		return judgement{}, err
	}
	defer release()
	made, err := createSeveral(ctx, s, control, n, oneByOne)
	if err == nil {
		err = readAll(ctx, s, control, made, in.story.life.Reader)
	}
	if endsScenario(err) {
		return judgement{at: j.at, meaning: j.finding.Actual.String() + "; whether this also holds for resources created one after the other is not known"}, nil
	}
	if err != nil {
		return judgement{}, err
	}
	// Other clients go on meanwhile, so a few of these may show the effects of concurrency, too.
	if _, also := ownOf(s, made); 2*count(also, j.finding.Cause) >= count(all, j.finding.Cause) {
		return judgement{at: j.at, meaning: j.finding.Actual.String() + "; the same holds for resources created one after the other"}, nil
	}
	return j, nil
}

// ownOf judges whether several created resources have unique identifiers, exist, and show what was sent. It
// returns the first violation, and all of them.
func ownOf(s *scenario.Scenario, made []*instance) (first judgement, all []judgement) {
	for i, one := range made {
		if one.created.Status() != 201 {
			continue
		}
		if slices.ContainsFunc(made[:i], func(before *instance) bool { return before.created.Status() == 201 && alikeIn(before, one) }) {
			all = append(all, wrong(s, one.created, spec.KindDuplicate, phrase.Of("a unique identifier"),
				phrase.Of("{}, which another resource created at the same time has", phrase.JSON(fmt.Sprint(one.resource.Identifier())))).withIdentifier(one.resource.Identifier()))
		}
	}
	kept := judgement{at: made[0].created}
	for _, one := range made {
		if len(one.reads) == 0 {
			continue
		}
		a := one.reads[len(one.reads)-1]
		missing := a.Status() == 404 || a.Status() == 410
		if missing && one.created.Status() != 202 && one.resource.Owned() && unsettledAfterCreation(one.story.life, one.created) == "" {
			j := wrongStatus(s, a, "a success, because it was created")
			j.finding.Kind = spec.KindLost
			all = append(all, j)
		}
		shown, ok := one.story.life.Read(a.Value.Tree)
		if a.Status()/100 != 2 || !ok {
			continue
		}
		kept.at, kept.kept = a, true
		_, others := behaviour.Compare(one.sent(), shown)
		for _, d := range others {
			if another(d) && d.There && judged(one.story.life, d.Pointer, d.Was) && !cut(d) {
				all = append(all, differs(s, a, d))
			}
		}
	}
	if len(all) > 0 {
		return all[0], all
	}
	return kept, nil
}

// alikeIn reports whether two resources that were sent different members have the same identifier, which the requests did not name.
func alikeIn(one, other *instance) bool {
	return sameIdentifier(one.resource, other.resource) && !same(one.sent(), other.sent()) &&
		(!sendsIdentifier(one.sent(), one.resource) || !sendsIdentifier(other.sent(), other.resource))
}

// count returns the number of judgements with a cause.
func count(all []judgement, cause string) int {
	n := 0
	for _, j := range all {
		if j.finding.Cause == cause {
			n++
		}
	}
	return n
}
