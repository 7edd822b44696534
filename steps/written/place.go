package written

import (
	"context"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// subject is how steps begin that judge members: of the response, or of the items of a list in it.
const subject = `(in the response|in (?:each|some|no) item(?: of [^\s,]+)?), `

// predicate judges a value; there is false where the response has none. It returns what was expected, in words, and whether it is so.
type predicate func(is any, there bool) (expected phrase.Phrase, kind spec.FindingKind, good bool)

// judgeMembers judges a member of the last response, or of the items of a list in it, as the words of the subject say. The exchanges cited
// are those that what is expected comes from.
func judgeMembers(s *scenario.Scenario, words, member string, holds predicate, cites ...int) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if follows(s, a) {
		return nil
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	pointer := pointerOf(member)
	if words == "in the response" {
		at := inWrapper(body, pointer)
		is, there := body.At(at)
		expected, kind, good := holds(is.Tree, there)
		conclude(s, a, verdict{kind: kind, expected: expected.With(" in {}", phrase.Pointer(pointer)), actual: actual(is.Tree, there), pointer: at, exchanges: cites, good: good})
		return nil
	}
	quantity, of, _ := strings.Cut(strings.TrimPrefix(words, "in "), " item")
	named := strings.TrimPrefix(of, " of ")
	if _, there := body.At(pointerOf(named)); quantity == "some" && named != "" && !there {
		expected, _, _ := holds(nil, false)
		conclude(s, a, verdict{
			kind: spec.KindMissing, expected: phrase.Of("an item with ").Then(expected).With(" in {}", phrase.Pointer(pointer)), actual: phrase.Of("there is no list"), pointer: pointerOf(named),
		})
		return nil
	}
	items, at, err := listOf(s, a, body, named)
	if err != nil {
		return err
	}
	return judgeItems(s, a, items, at, quantity, pointer, holds, cites...)
}

// judgeItems judges the members of items: each, some or none of them has to be as a predicate says.
func judgeItems(s *scenario.Scenario, a *scenario.Answer, items []any, at, quantity, pointer string, holds predicate, cites ...int) error {
	var first *verdict
	found := 0
	for i, item := range items {
		is, there := exactjson.Value{Tree: item, Valid: true}.At(pointer)
		expected, kind, good := holds(is.Tree, there)
		if good {
			found++
		}
		if first == nil && (quantity == "each" && !good || quantity == "no" && good) {
			if quantity == "no" {
				expected, kind = phrase.Of("no item with ").Then(expected), spec.KindUnexpected
			}
			first = &verdict{kind: kind, expected: expected.With(" in {}", phrase.Pointer(pointer)), actual: actual(is.Tree, there), pointer: jsonpointer.Index(at, i) + pointer, exchanges: cites}
		}
	}
	switch {
	case first != nil:
		conclude(s, a, *first)
	case quantity == "some":
		expected, _, _ := holds(nil, false)
		conclude(s, a, verdict{
			kind: spec.KindLost, expected: phrase.Of("an item with ").Then(expected).With(" in {}", phrase.Pointer(pointer)),
			actual: phrase.Of("none among {}", phrase.Count(len(items), "item")), pointer: at, exchanges: cites, good: found > 0,
		})
	default:
		conclude(s, a, verdict{good: true, unasked: len(items) == 0, expected: phrase.Of("{}", phrase.Count(len(items), "item"))})
	}
	return nil
}

// inWrapper returns where a member stands: where an object has one member only, which is an object, within that.
func inWrapper(body exactjson.Value, pointer string) string {
	if _, there := body.At(pointer); there {
		return pointer
	}
	object, _ := body.Object()
	if len(object) != 1 {
		return pointer
	}
	for name, inner := range object {
		if _, is := inner.(map[string]any); is {
			return jsonpointer.Join("", name) + pointer
		}
	}
	return pointer
}

func actual(is any, there bool) phrase.Phrase {
	if !there {
		return phrase.Of("it is absent")
	}
	return phrase.Of("{}", shownValue(is))
}

// listOf returns the items of the list in a response, and where it stands: the body itself, the member that steps name, what the
// contract says is the list, or the only member that is one.
func listOf(s *scenario.Scenario, a *scenario.Answer, body exactjson.Value, named string) (items []any, at string, err error) {
	if named != "" {
		at = pointerOf(named)
		v, _ := body.At(at)
		items, is := v.Array()
		if !is {
			return nil, "", scenario.Stopf("%s has no list in %s", a.Exchange.Operation, at)
		}
		return items, at, nil
	}
	if items, is := body.Array(); is {
		return items, "", nil
	}
	object, _ := body.Object()
	lists := 0
	for name, v := range object {
		if list, is := v.([]any); is {
			items, at = list, jsonpointer.Join("", name)
			lists++
		}
	}
	if lists == 1 {
		return items, at, nil
	}
	if a.Request != nil {
		if life, ok := promise.LifeListed(s.Run.Promises, a.Request.Operation); ok && len(life.Lister.Path) > 0 {
			at = jsonpointer.Join("", life.Lister.Path[0].Name)
			if v, _ := body.At(at); v.Valid {
				if items, is := v.Array(); is {
					return items, at, nil
				}
			}
		}
	}
	if lists > 1 {
		return nil, "", scenario.Stopf("the response of %s holds %s; say of which: in each item of NAME", a.Exchange.Operation, text.Count(lists, "list"))
	}
	return nil, "", scenario.Stopf("the response of %s holds no list", a.Exchange.Operation)
}

// memberStep returns a step about members: the words of its subject, the member and what else its pattern holds say what is to hold.
func memberStep(predicateOf func(s *scenario.Scenario, rest string) (predicate, error)) func(context.Context, string, string, string) error {
	return func(ctx context.Context, words, member, rest string) error {
		s := scenario.From(ctx)
		holds, err := predicateOf(s, rest)
		if err != nil {
			return err
		}
		return judgeMembers(s, words, member, holds, cited(s, rest)...)
	}
}
