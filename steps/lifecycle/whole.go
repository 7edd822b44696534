package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/client"
	"hallmark/steps/scenario"
	"hallmark/steps/truncate"
)

// What whole lists show: by default, by each value of a filter, and as reads show it.

func wholeListForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.InTurns.Pattern(), Do: whenInTurns},
		{Pattern: promise.SameCount, Do: thenSameCount},
		{Pattern: promise.OneMoreIsHad, Do: whenOneMore},
		{Pattern: promise.OneLacks.Pattern(), Do: whenOneLacks},
		{Pattern: promise.ByEachValue.Pattern(), Do: whenByEachValue},
		{Pattern: promise.JustThose, Do: thenJustThose},
		{Pattern: promise.ReadsItems.Pattern(), Do: whenItemsRead},
		{Pattern: promise.AsListed, Do: thenAsListed},
	}
}

// makingList returns the request for a list that a scenario is about, and what is listed.
func makingList(s *scenario.Scenario) (*scenario.Making, resource.Life, error) {
	m, err := s.Making()
	if err != nil {
		return nil, resource.Life{}, err
	}
	life, err := listedBy(s, m.Request.Operation)
	return m, life, err
}

// makingListBy returns what makingList does, and a parameter of the query of the list.
func makingListBy(s *scenario.Scenario, name string) (*scenario.Making, resource.Life, *spec.Parameter, error) {
	m, life, err := makingList(s)
	if err != nil {
		return nil, life, nil, err
	}
	p, err := queryParameter(m.Request.Operation, unquoted(name))
	return m, life, p, err
}

// listedBy returns what an operation lists.
func listedBy(s *scenario.Scenario, op *spec.Operation) (resource.Life, error) {
	life, ok := promise.LifeListed(s.Run.Promises, op)
	if !ok {
		return life, scenario.Excusef("it is unclear what %s lists", op.ID)
	}
	return life, nil
}

// queryParameter returns a parameter of the query of an operation.
func queryParameter(op *spec.Operation, name string) (*spec.Parameter, error) {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == "query" && p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s has no parameter %q", op.ID, name)
}

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

// whenOneMore is "there is one to list".
func whenOneMore(ctx context.Context) error {
	s := scenario.From(ctx)
	_, life, err := makingList(s)
	if err != nil {
		return err
	}
	return createForFilter(ctx, s, life, nil)
}

// whenOneLacks is "there is one to list that was created without <member>".
func whenOneLacks(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	_, life, err := makingList(s)
	if err != nil {
		return err
	}
	return createForFilter(ctx, s, life, nil, unquoted(name))
}

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

// readItem is an item of a list and the response that reads it; own reports whether this run created the item.
type readItem struct {
	item   resource.Item
	answer *scenario.Answer
	own    bool
}

// readItems are items of a list and how they are read.
type readItems struct {
	life          resource.Life
	making        *scenario.Making
	reader        *spec.Operation
	request       request.Request // a valid request of the reader
	with          credential
	list          pager
	before, after page
	read          []readItem
}

// mostRead bounds how many items of a list are read.
const mostRead = 5

// whenItemsRead is "it is sent, and <operation> reads some of what it shows".
func whenItemsRead(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	if reason, gone := s.Run.Removed[op.ID]; gone {
		return scenario.Excusef("%s", reason)
	}
	all, err := s.Run.Promises.Requests(op)
	if err != nil {
		return scenario.Stopf("%v", err)
	}
	with, err := s.Entitled(ctx, op)
	if err != nil {
		return scenario.Stopf("%v", err)
	}
	st := &readItems{life: life, making: m, reader: op, request: fewestParameters(all), with: with}
	st.list, _ = pagerOf(life, fewestParameters([]request.Request{m.Request}), m.Credential).greatest()
	if err := st.ask(ctx, s); err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.after.answer)
	return nil
}

// ask lists, reads some of what is listed, and lists again.
func (st *readItems) ask(ctx context.Context, s *scenario.Scenario) (err error) {
	st.read = nil
	if st.before, err = st.list.ask(ctx, s, st.list.first); err != nil {
		return err
	}
	if st.before.answer.Status()/100 != 2 || len(st.before.items) < leastUnlike {
		return scenario.Excusef("the list shows too little to be compared with")
	}
	resourceOf := func(item resource.Item) *scenario.Resource {
		return scenario.Shown(st.life.Slot, &st.making.Request, item.Identifier)
	}
	own := func(item resource.Item) bool { return s.Run.HasCreated(resourceOf(item)) }
	chosen := slices.DeleteFunc(slices.Clone(st.before.items), func(item resource.Item) bool { return !own(item) })
	if len(chosen) < leastUnlike {
		chosen = st.before.items // nothing follows from a difference of what others own
	}
	for _, item := range spread(chosen, mostRead) {
		a, err := s.Ask(ctx, resourceOf(item).In(st.request), st.with, s.Pickle.Name)
		if err != nil {
			return err
		}
		judgeStatus(s, st.reader, a)
		st.read = append(st.read, readItem{item, a, own(item)})
	}
	st.after, err = st.list.ask(ctx, s, st.list.first)
	return err
}

// spread returns at most so many items, from the beginning to the end.
func spread(items []resource.Item, most int) []resource.Item {
	if len(items) <= most {
		return items
	}
	var all []resource.Item
	for i := range most {
		all = append(all, items[i*(len(items)-1)/(most-1)])
	}
	return all
}

// leastUnlike is how many items have to be read otherwise than they are listed: one may have been changed meanwhile.
const leastUnlike = 2

// thenAsListed is "each is read as it is listed".
func thenAsListed(ctx context.Context) error {
	s := scenario.From(ctx)
	st, ok := s.Life.(*readItems)
	if !ok {
		return fmt.Errorf("nothing that is listed was read before this step")
	}
	unlike, kept := st.unlike(s)
	if len(unlike) > 0 {
		// An index may be some seconds behind.
		if err := client.Sleep(ctx, s.Run.Patience.Lag()); err != nil {
			return err
		}
		if err := st.ask(ctx, s); err != nil {
			return err
		}
		before := unlike
		unlike, kept = st.unlike(s)
		maps.DeleteFunc(unlike, func(name string, _ []unlikeItem) bool { return before[name] == nil })
	}
	if names := slices.Sorted(maps.Keys(unlike)); len(names) > 0 { // one member is enough
		name := names[0]
		first := unlike[name][0].Difference
		j := differs(s, st.after.answer, behaviour.Difference{Pointer: first.Pointer, Was: first.Is, Is: first.Was, There: true})
		for _, one := range unlike[name] {
			j.finding.Exchanges = append(j.finding.Exchanges, one.exchange)
		}
		j.finding.Exchanges = append(j.finding.Exchanges, st.after.answer.Exchange.Seq)
		if !isSettled(s, j) {
			s.Find(st.after.answer.Exchange, j.finding)
		}
		return nil
	}
	if kept {
		s.Kept(s.Rule.ID)
	}
	return nil
}

// unlikeItem is how an item is read otherwise than it is listed, and the exchange that read it.
type unlikeItem struct {
	behaviour.Difference
	exchange int
}

// unlike returns by name the members that enough items show otherwise when they are read than in both lists; kept reports whether any
// member of an item is the same. A list may leave members out and show texts in another form: shortened, normalised, translated. So a text
// counts only if it is a name that the run made up for something else, and a number only if it is a whole one that clients set.
func (st *readItems) unlike(s *scenario.Scenario) (all map[string][]unlikeItem, kept bool) {
	later := map[string]map[string]any{}
	for _, item := range st.after.items {
		later[fmt.Sprint(item.Identifier)] = item.Members
	}
	all = map[string][]unlikeItem{}
	for _, one := range st.read {
		read, ok := st.life.Read(one.answer.Value.Tree)
		if one.answer.Status()/100 != 2 || !ok {
			continue
		}
		for _, p := range st.life.Settable(st.life.Creator.Operation) {
			pointer := jsonpointer.Join("", p.Name)
			listed, there := one.item.Members[p.Name]
			listed = truncate.Value(listed) // as the values of earlier answers are kept
			if again, also := later[fmt.Sprint(one.item.Identifier)][p.Name]; !there || !also || !same(listed, truncate.Value(again)) {
				continue
			}
			is, shown := read[p.Name]
			is = truncate.Value(is)
			d := behaviour.Difference{Pointer: pointer, Was: listed, Is: is, There: shown, Likeness: behaviour.Alike(listed, is, shown)}
			switch {
			case d.Likeness <= behaviour.Normal:
				kept = true
			case another(d) && shown && one.own && steadyMember(st.life, pointer, listed) && (shownOfAnother(s, d) || differentNumbers(d)):
				all[p.Name] = append(all[p.Name], unlikeItem{d, one.answer.Exchange.Seq})
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, items []unlikeItem) bool { return len(items) < leastUnlike })
	return all, kept
}

// differentNumbers reports whether a difference is one of two whole numbers.
func differentNumbers(d behaviour.Difference) bool {
	_, was := d.Was.(json.Number)
	_, is := d.Is.(json.Number)
	if !was || !is {
		return false
	}
	_, was = wholeNumber(d.Was)
	_, is = wholeNumber(d.Is)
	return was && is
}

// steadyMember reports whether a member has to be the same wherever a resource is shown: clients set it, and neither the service nor a read
// changes it.
func steadyMember(life resource.Life, pointer string, value any) bool {
	return judged(life, pointer, value) && !readingMarks(firstMember(pointer))
}
