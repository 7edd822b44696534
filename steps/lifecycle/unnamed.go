package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Refused creations of resources without a name, which are searched for by a unique text.

// unnamedForms returns the steps about refused creations without a name.
func unnamedForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.RefusedWithText, Do: moved(refusedWithText)},
		{Pattern: promise.LooksThrough.Pattern(), Do: movedBy(looksThrough)},
		{Pattern: promise.IsNotThere, Do: then(notThere)},
	}
}

// refusedWithText implements "it is refused with a text of its own".
func refusedWithText(ctx context.Context, s *scenario.Scenario, in *instance) error {
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return err
	}
	if r, err = scenario.Alone(ctx, s, r); err != nil {
		return err
	}
	texts := in.story.life.Texts(r.Operation)
	text := s.Run.FreshName()
	i := slices.IndexFunc(texts, func(p spec.Property) bool { return s.Run.Promises.Valid(p.Schema, text) })
	if i < 0 {
		return scenario.Excusef("the contract allows no unique text in a request to %s", r.Operation.ID)
	}
	if in.asked, err = r.WithBodyAt("/"+texts[i].Name, text); err != nil {
		return scenario.Excusef("the request to %s has no place for a text", r.Operation.ID)
	}
	in.text = text
	a, err := s.Ask(ctx, in.asked, in.story.making.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	in.created = in.note(a)
	s.SetAnswers(a)
	if !slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.Status()) {
		return scenario.Excusef("%s does not refuse it because of its values: status %d", r.Operation.ID, a.Status())
	}
	return nil
}

// looksThrough implements "<operation> is looked through for that text".
func looksThrough(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		all, err := s.Run.Promises.Requests(op)
		if err != nil {
			return scenario.Stopf("%v", err)
		}
		with, err := s.Entitled(ctx, op)
		if err != nil {
			return scenario.Stopf("%v", err)
		}
		r := fewestParameters(all)
		for _, slot := range resource.SlotsOf(op) {
			for _, same := range resource.SlotsOf(in.asked.Operation) {
				if value, ok := in.asked.Value(request.PlaceOf(same.Parameter)); ok && same.Key == slot.Key {
					r = r.With(request.PlaceOf(slot.Parameter), value)
				}
			}
		}
		w, err := wholeList(ctx, s, in.story.life, r, with)
		if err != nil {
			return err
		}
		in.lists = append(in.lists, w)
		in.notePages(w)
		s.SetAnswers(w.last)
		return nil
	}
}

// refusedWords matches states in which services keep what they refused.
var refusedWords = regexp.MustCompile(`(?i)fail|refus|reject|invalid|error|declin|cancel|abort|void|draft|incomplete|denied|discard`)

// notThere implements "it is not there".
func notThere(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.lists) == 0 {
		return judgement{}, fmt.Errorf("no list was looked through before this step")
	}
	w := in.lists[len(in.lists)-1]
	if w.last.Status()/100 != 2 {
		return judgement{}, scenario.Excusef("nothing was listed: status %d", w.last.Status())
	}
	item, at, there := w.showing(func(item resource.Item) bool {
		for _, value := range item.Members {
			if text, is := value.(string); is && text == in.text {
				return true
			}
		}
		return false
	})
	if !there {
		return judgement{at: at, kept: w.ended}, nil
	}
	for name, value := range item.Members {
		if text, is := value.(string); is && resource.StateLike(name) && refusedWords.MatchString(text) {
			return judgement{at: at, meaning: "it is kept as one that was refused, by " + name}, nil
		}
	}
	return wrong(s, at, spec.KindUnexpected, phrase.Of("nothing that was refused"), phrase.Of("{}, whose creation was refused", phrase.Text(in.text))), nil
}
