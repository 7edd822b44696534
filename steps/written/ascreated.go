package written

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// thenAsCreated is "it is shown as its creation showed it": by the last response, or by its item in a list.
func thenAsCreated(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	a, err := s.Last()
	if err != nil || a.Status()/100 != 2 {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	created, err := whole(t.created)
	if err != nil {
		return err
	}
	members, is := created.Object()
	if !is {
		return scenario.Stopf("the response of %s shows no members", t.created.Exchange.Operation)
	}
	at, inList := "", life.Lister != nil && a.Exchange.Operation == life.Lister.Operation.ID
	if inList {
		if body, at, err = itemOf(a, body, t, life); err != nil {
			return err
		}
	} else if showsAnother(s, a, t, life, body) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if life.Member(name) == nil {
			continue // what no schema names may mean anything
		}
		pointer := jsonpointer.Join("", name)
		is, there := body.At(pointer)
		if !there && inList {
			continue // lists may show less
		}
		conclude(s, a, verdict{
			kind: missingOr(there, spec.KindDiffers), expected: phrase.Of("{}, as its creation showed it", shownValue(members[name])), actual: actual(is.Tree, there), pointer: at + pointer,
			exchanges: []int{t.created.Exchange.Seq}, good: there && exactjson.Equal(is.Tree, members[name]),
		})
	}
	return nil
}

// itemOf returns the item of a list that is a created resource, and where it stands.
func itemOf(a *scenario.Answer, body exactjson.Value, t *thing, life resource.Life) (item exactjson.Value, at string, err error) {
	for _, one := range life.Items(body.Tree) {
		if fmt.Sprint(one.Identifier) == fmt.Sprint(t.resource.Identifier()) {
			return exactjson.Value{Tree: one.Members, Valid: true}, one.Pointer, nil
		}
	}
	return item, "", scenario.Stopf("the response of %s, its last page, does not show it", a.Exchange.Operation)
}

// showsAnother reports whether a read shows another identifier than that of the resource it names, and adds the finding: by the derived
// rule that an operation returns what its path names, if there is one.
func showsAnother(s *scenario.Scenario, a *scenario.Answer, t *thing, life resource.Life, body exactjson.Value) bool {
	id, there := life.Identifier(body.Tree)
	if life.Reader == nil || a.Exchange.Operation != life.Reader.ID || !there || fmt.Sprint(id) == fmt.Sprint(t.resource.Identifier()) {
		return false
	}
	rule, known := s.Run.Catalogue.Rule(s.Run.Promises.Names.Rule(life.Reader.ID, promise.Itself))
	if !known || !rule.Level.Fails() || !s.Rule.Level.Fails() {
		return false
	}
	f := findingOf(a, rule.ID, verdict{
		kind: spec.KindAnother, expected: phrase.Of("{}, which was asked for", phrase.JSON(fmt.Sprint(t.resource.Identifier()))), actual: phrase.Of("{}", phrase.JSON(fmt.Sprint(id))),
		exchanges: []int{t.created.Exchange.Seq},
	})
	s.Find(a.Exchange, f)
	return true
}

// thenNothingElse is "it shows no member that its creation did not show".
func thenNothingElse(ctx context.Context, name string) error {
	s := scenario.From(ctx)
	t, life, err := known(s, name)
	if err != nil {
		return err
	}
	a, err := s.Last()
	if err != nil || a.Status()/100 != 2 {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	created, err := whole(t.created)
	if err != nil {
		return err
	}
	shown, is := body.Object()
	before, was := created.Object()
	if !is || !was {
		return scenario.Stopf("the responses of %s and %s are not both objects", a.Exchange.Operation, t.created.Exchange.Operation)
	}
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		if life.Member(name) == nil {
			continue // a member that no schema names may mean anything
		}
		_, there := before[name]
		conclude(s, a, verdict{
			kind: spec.KindUnexpected, expected: phrase.Of("no member that its creation did not show"), actual: actual(shown[name], true), pointer: jsonpointer.Join("", name),
			exchanges: []int{t.created.Exchange.Seq}, good: there,
		})
	}
	return nil
}
