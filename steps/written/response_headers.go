package written

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// thenHeader judges a header of the last response.
func thenHeader(ctx context.Context, name string, expected phrase.Phrase, kind spec.FindingKind, holds func(values []string) bool) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || a.Exchange.Response == nil || follows(s, a) {
		return err
	}
	values := a.Exchange.Response.Header.Values(name)
	is := phrase.Of("{}", shownValue(strings.Join(values, ", ")))
	if len(values) == 0 {
		is = phrase.Of("it is absent")
		if kind != spec.KindForbidden {
			kind = spec.KindMissing
		}
	}
	conclude(s, a, verdict{kind: kind, expected: expected, actual: is, header: http.CanonicalHeaderKey(name), good: holds(values)})
	return nil
}

func thenHeaderThere(ctx context.Context, word, name string) error {
	if word == "no header" {
		return thenHeader(ctx, name, phrase.Of("no such header"), spec.KindForbidden, func(v []string) bool { return len(v) == 0 })
	}
	return thenHeader(ctx, name, phrase.Of("the header {}", phrase.Header(name)), spec.KindMissing, func(v []string) bool { return len(v) > 0 })
}

func thenHeaderIs(ctx context.Context, name, source string) error {
	want, err := Value(scenario.From(ctx), source)
	if err != nil {
		return err
	}
	return thenHeader(ctx, name, phrase.Of("{}", shownValue(want)), spec.KindDiffers, func(v []string) bool { return slices.Contains(v, plain(want)) })
}

func thenHeaderMatches(ctx context.Context, name, source string) error {
	expression, err := compiled(source)
	if err != nil {
		return err
	}
	return thenHeader(ctx, name, phrase.Of("a text that matches {}", phrase.Text(expression.String())), spec.KindFormat, func(v []string) bool {
		return slices.ContainsFunc(v, expression.MatchString)
	})
}

// thenHeaderCompares is "the response's header X-Total-Count is at least 3".
func thenHeaderCompares(ctx context.Context, name, rest string) error {
	compare, err := compares(scenario.From(ctx), rest)
	if err != nil {
		return err
	}
	expected, kind, _ := compare(nil, true)
	return thenHeader(ctx, name, expected, kind, func(values []string) bool {
		return slices.ContainsFunc(values, func(v string) bool {
			_, _, good := compare(json.Number(v), exactjson.IsNumber(v))
			return good
		})
	})
}
