package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// pageForms returns the steps about pages.
func pageForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.CreatesMore, Do: moved(createsMore)},
		{Pattern: promise.ListsThem.Pattern(), Do: movedBy(listsThem)},
		{Pattern: promise.AllListed, Do: then(allListed)},
		{Pattern: promise.Pages, Do: whenPaged},
		{Pattern: promise.NothingNext, Do: thenPaged(disjoint)},
		{Pattern: promise.NothingLost, Do: thenPaged(nothingLost)},
		{Pattern: promise.PagesEnd, Do: thenPaged(pagesEnd)},
		{Pattern: promise.SameTotal, Do: thenPagedLater(sameTotal)},
	}
}

// study holds what a list shows in small pages, and in big ones before and after that.
type study struct {
	pager pager
	// big holds the identifiers that the big pages show; none if the page size cannot be chosen.
	big  []string
	size int64
	walk
	// before holds the big pages that were read before the small ones, whole those that were read after them.
	before, whole walk
}

// leastListed is how many items a list must show to be tested for paging. The small pages are made by dividing at
// most mostBig big pages into pagesEach each, so their borders differ.
const leastListed, mostBig, pagesEach = 3, 4, 5

// whenPaged implements "its pages are followed".
func whenPaged(ctx context.Context) error {
	s := scenario.From(ctx)
	m, life, err := makingList(s)
	if err != nil {
		return err
	}
	l := pagerOf(life, fewestParameters([]request.Request{m.Request}), m.Credential)
	st, err := l.study(ctx, s)
	if err != nil {
		return err
	}
	s.Life = st
	s.SetAnswers(st.last)
	return nil
}

// study reads the pages of a list while nothing in it changes. It ends the scenario if the list keeps changing.
func (l pager) study(ctx context.Context, s *scenario.Scenario) (*study, error) {
	if l.paging.Size == nil {
		w, err := l.walk(ctx, s, mostPages)
		if err == nil && (w.last.Status()/100 != 2 && !w.ended || len(w.items()) < leastListed) {
			err = scenario.Excusef("the list is too short to be read in pages: it shows %s", text.Count(len(w.items()), "item"))
		}
		return &study{pager: l, walk: w}, err
	}
	most, ok := sizes(s, l.paging.Size)
	if !ok {
		return nil, scenario.Excusef("the contract allows no page size")
	}
	for range mostInstances {
		big, err := l.sized(most).walk(ctx, s, mostBig)
		n := len(big.items())
		switch {
		case err != nil:
			return nil, err
		case len(big.pages) == 0 || big.cut():
			return nil, scenario.Excusef("a large page is refused: status %d", big.last.Status())
		case n < leastListed:
			return nil, scenario.Excusef("the list is too short to be read in pages: it shows %s", text.Count(n, "item"))
		}
		size := int64((n + pagesEach - 1) / pagesEach)
		for size < int64(n) && !valid(s, l.paging.Size, size) {
			size++
		}
		if size >= int64(n) || size >= most {
			return nil, scenario.Excusef("the list is too short for a page of its smallest size: it shows %s", text.Count(n, "item"))
		}
		w, err := l.sized(size).walk(ctx, s, (n+int(size)-1)/int(size)+3)
		if err != nil {
			return nil, err
		}
		again, err := l.sized(most).walk(ctx, s, mostBig)
		if err != nil {
			return nil, err
		}
		if len(w.pages) == 0 || len(w.pages[0].items) >= n {
			return nil, scenario.Excusef("a page of %d shows as much as one of %d", size, most)
		}
		if slices.Equal(big.ids(), again.ids()) {
			return &study{pager: l, big: distinctOf(big.ids()), size: size, walk: w, before: big, whole: again}, nil
		}
	}
	return nil, scenario.Excusef("the list changes while it is read: its pages cannot be compared")
}

// distinctOf returns the texts without duplicates.
func distinctOf(all []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, one := range all {
		if !seen[one] {
			seen[one] = true
			out = append(out, one)
		}
	}
	return out
}

// same reports whether two studies saw the same list in the same pages.
func (st *study) same(other *study) bool {
	return slices.Equal(st.big, other.big) &&
		slices.EqualFunc(st.pages, other.pages, func(a, b page) bool { return slices.Equal(a.ids(), b.ids()) })
}

// pagesJudge judges the pages of a list.
type pagesJudge func(context.Context, *scenario.Scenario, *study) (judgement, error)

// thenPaged returns a step that judges the pages of a list, and reports what they show again.
func thenPaged(judge pagesJudge) func(context.Context) error { return thenPagedAfter(judge, false) }

// thenPagedLater is thenPaged for what may lag some seconds behind, such as a count that is cached.
func thenPagedLater(judge pagesJudge) func(context.Context) error { return thenPagedAfter(judge, true) }

func thenPagedAfter(judge pagesJudge, later bool) func(context.Context) error {
	return func(ctx context.Context) error {
		s := scenario.From(ctx)
		st, ok := s.Life.(*study)
		if !ok {
			return fmt.Errorf("no pages were followed before this step")
		}
		first, err := judge(ctx, s, st)
		if err != nil || isSettled(s, first) {
			return err
		}
		for range mostInstances {
			if later {
				if err := client.Sleep(ctx, s.Run.Patience.Lag()); err != nil {
					return err
				}
			}
			next, err := st.pager.study(ctx, s)
			if err != nil {
				return err
			}
			second, err := judge(ctx, s, next)
			if err != nil {
				return err
			}
			if second.broken() && second.meaning == "" && second.finding.Cause == first.finding.Cause && next.same(st) {
				f := first.finding
				f.Exchanges = slices.Concat(f.Exchanges, st.exchanges(first.at), []int{first.at.Exchange.Seq})
				s.Find(first.at.Exchange, f)
				return nil
			}
			st, first = next, second
			if !second.broken() || second.meaning != "" {
				break
			}
		}
		observe(s, first.at, "the pages were not the same when they were followed again")
		return nil
	}
}

// exchanges returns the exchanges of the pages before a response, or of all pages if none of them holds it.
func (w walk) exchanges(to *scenario.Answer) []int {
	var all []int
	for _, p := range w.pages {
		if p.answer == to {
			break
		}
		all = append(all, p.answer.Exchange.Seq)
	}
	return all
}

// inside returns the pages that begin within what the big page shows, or all if there is no big page.
func (st *study) inside() []page {
	if len(st.big) == 0 {
		return st.pages
	}
	shown := 0
	for i, p := range st.pages {
		if shown >= len(st.big) {
			return st.pages[:i]
		}
		shown += len(p.items)
	}
	return st.pages
}

// disjoint implements "no page shows what the page before it shows".
func disjoint(_ context.Context, s *scenario.Scenario, st *study) (judgement, error) {
	all := st.inside()
	kept := false
	for i := 1; i < len(all); i++ {
		before := all[i-1].ids()
		for _, id := range all[i].ids() {
			kept = true
			if slices.Contains(before, id) {
				return wrong(s, all[i].answer, spec.KindDuplicate, phrase.Of("nothing that the previous page shows"), phrase.Of("{}, which is on both pages", phrase.JSON(id))), nil
			}
		}
	}
	return judgement{at: st.last, kept: kept}, nil
}

// nothingLost implements "they show all that one page shows".
func nothingLost(ctx context.Context, s *scenario.Scenario, st *study) (judgement, error) {
	shown := map[string]bool{}
	for _, item := range st.items() {
		shown[fmt.Sprint(item.Identifier)] = true
	}
	ids := st.big
	i := slices.IndexFunc(ids, func(id string) bool { return !shown[id] })
	switch {
	case i < 0:
		return st.beforeLast(ctx, s)
	case st.round || st.cut() || !st.ended && len(st.items()) < len(ids):
		return judgement{at: st.last, meaning: "the pages were not followed to their end"}, nil
	}
	if st.pager.paging.Way == resource.ByOffset {
		if counts, err := st.countsPages(ctx, s); err != nil || counts {
			return judgement{at: st.last, meaning: st.pager.paging.Position.Name + " counts pages, and not what they show"}, err
		}
	}
	j := wrong(s, st.last, spec.KindMissing, phrase.Of("{} on one of the pages of {}, as the list of {} shows it", phrase.JSON(ids[i]), phrase.Number(st.size), phrase.Number(len(ids))),
		phrase.Of("{} without it", phrase.Count(len(st.pages), "page")))
	j.finding.Exchanges = st.before.exchanges(nil) // the pages that these are compared with
	return j, nil
}

// beforeLast judges a page after which one item is left, where a service that miscounts sees the end: the first
// page, or the one after a shorter first one if pages cannot be that long.
func (st *study) beforeLast(ctx context.Context, s *scenario.Scenario) (judgement, error) {
	kept := judgement{at: st.last, kept: true}
	l, rest := st.pager, int64(len(st.big)-1)
	most, ok := sizes(s, l.paging.Size)
	if !st.ended || !st.whole.ended || !ok || len(l.paging.More) == 0 && (l.paging.Way == resource.ByNumber || l.paging.Way == resource.ByOffset) {
		return kept, nil
	}
	if l.paging.Way == resource.ByLink && len(st.pages) > 1 && !l.leaves(st.pages[0]) {
		return kept, nil // pages are requested by number, and do not link to the next one
	}
	var w walk
	r, shown := l.sized(min(rest, most)).first, 0
	if rest > most {
		r = l.sized(rest - most).first
	}
	for range 2 {
		p, err := l.ask(ctx, s, r)
		w.pages, w.last, shown = append(w.pages, p), p.answer, shown+len(p.items)
		if err != nil || p.answer.Status()/100 != 2 || p.cut || shown > int(rest) || !slices.Equal(w.ids(), st.big[:shown]) {
			return kept, err
		}
		next, more := l.next(&w, r, shown)
		if shown == int(rest) && !more && !l.leaves(p) {
			return wrong(s, w.last, spec.KindMissing, phrase.Of("another page after it, because {} follows on one of {}", phrase.JSON(st.big[rest]), phrase.Number(len(st.big))), phrase.Of("the end of the list")), nil
		}
		if shown >= int(rest) || !more {
			break
		}
		r = next.With(request.PlaceOf(*l.paging.Size), number(rest-int64(shown)))
	}
	return kept, nil
}

// countsPages reports whether an offset counts pages rather than items: offset 1 skips a whole page.
func (st *study) countsPages(ctx context.Context, s *scenario.Scenario) (bool, error) {
	l := st.pager.sized(st.size)
	p, err := l.ask(ctx, s, l.first.With(request.PlaceOf(*l.paging.Position), number(origin(l.paging)+1)))
	if err != nil {
		return false, err
	}
	ids, from := st.big, int(st.size)
	return len(p.items) > 0 && slices.Equal(p.ids(), ids[min(from, len(ids)):min(from+len(p.items), len(ids))]), nil
}

// pagesEnd implements "they come to an end".
func pagesEnd(_ context.Context, s *scenario.Scenario, st *study) (judgement, error) {
	if !st.round {
		return judgement{at: st.last, kept: st.ended}, nil
	}
	last := st.pages[len(st.pages)-1]
	before := st.pages[:len(st.pages)-1]
	at := last.answer
	if len(st.inside()) == len(st.pages) && (len(st.big) > 0 || slices.ContainsFunc(last.ids(), func(id string) bool { return slices.Contains(before[len(before)-1].ids(), id) })) {
		return judgement{at: at, meaning: "a page repeats the page before it"}, nil
	}
	same := func(p page) bool { return slices.Equal(p.ids(), last.ids()) }
	if st.pager.paging.Way == resource.ByNumber && (same(before[0]) || same(before[len(before)-1])) {
		return judgement{at: at, meaning: "a page after the last one shows the first or the last one"}, nil
	}
	return wrong(s, at, spec.KindUnexpected, phrase.Of("an end of the pages: nothing more, or a refusal"), phrase.Of("{} again", phrase.JSON(last.ids()[0]))), nil
}

// sameTotal implements "each shows the same total, and no less than they show". Totals are compared only if the big pages show the same one
// before and after the small pages: otherwise the list may have changed.
func sameTotal(_ context.Context, s *scenario.Scenario, st *study) (judgement, error) {
	total, ok := resource.TotalOf(st.pager.life.Lister.Operation)
	if !ok {
		return judgement{at: st.last}, nil
	}
	of := func(p page) (int64, bool) { return total.Of(p.answer.Exchange.Response.Header, p.tree) }
	shown := int64(len(distinctOf(st.ids())))
	named := phrase.Field(total.Name())
	var before, after int64
	known, also, kept := false, false, false
	if len(st.before.pages) > 0 && len(st.whole.pages) > 0 { // a count may lag behind
		before, known = of(st.before.pages[0])
		after, also = of(st.whole.pages[0])
	}
	for _, p := range st.pages {
		n, there := of(p)
		if !there {
			continue
		}
		kept = true
		if n < shown && before == after {
			return wrong(s, p.answer, spec.KindTooSmall, phrase.Of("{} in {}, or more, as the pages show", phrase.Number(shown), named), phrase.Of("{}", phrase.Number(n))), nil
		}
	}
	if !known || !also || before != after {
		return judgement{at: st.last, kept: kept}, nil
	}
	for _, p := range st.pages {
		if n, there := of(p); there && n != before {
			j := wrong(s, p.answer, spec.KindDiffers, phrase.Of("{} in {}, as on a page of {}", phrase.Number(before), named, phrase.Number(len(st.before.pages[0].items))),
				phrase.Of("{} on a page of {}", phrase.Number(n), phrase.Number(len(p.items))))
			j.finding.Exchanges = []int{st.before.pages[0].answer.Exchange.Seq}
			return j, nil
		}
	}
	return judgement{at: st.last, kept: kept}, nil
}
