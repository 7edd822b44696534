package lifecycle

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// anyOfMeaning is the alternative meaning that parameters are combined by "or" instead of "and". It is ruled out
// if each item has the values of all other filters, although some items with the value of the named one do not.
func anyOfMeaning(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string) (string, error) {
	for _, p := range m.Request.Operation.Parameters {
		asked, given := m.Request.Value(request.PlaceOf(p))
		if !given || p.Required || p.In != "query" || p.Name == name || life.Member(p.Name) == nil {
			continue
		}
		may, err := mayUnite(ctx, s, life, m, name, p, asked)
		if err != nil {
			return "", err
		}
		if may {
			return "it may show what " + name + " or " + p.Name + " asks for", nil
		}
	}
	return "", nil
}

// mayUnite reports whether a list may show what has the value of the named parameter or that of another one.
func mayUnite(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string, other spec.Parameter, asked any) (bool, error) {
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

// createLacking creates a resource that has the value of the named parameter, but not that of the other one.
func addLacking(ctx context.Context, s *scenario.Scenario, life resource.Life, m *scenario.Making, name string, other spec.Parameter, asked any) error {
	for _, p := range m.Request.Operation.Parameters {
		value, given := m.Request.Value(request.PlaceOf(p))
		if !given || p.Name != name {
			continue
		}
		for _, text := range other.Schema.Enum {
			if lacking, err := exactjson.Decode([]byte(text)); err == nil && !same(lacking.Tree, asked) {
				return createForFilter(ctx, s, life, map[string]any{name: value, other.Name: lacking.Tree})
			}
		}
	}
	return nil
}
