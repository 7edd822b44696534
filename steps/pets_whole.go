package steps

import (
	"context"
	"fmt"
	"slices"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/petstore"
)

// Steps that need a list of the whole store: only such a list can prove that an animal is missing.

// wholeStore asks for the longest list, and reports whether it holds the whole store: only a list of fewer animals than
// were asked for does, and of a store that is not known to hold that many, since pages may be short.
func (s *scenario) wholeStore(ctx context.Context) (listing, bool, error) {
	_, below := s.run.terms.Whole()
	l, err := s.longestList(ctx, "")
	known, _ := s.run.memory.Known()
	return l, err == nil && l.length >= 0 && l.length < below && known < below, err
}

// givenWholeStore is "a list can hold the whole store".
func (s *scenario) givenWholeStore(ctx context.Context) error {
	_, whole, err := s.wholeStore(ctx)
	if err == nil && !whole {
		return stopf("%s", s.run.terms.NotWhole(""))
	}
	return err
}

// thenListsHold is "every list that must hold it does". Absence counts only when the whole store fitted into a list
// before and after.
func (s *scenario) thenListsHold(ctx context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	made, ok := s.made(a)
	if !ok {
		return stopf("createPet did not answer with an animal")
	}
	was := petstore.Creation{Animal: made, Seq: a.ex.Seq}
	before, whole, err := s.wholeStore(ctx)
	if err != nil || !whole {
		return orStop(err, s.run.terms.NotWhole(""))
	}
	var filtered listing
	isFilter := made.HasStatus && s.run.terms.IsFilter(made.Status)
	if isFilter {
		if filtered, err = s.longestList(ctx, made.Status); err != nil {
			return err
		}
	}
	others, err := s.otherLists(ctx, made)
	if err != nil {
		return err
	}
	after, whole, err := s.wholeStore(ctx)
	if err != nil || !whole {
		return orStop(err, s.run.terms.NotWhole(" by now"))
	}
	if !s.holds(before.has(made.ID) && after.has(made.ID), after.answer, was, "list.complete") {
		return nil
	}
	if isFilter && filtered.length >= 0 && (filtered.has(made.ID) || after.carries(made.ID, made.Status)) {
		s.holds(filtered.has(made.ID), filtered.answer, was, "list.status.complete")
	}
	if before.shows(made) && after.shows(made) {
		s.judgeIntruder(was, others)
	}
	return nil
}

// otherLists asks for the lists of all statuses that an animal does not carry.
func (s *scenario) otherLists(ctx context.Context, made petstore.Animal) ([]listing, error) {
	var out []listing
	for _, status := range s.run.terms.Filters() {
		if status == made.Status {
			continue
		}
		l, err := s.longestList(ctx, status)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// judgeIntruder tells when an animal stands in the list of a status that it does not carry, whatever the list shows.
func (s *scenario) judgeIntruder(was petstore.Creation, others []listing) {
	made, created := was.Animal, was.Seq
	for _, l := range others {
		i := slices.IndexFunc(l.animals, func(x petstore.SeenAnimal) bool { return x.ID == made.ID })
		if i < 0 || s.broken(l.ex) {
			continue
		}
		x := l.animals[i]
		s.find(l.ex, spec.Finding{
			Rule: "list.status.honoured", Kind: spec.KindUnexpected, Expected: "not the animal with the id " + made.ID + ", which carries " + made.StatusText(),
			Actual: "it is listed, shown with " + x.StatusText(), Where: check.Place(l.ex) + ", " + x.Pointer,
			Pointer: x.Pointer, Cause: "list.status.honoured", Exchanges: []int{created, l.ex.Seq},
			About: spec.About{IDs: []string{made.ID}, Shows: spec.Misplaced},
		})
	}
}

// shows reports whether the list holds the animal with the status that it was created with.
func (l listing) shows(made petstore.Animal) bool {
	return slices.ContainsFunc(l.animals, func(x petstore.SeenAnimal) bool {
		return x.ID == made.ID && x.Status == made.Status && x.HasStatus == made.HasStatus
	})
}

// thenAllListed is "a list of the whole store holds every animal that this run created".
func (s *scenario) thenAllListed(ctx context.Context) error {
	all := s.run.memory.Animals()
	before, whole, err := s.wholeStore(ctx)
	if err != nil || !whole {
		return orStop(err, s.run.terms.NotWhole(""))
	}
	after, whole, err := s.wholeStore(ctx)
	if err != nil || !whole {
		return orStop(err, s.run.terms.NotWhole(" by now"))
	}
	if len(all) == 0 {
		return nothingCreated()
	}
	for _, c := range all {
		if !before.has(c.ID) && !after.has(c.ID) {
			s.missing(after.answer, c, "list.complete")
			return nil // one is enough to tell
		}
	}
	s.kept("list.complete")
	return nil
}

// carries reports whether the list shows the animal with that status.
func (l listing) carries(id, status string) bool {
	return slices.ContainsFunc(l.animals, func(x petstore.SeenAnimal) bool { return x.ID == id && x.Status == status })
}

func orStop(err error, reason string) error {
	if err != nil {
		return err
	}
	return stopf("%s", reason)
}

// holds judges by the given rule whether a list holds an animal that it must hold, and repeats the result.
func (s *scenario) holds(there bool, a *answer, was petstore.Creation, rule string) bool {
	if there {
		s.kept(rule)
	} else {
		s.missing(a, was, rule)
	}
	return there
}

// missing says that a list lacks an animal that it must hold.
func (s *scenario) missing(a *answer, was petstore.Creation, rule string) {
	ids := []string{was.ID}
	for _, x := range listingOf(s.run.terms, a).animals {
		if x.Name == was.Name && x.ID != was.ID && s.run.isMine(x.Name) {
			ids = append(ids, x.ID) // it is there under another id
			break
		}
	}
	s.find(a.ex, spec.Finding{
		Rule: rule, Kind: spec.KindLost, Expected: fmt.Sprintf("the animal with the id %s, which was created with %s", was.ID, was.StatusText()),
		Actual: fmt.Sprintf("it is not among the %s", text.Count(listingOf(s.run.terms, a).length, "animal")),
		Where:  check.Place(a.ex), Exchanges: []int{was.Seq, a.ex.Seq}, Cause: rule,
		About: spec.About{IDs: ids, Shows: spec.Missing},
	})
}

// thenNowhere is "no list holds it": the memory of the run judges every list that is seen.
func (s *scenario) thenNowhere(ctx context.Context) error {
	for _, status := range s.run.terms.AllLists() {
		if _, err := s.longestList(ctx, status); err != nil {
			return err
		}
	}
	if _, whole, err := s.wholeStore(ctx); err != nil || !whole {
		return orStop(err, s.run.terms.NotWhole(""))
	}
	return nil
}
