package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// turn is a list that was asked for with the default of its limit, without the limit, and with it again.
type turn struct{ before, without, after page }

// inTurns are such turns.
type inTurns struct {
	name  string
	most  int
	turns []turn
}

// mostTurns is how often a list is asked for in both ways before anything is concluded.
const mostTurns = 3

// count returns how many items a page shows.
func (p page) count() int { return max(len(p.items), p.answer.Items) }

// lasting returns how many items are shown both before and after the list without a limit: others may add and remove items meanwhile.
func (t turn) lasting() int {
	after := t.after.ids()
	return len(slices.DeleteFunc(t.before.ids(), func(id string) bool { return !slices.Contains(after, id) }))
}

// differs reports whether a turn shows too many without the limit, or fewer than last with its default.
func (st *inTurns) differs(t turn) bool {
	few := t.before.count() <= st.most && t.after.count() <= st.most && !t.without.cut && t.without.count() < t.lasting()
	return t.without.count() > st.most || few
}

// whenInTurns is "it is sent without <limit> and with its default in turns".
func whenInTurns(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, p, err := makingListBy(s, name)
	if err != nil {
		return err
	}
	most, ok := spec.IntegerOf(p.Schema.Default)
	if !ok {
		return fmt.Errorf("the parameter %q has no default", p.Name)
	}
	st := &inTurns{name: p.Name, most: int(most)}
	list, place := pagerOf(life, m.Request, m.Credential), request.PlaceOf(*p)
	for i := range mostTurns {
		if i == mostTurns-1 { // one of the two may be some seconds behind, or kept by a cache
			if err := client.Sleep(ctx, s.Run.Patience.Lag()); err != nil {
				return err
			}
		}
		var t turn
		for _, one := range []struct {
			page *page
			r    request.Request
		}{{&t.before, list.first.With(place, number(most))}, {&t.without, list.first.Without(place)}, {&t.after, list.first.With(place, number(most))}} {
			if *one.page, err = list.ask(ctx, s, one.r); err != nil {
				return err
			}
			if status := one.page.answer.Status(); status/100 != 2 {
				return scenario.Excusef("%s shows no list: status %d", m.Request.Operation.ID, status)
			}
		}
		st.turns = append(st.turns, t)
		if !st.differs(t) {
			break
		}
	}
	s.Life = st
	s.SetAnswers(st.turns[len(st.turns)-1].without.answer)
	return nil
}

// thenSameCount is "both show as many".
func thenSameCount(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*inTurns)
	if !ok {
		return fmt.Errorf("no list was asked for in turns before this step")
	}
	last := st.turns[len(st.turns)-1]
	at, without := last.without.answer, last.without.count()
	if !st.differs(last) {
		if last.after.count() == st.most {
			s.Kept(s.Rule.ID)
			keptPart(s, promise.PartDefault)
		}
		return nil
	}
	j := wrong(s, at, spec.KindDiffers, phrase.Of("{}, as by {} {}", phrase.Count(last.lasting(), "item"), phrase.Field(st.name), phrase.Number(st.most)), phrase.Of("{}", phrase.Count(without, "item")))
	if without > st.most {
		j = wrong(s, at, spec.KindTooLarge, phrase.Of("at most {}, the default of {}", phrase.Count(st.most, "item"), phrase.Field(st.name)), phrase.Of("{}", phrase.Count(without, "item")))
	}
	j.finding.Detail = st.name
	j.finding.Exchanges = []int{last.before.answer.Exchange.Seq, at.Exchange.Seq}
	if s.Pickle.Covered != "" {
		j.finding.Rule, j.finding.Parts = s.Pickle.Covered, []string{promise.PartDefaultSame}
		if without > st.most {
			j.finding.Parts = []string{promise.PartDefault}
		}
	}
	if isSettled(s, j) {
		return nil
	}
	s.Find(at.Exchange, j.finding)
	return nil
}
