package petstore

import (
	"context"
	"net/http"
	"slices"
	"time"

	"hallmark/spec/request"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// The operations as steps call them, each response judged by what always holds for it.

// createPet creates a plain animal, with a status unless it is empty, by the given rule for its status.
func createPet(ctx context.Context, s *scene, status string) (*scenario.Answer, error) {
	op, err := s.Operation("createPet")
	if err != nil {
		return nil, err
	}
	plan := &request.Plan{}
	if status != "" {
		plan.Set = append(plan.Set, request.Change{Property: "status", JSON: generate.JSONString(status)})
	}
	a, err := s.Perform(ctx, op, scenario.Arguments{}, plan, credentials.Right(s.Run.Target.Key), "a plain animal")
	if err != nil {
		return nil, err
	}
	s.Expect(a, "create.accepted", s.pets.terms.Added)
	if a.Status()/100 == 2 {
		for _, p := range op.Body.Properties() {
			vocabulary.JudgeEcho(s.Scenario, a, op, p.Name)
		}
	}
	return a, nil
}

// madeBy is the animal that a creation answered with; false when it was refused or answered something else.
func madeBy(a *scenario.Answer) (Animal, bool) {
	if a.Status()/100 != 2 {
		return Animal{}, false
	}
	return AnimalOf(a.Value.Tree)
}

func getPet(ctx context.Context, s *scene, id string) (*scenario.Answer, error) {
	op, err := s.Operation("getPet")
	if err != nil {
		return nil, err
	}
	var args scenario.Arguments
	args.Set("petId", id)
	return s.Perform(ctx, op, args, nil, credentials.Right(s.Run.Target.Key), "")
}

// listPets asks for a list; empty texts leave a parameter out.
func listPets(ctx context.Context, s *scene, status, limit string) (listing, error) {
	op, err := s.Operation("listPets")
	if err != nil {
		return listing{}, err
	}
	var args scenario.Arguments
	if status != "" {
		args.Set("status", status)
	}
	if limit != "" {
		args.Set("limit", limit)
	}
	send := func() (*scenario.Answer, error) {
		return s.Perform(ctx, op, args, nil, credentials.Right(s.Run.Target.Key), "")
	}
	a, err := send()
	if longest, _ := s.pets.terms.Whole(); err == nil && limit == longest {
		first := a.Exchange.Started
		a, err = s.AskUntil(ctx, a, func(a *scenario.Answer) time.Time { return s.pets.unlisted(a, status, first) }, send)
	}
	if err != nil {
		return listing{}, err
	}
	for _, p := range op.Parameters {
		if value, given := args.Value(p.Name); given && !p.Allows(value) {
			return listingOf(s.pets.terms, a), nil // the contract leaves open what comes of it
		}
	}
	rule := vocabulary.PlainRule(s.Scenario, op, a, s.pets.terms.Listed)
	if (a.Status() == 204 || a.Status() == 404) && !s.pets.knowsMatch(status) {
		rule = "list.empty"
	}
	if rule, err = vocabulary.NarrowToParameter(ctx, s.Scenario, op, a, rule, s.pets.terms.Listed); err != nil {
		return listing{}, err
	}
	s.Expect(a, rule, s.pets.terms.Listed)
	return listingOf(s.pets.terms, a), nil
}

// unlisted reports whether a list that would hold the whole store lacks an animal that this run had created by a moment.
func (p *pets) unlisted(a *scenario.Answer, status string, by time.Time) time.Time {
	l := listingOf(p.terms, a)
	_, below := p.terms.Whole()
	if all, _ := p.memory.Known(); l.length < 0 || l.length >= below || status != "" && all >= below {
		return time.Time{}
	}
	listed := make(map[string]bool, len(l.animals))
	for _, x := range l.animals {
		listed[x.ID] = true
	}
	last := p.memory.LastMissing(listed, status, by)
	if last.IsZero() {
		return time.Time{}
	}
	return last.Add(p.Patience.Settle)
}

// longestList asks for the longest list, filtered by a status unless it is empty.
func longestList(ctx context.Context, s *scene, status string) (listing, error) {
	longest, _ := s.pets.terms.Whole()
	return listPets(ctx, s, status, longest)
}

// longestLists asks for the longest list of each status at the same time.
func longestLists(ctx context.Context, s *scene, statuses []string) ([]listing, error) {
	lists := make([]listing, len(statuses))
	return lists, s.Run.Lanes.Do(len(statuses), func(i int) (err error) {
		lists[i], err = longestList(ctx, s, statuses[i])
		return err
	})
}

// wholeStore asks for the longest list, and reports whether it holds the whole store: only a list of fewer animals than
// were asked for does, and of a store that is not known to hold that many, since pages may be short.
func wholeStore(ctx context.Context, s *scene) (listing, bool, error) {
	l, err := longestList(ctx, s, "")
	return l, err == nil && s.pets.isWhole(l.length), err
}

// isWhole reports whether the longest list, not filtered and of that length, holds the whole store, and keeps that for those that ask
// next. The length is -1 of what is no list.
func (p *pets) isWhole(length int) bool {
	_, below := p.terms.Whole()
	known, _ := p.memory.Known()
	whole := length >= 0 && length < below && known < below
	p.whole.Store(whole)
	return whole
}

// listing is a list as it was answered.
type listing struct {
	*scenario.Answer
	animals []SeenAnimal
	// length is that of the array, invalid items included; -1 when the response is no array.
	length int
}

// listingOf returns the list that a response holds.
func listingOf(t Terms, a *scenario.Answer) listing {
	out := listing{Answer: a, length: -1}
	if items, ok := a.Value.Array(); ok && a.Status() == t.Listed {
		out.length = max(len(items), a.Items)
		out.animals = AnimalsIn("listPets", a.Value.Tree)
	}
	return out
}

func (l listing) has(id string) bool {
	return slices.ContainsFunc(l.animals, func(x SeenAnimal) bool { return x.ID == id })
}

// carries reports whether the list shows the animal with that status.
func (l listing) carries(id, status string) bool {
	return slices.ContainsFunc(l.animals, func(x SeenAnimal) bool { return x.ID == id && x.Status == status })
}

// shows reports whether the list holds the animal with the status that it was created with.
func (l listing) shows(made Animal) bool {
	return slices.ContainsFunc(l.animals, func(x SeenAnimal) bool {
		return x.ID == made.ID && x.Status == made.Status && x.HasStatus == made.HasStatus
	})
}

// readable reports whether every item of a list is an animal: what one that is none stands for nobody knows.
func (l listing) readable() bool { return l.length == len(l.animals) }

// What a store may not show yet: see Patience.Settle.

// mayBeAbsent is the moment until which an animal that is known may still be missing; zero for one that nobody knows.
func (p *pets) mayBeAbsent(id string) time.Time {
	if at, known := p.memory.SeenAt(id); known {
		return at.Add(p.Patience.Settle)
	}
	return time.Time{}
}

// tooYoung reports whether a response came too early for the absence of an animal to mean something.
func (p *pets) tooYoung(id string, asked time.Time) bool {
	until := p.mayBeAbsent(id)
	return p.Patience.Settle > 0 && !until.IsZero() && asked.Before(until)
}

// AbsentUntil implements Extension: a known animal may be read too early.
func (p *pets) AbsentUntil(a *scenario.Answer) time.Time {
	if a.Exchange.Operation != "getPet" || !a.Right || a.Status() != http.StatusNotFound {
		return time.Time{}
	}
	until := p.mayBeAbsent(a.Path["petId"])
	if until.Add(-p.Patience.Settle).After(a.Exchange.Started) {
		return time.Time{} // it was created meanwhile
	}
	return until
}
