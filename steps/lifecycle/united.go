package lifecycle

import (
	"context"
	"slices"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/exactjson"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/scenario"
)

// united is the meaning of parameters that ask for what has any of their values, rather than all of them. It is ruled out where each item has
// the value of every filter but the named one, though some that have the value of that one do not.
func united(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string) (string, error) {
	for _, p := range m.Request.Operation.Parameters {
		asked, given := m.Request.Value(request.PlaceOf(p))
		if !given || p.Required || p.In != "query" || p.Name == name || life.Member(p.Name) == nil {
			continue
		}
		may, err := unites(ctx, s, life, m, name, p, asked)
		if err != nil {
			return "", err
		}
		if may {
			return "it may show what " + name + " or " + p.Name + " asks for", nil
		}
	}
	return "", nil
}

// unites reports whether a list may show what has the value of the named parameter, or the one that is asked for by another.
func unites(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string, other spec.Parameter, asked any) (bool, error) {
	lacks := func(item resource.Item) bool {
		is, shown := item.Members[other.Name]
		return behaviour.Alike(asked, is, shown) == behaviour.Another
	}
	anyLacks := func(r request.Request) (lacking, whole bool, err error) {
		items, _, ended, err := List(ctx, s, life, r, m.Credential)
		return slices.ContainsFunc(items, lacks), ended, err
	}
	alone := m.Request.Without(request.PlaceOf(other))
	some, _, err := anyLacks(alone)
	if err != nil {
		return true, err
	}
	if !some {
		if err := addLacking(ctx, s, life, m, name, other, asked); err != nil {
			return true, err
		}
		if some, _, err = anyLacks(alone); err != nil || !some {
			return true, err
		}
	}
	lacking, whole, err := anyLacks(m.Request)
	return lacking || !whole, err
}

// addLacking creates what has the value that a list is asked for by the named parameter, and another value than by the other one.
func addLacking(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string, other spec.Parameter, asked any) error {
	for _, p := range m.Request.Operation.Parameters {
		value, given := m.Request.Value(request.PlaceOf(p))
		if !given || p.Name != name {
			continue
		}
		for _, text := range other.Schema.Enum {
			if lacking, err := exactjson.Decode([]byte(text)); err == nil && !same(lacking.Tree, asked) {
				return add(ctx, s, life, map[string]any{name: value, other.Name: lacking.Tree})
			}
		}
	}
	return nil
}
