package written

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// lastTwo returns the last response, and the one before it to the same request.
func lastTwo(s *scenario.Scenario) (a, before *scenario.Answer, err error) {
	if a, err = s.Last(); err != nil {
		return nil, nil, err
	}
	if a.Request != nil {
		before = stateOf(s).before[addressOf(a)]
	}
	if before == nil {
		return nil, nil, errors.New("the request was made once only before this step; make it twice")
	}
	return a, before, nil
}

// thenAsBefore is "the response is as before[, but for <members>]": as the one before it to the same request.
func thenAsBefore(ctx context.Context, but string) error {
	s := scenario.From(ctx)
	a, before, err := lastTwo(s)
	if err != nil {
		return err
	}
	was, err := whole(before)
	if err != nil {
		return err
	}
	is, err := whole(a)
	if err != nil {
		return err
	}
	if !was.Valid || !is.Valid {
		conclude(s, a, asBytes(a, before))
		return nil
	}
	v := verdict{kind: spec.KindDiffers, expected: phrase.Of("{}, as before", shownValue(was.Tree)), actual: phrase.Of("{}", shownValue(is.Tree)), exchanges: []int{before.Exchange.Seq}}
	var left []string
	for name := range strings.SplitSeq(but, ", ") {
		left = append(left, strings.TrimPrefix(unquoted(name), "/"))
	}
	v.good = a.Status() == before.Status() && exactjson.Equal(without(was.Tree, left), without(is.Tree, left))
	if a.Status() != before.Status() {
		v.kind, v.expected, v.actual = spec.KindStatus, phrase.Of("status {}, as before", phrase.Status(before.Status())), phrase.Of("status {}", phrase.Status(a.Status()))
	} else if !v.good {
		v.pointer, v.expected, v.actual = difference(was, is, left, v)
	}
	conclude(s, a, v)
	return nil
}

// asBytes compares responses that hold no JSON: their statuses, and their bodies byte by byte.
func asBytes(a, before *scenario.Answer) verdict {
	v := verdict{
		kind: spec.KindDiffers, expected: phrase.Of("the {} of before", phrase.Count(len(before.Exchange.Response.Body), "byte")),
		actual: phrase.Of("{}, which differ", phrase.Count(len(a.Exchange.Response.Body), "byte")), exchanges: []int{before.Exchange.Seq},
	}
	if a.Status() != before.Status() {
		v.kind, v.expected, v.actual = spec.KindStatus, phrase.Of("status {}, as before", phrase.Status(before.Status())), phrase.Of("status {}", phrase.Status(a.Status()))
	}
	v.good = a.Status() == before.Status() && bytes.Equal(a.Exchange.Response.Body, before.Exchange.Response.Body)
	return v
}

// thenChanged is "the response is not as before": its body is another one than that of the response before it to the same request.
func thenChanged(ctx context.Context) error {
	s := scenario.From(ctx)
	a, before, err := lastTwo(s)
	if err != nil || follows(s, a) {
		return err
	}
	was, err := whole(before)
	if err != nil {
		return err
	}
	is, err := whole(a)
	if err != nil {
		return err
	}
	same := bytes.Equal(a.Exchange.Response.Body, before.Exchange.Response.Body) || was.Valid && is.Valid && exactjson.Equal(was.Tree, is.Tree)
	conclude(s, a, verdict{
		kind: spec.KindForbidden, expected: phrase.Of("another body than before"), actual: phrase.Of("the same"), exchanges: []int{before.Exchange.Seq}, good: !same,
	})
	return nil
}

// difference returns the first member of two objects that is not the same in both.
func difference(was, is exactjson.Value, but []string, v verdict) (pointer string, expected, now phrase.Phrase) {
	x, ok := was.Object()
	y, also := is.Object()
	if !ok || !also {
		return v.pointer, v.expected, v.actual
	}
	names := slices.Sorted(maps.Keys(x))
	for name := range y {
		if _, there := x[name]; !there {
			names = append(names, name)
		}
	}
	for _, name := range names {
		one, had := x[name]
		other, has := y[name]
		if slices.Contains(but, name) || had == has && exactjson.Equal(without(one, but), without(other, but)) {
			continue
		}
		return jsonpointer.Join("", name), actual(one, had).With(", as before"), actual(other, has)
	}
	return v.pointer, v.expected, v.actual
}

// without returns a value without the members of those names, wherever they stand.
func without(v any, names []string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if !slices.Contains(names, name) {
				out[name] = without(value, names)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = without(v[i], names)
		}
		return out
	}
	return v
}
