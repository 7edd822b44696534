package petstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/spec/phrase"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// Steps that list animals.

// givenRefused is "this run has had creations refused".
func givenRefused(_ context.Context, s *scene) error {
	if !s.pets.memory.HasRefused() {
		return scenario.Stopf("no creation was refused in this run")
	}
	return nil
}

// whenListsSeen is "the lists are looked through".
func whenListsSeen(ctx context.Context, s *scene) error {
	s.SetAnswers()
	lists, err := longestLists(ctx, s, s.pets.terms.AllLists())
	for _, l := range lists {
		if l.Answer != nil {
			s.AddAnswer(l.Answer)
		}
	}
	return err
}

// thenNoTrace is "none holds an animal whose creation was refused". Each list was judged by it when it came; what was
// refused since then is looked for here.
func thenNoTrace(_ context.Context, s *scene) error {
	for _, a := range s.Answers() {
		if s.Broken(a.Exchange) {
			continue
		}
		out := s.pets.memory.Traces(a.Exchange, AnimalsIn(a.Exchange.Operation, a.Value.Tree))
		s.Find(a.Exchange, out.Findings...)
	}
	return nil
}

// thenEmpty is "it is an empty array where nothing matches".
func thenEmpty(ctx context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	op, err := s.Operation("listPets")
	if err != nil {
		return err
	}
	items, isArray := a.Value.Array()
	known, listed := s.pets.knowsMatch(statusAsked(a.Exchange)), s.pets.terms.Listed
	if a.Status() != listed && !known || a.Status() == listed && isArray && len(items) == 0 && a.Items == 0 {
		s.Expect(a, "list.empty", listed)
		return nil
	}
	rule, err := vocabulary.NarrowToParameter(ctx, s.Scenario, op, a, vocabulary.PlainRule(s.Scenario, op, a, listed), listed)
	if err != nil {
		return err
	}
	right := s.Expect(a, rule, listed)
	if right && !known && allOthers(s, a) {
		s.Find(a.Exchange, spec.Finding{
			Rule: "list.empty", Kind: spec.KindUnexpected, Expected: phrase.Of("[]"),
			Actual: phrase.Of("{} that do not match", phrase.Count(listingOf(s.pets.terms, a).length, "animal")), Cause: "list.empty: others",
			After: "list.status.honoured",
		})
		return nil
	}
	if right && (known || isArray) {
		return scenario.Stopf("the store already holds animals that match, so that no list is empty")
	}
	return nil // anything else was judged when it came
}

// allOthers reports whether a filtered list holds animals, and none that it was asked for.
func allOthers(s *scene, a *scenario.Answer) bool {
	l, status := listingOf(s.pets.terms, a), statusAsked(a.Exchange)
	return s.pets.terms.IsFilter(status) && len(l.animals) > 0 && l.readable() &&
		!slices.ContainsFunc(l.animals, func(x SeenAnimal) bool { return x.Status == status })
}

// thenAtMost is "it holds at most 20 animals".
func thenAtMost(_ context.Context, s *scene, most string) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(most)
	if err != nil {
		return err
	}
	if len(a.Exchange.Expect.Statuses) == 0 {
		vocabulary.AdviseOpen(s.Scenario, a)
	}
	l := listingOf(s.pets.terms, a)
	if l.length < 0 {
		return nil
	}
	switch {
	case l.length <= n:
		s.Kept(s.Rule.ID)
	case !s.Broken(a.Exchange):
		s.Find(a.Exchange, spec.Finding{
			Rule: s.Rule.ID, Kind: spec.KindTooLarge, Expected: phrase.Of("at most {}", phrase.Count(n, "animal")), Actual: phrase.Of("{}", phrase.Count(l.length, "animal")),
			Where: check.Place(a.Exchange).In("the array's length"), Cause: s.Rule.ID,
		})
	}
	return nil
}

// thenStatusWhenRead is "its first and last animals carry that status when they are read". Somebody may change it meanwhile:
// it counts when the list goes on showing one status, and reading another.
func thenStatusWhenRead(ctx context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	status := statusAsked(a.Exchange)
	l := listingOf(s.pets.terms, a)
	if len(l.animals) == 0 {
		return scenario.Excusef("no animal is listed, which a page that is filtered after its limit may come to")
	}
	for _, x := range []SeenAnimal{l.animals[0], l.animals[len(l.animals)-1]} {
		if err := judgeListedStatus(ctx, s, l, x, status); err != nil {
			return err
		}
	}
	return nil
}

// judgeListedStatus judges an animal of a filtered list by what is read of it.
func judgeListedStatus(ctx context.Context, s *scene, l listing, x SeenAnimal, status string) error {
	const rounds = 3
	var read *scenario.Answer
	for range rounds {
		var err error
		if read, err = getPet(ctx, s, x.ID); err != nil {
			return err
		}
		is, ok := AnimalOf(read.Value.Tree)
		if !ok || read.Status() != s.pets.terms.Found || is.ID != x.ID || !s.pets.terms.IsStatus(is.Status) || !l.carries(x.ID, status) {
			return nil // it is not there any more, or breaks a rule of its own
		}
		if is.Status == status {
			s.Kept("list.status.honoured")
			return nil
		}
		if l, err = longestList(ctx, s, status); err != nil {
			return err
		}
	}
	is, _ := AnimalOf(read.Value.Tree)
	if l.carries(x.ID, status) && !s.Broken(read.Exchange) {
		s.Find(read.Exchange, spec.Finding{
			Rule: "list.status.honoured", Operation: l.Exchange.Operation, Kind: spec.KindUnexpected,
			Expected: phrase.Of("not the animal with the id {}, which is read with ", phrase.ID(x.ID)).Then(is.status()),
			Actual:   phrase.Of("it is listed, shown with the status {}", phrase.Text(status)), Where: check.Place(l.Exchange), Exchanges: []int{read.Exchange.Seq, l.Exchange.Seq},
			Cause: "list.status.honoured", About: spec.About{IDs: []string{x.ID}, Shows: spec.Misplaced},
		})
	}
	return nil
}

// thenSameDefault is "leaving the limit out gives as many as the default limit[, filtered by status sold]". Others may write
// meanwhile, so one difference proves nothing: only a count that is lower in every round does.
func thenSameDefault(ctx context.Context, s *scene, status string) error {
	const rounds = 10
	standard, ok := s.pets.terms.Standard()
	if !ok {
		return scenario.Excusef("the contract has no default for the limit")
	}
	limited := strconv.FormatInt(standard, 10)
	most, least := -1, 1<<30
	var low *scenario.Answer
	for i := range rounds {
		order := []string{"", limited}
		if i%2 == 1 {
			order = []string{limited, ""}
		}
		for _, limit := range order {
			l, err := listPets(ctx, s, status, limit)
			if err != nil {
				return err
			}
			if l.length < 0 {
				return scenario.Stopf("listPets did not answer with a list")
			}
			if limit == "" {
				if l.length > most {
					most, low = l.length, l.Answer
				}
			} else {
				if int64(l.length) > standard {
					return scenario.Stopf("a limit of %s is not honoured, so that nothing can be compared with it", limited)
				}
				least = min(least, l.length)
			}
		}
		if most >= least {
			s.Kept("list.limit.default.same")
			return nil
		}
	}
	s.Find(low.Exchange, spec.Finding{
		Rule: "list.limit.default.same", Kind: spec.KindTooSmall,
		Expected: phrase.Of("as many animals as limit={} gives: never fewer than {}", phrase.JSON(strconv.FormatInt(standard, 10)), phrase.Number(least)),
		Actual:   phrase.Of("never more than {} in {} rounds", phrase.Number(most), phrase.Number(rounds)),
		Where:    check.Place(low.Exchange).In("the array's length"), Cause: "list.limit.default.same",
	})
	return nil
}

// whenNoTrace is "no list holds an animal of theirs". The memory of the run judges every list that is seen.
func whenNoTrace(ctx context.Context, s *scene) error {
	before := len(s.Findings())
	err := whenListsSeen(ctx, s)
	s.TellFrom(before, fmt.Sprintf("invalid bodies of --seed %d, what shows it", s.Run.Seed))
	return err
}
