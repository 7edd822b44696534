package steps

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/petstore"
)

// Steps that record what a service does where the interface leaves it open.

// record keeps an observation of the scenario's rule.
func (s *scenario) record(a *answer, asked, what string) {
	s.observe(spec.Observation{Rule: s.rule.ID, Asked: asked, Answer: what, Reading: what, Exchange: a.ex.Seq})
}

// thenOrder is "its order is recorded".
func (s *scenario) thenOrder(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	seen := petstore.AnimalsIn("listPets", a.value.Tree)
	if len(seen) < 3 {
		return stopf("fewer than three animals are listed")
	}
	s.record(a, "the order of the list", orderOf(seen))
	return nil
}

// orderOf describes the order of a list by its ids and names.
func orderOf(seen []petstore.SeenAnimal) string {
	ids := make([]*big.Int, 0, len(seen))
	for _, x := range seen {
		if n, ok := new(big.Int).SetString(x.ID, 10); ok {
			ids = append(ids, n)
		}
	}
	up := slices.IsSortedFunc(ids, func(a, b *big.Int) int { return a.Cmp(b) })
	down := slices.IsSortedFunc(ids, func(a, b *big.Int) int { return b.Cmp(a) })
	byName := slices.IsSortedFunc(seen, func(a, b petstore.SeenAnimal) int { return strings.Compare(a.Name, b.Name) })
	switch {
	case up:
		return "by id, ascending"
	case down:
		return "by id, descending"
	case byName:
		return "by name"
	}
	return "neither by id nor by name"
}

// thenLength is "the length of the page is recorded".
func (s *scenario) thenLength(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	l := listingOf(s.run.terms, a)
	if l.length < 0 {
		return stopf("listPets did not answer with a list")
	}
	asked := check.Query(a.ex)
	if asked == "" {
		asked = "no parameter"
	}
	n := int64(l.length)
	s.observe(spec.Observation{Rule: s.rule.ID, Asked: asked, Answer: text.Count(n, "animal"), Reading: "a list", Count: &n, Exchange: a.ex.Seq})
	return nil
}

// thenStatusRecorded is "the status that the animal got is recorded".
func (s *scenario) thenStatusRecorded(context.Context) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	made, ok := s.made(a)
	if !ok {
		return stopf("createPet did not answer with an animal")
	}
	s.record(a, s.pickle.Name, made.StatusText())
	return nil
}

// thenHeader is "its header Location is recorded".
func (s *scenario) thenHeader(_ context.Context, name string) error {
	a, err := s.last()
	if err != nil {
		return err
	}
	what := "absent"
	if v := a.ex.Response.Header.Get(name); v != "" {
		what = "present"
	}
	s.record(a, "the header "+name, what)
	return nil
}

// whenSent is "GET /store/orders is sent": a request that the contract does not define. Only methods that cannot change
// anything are sent.
func (s *scenario) whenSent(ctx context.Context, method, path string) error {
	a, err := s.send(ctx, client.Call{
		Method: method, Path: path, About: "beyond the interface",
	}, credentials.Right(s.run.target.Key), nil)
	if err != nil {
		return err
	}
	s.answers = []*answer{a}
	return nil
}

// whenRemovedCalled is "a removed getPet is called": only after its removal date.
func (s *scenario) whenRemovedCalled(ctx context.Context, operation string) error {
	if _, gone := s.run.removed[operation]; !gone {
		return excusef("%s is not removed yet", operation)
	}
	id, _ := s.run.memory.AnyID()
	if id == "" {
		id = "1"
	}
	return s.whenSent(ctx, "GET", "/pets/"+id)
}
