package lifecycle

import (
	"context"
	"fmt"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Lists that are as long as they may be.

func fullForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.FilledUp.Pattern(), Do: whenFilledUp},
		{Pattern: promise.SentAtMost.Pattern(), Do: whenSentAtMost},
		{Pattern: promise.NoLonger, Do: thenNoLonger},
	}
}

// mostAdded is how much a run adds to a store so that a list is as long as it may be: where more is missing, it stays as it is. beyondFull is how
// much it adds beyond what a list may show.
const mostAdded, beyondFull = 25, 3

// whenFilledUp is "there is a little more than <operation> shows at most".
func whenFilledUp(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, err := s.Making()
	if err != nil {
		return err
	}
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	life, err := listedBy(s, op)
	if err != nil {
		return err
	}
	limit := resource.PageSize(op)
	if limit == nil {
		return scenario.Excusef("%s has no limit", op.ID)
	}
	most, ok := spec.IntegerOf(limit.Schema.Maximum)
	if !ok {
		return fmt.Errorf("%s has no longest list", op.ID)
	}
	r, with, err := listBeside(ctx, s, op, m.Request)
	if err != nil {
		return err
	}
	a, err := s.Ask(ctx, r.With(request.PlaceOf(*limit), number(most)), with, s.Pickle.Name)
	if err != nil {
		return err
	}
	judgeStatus(s, op, a)
	missing := int(most) - max(len(life.Items(a.Value.Tree)), a.Items)
	if a.Status()/100 != 2 || missing <= 0 || missing+beyondFull > mostAdded {
		return nil
	}
	creator := life.Creator.Operation
	plain, err := s.Plain(ctx, creator)
	if err != nil {
		return endedOnly(err)
	}
	entitled, err := s.Entitled(ctx, creator)
	if err != nil {
		return endedOnly(err)
	}
	for range missing + beyondFull {
		made, err := s.Ask(ctx, scenario.Renamed(s, plain.Request), entitled, "to have as much as a list shows at most")
		if err != nil {
			return endedOnly(err)
		}
		if !made.Succeeded() {
			break
		}
	}
	return nil
}

// endedOnly returns an error that ends the run; what would end the scenario only is left out.
func endedOnly(err error) error {
	if endsScenario(err) {
		return nil
	}
	return err
}

// longLists are lists that were asked for with great limits, by the limit.
type longLists struct {
	name    string
	life    resource.Life
	limits  []int64
	answers []*scenario.Answer
}

// whenSentAtMost is "it is sent with the greatest values of <limit>, and with some that are not allowed". What comes of the latter is open, but
// for what the document says of every response.
func whenSentAtMost(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, p, err := makingListBy(s, name)
	if err != nil {
		return err
	}
	most, ok := spec.IntegerOf(p.Schema.Maximum)
	if !ok {
		return fmt.Errorf("the parameter %q has no maximum", p.Name)
	}
	const beyond = 10
	place := request.PlaceOf(*p)
	st := &longLists{name: p.Name, life: life}
	plain := fewestParameters([]request.Request{m.Request})
	for _, value := range []any{number(most), number(most - 1), number(most * beyond), number(0), number(-1), promise.NameInMap} {
		a, err := s.Ask(ctx, plain.With(place, value), m.Credential, s.Pickle.Name)
		if err != nil {
			return err
		}
		if !s.Run.Promises.Valid(p.Schema, value) {
			continue
		}
		judgeStatus(s, m.Request.Operation, a)
		if n, ok := spec.IntegerOf(fmt.Sprint(value)); ok && n > 0 && a.Status()/100 == 2 { // 0 and less often stand for no limit
			st.limits, st.answers = append(st.limits, n), append(st.answers, a)
		}
	}
	if len(st.answers) == 0 {
		return scenario.Excusef("%s shows no list", m.Request.Operation.ID)
	}
	s.Life = st
	s.SetAnswers(st.answers[0])
	return nil
}

// thenNoLonger is "no list is longer than was asked for".
func thenNoLonger(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*longLists)
	if !ok {
		return fmt.Errorf("no long list was asked for before this step")
	}
	for i, a := range st.answers {
		limit, n := int(st.limits[i]), max(len(st.life.Items(a.Value.Tree)), a.Items)
		if n < limit {
			continue
		}
		if n == limit {
			s.Kept(s.Rule.ID)
			continue
		}
		j := wrong(s, a, spec.KindTooLarge, phrase.Of("at most {}", phrase.Count(limit, "item")), phrase.Of("{}", phrase.Count(n, "item")))
		j.finding.Detail = st.name
		if !isSettled(s, j) {
			s.Find(a.Exchange, j.finding)
		}
		return nil
	}
	return nil
}
