package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
)

// What whole lists show: by default, by each value of a filter, and as reads show it.

func wholeListForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.InTurns.Pattern(), Do: whenInTurns},
		{Pattern: promise.SameCount, Do: thenSameCount},
		{Pattern: promise.OneMoreIsHad, Do: whenOneMore},
		{Pattern: promise.ByEachValue.Pattern(), Do: whenByEachValue},
		{Pattern: promise.JustThose, Do: thenJustThose},
		{Pattern: promise.ReadsItems.Pattern(), Do: whenItemsRead},
		{Pattern: promise.AsListed, Do: thenAsListed},
	}
}

// making returns the request for a list that a scenario is about, and what is listed.
func makingList(s *scenario.Scenario) (*scenario.Making, resource.Life, error) {
	m, err := s.Making()
	if err != nil {
		return nil, resource.Life{}, err
	}
	life, ok := promise.LifeListed(s.Run.Promises, m.Request.Operation)
	if !ok {
		return nil, life, scenario.Excusef("it is in doubt what %s lists", m.Request.Operation.ID)
	}
	return m, life, nil
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

// turn is a list that was asked for without a limit, and with its default.
type turn struct{ without, with *scenario.Answer }

// inTurns are such turns.
type inTurns struct {
	name  string
	most  int
	life  resource.Life
	turns []turn
}

// mostTurns is how often a list is asked for in both ways before anything is concluded: others may add to it.
const mostTurns = 3

// count is how many items a response shows.
func (st *inTurns) count(a *scenario.Answer) int {
	return max(len(st.life.Items(a.Value.Tree)), a.Items)
}

// differs reports whether a turn shows too many, or fewer than by the default.
func (st *inTurns) differs(t turn) bool {
	return st.count(t.without) > st.most || st.count(t.without) < st.count(t.with) && st.count(t.with) <= st.most
}

// whenInTurns is "it is sent without <limit> and with its default in turns".
func whenInTurns(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	p, err := queryParameter(m.Request.Operation, unquoted(name))
	if err != nil {
		return err
	}
	most, ok := spec.IntegerOf(p.Schema.Default)
	if !ok {
		return fmt.Errorf("the parameter %q has no default", p.Name)
	}
	st := &inTurns{name: p.Name, most: int(most), life: life}
	place := request.PlaceOf(*p)
	for i := range mostTurns {
		asked := []request.Request{m.Request.Without(place), m.Request.With(place, number(most))}
		first := i % len(asked) // the one that is asked for first alternates: a list that others add to grows meanwhile
		answers := make([]*scenario.Answer, len(asked))
		for _, at := range []int{first, 1 - first} {
			if answers[at], err = s.Ask(ctx, asked[at], m.Credential, s.Pickle.Name); err != nil {
				return err
			}
			judgeStatus(s, m.Request.Operation, answers[at])
		}
		t := turn{without: answers[0], with: answers[1]}
		for _, a := range answers {
			if a.Status()/100 != 2 {
				return scenario.Excusef("%s shows no list: status %d", m.Request.Operation.ID, a.Status())
			}
		}
		st.turns = append(st.turns, t)
		if !st.differs(t) {
			break
		}
	}
	s.Life = st
	s.SetAnswers(st.turns[len(st.turns)-1].without)
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
	without, with := st.count(last.without), st.count(last.with)
	if !st.differs(last) {
		if with == st.most {
			s.Kept(s.Rule.ID)
		}
		return nil
	}
	j := wrong(s, last.without, spec.KindDiffers, phrase.Of("{}, as by {} {}", phrase.Count(with, "item"), phrase.Field(st.name), phrase.Number(st.most)), phrase.Of("{}", phrase.Count(without, "item")))
	if without > st.most {
		j = wrong(s, last.without, spec.KindTooLarge, phrase.Of("at most {}, the default of {}", phrase.Count(st.most, "item"), phrase.Field(st.name)), phrase.Of("{}", phrase.Count(without, "item")))
	}
	j.finding.Detail = st.name
	j.finding.Exchanges = []int{last.with.Exchange.Seq, last.without.Exchange.Seq}
	if isSettled(s, j) {
		return nil
	}
	s.Find(last.without.Exchange, j.finding)
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
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	p, err := queryParameter(m.Request.Operation, unquoted(name))
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
	if st.before, err = wholeWithin(ctx, s, st.life, plain, st.making.Credential, fewPages); err != nil {
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
		w, err := wholeWithin(ctx, s, st.life, plain.With(place, value.Tree), st.making.Credential, fewPages)
		if err != nil {
			return err
		}
		st.values, st.shown = append(st.values, value.Tree), append(st.shown, w)
	}
	st.after, err = wholeWithin(ctx, s, st.life, plain, st.making.Credential, fewPages)
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
	// has are what was listed before and behind with the same value.
	has := map[string]any{}
	after := map[string]any{}
	for _, item := range st.after.items() {
		after[fmt.Sprint(item.Identifier)] = item.Members[st.name]
	}
	for _, item := range st.before.items() {
		id := fmt.Sprint(item.Identifier)
		if is, there := after[id]; there && item.Members[st.name] != nil && same(is, item.Members[st.name]) {
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
				return st.withDetail(j, w, "stamped")
			}
		}
		if len(listed) > 0 && !matching && len(has) > 0 && len(listed) == len(st.before.items()) && sameSet(w.ids(), st.before.ids()) {
			j := wrong(s, w.last, spec.KindUnexpected, phrase.Of("nothing, for nothing has {} {}", phrase.Field(st.name), phrase.JSON(exactjson.Describe(value))), phrase.Of("all that there is"))
			return st.withDetail(j, w, "all")
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
				return st.withDetail(j, w, "lost "+fmt.Sprint(value))
			}
		}
	}
	return judgement{at: st.after.last, kept: kept}
}

// withDetail completes a judgement of what a value shows.
func (st *byValue) withDetail(j judgement, w walk, what string) judgement {
	j.finding.Detail, j.finding.Cause = st.name, j.finding.Cause+" "+what
	j.finding.Exchanges = append([]int{st.before.last.Exchange.Seq}, w.last.Exchange.Seq)
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
	if isSettled(s, first) {
		return nil
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

// readItem is an item of a list, what a list behind the read shows of it, and what the read shows.
type readItem struct {
	item   resource.Item
	answer *scenario.Answer
	own    bool
}

// readItems are items of a list and how they are read.
type readItems struct {
	life          resource.Life
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
	l, _ := pagerOf(life, fewestParameters([]request.Request{m.Request}), m.Credential).greatest()
	st := &readItems{life: life}
	if st.before, err = l.ask(ctx, s, l.first); err != nil {
		return err
	}
	if st.before.answer.Status()/100 != 2 || len(st.before.items) < leastUnlike {
		return scenario.Excusef("the list shows too little to be compared with")
	}
	for _, item := range spread(st.before.items, mostRead) {
		one := s.Run.Shown(life.Slot, &m.Request, item.Identifier)
		a, err := s.Ask(ctx, one.In(fewestParameters(all)), with, s.Pickle.Name)
		if err != nil {
			return err
		}
		judgeStatus(s, op, a)
		st.read = append(st.read, readItem{item, a, s.Run.HasCreated(one)})
	}
	if st.after, err = l.ask(ctx, s, l.first); err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.after.answer)
	return nil
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
	later := map[string]map[string]any{}
	for _, item := range st.after.items {
		later[fmt.Sprint(item.Identifier)] = item.Members
	}
	unlike := map[string][]behaviour.Difference{}
	seqs := map[string][]int{}
	kept := false
	for _, one := range st.read {
		read, ok := st.life.Read(one.answer.Value.Tree)
		if one.answer.Status()/100 != 2 || !ok {
			continue
		}
		for _, p := range st.life.Settable(st.life.Creator.Operation) {
			pointer := jsonpointer.Join("", p.Name)
			listed, there := one.item.Members[p.Name]
			if again, also := later[fmt.Sprint(one.item.Identifier)][p.Name]; !there || !also || !same(listed, again) || !steadyMember(st.life, pointer, listed, one.own) {
				continue
			}
			is, shown := read[p.Name]
			d := behaviour.Difference{Pointer: pointer, Was: listed, Is: is, There: shown, Likeness: behaviour.Alike(listed, is, shown)}
			switch {
			case d.Likeness <= behaviour.Normal:
				kept = true
			case another(d) && shown && !shortened(is, listed):
				unlike[p.Name] = append(unlike[p.Name], d)
				seqs[p.Name] = append(seqs[p.Name], one.answer.Exchange.Seq)
			}
		}
	}
	for _, p := range st.life.Settable(st.life.Creator.Operation) {
		all := unlike[p.Name]
		if len(all) < leastUnlike {
			continue
		}
		j := differs(s, st.after.answer, behaviour.Difference{Pointer: all[0].Pointer, Was: all[0].Is, Is: all[0].Was, There: true})
		j.finding.Exchanges = append(seqs[p.Name], st.after.answer.Exchange.Seq)
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

// shortened reports whether a list shows a part of a long text.
func shortened(whole, part any) bool {
	const long = 2 * leastExcerpt
	text, is := whole.(string)
	listed, also := part.(string)
	d := behaviour.Difference{Was: whole, Is: part}
	return is && also && (excerpt(d) || cut(d) || len(text) >= long && containsFold(text, strings.TrimRight(listed, ".…")))
}

// steadyMember reports whether a member has to be the same wherever a resource is shown: a text, or whatever this run sent. Numbers of others may
// count what goes on, and a list may be some time behind.
func steadyMember(life resource.Life, pointer string, value any, own bool) bool {
	_, text := value.(string)
	return (text || own) && judged(life, pointer, value) && !readingMarks(firstMember(pointer))
}
