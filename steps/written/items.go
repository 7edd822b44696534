package written

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// thenDistinct is "no two items have the same id".
func thenDistinct(ctx context.Context, of, member string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	items, at, err := listOf(s, a, body, of)
	if err != nil {
		return err
	}
	if len(items) < 2 {
		return scenario.Stopf("the list holds fewer than two items")
	}
	seen := map[string]bool{}
	for i, item := range items {
		pointer := pointerOf(member)
		v, there := exactjson.Value{Tree: item, Valid: true}.At(pointer)
		if !there {
			continue
		}
		if key := v.String(); !seen[key] {
			seen[key] = true
			continue
		}
		conclude(s, a, verdict{
			kind: spec.KindDuplicate, expected: phrase.Of("no two items with the same ").Then(phrase.Of("{}", phrase.Pointer(pointer))), actual: phrase.Of("{} again", shownValue(v.Tree)),
			pointer: jsonpointer.Index(at, i) + pointer,
		})
		return nil
	}
	conclude(s, a, verdict{good: true, expected: phrase.Of("{}", phrase.Count(len(items), "item"))})
	return nil
}

// thenCount is "the response has at most 3 items".
func thenCount(ctx context.Context, words, number string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	n, err := atoi(number)
	if err != nil {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	items, at, err := listOf(s, a, body, "")
	if err != nil {
		return err
	}
	if words == "at most" && len(items) == 0 && n > 0 {
		return nil // an empty list shows nothing of how many it may hold
	}
	kind, good := fits(words, len(items), n)
	conclude(s, a, verdict{kind: kind, expected: phrase.Of("{} {}", phrase.Text(words), phrase.Count(n, "item")), actual: phrase.Of("{}", phrase.Count(len(items), "item")), pointer: at, good: good})
	return nil
}

// thenKind is "the response is a list".
func thenKind(ctx context.Context, words string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	_, good := body.Array()
	if words == "an object" {
		_, good = body.Object()
	}
	is := phrase.Of("no JSON")
	if body.Valid {
		is = phrase.Of("{}", shownValue(body.Tree))
	}
	conclude(s, a, verdict{kind: spec.KindType, expected: phrase.Of(words), actual: is, good: good})
	return nil
}

// goesOnWhereNone is "the scenario goes on where there are no items" and "… where no item has status "sold"". A response without a list
// shows none. Where a list is as long as was asked for, others may follow.
func goesOnWhereNone(ctx context.Context, member, source string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	items, _, err := listOf(s, a, body, "")
	switch {
	case err != nil:
		return nil //nolint:nilerr // it is no list
	case member == "" && len(items) > 0:
		return scenario.Excusef("%s shows %s", a.Exchange.Operation, text.Count(len(items), "item"))
	case member == "":
		return nil
	}
	unwanted, err := Value(s, source)
	if err != nil {
		return err
	}
	for _, item := range items {
		if is, there := (exactjson.Value{Tree: item, Valid: true}).At(pointerOf(member)); there && exactjson.Equal(is.Tree, unwanted) {
			return scenario.Excusef("%s shows an item whose %s is %s", a.Exchange.Operation, member, source)
		}
	}
	if p := resource.PageSize(a.Request.Operation); p != nil {
		limit, _ := a.Request.Value(request.PlaceOf(*p))
		if n, err := strconv.Atoi(fmt.Sprint(limit)); err != nil || len(items) >= n {
			return scenario.Excusef("%s may show more on other pages", a.Exchange.Operation)
		}
	}
	return nil
}

// Ordered implements "the order of its items by id is recorded". It compares numbers and texts; lists of fewer than two items, or with
// other values, show no order.
func Ordered(ctx context.Context, member string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	items, _, err := listOf(s, a, body, "")
	if err != nil {
		return err
	}
	ascends, descends := true, true
	for i := range items {
		if i == 0 {
			continue
		}
		before, _ := exactjson.Value{Tree: items[i-1], Valid: true}.At(pointerOf(member))
		is, _ := exactjson.Value{Tree: items[i], Valid: true}.At(pointerOf(member))
		order, ok := compared(before.Tree, is.Tree)
		if !ok {
			return scenario.Stopf("the items have no %s that could be compared", member)
		}
		ascends, descends = ascends && order <= 0, descends && order >= 0
	}
	how := "neither ascending nor descending"
	switch {
	case len(items) < 2:
		return scenario.Stopf("the list holds fewer than two items")
	case ascends:
		how = "ascending"
	case descends:
		how = "descending"
	}
	s.Observe(spec.Observation{Rule: s.Rule.ID, Asked: s.Pickle.Name, Answer: how + " by " + member, Reading: how, Exchange: a.Exchange.Seq})
	return nil
}

// compared compares two numbers, or two texts. Numbers with an exponent, or of more than [exactjson.MaxLiteral] digits, are not compared: their
// digits may not fit into memory.
func compared(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case json.Number:
		other, is := b.(json.Number)
		x, okX := plainNumber(a)
		y, okY := plainNumber(other)
		if !is || !okX || !okY {
			return 0, false
		}
		return x.Cmp(y), true
	case string:
		other, is := b.(string)
		return strings.Compare(a, other), is
	}
	return 0, false
}

func plainNumber(n json.Number) (*big.Rat, bool) {
	if len(n) > exactjson.MaxLiteral || strings.ContainsAny(n.String(), "eE") {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}
