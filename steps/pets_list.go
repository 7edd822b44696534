package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/credentials"
	"hallmark/steps/petstore"
)

// Steps that list animals.

// listing is a list as it was answered.
type listing struct {
	*answer
	animals []petstore.SeenAnimal
	// length is that of the array, invalid items included; -1 when the response is no array.
	length int
}

func (l listing) has(id string) bool {
	return slices.ContainsFunc(l.animals, func(x petstore.SeenAnimal) bool { return x.ID == id })
}

// list asks for a list; empty texts leave a parameter out.
func (s *scenario) list(ctx context.Context, status, limit string) (listing, error) {
	op, err := s.operation("listPets")
	if err != nil {
		return listing{}, err
	}
	var args arguments
	if status != "" {
		args.set("status", status)
	}
	if limit != "" {
		args.set("limit", limit)
	}
	send := func() (*answer, error) {
		return s.perform(ctx, op, args, nil, credentials.Right(s.run.target.Key), "")
	}
	a, err := send()
	if longest, _ := s.run.terms.Whole(); err == nil && limit == longest {
		first := a.ex.Started
		a, err = s.askUntil(ctx, a, func(a *answer) time.Time { return s.run.unlisted(a, status, first) }, send)
	}
	if err != nil {
		return listing{}, err
	}
	for _, p := range op.Parameters {
		if value, given := args.value(p.Name); given && !petstore.Allows(p, value) {
			return listingOf(s.run.terms, a), nil // the contract leaves open what comes of it
		}
	}
	rule := s.plainRule(op, a, s.run.terms.Listed)
	if (a.status() == 204 || a.status() == 404) && !s.run.knowsMatch(status) {
		rule = "list.empty"
	}
	if rule, err = s.blameParameter(ctx, op, a, rule, s.run.terms.Listed); err != nil {
		return listing{}, err
	}
	s.expect(a, rule, s.run.terms.Listed)
	return listingOf(s.run.terms, a), nil
}

// longestList asks for the longest list, filtered by a status unless it is empty.
func (s *scenario) longestList(ctx context.Context, status string) (listing, error) {
	longest, _ := s.run.terms.Whole()
	return s.list(ctx, status, longest)
}

// listingOf returns the list that a response holds.
func listingOf(t petstore.Terms, a *answer) listing {
	out := listing{answer: a, length: -1}
	if items, ok := a.value.Array(); ok && a.status() == t.Listed {
		out.length = max(len(items), a.items)
		out.animals = petstore.AnimalsIn("listPets", a.value.Tree)
	}
	return out
}

// givenRefused is "this run has had creations refused".
func (s *scenario) givenRefused(context.Context) error {
	if !s.run.memory.HasRefused() {
		return stopf("no creation was refused in this run")
	}
	return nil
}

// whenListsSeen is "the lists are looked through".
func (s *scenario) whenListsSeen(ctx context.Context) error {
	s.answers = nil
	for _, status := range s.run.terms.AllLists() {
		l, err := s.longestList(ctx, status)
		if err != nil {
			return err
		}
		s.answers = append(s.answers, l.answer)
	}
	return nil
}

// thenNoTrace is "none holds an animal whose creation was refused". Each list was judged by it when it came; what was
// refused since then is looked for here.
func (s *scenario) thenNoTrace(context.Context) error {
	for _, a := range s.answers {
		if s.broken(a.ex) {
			continue
		}
		out := s.run.memory.Traces(a.ex, petstore.AnimalsIn(a.ex.Operation, a.value.Tree))
		s.find(a.ex, out.Findings...)
	}
	return nil
}

// thenEmpty is "it is an empty array where nothing matches".
func (s *scenario) thenEmpty(ctx context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	op, err := s.operation("listPets")
	if err != nil {
		return err
	}
	items, isArray := a.value.Array()
	known, listed := s.run.knowsMatch(statusAsked(a.ex)), s.run.terms.Listed
	if a.status() != listed && !known || a.status() == listed && isArray && len(items) == 0 && a.items == 0 {
		s.expect(a, "list.empty", listed)
		return nil
	}
	rule, err := s.blameParameter(ctx, op, a, s.plainRule(op, a, listed), listed)
	if err != nil {
		return err
	}
	right := s.expect(a, rule, listed)
	if right && !known && s.allOthers(a) {
		s.find(a.ex, spec.Finding{
			Rule: "list.empty", Kind: spec.KindUnexpected, Expected: "[]", Actual: text.Count(listingOf(s.run.terms, a).length, "animal") + " that do not match", Cause: "list.empty: others",
			After: "list.status.honoured",
		})
		return nil
	}
	if right && (known || isArray) {
		return stopf("the store already holds animals that match, so that no list is empty")
	}
	return nil // anything else was judged when it came
}

// allOthers reports whether a filtered list holds animals, and none that it was asked for.
func (s *scenario) allOthers(a *answer) bool {
	l, status := listingOf(s.run.terms, a), statusAsked(a.ex)
	return s.run.terms.IsFilter(status) && len(l.animals) > 0 && l.readable() &&
		!slices.ContainsFunc(l.animals, func(x petstore.SeenAnimal) bool { return x.Status == status })
}

func isEmptyObject(v exactjson.Value) bool {
	o, ok := v.Object()
	return ok && len(o) == 0
}

// thenAtMost is "it holds at most 20 animals".
func (s *scenario) thenAtMost(_ context.Context, most string) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(most)
	if err != nil {
		return err
	}
	if len(a.ex.Expect.Statuses) == 0 {
		s.adviseOpen(a)
	}
	l := listingOf(s.run.terms, a)
	if l.length < 0 {
		return nil
	}
	switch {
	case l.length <= n:
		s.kept(s.rule.ID)
	case !s.broken(a.ex):
		s.find(a.ex, spec.Finding{
			Rule: s.rule.ID, Kind: spec.KindTooLarge, Expected: "at most " + text.Count(n, "animal"), Actual: text.Count(l.length, "animal"),
			Where: check.Place(a.ex) + ", the array's length", Cause: s.rule.ID,
		})
	}
	return nil
}

// thenEachStatusIs is "each animal has the status sold"; list.status.honoured is judged on every list that is seen.
func (s *scenario) thenEachStatusIs(_ context.Context, status string) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	for _, x := range listingOf(s.run.terms, a).animals {
		if x.Status != status && !s.broken(a.ex) {
			s.find(a.ex, spec.Finding{
				Rule: "list.status.honoured", Kind: spec.KindUnexpected, Expected: "the status " + status, Actual: x.StatusText(),
				Where: check.Place(a.ex) + ", " + x.Pointer + "/status", Pointer: x.Pointer + "/status", Cause: "list.status.honoured",
			})
		}
	}
	return nil
}

// thenStatusWhenRead is "its first and last animals carry that status when they are read". Somebody may change it meanwhile:
// it counts when the list goes on showing one status, and reading another.
func (s *scenario) thenStatusWhenRead(ctx context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	status := statusAsked(a.ex)
	l := listingOf(s.run.terms, a)
	if len(l.animals) == 0 {
		return excusef("no animal is listed, which a page that is filtered after its limit may come to")
	}
	for _, x := range []petstore.SeenAnimal{l.animals[0], l.animals[len(l.animals)-1]} {
		if err := s.judgeListedStatus(ctx, l, x, status); err != nil {
			return err
		}
	}
	return nil
}

// judgeListedStatus judges an animal of a filtered list by what is read of it.
func (s *scenario) judgeListedStatus(ctx context.Context, l listing, x petstore.SeenAnimal, status string) error {
	const rounds = 3
	var read *answer
	for range rounds {
		var err error
		if read, err = s.get(ctx, x.ID); err != nil {
			return err
		}
		is, ok := petstore.AnimalOf(read.value.Tree)
		if !ok || read.status() != s.run.terms.Found || is.ID != x.ID || !s.run.terms.IsStatus(is.Status) || !l.carries(x.ID, status) {
			return nil // it is not there any more, or breaks a rule of its own
		}
		if is.Status == status {
			s.kept("list.status.honoured")
			return nil
		}
		if l, err = s.longestList(ctx, status); err != nil {
			return err
		}
	}
	is, _ := petstore.AnimalOf(read.value.Tree)
	if l.carries(x.ID, status) && !s.broken(read.ex) {
		s.find(read.ex, spec.Finding{
			Rule: "list.status.honoured", Operation: l.ex.Operation, Kind: spec.KindUnexpected, Expected: "not the animal with the id " + x.ID + ", which is read with " + is.StatusText(),
			Actual: "it is listed, shown with the status " + status, Where: check.Place(l.ex), Exchanges: []int{read.ex.Seq, l.ex.Seq},
			Cause: "list.status.honoured", About: spec.About{IDs: []string{x.ID}, Shows: spec.Misplaced},
		})
	}
	return nil
}

// thenNoneTwice is "no id stands in it twice"; list.unique is judged on every list that is seen.
func (s *scenario) thenNoneTwice(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	if len(listingOf(s.run.terms, a).animals) < 2 {
		return stopf("the list holds fewer than two animals")
	}
	if again := s.run.terms.CheckList(a.ex, a.value.Tree); !s.broken(a.ex) {
		s.find(a.ex, again.Findings...)
	}
	return nil
}

// thenSameDefault is "leaving the limit out gives as many as the default limit[, filtered by status sold]". Others may write
// meanwhile, so one difference proves nothing: only a count that is lower in every round does.
func (s *scenario) thenSameDefault(ctx context.Context, status string) error {
	const rounds = 10
	standard, ok := s.run.terms.Standard()
	if !ok {
		return excusef("the contract has no default for the limit")
	}
	limited := strconv.FormatInt(standard, 10)
	most, least := -1, 1<<30
	var low *answer
	for i := range rounds {
		order := []string{"", limited}
		if i%2 == 1 {
			order = []string{limited, ""}
		}
		for _, limit := range order {
			l, err := s.list(ctx, status, limit)
			if err != nil {
				return err
			}
			if l.length < 0 {
				return stopf("listPets did not answer with a list")
			}
			if limit == "" {
				if l.length > most {
					most, low = l.length, l.answer
				}
			} else {
				if int64(l.length) > standard {
					return stopf("a limit of %s is not honoured, so that nothing can be compared with it", limited)
				}
				least = min(least, l.length)
			}
		}
		if most >= least {
			s.kept("list.limit.default.same")
			return nil
		}
	}
	s.find(low.ex, spec.Finding{
		Rule: "list.limit.default.same", Kind: spec.KindTooSmall, Expected: fmt.Sprintf("as many animals as limit=%s gives: never fewer than %d", limited, least),
		Actual: fmt.Sprintf("never more than %d in %d rounds", most, rounds),
		Where:  check.Place(low.ex) + ", the array's length", Cause: "list.limit.default.same",
	})
	return nil
}
