package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// What merge patches do (RFC 7396).

// whenNull implements "<operation> sets its member <name> to null".
func whenNull(ctx context.Context, name, member string) error {
	return patchedBy(ctx, name, member, func(*scenario.Scenario, *instance, *spec.Operation) (any, error) { return nil, nil })
}

// whenChangedInside implements "<operation> changes one member in <name>".
func whenChangedInside(ctx context.Context, name, member string) error {
	return patchedBy(ctx, name, member, func(s *scenario.Scenario, in *instance, op *spec.Operation) (any, error) {
		shown, _ := in.current()[unquoted(member)].(map[string]any)
		for _, p := range in.story.life.Inside(op, unquoted(member)) {
			for _, value := range plainValues(s, p.Schema) {
				if is, there := shown[p.Name]; there && !same(is, value) {
					return map[string]any{p.Name: value}, nil
				}
			}
		}
		return nil, scenario.Excusef("what was created shows no member in %s to be changed", unquoted(member))
	})
}

// patchedBy makes a move that sends one member alone, besides those that the body needs.
func patchedBy(ctx context.Context, name, member string, value func(*scenario.Scenario, *instance, *spec.Operation) (any, error)) error {
	s := scenario.From(ctx)
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	return perform(ctx, s, func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		sent, err := value(s, in, op)
		if err != nil {
			return err
		}
		body := map[string]any{}
		for name, is := range in.current() {
			if resource.Required(op, name) {
				body[name] = is
			}
		}
		if body[unquoted(member)] = sent; !s.Run.Promises.Valid(op.Body.Schema(), body) {
			return scenario.Excusef("the contract allows no request to %s that names %s alone", op.ID, unquoted(member))
		}
		made := scenario.Revision(s, in.story.update, in.resource)
		_, media, _ := made.Body()
		if err := update(ctx, s, in, made.WithBody(media, body)); err != nil {
			return err
		}
		return succeeded(in)
	})
}

// isRemoved implements "what is null is not what it was".
func isRemoved(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	created := in.sent()
	for name, value := range sentBy(*change.Request, in.story.life) {
		text, is := before[name].(string) // a number may be a default
		if value != nil || !is || text == "" || !same(created[name], before[name]) {
			continue
		}
		if is, there := after[name]; there && same(is, before[name]) {
			j := differs(s, a, behaviour.Difference{Pointer: "/" + name, Was: nil, Is: is, There: true})
			j.finding.Expected = phrase.Of("{} removed, for it is null in the merge patch", phrase.Field(name))
			return j, nil
		}
		return judgement{at: a, kept: true}, nil
	}
	return judgement{}, scenario.Excusef("what was created does not show what is to be removed")
}

// insideStays implements "what else is in it is as it was".
func insideStays(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	for name, value := range sentBy(*change.Request, in.story.life) {
		sent, is := value.(map[string]any)
		was, there := before[name].(map[string]any)
		now, _ := after[name].(map[string]any)
		created, _ := in.sent()[name].(map[string]any)
		if !is || !there {
			continue
		}
		if _, others := behaviour.Compare(sent, now); len(others) > 0 {
			return judgement{}, scenario.Excusef("%s does not show what was changed in it", name)
		}
		kept := false
		for _, inner := range slices.Sorted(maps.Keys(created)) {
			if _, named := sent[inner]; named || isEmpty(was[inner]) || !same(created[inner], was[inner]) {
				continue
			}
			if shown, still := now[inner]; behaviour.Alike(was[inner], shown, still) > behaviour.Normal {
				j := differs(s, a, behaviour.Difference{Pointer: "/" + name + "/" + inner, Was: was[inner], Is: shown, There: still})
				j.finding.Expected = phrase.Of("{} in {}, which the merge patch does not name", phrase.JSON(exactjson.Describe(was[inner])), phrase.Field(fmt.Sprint(name, "/", inner)))
				return j, nil
			}
			kept = true
		}
		return judgement{at: a, kept: kept}, nil
	}
	return judgement{}, scenario.Excusef("what was created shows no object to be changed")
}
