package lifecycle

import (
	"context"
	"fmt"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// What whole lists show: by default, by each value of a filter, and as reads show it.

func wholeListForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.InTurns.Pattern(), Do: whenInTurns},
		{Pattern: promise.SameCount, Do: thenSameCount},
		{Pattern: promise.OneMoreIsHad, Do: whenOneMore},
		{Pattern: promise.OneLacks.Pattern(), Do: whenOneLacks},
		{Pattern: promise.ByEachValue.Pattern(), Do: whenByEachValue},
		{Pattern: promise.ByShown.Pattern(), Do: whenByShown},
		{Pattern: promise.InSmallPages, Do: whenInSmallPages},
		{Pattern: promise.OnEachPage.Pattern(), Do: thenOnEachPage},
		{Pattern: promise.JustThose, Do: thenJustThose},
		{Pattern: promise.ReadsItems.Pattern(), Do: whenItemsRead},
		{Pattern: promise.AsListed, Do: thenAsListed},
	}
}

// makingList returns the request for a list that a scenario is about, and what is listed.
func makingList(s *scenario.Scenario) (*scenario.Making, resource.Life, error) {
	m, err := s.Making()
	if err != nil {
		return nil, resource.Life{}, err
	}
	life, err := listedBy(s, m.Request.Operation)
	return m, life, err
}

// makingListBy returns what makingList does, and a parameter of the query of the list.
func makingListBy(s *scenario.Scenario, name string) (*scenario.Making, resource.Life, *spec.Parameter, error) {
	m, life, err := makingList(s)
	if err != nil {
		return nil, life, nil, err
	}
	p, err := queryParameter(m.Request.Operation, unquoted(name))
	return m, life, p, err
}

// listedBy returns what an operation lists.
func listedBy(s *scenario.Scenario, op *spec.Operation) (resource.Life, error) {
	life, ok := promise.LifeListed(s.Run.Promises, op)
	if !ok {
		return life, scenario.Excusef("it is unclear what %s lists", op.ID)
	}
	return life, nil
}

// queryParameter returns a parameter of the query of an operation.
func queryParameter(op *spec.Operation, name string) (*spec.Parameter, error) {
	for i := range op.Parameters {
		if p := &op.Parameters[i]; p.In == "query" && p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s has no parameter %q", op.ID, name)
}

// whenOneMore is "there is one to list".
func whenOneMore(ctx context.Context) error {
	s := scenario.From(ctx)
	_, life, err := makingList(s)
	if err != nil {
		return err
	}
	return createForFilter(ctx, s, life, nil)
}

// whenOneLacks is "there is one to list that was created without <member>".
func whenOneLacks(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	_, life, err := makingList(s)
	if err != nil {
		return err
	}
	return createForFilter(ctx, s, life, nil, unquoted(name))
}
