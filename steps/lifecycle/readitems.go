package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

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
const mostRead = 8

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
	chosen = spread(chosen, mostRead)
	answers := make([]*scenario.Answer, len(chosen))
	err = s.Run.Lanes.Do(len(chosen), func(i int) (err error) {
		answers[i], err = s.Ask(ctx, resourceOf(chosen[i]).In(st.request), st.with, s.Pickle.Name)
		return err
	})
	if err != nil {
		return err
	}
	for i, item := range chosen {
		judgeStatus(s, st.reader, answers[i])
		st.read = append(st.read, readItem{item, answers[i], own(item)})
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
