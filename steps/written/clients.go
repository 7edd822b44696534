package written

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/lifecycle"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// mostClients bounds how many clients ask at the same time.
const mostClients = 64

// whenAtOnce is ""openTicket" is called 16 times by 8 clients at once".
func whenAtOnce(ctx context.Context, name, number, clients string) error {
	s := scenario.From(ctx)
	op, err := operation(s, name)
	if err != nil {
		return err
	}
	n, err := times(number)
	if err != nil {
		return err
	}
	at, err := times(clients)
	if err != nil {
		return err
	}
	plan := s.TakePlan()
	type asked struct {
		call
		answer *scenario.Answer
		err    error
	}
	calls := make([]asked, n)
	for i := range calls { // each with a name of its own
		if calls[i].call, err = prepare(ctx, s, op, nil, plan); err != nil {
			return err
		}
	}
	together := scenario.Together(ctx)
	var preparing sync.Mutex
	concurrently(n, min(at, mostClients), func(i int) {
		c, sent := &calls[i], false
		c.err = s.Anew(ctx, func() (err error) { // a call whose connection breaks is repeated alone, with another name
			if sent {
				preparing.Lock()
				c.call, err = prepare(ctx, s, op, nil, plan)
				preparing.Unlock()
				if err != nil {
					return err
				}
			}
			sent = true
			c.answer, err = s.Ask(together, c.request, c.with, s.Pickle.Name)
			c.answer, err = promised(s, c.call, c.answer, err)
			return err
		})
	})
	Forget(s)
	s.SetAnswers()
	var all []error
	for _, c := range calls {
		if c.err == nil {
			s.AddAnswer(c.answer)
			Note(s, c.answer, "")
		}
		all = append(all, c.err)
	}
	return errors.Join(all...)
}

// concurrently calls act with each number below n, for at most width of them at a time.
func concurrently(n, width int, act func(i int)) {
	next := make(chan int)
	var all sync.WaitGroup
	for range min(width, n) {
		all.Go(func() {
			for i := range next {
				act(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// untilStatus is ""readTicket" is called until the response is 200".
func untilStatus(ctx context.Context, name, word string) error {
	status, err := atoi(word)
	if err != nil {
		return err
	}
	return askUntil(ctx, name, func(a *scenario.Answer) bool { return a.Status() == status })
}

// untilMember is ""readTicket" is called until state is "closed"".
func untilMember(ctx context.Context, name, member, source string) error {
	want, err := Value(scenario.From(ctx), source)
	if err != nil {
		return err
	}
	return askUntil(ctx, name, func(a *scenario.Answer) bool {
		is, there := a.Value.At(inWrapper(a.Value, pointerOf(member)))
		return there && exactjson.Equal(is.Tree, want)
	})
}

// askUntil calls an operation until a response is as it is waited for, for as long as a run waits for what was written.
func askUntil(ctx context.Context, name string, done func(*scenario.Answer) bool) error {
	s := scenario.From(ctx)
	op, err := operation(s, name)
	if err != nil {
		return err
	}
	plan := s.TakePlan()
	c, err := prepare(ctx, s, op, nil, plan)
	if err != nil {
		return err
	}
	Forget(s)
	a, err := lifecycle.Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, c.request, c.with, s.Pickle.Name) }, done)
	if a, err = promised(s, c, a, err); err != nil {
		return err
	}
	Remember(s, a)
	s.SetAnswers(a)
	return nil
}

// thenAlike is "each response shows the same[ title and colour]".
func thenAlike(ctx context.Context, members string) error {
	s := scenario.From(ctx)
	all := s.Answers()
	if len(all) < 2 {
		return errors.New("there is one response at most before this step; call the operation several times")
	}
	one, err := whole(all[0])
	if err != nil {
		return err
	}
	var names []string
	if members != "" {
		names = strings.Split(strings.ReplaceAll(members, " and ", ", "), ", ")
	}
	if names != nil && (!one.Valid || follows(s, all[0])) {
		return scenario.Stopf("the first response shows nothing that others could show as well: status %d", all[0].Status())
	}
	for _, a := range all[1:] {
		if names != nil {
			err = alikeIn(s, all[0], a, one, names)
		} else {
			err = alike(s, all[0], a, one)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alike judges that a response is the same as the first one, whose body is given.
func alike(s *scenario.Scenario, first, a *scenario.Answer, one exactjson.Value) error {
	is, err := whole(a)
	if err != nil {
		return err
	}
	if !one.Valid || !is.Valid {
		conclude(s, a, asBytes(a, first))
		return nil
	}
	v := verdict{kind: spec.KindDiffers, expected: phrase.Of("the same as in the first response"), actual: phrase.Of("{}", shownValue(is.Tree)), exchanges: []int{first.Exchange.Seq}}
	v.good = a.Status() == first.Status() && exactjson.Equal(one.Tree, is.Tree)
	if !v.good {
		v.pointer, v.expected, v.actual = difference(exactjson.Value{Tree: one.Tree, Valid: true}, is, nil, v)
	}
	conclude(s, a, v)
	return nil
}

// alikeIn judges that a response shows the same members as the first one, whose body is given.
func alikeIn(s *scenario.Scenario, first, a *scenario.Answer, one exactjson.Value, names []string) error {
	if a.Status() != first.Status() {
		conclude(s, a, statusVerdict(a, phrase.Of("status {}, as at first", phrase.Status(first.Status())), false))
		return nil
	}
	is, err := whole(a)
	if err != nil {
		return err
	}
	for _, name := range names {
		pointer := pointerOf(name)
		was, had := one.At(pointer)
		now, has := is.At(pointer)
		conclude(s, a, verdict{
			kind: missingOr(has, spec.KindDiffers), expected: actual(was.Tree, had).With(", as in the first response"), actual: actual(now.Tree, has), pointer: pointer,
			exchanges: []int{first.Exchange.Seq}, good: had == has && (!had || exactjson.Equal(was.Tree, now.Tree)),
		})
	}
	return nil
}
