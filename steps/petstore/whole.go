package petstore

import (
	"context"
	"slices"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
)

// Steps that need a list of the whole store: only such a list can prove that an animal is missing.

// givenWholeStore is "a list can hold the whole store". It is asked only where the last list did not tell: what depends on it looks
// again when it comes to that.
func givenWholeStore(ctx context.Context, s *scene) error {
	if s.pets.whole.Load() {
		return nil
	}
	_, whole, err := wholeStore(ctx, s)
	if err == nil && !whole {
		return scenario.Stopf("%s", s.pets.terms.NotWhole(""))
	}
	return err
}

// thenListsHold is "every list that must hold it does". All are asked for at the same time. Absence counts only when the whole store
// fitted into a list before and after: so where one lacks it, one more is asked for.
func thenListsHold(ctx context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	made, ok := madeBy(a)
	if !ok {
		return scenario.Stopf("createPet did not answer with an animal")
	}
	was := Creation{Animal: made, Seq: a.Exchange.Seq}
	if err := givenWholeStore(ctx, s); err != nil {
		return err
	}
	filters := s.pets.terms.Filters()
	lists, err := longestLists(ctx, s, append([]string{""}, filters...))
	if err != nil {
		return err
	}
	before, lists := lists[0], lists[1:]
	if !s.pets.isWhole(before.length) {
		return scenario.Stopf("%s", s.pets.terms.NotWhole(""))
	}
	var filtered listing
	others, isFilter := lists, made.HasStatus && s.pets.terms.IsFilter(made.Status)
	if i := slices.Index(filters, made.Status); i >= 0 {
		filtered, others = lists[i], slices.Delete(slices.Clone(lists), i, i+1)
	}
	misplaced := slices.ContainsFunc(others, func(l listing) bool { return l.has(made.ID) })
	if before.has(made.ID) && (!isFilter || filtered.has(made.ID)) && !misplaced {
		s.Kept("list.complete")
		if isFilter {
			s.Kept("list.status.complete")
		}
		return nil
	}
	after, whole, err := wholeStore(ctx, s)
	if err != nil || !whole {
		return orStop(err, s.pets.terms.NotWhole(" by now"))
	}
	for _, l := range []listing{before, after} {
		if !holds(s, l.has(made.ID), l.Answer, was, "list.complete") {
			return nil
		}
	}
	if isFilter && filtered.length >= 0 && (filtered.has(made.ID) || after.carries(made.ID, made.Status)) {
		holds(s, filtered.has(made.ID), filtered.Answer, was, "list.status.complete")
	}
	if before.shows(made) && after.shows(made) {
		judgeIntruder(s, was, others)
	}
	return nil
}

// judgeIntruder judges that an animal stands in no list of a status that it does not carry, whatever the list shows.
func judgeIntruder(s *scene, was Creation, others []listing) {
	made, created := was.Animal, was.Seq
	for _, l := range others {
		i := slices.IndexFunc(l.animals, func(x SeenAnimal) bool { return x.ID == made.ID })
		if i < 0 || s.Broken(l.Exchange) {
			continue
		}
		x := l.animals[i]
		s.Find(l.Exchange, spec.Finding{
			Rule: "list.status.honoured", Kind: spec.KindUnexpected,
			Expected: phrase.Of("not the animal with the id {}, which carries ", phrase.ID(made.ID)).Then(made.status()),
			Actual:   phrase.Of("it is listed, shown with ").Then(x.status()), Where: check.Place(l.Exchange).At(x.Pointer),
			Pointer: x.Pointer, Cause: "list.status.honoured", Exchanges: []int{created, l.Exchange.Seq},
			About: spec.About{IDs: []string{made.ID}, Shows: spec.Misplaced},
		})
	}
}

// thenAllListed is "a list of the whole store holds every animal that this run created".
func thenAllListed(ctx context.Context, s *scene) error {
	all := s.pets.memory.Animals()
	before, whole, err := wholeStore(ctx, s)
	if err != nil || !whole {
		return orStop(err, s.pets.terms.NotWhole(""))
	}
	if len(all) == 0 {
		return nothingCreated()
	}
	if !slices.ContainsFunc(all, func(c Creation) bool { return !before.has(c.ID) }) {
		s.Kept("list.complete")
		return nil
	}
	after, whole, err := wholeStore(ctx, s)
	if err != nil || !whole {
		return orStop(err, s.pets.terms.NotWhole(" by now"))
	}
	for _, c := range all {
		if !before.has(c.ID) && !after.has(c.ID) {
			reportMissing(s, after.Answer, c, "list.complete")
			return nil // one is enough to tell
		}
	}
	s.Kept("list.complete")
	return nil
}

func orStop(err error, reason string) error {
	if err != nil {
		return err
	}
	return scenario.Stopf("%s", reason)
}

// holds judges by the given rule whether a list holds an animal that it must hold, and repeats the result.
func holds(s *scene, there bool, a *scenario.Answer, was Creation, rule string) bool {
	if there {
		s.Kept(rule)
	} else {
		reportMissing(s, a, was, rule)
	}
	return there
}

// reportMissing reports that a list lacks an animal that it must hold.
func reportMissing(s *scene, a *scenario.Answer, was Creation, rule string) {
	ids := []string{was.ID}
	for _, x := range listingOf(s.pets.terms, a).animals {
		if x.Name == was.Name && x.ID != was.ID && s.Run.IsMine(x.Name) {
			ids = append(ids, x.ID) // it is there under another id
			break
		}
	}
	s.Find(a.Exchange, spec.Finding{
		Rule: rule, Kind: spec.KindLost,
		Expected: phrase.Of("the animal with the id {}, which was created with ", phrase.ID(was.ID)).Then(was.status()),
		Actual:   phrase.Of("it is not among the {}", phrase.Count(listingOf(s.pets.terms, a).length, "animal")),
		Where:    check.Place(a.Exchange), Exchanges: []int{was.Seq, a.Exchange.Seq}, Cause: rule,
		About: spec.About{IDs: ids, Shows: spec.Missing},
	})
}

// nothingCreated ends a scenario that asks about the animals of the run where there is none yet: others that create some may
// be under way, or were stopped, so its rule was not exercised by it.
func nothingCreated() error {
	return scenario.Stopf("this run has created no animal")
}
