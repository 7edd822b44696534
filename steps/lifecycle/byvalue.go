package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// byValue is what a list shows without a filter, before and behind what it shows for each value of it.
type byValue struct {
	name          string
	making        *scenario.Making
	parameter     *spec.Parameter
	life          resource.Life
	before, after walk
	values        []any
	shown         []walk
}

// whenByEachValue is "it is sent without <filter> and for each of its values".
func whenByEachValue(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, p, err := makingListBy(s, name)
	if err != nil {
		return err
	}
	st := &byValue{name: p.Name, making: m, parameter: p, life: life}
	if err := st.ask(ctx, s); err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.after.last)
	return nil
}

// ask asks for the lists.
func (st *byValue) ask(ctx context.Context, s *scenario.Scenario) (err error) {
	place := request.PlaceOf(*st.parameter)
	plain := fewestParameters([]request.Request{st.making.Request}).Without(place)
	st.values, st.shown = nil, nil
	if st.before, err = readAtOnce(ctx, s, st.life, plain, st.making.Credential); err != nil {
		return err
	}
	if !readWhole(st.life, st.before) {
		st.after = st.before
		return nil
	}
	for _, text := range st.parameter.Schema.Enum {
		value, err := exactjson.Decode([]byte(text))
		if err != nil || !s.Run.Promises.Valid(st.parameter.Schema, value.Tree) {
			continue
		}
		w, err := readAtOnce(ctx, s, st.life, plain.With(place, value.Tree), st.making.Credential)
		if err != nil {
			return err
		}
		st.values, st.shown = append(st.values, value.Tree), append(st.shown, w)
	}
	st.after, err = readAtOnce(ctx, s, st.life, plain, st.making.Credential)
	return err
}

// readWhole reports whether a list was read to its end beyond doubt: its pages were followed, or it has one that had room for more.
func readWhole(life resource.Life, w walk) bool {
	paging, _ := resource.PagingOf(life.Lister.Operation)
	bounded := paging.Size == nil || paging.Size.Schema.Maximum != ""
	return w.ended && !w.full && !w.cut() && !w.unnamed() && !w.round && w.last.Status()/100 == 2 && (paging.Way != "" || bounded)
}

// judge says what a value shows that does not have it, or does not show that has it.
func (st *byValue) judge(s *scenario.Scenario) judgement {
	if !readWhole(st.life, st.before) || !readWhole(st.life, st.after) {
		return judgement{at: st.after.last, meaning: "the list was not read to its end"}
	}
	// has holds the values of this run's own items that were listed alike before and after. Others may change theirs meanwhile.
	has := map[string]any{}
	after := map[string]any{}
	for _, item := range st.after.items() {
		after[fmt.Sprint(item.Identifier)] = item.Members[st.name]
	}
	for _, item := range st.before.items() {
		id, own := fmt.Sprint(item.Identifier), s.Run.HasCreated(scenario.Shown(st.life.Slot, &st.making.Request, item.Identifier))
		if is, there := after[id]; there && own && item.Members[st.name] != nil && same(is, item.Members[st.name]) {
			has[id] = is
		}
	}
	most := 0
	for _, w := range []walk{st.before, st.after} {
		for _, p := range w.pages {
			most = max(most, len(p.items))
		}
	}
	kept := false
	for i, value := range st.values {
		w := st.shown[i]
		if w.last.Status()/100 != 2 || w.cut() || w.unnamed() {
			continue
		}
		listed := map[string]bool{}
		matching := false
		for _, item := range w.items() {
			id := fmt.Sprint(item.Identifier)
			listed[id] = true
			matching = matching || behaviour.Alike(value, item.Members[st.name], true) <= behaviour.Normal
			if is, there := has[id]; there && behaviour.Alike(value, is, true) == behaviour.Another && behaviour.Alike(value, item.Members[st.name], true) <= behaviour.Normal {
				j := wrong(s, w.last, spec.KindDiffers, phrase.Of("{} {} of {}, as the list shows without it", phrase.Field(st.name), phrase.JSON(exactjson.Describe(is)), phrase.JSON(id)),
					phrase.Of("{}", phrase.JSON(exactjson.Describe(value))))
				return st.withDetail(s, j, w, "stamped")
			}
		}
		if len(listed) > 0 && !matching && len(has) > 0 && len(listed) == len(st.before.items()) && sameSet(w.ids(), st.before.ids()) {
			j := wrong(s, w.last, spec.KindUnexpected, phrase.Of("nothing, for nothing has {} {}", phrase.Field(st.name), phrase.JSON(exactjson.Describe(value))), phrase.Of("all that there is"))
			return st.withDetail(s, j, w, "all")
		}
		if !w.ended || w.full || len(w.pages) == 1 && len(w.items()) >= most {
			continue
		}
		for id, is := range has {
			if behaviour.Alike(value, is, true) != behaviour.Equal {
				continue
			}
			if kept = true; !listed[id] {
				j := wrong(s, w.last, spec.KindLost, phrase.Of("{}, which has {} {} in the list without it", phrase.JSON(id), phrase.Field(st.name), phrase.JSON(exactjson.Describe(value))),
					phrase.Of("a list without it"))
				return st.withDetail(s, j, w, "lost "+fmt.Sprint(value))
			}
		}
	}
	return judgement{at: st.after.last, kept: kept}
}

// withDetail completes a judgement of what a value shows.
func (st *byValue) withDetail(s *scenario.Scenario, j judgement, w walk, what string) judgement {
	j.finding.Detail, j.finding.Cause = st.name, j.finding.Cause+" "+what
	j.finding.Exchanges = append([]int{st.before.last.Exchange.Seq}, w.last.Exchange.Seq)
	if j.finding.Kind == spec.KindLost && s.Pickle.Covered != "" {
		j.finding.Rule, j.finding.Parts = s.Pickle.Covered, []string{promise.PartComplete}
	}
	return j
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// thenJustThose is "each value shows just what has it". What breaks it has to show again while nothing else is asked.
func thenJustThose(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*byValue)
	if !ok {
		return fmt.Errorf("no list was asked for by each value before this step")
	}
	first := st.judge(s)
	if first.kept && !first.broken() {
		keptPart(s, promise.PartComplete)
	}
	if isSettled(s, first) {
		return nil
	}
	// An index that the filter uses may be some seconds behind the list without it.
	if err := client.Sleep(ctx, s.Run.Patience.Lag()); err != nil {
		return err
	}
	alone, release, err := s.Alone(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := st.ask(alone, s); err != nil {
		return err
	}
	second := st.judge(s)
	if !second.broken() || second.finding.Cause != first.finding.Cause {
		observe(s, first.at, first.finding.Actual.String()+", and not so once more")
		return nil
	}
	s.Find(second.at.Exchange, second.finding)
	return nil
}
