package steps

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"hallmark/spec"
)

// Steps that list animals.

// listing is a list as it was answered.
type listing struct {
	*answer
	animals []seenAnimal
	// length is that of the array, invalid items included; -1 when the answer is no array.
	length int
}

func (l listing) has(id string) bool {
	return slices.ContainsFunc(l.animals, func(x seenAnimal) bool { return x.id == id })
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
		return s.perform(ctx, op, args, nil, rightCredential(s.run.target.Key), "")
	}
	a, err := send()
	if longest, _ := s.run.terms.whole(); err == nil && limit == longest {
		first := a.ex.Started
		a, err = s.askUntil(ctx, a, func(a *answer) time.Time { return s.run.unlisted(a, status, first) }, send)
	}
	if err != nil {
		return listing{}, err
	}
	for _, p := range op.Parameters {
		if value, given := args.value(p.Name); given && !allows(p, value) {
			return s.run.terms.listing(a), nil // the contract leaves open what comes of it
		}
	}
	rule := s.plainRule(op, a, s.run.terms.listed)
	if (a.status() == 204 || a.status() == 404) && !s.run.knowsMatch(status) {
		rule = "list.empty"
	}
	if rule, err = s.blameParameter(ctx, op, a, rule, s.run.terms.listed); err != nil {
		return listing{}, err
	}
	s.expect(a, rule, s.run.terms.listed)
	return s.run.terms.listing(a), nil
}

// longestList asks for the longest list, filtered by a status unless it is empty.
func (s *scenario) longestList(ctx context.Context, status string) (listing, error) {
	longest, _ := s.run.terms.whole()
	return s.list(ctx, status, longest)
}

// allLists returns the statuses of the lists that an animal could show in: none, and each that lists can be filtered by.
func (t petTerms) allLists() []string { return append([]string{""}, t.filters()...) }

// listing is the list that an answer holds.
func (t petTerms) listing(a *answer) listing {
	out := listing{answer: a, length: -1}
	if items, ok := a.value.Array(); ok && a.status() == t.listed {
		out.length = max(len(items), a.items)
		out.animals = animalsIn("listPets", a.value.Tree)
	}
	return out
}

// givenRefused is "this run has had creations refused".
func (s *scenario) givenRefused(context.Context) error {
	s.run.memory.mu.Lock()
	defer s.run.memory.mu.Unlock()
	if len(s.run.memory.refused) == 0 {
		return stopf("no creation was refused in this run")
	}
	return nil
}

// whenListsSeen is "the lists are looked through".
func (s *scenario) whenListsSeen(ctx context.Context) error {
	s.answers = nil
	for _, status := range s.run.terms.allLists() {
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
	m := s.run.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range s.answers {
		if s.broken(a.ex) {
			continue
		}
		var out judged
		for _, x := range animalsIn(a.ex.Operation, a.value.Tree) {
			m.judgeTrace(a.ex, x, &out)
		}
		s.find(a.ex, out.findings...)
	}
	return nil
}

// thenEmpty is "it is an empty array where nothing matches".
func (s *scenario) thenEmpty(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	if !s.expect(a, "list.empty", s.run.terms.listed) {
		return nil
	}
	items, isArray := a.value.Array()
	switch {
	case isArray && len(items) > 0:
		return stopf("the store holds animals that match already")
	case isArray:
		s.exercise("list.empty")
	}
	return nil // anything else was judged when it came
}

func isEmptyObject(v spec.Value) bool {
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
	l := s.run.terms.listing(a)
	if l.length < 0 {
		return nil
	}
	s.exercise(s.rule.ID)
	if l.length > n && !s.broken(a.ex) {
		s.find(a.ex, spec.Finding{
			Rule: s.rule.ID, Expected: "at most " + animals(n), Actual: animals(l.length),
			Where: place(a.ex) + ", the array's length", Cause: s.rule.ID,
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
	for _, x := range s.run.terms.listing(a).animals {
		if x.status != status && !s.broken(a.ex) {
			s.find(a.ex, spec.Finding{
				Rule: "list.status.honoured", Expected: "the status " + status, Actual: x.statusText(),
				Where: place(a.ex) + ", " + x.pointer + "/status", Pointer: x.pointer + "/status", Cause: "list.status.honoured",
			})
		}
	}
	return nil
}

// thenNoneTwice is "no id stands in it twice"; list.unique is judged on every list that is seen.
func (s *scenario) thenNoneTwice(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	if len(s.run.terms.listing(a).animals) < 2 {
		return stopf("the list holds fewer than two animals")
	}
	if again := s.run.terms.checkList(a.ex, a.value.Tree); !s.broken(a.ex) {
		s.find(a.ex, again.findings...)
	}
	return nil
}

// thenSameDefault is "leaving the limit out gives as many as the default limit[, filtered by status sold]". Others may write
// meanwhile, so one difference proves nothing: only a count that is lower in every round does.
func (s *scenario) thenSameDefault(ctx context.Context, status string) error {
	const rounds = 10
	standard, ok := s.run.terms.standard()
	if !ok {
		return stopf("the contract has no default for the limit")
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
		s.exercise("list.limit.default.same")
		if most >= least {
			return nil
		}
	}
	s.find(low.ex, spec.Finding{
		Rule: "list.limit.default.same", Expected: fmt.Sprintf("as many animals as limit=%s gives: never fewer than %d", limited, least),
		Actual: fmt.Sprintf("never more than %d in %d rounds", most, rounds),
		Where:  place(low.ex) + ", the array's length", Cause: "list.limit.default.same",
	})
	return nil
}
