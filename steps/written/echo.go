package written

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// thenHolds is "it holds <JSON object>": the response shows these members.
func thenHolds(ctx context.Context, source string) error {
	s := scenario.From(ctx)
	want, err := Value(s, source)
	if err != nil {
		return err
	}
	members, is := want.(map[string]any)
	if !is {
		return fmt.Errorf("%s is no JSON object", text.Short(source))
	}
	return judgeHeld(s, members, "", cited(s, source)...)
}

// judgeHeld judges that the last response shows members.
func judgeHeld(s *scenario.Scenario, members map[string]any, suffix string, cites ...int) error {
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		pointer := inWrapper(body, jsonpointer.Join("", name))
		is, there := body.At(pointer)
		conclude(s, a, verdict{
			kind: missingOr(there, spec.KindDiffers), expected: phrase.Of("{}"+suffix, shownValue(members[name])), actual: actual(is.Tree, there), pointer: pointer,
			exchanges: cites, good: there && (exactjson.Equal(is.Tree, members[name]) || nested(is.Tree, members[name])),
		})
	}
	return nil
}

// Echo judges that what was sent comes back in each response to the step before: each member of the request's body, or of that by which the
// scenario created what is read, save those that the contract says are not shown. property names one of them; empty stands for all.
func Echo(s *scenario.Scenario, property string, onlyIfAccepted bool) error {
	all := s.Answers()
	if len(all) == 0 {
		_, err := s.Last()
		return err
	}
	defer s.SetAnswers(all...)
	for _, a := range all {
		s.SetAnswers(a)
		if err := echoes(s, property, onlyIfAccepted); err != nil {
			return err
		}
	}
	return nil
}

// echoes is Echo for the last response.
func echoes(s *scenario.Scenario, property string, onlyIfAccepted bool) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if onlyIfAccepted && a.Status()/100 != 2 {
		return nil
	}
	sent, by := sentBefore(s, a)
	if sent == nil {
		return fmt.Errorf("nothing was sent before this step that could come back")
	}
	op, anyForm := by.Request.Operation, returnsInAnyForm(by)
	members := map[string]any{}
	for name, value := range sent {
		if holdsText(value) && anyForm && (property == "" || property == name) {
			if property != "" {
				return anyFormStop(name)
			}
			continue
		}
		if p := op.Body.Schema().Property(name); p != nil && p.Schema != nil && (p.Schema.WriteOnly || p.Schema.ReadOnly) || property != "" && property != name {
			continue
		}
		members[name] = value
	}
	if property != "" && len(members) == 0 {
		return fmt.Errorf("no %s was sent that could come back", property)
	}
	return judgeHeld(s, members, ", as it was sent")
}

// sentBefore returns the members that the last request sent, or that by which the scenario created what it is about, and the response to it.
func sentBefore(s *scenario.Scenario, a *scenario.Answer) (map[string]any, *scenario.Answer) {
	if a.Request == nil {
		return nil, nil
	}
	if object := sentIn(a); object != nil {
		return object, a
	}
	for _, t := range slices.Backward(stateOf(s).things) {
		if names := t.resource.Named(a.Request.Operation); len(names) > 0 && t.created.Request != nil {
			return sentIn(t.created), t.created
		}
	}
	return nil, nil
}

func sentIn(a *scenario.Answer) map[string]any {
	body, _, _ := a.Request.Body()
	object, _ := body.(map[string]any)
	if len(object) == 1 {
		for _, inner := range object { // {"article": {…}}
			if within, is := inner.(map[string]any); is && len(within) > 0 {
				return within
			}
		}
	}
	return object
}

// returnsInAnyForm reports whether the texts of a body may come back in any form, because it is JSON that is not Unicode: a service may replace,
// drop or keep what no standard gives a meaning.
func returnsInAnyForm(a *scenario.Answer) bool {
	w, err := a.Request.Write("hallmark")
	return err == nil && wire.KindOf(w.MediaType) == wire.KindJSON && !check.IsUnicode(w.Body)
}

// holdsText reports whether a value is or contains text.
func holdsText(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsText)
	case map[string]any:
		return len(v) > 0
	}
	return false
}

// anyFormStop ends a scenario that compares a text of a body that is not Unicode.
func anyFormStop(member string) error {
	return scenario.Excusef("the body that was sent is not Unicode, so %s may come back in any form", text.Short(member))
}

// isSent is "… is what was sent".
func isSent(s *scenario.Scenario, member string) (predicate, error) {
	a, err := s.Last()
	if err != nil {
		return nil, err
	}
	sent, by := sentBefore(s, a)
	want, there := exactjson.Value{Tree: sent, Valid: sent != nil}.At(pointerOf(member))
	if !there {
		return nil, fmt.Errorf("no %s was sent that could come back", text.Short(member))
	}
	if holdsText(want.Tree) && returnsInAnyForm(by) {
		return nil, anyFormStop(member)
	}
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("{}, as it was sent,", shownValue(want.Tree)), missingOr(there, spec.KindDiffers), there && exactjson.Equal(is, want.Tree)
	}, nil
}
