package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// moreCreated is how many resources createsMore creates. A list that randomly omits one item in three shows all
// six in one run of eleven.
const moreCreated = 5

// createsMore implements "five more are created". They are created concurrently.
func createsMore(ctx context.Context, s *scenario.Scenario, in *instance) error {
	asked, answers := make([]request.Request, moreCreated), make([]*scenario.Answer, moreCreated)
	for i := range asked {
		var err error
		if asked[i], err = scenario.Creation(ctx, s, in.story.making); err != nil {
			return err
		}
	}
	err := s.Run.Lanes.Do(moreCreated, func(i int) (err error) {
		answers[i], err = s.Ask(ctx, asked[i], in.story.making.Credential, s.Pickle.Name)
		return err
	})
	if err != nil {
		return err
	}
	for i, a := range answers {
		if err := in.tookOther(s, asked[i].Operation, a); err != nil {
			return err
		}
	}
	return nil
}

// made returns the resources that an instance created, the first one first; the concurrent ones of createsMore may
// have been created in another order. It ends the scenario if they are not known to be several.
func (in *instance) made() ([]*scenario.Resource, error) {
	all := []*scenario.Resource{in.resource}
	for _, a := range append([]*scenario.Answer{in.created}, in.others...) {
		switch r := a.Made(); {
		case a.Status() == http.StatusAccepted:
			return nil, scenario.Excusef("the creation was only accepted (202), and is not done")
		case r == nil || !r.Owned():
			return nil, scenario.Stopf("%s may have returned a resource that existed before", in.asked.Operation.ID)
		case r != in.resource:
			all = append(all, r)
		}
	}
	return all, nil
}

// missing returns the positions in all of the resources that a list does not show.
func missing(all []*scenario.Resource, w walk) []int {
	shown := map[string]bool{}
	for _, item := range w.items() {
		shown[fmt.Sprint(item.Identifier)] = true
	}
	var out []int
	for i, r := range all {
		if !shown[fmt.Sprint(r.Identifier())] {
			out = append(out, i)
		}
	}
	return out
}

// listsThem implements "<operation> lists them". It repeats the whole list until it shows all created resources,
// or plainly never will.
func listsThem(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		all, err := in.made()
		if err != nil {
			return err
		}
		identifiers := make([]any, len(all))
		for i, r := range all {
			identifiers[i] = r.Identifier()
		}
		return lookUp(ctx, s, in, op, func(w walk) bool { return len(missing(all, w)) == 0 || w.endsBefore(identifiers) }, 0)
	}
}

// lookUp repeats a whole list until done reports true or the patience of the run plus more ends. A list that is
// not read to its end proves nothing, so waiting does not help there.
func lookUp(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation, done func(walk) bool, more time.Duration) error {
	r, with, err := requestAbout(ctx, s, in, op)
	if err != nil {
		return err
	}
	var w walk
	ask := func() (*scenario.Answer, error) {
		var err error
		w, err = wholeList(ctx, s, in.story.life, r, with)
		return w.last, err
	}
	finished := func(a *scenario.Answer) bool { return a.Status()/100 != 2 || !w.ended || w.cut() || done(w) }
	if _, err := UntilWithin(ctx, s.Run.Patience.Patient()+more, ask, finished); err != nil {
		return err
	}
	in.notePages(w)
	in.lists = append(in.lists, w)
	s.SetAnswers(w.last)
	return nil
}

// allListed implements "all of them are listed". A missing resource counts only if similar ones are shown: a list
// may have a default filter, or lag behind.
func allListed(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.lists) == 0 {
		return judgement{}, fmt.Errorf("nothing was listed before this step")
	}
	all, err := in.made()
	if err != nil {
		return judgement{}, err
	}
	life, op, w := in.story.life, in.story.life.Lister.Operation, in.lists[len(in.lists)-1]
	at := w.last
	gap := missing(all, w)
	switch {
	case at.Status()/100 != 2 && !w.ended:
		return judgement{}, scenario.Excusef("%s shows no list: status %d", op.ID, at.Status())
	case len(gap) == 0:
		return judgement{at: at, kept: true}, nil
	case !w.ended || w.cut():
		return judgement{at: at, meaning: "the list was not read to its end"}, nil
	case w.unnamed():
		return judgement{at: at, meaning: "the list shows an item without its identifier"}, nil
	case len(gap) == len(all) && !s.Rule.Stated && !life.ListsAll():
		return judgement{at: at, meaning: "the list shows nothing that was created in the same way"}, nil
	case len(gap) == len(all) && !s.Rule.Stated:
		return noneListed(ctx, s, in)
	case len(w.items()) < 2 && !s.Rule.Stated:
		return judgement{at: at, meaning: "the list shows one only"}, nil
	}
	lost := all[gap[0]]
	if there, err := read(ctx, s, &instance{story: in.story, resource: lost}, life.Reader, false); err != nil || there.Status()/100 != 2 {
		return judgement{at: at, meaning: "what is not listed cannot be read either"}, err
	}
	// One more shows whether the list grows, and whether it shows a resource only after another one was created.
	if err := createsOther(ctx, s, in); err != nil {
		return judgement{}, err
	}
	more, err := in.made()
	if err != nil {
		return judgement{}, err
	}
	newest := len(more) - 1
	if err := lookUp(ctx, s, in, op, func(walk) bool { return true }, 0); err != nil {
		return judgement{}, err
	}
	suddenly := !slices.Contains(missing(more, in.lists[len(in.lists)-1]), gap[0])
	waited := newest
	if !suddenly {
		waited = gap[0]
		if err := createsOther(ctx, s, in); err != nil { // the one before may be lost like the first
			return judgement{}, err
		}
		if more, err = in.made(); err != nil {
			return judgement{}, err
		}
		newest++
	}
	if err := lookUp(ctx, s, in, op, func(w walk) bool { return !slices.Contains(missing(more, w), waited) }, s.Run.Patience.Lag()); err != nil {
		return judgement{}, err
	}
	last := in.lists[len(in.lists)-1]
	still := missing(more, last)
	switch {
	case last.last.Status()/100 != 2 && !last.ended || !last.ended || last.cut():
		return judgement{at: last.last, meaning: "the list was not read to its end"}, nil
	case !slices.Contains(still, waited):
		return judgement{at: last.last, meaning: "the list shows later what was created"}, nil
	case len(last.items()) <= len(w.items()) && (!s.Rule.Stated || len(last.items()) >= len(more)):
		return judgement{at: last.last, meaning: "the list may be truncated: it is no longer than before"}, nil
	case !s.Rule.Stated && !suddenly && !slices.ContainsFunc(positions(max(waited, moreCreated)+1, newest), func(i int) bool { return !slices.Contains(still, i) }):
		return judgement{at: last.last, meaning: "nothing that was created later is listed either"}, nil
	}
	id := fmt.Sprint(more[waited].Identifier())
	return wrong(s, last.last, spec.KindLost, phrase.Of("{}, which was created like others that are listed", phrase.JSON(id)), phrase.Of("a list without it")).withIdentifier(id), nil
}

// noneListed judges a list that shows nothing of what was created although it has to show all ([resource.Life.ListsAll]): it is read to its end once
// more after some seconds, and counts no more than it shows, while each of these resources can be read.
func noneListed(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	life := in.story.life
	all, err := in.made()
	if err != nil {
		return judgement{}, err
	}
	if err := lookUp(ctx, s, in, life.Lister.Operation, func(w walk) bool { return len(missing(all, w)) < len(all) }, s.Run.Patience.Lag()); err != nil {
		return judgement{}, err
	}
	w := in.lists[len(in.lists)-1]
	at := w.last
	switch why := unlistable(in, w); {
	case at.Status()/100 != 2:
		return judgement{at: at, meaning: fmt.Sprintf("status %d", at.Status())}, nil
	case why != "":
		return judgement{at: at, meaning: why}, nil
	case len(missing(all, w)) < len(all):
		return judgement{at: at, meaning: "the list shows later what was created"}, nil
	case !countsItems(life, w):
		return judgement{at: at, meaning: "the total of the list is not the number of its items"}, nil
	case !reflect.DeepEqual(at.Credential, in.created.Credential):
		return judgement{at: at, meaning: "the list is shown to another user"}, nil
	}
	for _, r := range all {
		if there, err := read(ctx, s, &instance{story: in.story, resource: r}, life.Reader, false); err != nil || there.Status()/100 != 2 {
			return judgement{at: at, meaning: "what is not listed cannot be read either"}, err
		}
	}
	id := fmt.Sprint(in.resource.Identifier())
	return wrong(s, at, spec.KindLost, phrase.Of("{}, which was created and can be read, for the list has no filter and was read to its end", phrase.JSON(id)),
		phrase.Of("a list of {} without it, and with that total", phrase.Count(len(w.items()), "item"))).withIdentifier(id), nil
}

// countsItems reports whether the total on each page of a list is the number of items on all pages.
func countsItems(life resource.Life, w walk) bool {
	total, ok := resource.TotalOf(life.Lister.Operation)
	return ok && len(w.pages) > 0 && !slices.ContainsFunc(w.pages, func(p page) bool {
		n, there := total.Of(p.answer.Exchange.Response.Header, p.tree)
		return !there || n != int64(len(w.items()))
	})
}

// positions returns the numbers from one to another, inclusive.
func positions(from, to int) []int {
	var all []int
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}
