package petstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/spec/request"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/steps/truncate"
	"hallmark/steps/vocabulary"
)

// Steps that look for what a refused creation left behind when its name does not tell: an animal without a name, say.
// Other clients may write at any time, so an animal that is new proves nothing by itself. What proves it is that one
// appears behind each refused creation, and behind none of as many pauses that are no shorter and send as many requests, in an
// order drawn by lot.

// spans is how many refused creations, and how many pauses, a proof takes. Whatever others do, all that they write falls
// behind the refused creations with a probability of 1 to 2,704,156 at most, the number of orders of 12 among 24.
const spans = 12

// whenRefusalsTried is "creations that must be refused with 400 are tried".
func whenRefusalsTried(ctx context.Context, s *scene, status string) error {
	w := &watch{seen: s.pets.memory.IDs()}
	var err error
	if w.refused, err = strconv.Atoi(status); err != nil {
		return err
	}
	if w.attempts, err = refusable(s, w.refused); err != nil {
		return err
	}
	s.watch = w
	if err := lookAtLists(ctx, s, w); err != nil {
		return err
	}
	answers := make([]*scenario.Answer, len(w.attempts))
	if err := s.Run.Lanes.Do(len(w.attempts), func(i int) error {
		// One that was lost is tried again by itself: of a dozen and more, one is soon lost where connections break.
		return vocabulary.IgnoreStop(s.Anew(ctx, func() (err error) { // no animal may be created any more
			answers[i], err = tryRefusal(ctx, s, w, w.attempts[i])
			return err
		}))
	}); err != nil {
		return err
	}
	s.SetAnswers(slices.DeleteFunc(answers, func(a *scenario.Answer) bool { return a == nil || a.Status() != w.refused })...)
	if len(s.Answers()) == 0 {
		return scenario.Stopf("no creation was answered %s", status)
	}
	return lookAt(ctx, s, w, s.pets.terms.AllLists())
}

// thenNoneAppeared is "no animal appears behind them".
func thenNoneAppeared(ctx context.Context, s *scene) error {
	w := s.watch
	if w == nil {
		return fmt.Errorf("no creations were tried before this step")
	}
	rule := NoTraceRule(w.refused)
	if len(w.fresh) == 0 {
		s.Kept(rule)
		return nil
	}
	// Another scenario's refused creations would seem to be other clients'.
	ctx, release, err := s.Alone(ctx)
	if err != nil {
		return err
	}
	defer release()
	cleared := 0
	for _, t := range w.attempts {
		last, innocent, err := lookForStray(ctx, s, w, t, 1)
		if errors.As(err, new(scenario.Stop)) {
			continue
		}
		if err != nil {
			return err
		}
		if innocent {
			cleared++
		}
		if last == nil {
			continue
		}
		if last, _, err = lookForStray(ctx, s, w, t, spans); err != nil {
			return err
		}
		if last != nil {
			reportStray(s, w, last, rule)
			return nil
		}
	}
	if cleared == len(w.attempts) {
		return scenario.Excusef("an animal appeared that none of them stores when it is tried alone")
	}
	return scenario.Stopf("other clients create animals meanwhile, so that it cannot be told whose they are")
}

// reportStray reports an animal that a refused creation has stored.
func reportStray(s *scene, w *watch, last *scenario.Answer, rule string) {
	x := w.fresh[0]
	s.Find(w.in.Exchange, spec.Finding{
		Rule: rule, Kind: spec.KindUnexpected, Expected: phrase.Of("no animal from a creation that was answered {}", phrase.Status(w.refused)),
		Actual: phrase.Of("the animal {} of category {} with the id {}; behind each of {} such creations a new animal appeared, and behind none of {} pauses between them",
			truncate.String(x.Name), phrase.ID(x.Category), phrase.ID(x.ID), phrase.Number(spans), phrase.Number(spans)),
		Where: check.Place(w.in.Exchange).At(x.Pointer), Pointer: x.Pointer, Exchanges: []int{last.Exchange.Seq, w.in.Exchange.Seq}, Cause: rule,
	})
}

// lookForStray tries a creation n times, with n pauses among them, in an order drawn by lot. It returns the last response when an
// animal appeared behind each of the creations, each time with the same name, and none behind a pause; w has the last one. The creation
// is cleared of suspicion when none appeared behind one that was refused.
func lookForStray(ctx context.Context, s *scene, w *watch, t attempt, n int) (_ *scenario.Answer, cleared bool, _ error) {
	turns := make([]bool, 2*n)
	for i := range n {
		turns[i] = true
	}
	rand.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
	var last, in *scenario.Answer
	var fresh []SeenAnimal
	if err := lookAtLists(ctx, s, w); err != nil {
		return nil, false, err
	}
	for _, tries := range turns {
		if tries {
			a, err := tryRefusal(ctx, s, w, t)
			if err != nil {
				return nil, false, err
			}
			if last = a; a.Status() != w.refused {
				return nil, false, nil
			}
		} else if err := restBetween(ctx, s, w); err != nil {
			return nil, false, err
		}
		if err := lookAtLists(ctx, s, w); err != nil {
			return nil, false, err
		}
		if tries == (len(w.fresh) == 0) {
			return nil, tries, nil
		}
		if !tries {
			continue
		}
		if in != nil {
			before := fresh
			w.fresh = slices.DeleteFunc(w.fresh, func(x SeenAnimal) bool {
				return !slices.ContainsFunc(before, func(y SeenAnimal) bool { return x.Name == y.Name })
			})
		}
		if in, fresh = w.in, w.fresh; len(fresh) == 0 {
			return nil, false, nil
		}
	}
	w.in, w.fresh = in, fresh
	return last, false, nil
}

// tryRefusal makes a creation that has to be refused.
func tryRefusal(ctx context.Context, s *scene, w *watch, t attempt) (*scenario.Answer, error) {
	op, err := s.Operation("createPet")
	if err != nil {
		return nil, err
	}
	began := time.Now()
	a, err := s.Perform(ctx, op, scenario.Arguments{}, t.plan, t.credential, "a creation that must be refused")
	w.took(time.Since(began))
	return a, err
}

// restBetween is a pause: as many requests as a creation takes, and no less time. A client that writes in step with the requests
// that it sees would otherwise fit one order of creations and pauses better than another.
func restBetween(ctx context.Context, s *scene, w *watch) error {
	began := time.Now()
	if _, err := listPets(ctx, s, "", ""); err != nil {
		return err
	}
	return client.Sleep(ctx, w.longest+w.longest/4-time.Since(began))
}

// lookAtLists looks at the lists: the unfiltered one, and those of each status when it does not hold the whole store.
func lookAtLists(ctx context.Context, s *scene, w *watch) error {
	asked := []string{""}
	_, below := s.pets.terms.Whole()
	known, _ := s.pets.memory.Known()
	if known >= below {
		asked = append(asked, s.pets.terms.Filters()...)
	}
	return lookAt(ctx, s, w, asked)
}

// lookAt asks for the lists of some statuses at the same time, and for all others when the unfiltered one does not hold the whole store.
func lookAt(ctx context.Context, s *scene, w *watch, asked []string) error {
	w.fresh = nil
	_, below := s.pets.terms.Whole()
	lists, err := longestLists(ctx, s, asked)
	if err != nil {
		return err
	}
	if len(asked) == 1 && lists[0].length >= below {
		filtered, err := longestLists(ctx, s, s.pets.terms.Filters())
		if err != nil {
			return err
		}
		lists = append(lists, filtered...)
	}
	for _, l := range lists {
		for _, x := range l.animals {
			if w.seen[x.ID] {
				continue
			}
			w.seen[x.ID] = true
			if !s.Run.IsMine(x.Name) && !s.pets.memory.Made(x.ID) {
				w.fresh, w.in = append(w.fresh, x), l.Answer
			}
		}
	}
	return nil
}

// refusable lists creations that have to be refused with a status.
func refusable(s *scene, refused int) ([]attempt, error) {
	right := credentials.Right(s.Run.Target.Key)
	if refused == 401 {
		var all []attempt
		for _, words := range []string{
			"missing", "an empty bearer token", "of another scheme", "a random key", "the right key without its last character",
		} {
			c, err := credentials.Make(words, s.Run.Target.Key)
			if errors.As(err, new(credentials.Impossible)) {
				continue
			}
			if err != nil {
				return nil, err
			}
			all = append(all, attempt{nil, c})
		}
		return all, nil
	}
	literal := func(text string) attempt { return attempt{&request.Plan{Literal: &text}, right} }
	with := func(property, json string) attempt {
		return attempt{generate.With(property, json), right}
	}
	return slices.Concat(
		[]attempt{literal(""), literal("{}"), literal("[]"), literal("null")},
		[]attempt{
			{&request.Plan{Without: []string{"name"}}, right}, with("name", "null"), with("name", "1"),
			{&request.Plan{Without: []string{"categoryId"}}, right}, with("categoryId", "null"), with("categoryId", `"1"`),
			with("categoryId", "1.5"), with("categoryId", "9223372036854775808"),
			with("status", "null"), with("status", `"nonesuch"`),
			{&request.Plan{Damage: "cut short"}, right}, {&request.Plan{Damage: "followed by a word"}, right},
		}), nil
}
