package lifecycle

import (
	"context"
	"fmt"

	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// smallPages are the first pages of a list that is asked for as the scenario says.
type smallPages struct {
	life   resource.Life
	making *scenario.Making
	walk   walk
}

// whenInSmallPages implements "its first pages are followed, each of two items".
func whenInSmallPages(ctx context.Context) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	st := &smallPages{life: life, making: m}
	if err := st.follow(ctx, s); err != nil {
		return err
	}
	if len(st.walk.pages) < 2 {
		return scenario.Excusef("the list has no second page")
	}
	s.Life = st
	s.SetAnswers(st.walk.last)
	return nil
}

// follow follows the pages.
func (st *smallPages) follow(ctx context.Context, s *scenario.Scenario) (err error) {
	const size = 2
	st.walk, err = pagerOf(st.life, st.making.Request, st.making.Credential).sized(size).walk(ctx, s, fewPages)
	return err
}

// judge judges the pages behind the first by the filter of the first one.
func (st *smallPages) judge(s *scenario.Scenario, name string) judgement {
	j := judgement{at: st.walk.last}
	for _, p := range st.walk.pages[1:] {
		on := hasAsked(s, st.making.Request, p.answer, p.items, name)
		if on.broken() {
			on.finding.Exchanges = st.walk.exchanges(p.answer)
			return on
		}
		j.kept = j.kept || on.kept
	}
	return j
}

// thenOnEachPage implements "each of their items has the asked <member>". It reports what a second walk shows again.
func thenOnEachPage(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*smallPages)
	if !ok {
		return fmt.Errorf("no pages were followed before this step")
	}
	first := st.judge(s, unquoted(name))
	if isSettled(s, first) {
		return nil
	}
	again := *st
	if err := again.follow(ctx, s); err != nil {
		return err
	}
	if len(again.walk.pages) < 2 || !again.judge(s, unquoted(name)).broken() {
		observe(s, first.at, first.finding.Actual.String())
		return nil
	}
	s.Find(first.at.Exchange, first.finding)
	return nil
}
