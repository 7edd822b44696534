package lifecycle

import (
	"context"
	"fmt"
	"maps"
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
	filter        resource.Filter
	making        *scenario.Making
	life          resource.Life
	before, after walk
	// values are those that were asked for: one at a time, or several for [resource.OneOf].
	values [][]any
	shown  []walk
}

// whenByEachValue is "it is sent without <filter> and for each of its values".
func whenByEachValue(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, p, err := makingListBy(s, name)
	if err != nil {
		return err
	}
	st := &byValue{filter: resource.Filter{Parameter: *p, Member: p.Name, Schema: p.Schema, Relation: resource.Equal}, making: m, life: life}
	if err := st.ask(ctx, s); err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.after.last)
	return nil
}

// ask asks for the lists.
func (st *byValue) ask(ctx context.Context, s *scenario.Scenario) (err error) {
	place := request.PlaceOf(st.filter.Parameter)
	plain := fewestParameters([]request.Request{st.making.Request}).Without(place)
	st.shown = nil
	if st.before, err = readAtOnce(ctx, s, st.life, plain, st.making.Credential); err != nil {
		return err
	}
	if st.before.last.Status()/100 != 2 || !st.chosen() && !readWhole(st.life, st.before) {
		st.after = st.before
		return nil
	}
	if len(st.values) == 0 { // what breaks the rule is repeated with the same values
		st.values = st.choose(s)
	}
	for _, values := range st.values {
		w, err := readAtOnce(ctx, s, st.life, plain.With(place, st.filter.Value(values...)), st.making.Credential)
		if err != nil {
			return err
		}
		st.shown = append(st.shown, w)
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

// isPaged reports whether the contract says how to go on behind the first page of a list.
func isPaged(life resource.Life) bool {
	paging, _ := resource.PagingOf(life.Lister.Operation)
	return paging.Way != ""
}

// judge says what a value shows that does not have it, or does not show that has it.
func (st *byValue) judge(s *scenario.Scenario) judgement {
	whole := readWhole(st.life, st.before) && readWhole(st.life, st.after)
	if !whole && !st.chosen() {
		return judgement{at: st.after.last, meaning: "the list was not read to its end"}
	}
	// has holds the values of this run's own items that were listed alike before and after. Others may change theirs meanwhile.
	has := map[string]any{}
	member := st.filter.Member
	after := map[string]any{}
	for _, item := range st.after.items() {
		after[fmt.Sprint(item.Identifier)] = item.Members[member]
	}
	for _, item := range st.before.items() {
		id, own := fmt.Sprint(item.Identifier), s.Run.HasCreated(scenario.Shown(st.life.Slot, &st.making.Request, item.Identifier))
		if is, there := after[id]; there && own && item.Members[member] != nil && same(is, item.Members[member]) {
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
	for i, values := range st.values {
		w := st.shown[i]
		if w.last.Status()/100 != 2 || w.cut() || w.unnamed() {
			continue
		}
		shownOf := func(is any) phrase.Phrase {
			return phrase.Of("{} in {}", phrase.JSON(exactjson.Describe(is)), phrase.Field(member))
		}
		listed := map[string]bool{}
		matching := false
		for _, item := range w.items() {
			id := fmt.Sprint(item.Identifier)
			listed[id] = true
			likeness := st.likeness(values, item.Members[member])
			matching = matching || likeness <= behaviour.Normal
			if is, there := has[id]; there && st.likeness(values, is) == behaviour.Another && likeness <= behaviour.Normal {
				j := wrong(s, w.last, spec.KindDiffers, shownOf(is).With(" of {}, as the list shows without it", phrase.JSON(id)), phrase.Of("{}", phrase.JSON(exactjson.Describe(item.Members[member]))))
				return st.withDetail(s, j, w, "stamped")
			}
			if likeness == behaviour.Another && st.chosen() { // otherwise scenarios of their own ask for each value
				j := wrong(s, w.last, spec.KindDiffers, st.asked(values), shownOf(item.Members[member]).With(" of {}", phrase.JSON(id)))
				j.finding.Pointer = item.Pointer
				return st.withDetail(s, j, w, "others")
			}
		}
		if whole && len(listed) > 0 && !matching && len(has) > 0 && len(listed) == len(st.before.items()) && sameSet(w.ids(), st.before.ids()) {
			j := wrong(s, w.last, spec.KindUnexpected, phrase.Of("nothing, for nothing has {} {}", phrase.Field(member), phrase.JSON(exactjson.Describe(values[0]))), phrase.Of("all that there is"))
			return st.withDetail(s, j, w, "all")
		}
		if !whole && !isPaged(st.life) || !w.ended || w.full || len(w.pages) == 1 && len(w.items()) >= most {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(has)) {
			if st.likeness(values, has[id]) != behaviour.Equal {
				continue
			}
			if kept = true; !listed[id] {
				j := wrong(s, w.last, spec.KindLost, phrase.Of("{}, which has {} {} in the list without it", phrase.JSON(id), phrase.Field(member), phrase.JSON(exactjson.Describe(has[id]))),
					phrase.Of("a list without it"))
				return st.withDetail(s, j, w, "lost "+fmt.Sprint(values...))
			}
		}
	}
	return judgement{at: st.after.last, kept: kept}
}

// chosen reports whether the scenario alone judges the filter; what a parameter with the values of a member shows is judged by others, too.
func (st *byValue) chosen() bool { return st.filter.Relation != resource.Equal || st.filter.Key != "" }

// asked says what each item has to have.
func (st *byValue) asked(values []any) phrase.Phrase {
	first, name := phrase.JSON(exactjson.Describe(values[0])), phrase.Field(st.filter.Member)
	switch st.filter.Relation {
	case resource.OneOf:
		return phrase.Of("{} or {} in {}, as {} asks for", first, phrase.JSON(exactjson.Describe(values[len(values)-1])), name, phrase.Field(st.filter.Name()))
	case resource.AtLeast:
		return phrase.Of("{} or more in {}, as {} asks for", first, name, phrase.Field(st.filter.Name()))
	case resource.AtMost:
		return phrase.Of("{} or less in {}, as {} asks for", first, name, phrase.Field(st.filter.Name()))
	case resource.Equal:
	}
	return phrase.Of("{} in {}, as {} asks for", first, name, phrase.Field(st.filter.Name()))
}

// likeness returns how the value of an item relates to what the filter asks for: Equal if it is asked for beyond doubt, Normal if it may be,
// Another if it is not.
func (st *byValue) likeness(values []any, is any) behaviour.Likeness {
	least := behaviour.Another
	for _, value := range values {
		least = min(least, behaviour.Alike(value, is, is != nil))
	}
	if st.filter.Relation == resource.Equal || st.filter.Relation == resource.OneOf || least == behaviour.Hidden {
		return least
	}
	sign, ok := behaviour.Order(is, values[0])
	switch {
	case !ok || sign == 0: // the bound itself may belong to it or not
		return behaviour.Normal
	case (sign > 0) == (st.filter.Relation == resource.AtLeast):
		return behaviour.Equal
	}
	return behaviour.Another
}

// withDetail completes a judgement of what a value shows.
func (st *byValue) withDetail(s *scenario.Scenario, j judgement, w walk, what string) judgement {
	j.finding.Detail, j.finding.Cause = st.filter.Name(), j.finding.Cause+" "+what
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
