package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// twoValueList is a list requested with two values of a parameter.
type twoValueList struct {
	pager  pager
	name   string
	values [2]any
	shown  [2]page
}

// whenForTwoValues implements "it is sent for two values of <parameter>". It uses the values of the first items
// that differ.
func whenForTwoValues(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, parameter, err := makingListBy(s, name)
	if err != nil {
		return err
	}
	name, schema := parameter.Name, parameter.Schema
	l := pagerOf(life, fewestParameters([]request.Request{m.Request}), m.Credential)
	if l.paging.Size != nil {
		if most, ok := sizes(s, l.paging.Size); ok {
			l = l.sized(most)
		}
	}
	all, err := l.ask(ctx, s, l.first)
	if err != nil {
		return err
	}
	st := &twoValueList{pager: l, name: name}
	found := 0
	if schema.Type == "boolean" {
		st.values, found = [2]any{true, false}, 2
		for _, value := range st.values {
			if !slices.ContainsFunc(all.items, func(i resource.Item) bool { return i.Members[name] == value }) {
				if err := createForFilter(ctx, s, life, map[string]any{name: value}); err != nil {
					return err
				}
			}
		}
	}
	take := func() {
		for _, item := range all.items {
			value, there := item.Members[name]
			if found == 2 {
				break
			}
			if text, is := value.(string); !there || value == nil || is && text == "" || !s.Run.Promises.Valid(schema, value) || found == 1 && behaviour.Alike(st.values[0], value, true) <= behaviour.Normal {
				continue
			}
			st.values[found] = value
			found++
		}
	}
	take()
	for range 2 - found {
		added, err := createNamingAnother(ctx, s, life, name)
		if err != nil {
			return err
		}
		if !added {
			break
		}
		if all, err = l.ask(ctx, s, l.first); err != nil {
			return err
		}
		take()
	}
	if found < 2 {
		return scenario.Excusef("the list shows no two values of %s", name)
	}
	if err := st.ask(ctx, s); err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.shown[1].answer)
	return nil
}

// createForFilter creates a resource whose members have the given values, without some others. Its outcome shows in the list.
func createForFilter(ctx context.Context, s *scenario.Scenario, life resource.Life, members map[string]any, without ...string) error {
	op := life.Creator.Operation
	if life.Creator.Way != resource.Created {
		return nil
	}
	plain, err := s.Plain(ctx, op)
	if err == nil {
		var with credential
		if with, err = s.Entitled(ctx, op); err == nil {
			r := plain.Request
			for name, value := range members {
				var no error
				if r, no = r.WithBodyAt(jsonpointer.Join("", name), value); no != nil {
					return nil //nolint:nilerr // no such pointer
				}
			}
			for _, name := range without {
				if _, there := (exactjson.Value{Tree: bodyOf(r), Valid: true}).At(jsonpointer.Join("", name)); !there {
					continue
				}
				if r, err = r.WithoutBodyAt(jsonpointer.Join("", name)); err != nil {
					return nil //nolint:nilerr // no such pointer
				}
			}
			_, err = s.Ask(ctx, r, with, "to have something to filter")
		}
	}
	if endsScenario(err) {
		return nil
	}
	return err
}

func bodyOf(r request.Request) any {
	body, _, _ := r.Body()
	return body
}

// createNamingAnother creates a resource that refers to another resource than the existing ones do, and reports
// whether it succeeded.
func createNamingAnother(ctx context.Context, s *scenario.Scenario, life resource.Life, name string) (bool, error) {
	op := life.Creator.Operation
	if life.Creator.Way != resource.Created {
		return false, nil
	}
	r, ok, err := scenario.NamingAnother(ctx, s, op, name)
	if ok && err == nil {
		var with credential
		if with, err = s.Entitled(ctx, op); err == nil {
			var a *scenario.Answer
			if a, err = s.Ask(ctx, r, with, "to have something to filter"); err == nil {
				return a.Status()/100 == 2, nil
			}
		}
	}
	if endsScenario(err) {
		return false, nil
	}
	return false, err
}

// ask requests the list with each value.
func (st *twoValueList) ask(ctx context.Context, s *scenario.Scenario) error {
	for i, value := range st.values {
		p, err := st.pager.ask(ctx, s, st.pager.first.With(request.Place{In: "query", Name: st.name}, value))
		if err != nil {
			return err
		}
		if p.answer.Status()/100 != 2 {
			return scenario.Excusef("the list is not shown for a value of %s: status %d", st.name, p.answer.Status())
		}
		st.shown[i] = p
	}
	return nil
}

// leaks reports, for each value, whether the list shows an item that belongs to the other value.
func (st *twoValueList) leaks() (out [2]bool) {
	for i, p := range st.shown {
		for _, item := range p.items {
			value, there := item.Members[st.name]
			out[i] = out[i] || there && behaviour.Alike(st.values[1-i], value, true) == behaviour.Equal
		}
	}
	return out
}

// thenApart implements "neither response shows what the other value asks for". It takes both to leak: one value
// alone may include what is below it, or a boolean may widen the list rather than narrow it.
func thenApart(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*twoValueList)
	if !ok {
		return fmt.Errorf("no list was requested with two values before this step")
	}
	at := st.shown[1].answer
	switch first := st.leaks(); {
	case first == [2]bool{} && len(st.shown[0].items)+len(st.shown[1].items) > 0:
		s.Kept(s.Rule.ID)
		return nil
	case !first[0] || !first[1]:
		observe(s, at, "the list for one value shows items of the other, or nothing")
		return nil
	}
	seen := st.shown[0].answer.Exchange.Seq
	again := *st
	if err := again.ask(ctx, s); err != nil {
		return err
	}
	if leaks := again.leaks(); !leaks[0] || !leaks[1] || s.Rule.Level == spec.Open {
		observe(s, at, "the list for each value shows items of the other")
		return nil
	}
	shown := func(i int) phrase.Value { return phrase.JSON(exactjson.Describe(st.values[i])) }
	j := wrong(s, at, spec.KindDiffers, phrase.Of("only {} in {}, as requested", shown(1), phrase.Field(st.name)),
		phrase.Of("{} too, and the reverse when that was requested", shown(0)))
	j.finding.Detail = st.name
	j.finding.Exchanges = []int{seen, at.Exchange.Seq}
	s.Find(at.Exchange, j.finding)
	return nil
}
