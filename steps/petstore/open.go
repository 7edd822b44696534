package petstore

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/steps/check"
	"hallmark/steps/scenario"
	"hallmark/steps/vocabulary"
)

// Steps that record what a service does where the interface leaves it open.

// thenOrder is "its order is recorded".
func thenOrder(_ context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	seen := AnimalsIn("listPets", a.Value.Tree)
	if len(seen) < 3 {
		return scenario.Stopf("fewer than three animals are listed")
	}
	vocabulary.Note(s.Scenario, a, "the order of the list", orderOf(seen))
	return nil
}

// orderOf describes the order of a list by its ids and names.
func orderOf(seen []SeenAnimal) string {
	ids := make([]*big.Int, 0, len(seen))
	for _, x := range seen {
		if n, ok := new(big.Int).SetString(x.ID, 10); ok {
			ids = append(ids, n)
		}
	}
	up := slices.IsSortedFunc(ids, func(a, b *big.Int) int { return a.Cmp(b) })
	down := slices.IsSortedFunc(ids, func(a, b *big.Int) int { return b.Cmp(a) })
	byName := slices.IsSortedFunc(seen, func(a, b SeenAnimal) int { return strings.Compare(a.Name, b.Name) })
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
func thenLength(_ context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	l := listingOf(s.pets.terms, a)
	if l.length < 0 {
		return scenario.Stopf("listPets did not answer with a list")
	}
	asked := check.Query(a.Exchange)
	if asked == "" {
		asked = "no parameter"
	}
	n := int64(l.length)
	s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: asked, Answer: text.Count(n, "animal"), Reading: "a list", Count: &n, Exchange: a.Exchange.Seq})
	return nil
}

// thenStatusRecorded is "the status that the animal got is recorded".
func thenStatusRecorded(_ context.Context, s *scene) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	made, ok := madeBy(a)
	if !ok {
		return scenario.Stopf("createPet did not answer with an animal")
	}
	vocabulary.Note(s.Scenario, a, s.Pickle.Name, made.status().String())
	return nil
}
