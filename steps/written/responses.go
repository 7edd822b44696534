package written

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/phrase"
	"hallmark/spec/promise"
	"hallmark/steps/scenario"
)

// Status judges the status of a response by what a step expects of it: "201 or 202".
func Status(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, words string) error {
	var statuses []int
	for w := range strings.SplitSeq(words, " or ") {
		n, err := atoi(w)
		if err != nil {
			return err
		}
		statuses = append(statuses, n)
	}
	v := statusVerdict(a, phrase.Of("status {}", phrase.Status(statuses...)), slices.Contains(statuses, a.Status()))
	if !v.good {
		if failed, err := failedOnce(ctx, s, a, v, statuses); err != nil || failed {
			return err
		}
		rule, parts, _, err := s.LetInBy(ctx, a, func(status int) bool { return slices.Contains(statuses, status) })
		if err != nil {
			return err
		}
		v.after = s.Run.Catalogue.Resolve(rule, spec.PartsOf(parts...)...)
	}
	conclude(s, a, v)
	return nil
}

// failedOnce reports whether a response is a server error, and has an expected status when its request is repeated. Then what the scenario
// is about is not the reason, and the finding says that the operation fails at times.
func failedOnce(ctx context.Context, s *scenario.Scenario, a *scenario.Answer, v verdict, statuses []int) (bool, error) {
	if a.Status() < http.StatusInternalServerError || s.Run.Promises == nil || a.Request == nil || !s.Rule.Level.Fails() {
		return false, nil
	}
	rule := s.Run.Promises.Names.Rule(a.Request.Operation.ID, promise.Available)
	if _, known := s.Run.Catalogue.Rule(rule); !known {
		return false, nil
	}
	right, err := s.RightAgain(ctx, a, func(a *scenario.Answer) bool { return slices.Contains(statuses, a.Status()) })
	if err != nil || !right {
		return false, err
	}
	f := findingOf(a, rule, v)
	f.Parts, f.Actual = []string{promise.PartSometimes}, f.Actual.With(", and another one when the request was repeated")
	s.Find(a.Exchange, f)
	return true, nil
}

func statusVerdict(a *scenario.Answer, expected phrase.Phrase, good bool) verdict {
	return verdict{kind: spec.KindStatus, expected: expected, actual: phrase.Of("status {}", phrase.Status(a.Status())), status: a.Status(), good: good}
}

// thenClass is "the response is a success" and "each response is a refusal".
func thenClass(ctx context.Context, which, word string) error {
	s := scenario.From(ctx)
	last, err := s.Last()
	if err != nil {
		return err
	}
	all := s.Answers()
	if which == "the" {
		all = []*scenario.Answer{last}
	}
	class, expected := 2, phrase.Of("a success (2xx)")
	if word == "refusal" {
		class, expected = 4, phrase.Of("a refusal (4xx)")
	}
	for _, a := range all {
		conclude(s, a, statusVerdict(a, expected, a.Status()/100 == class))
	}
	return nil
}

// thenSomeStatus is "at least one response is 429".
func thenSomeStatus(ctx context.Context, word string) error {
	s := scenario.From(ctx)
	last, err := s.Last()
	if err != nil {
		return err
	}
	status, err := atoi(word)
	good := slices.ContainsFunc(s.Answers(), func(a *scenario.Answer) bool { return a.Status() == status })
	conclude(s, last, statusVerdict(last, phrase.Of("status {} in one of {}", phrase.Status(status), phrase.Count(len(s.Answers()), "response")), good))
	return err
}

// thenHeader judges a header of the last response.
func thenHeader(ctx context.Context, name string, expected phrase.Phrase, kind spec.FindingKind, holds func(values []string) bool) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || a.Exchange.Response == nil || follows(s, a) {
		return err
	}
	values := a.Exchange.Response.Header.Values(name)
	is := phrase.Of("{}", shown(strings.Join(values, ", ")))
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
	return thenHeader(ctx, name, phrase.Of("{}", shown(want)), spec.KindDiffers, func(v []string) bool { return slices.Contains(v, plain(want)) })
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
	return judgeHeld(s, members, "")
}

// judgeHeld judges that the last response shows members.
func judgeHeld(s *scenario.Scenario, members map[string]any, suffix string) error {
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
			kind: missingOr(there, spec.KindDiffers), expected: phrase.Of("{}"+suffix, shown(members[name])), actual: actual(is.Tree, there), pointer: pointer,
			good: there && (exactjson.Equal(is.Tree, members[name]) || nested(is.Tree, members[name])),
		})
	}
	return nil
}

// Echo judges that what was sent comes back in the last response: each member of the request's body, or of that by which the
// scenario created what is read, save those that the contract says are not shown. property names one of them; empty stands for all.
func Echo(s *scenario.Scenario, property string, onlyIfAccepted bool) error {
	a, err := s.Last()
	if err != nil {
		return err
	}
	if onlyIfAccepted && a.Status()/100 != 2 {
		return nil
	}
	sent, op := sentBefore(s, a)
	if sent == nil {
		return fmt.Errorf("nothing was sent before this step that could come back")
	}
	members := map[string]any{}
	for name, value := range sent {
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

// sentBefore returns the members that the last request sent, or that by which the scenario created what it is about.
func sentBefore(s *scenario.Scenario, a *scenario.Answer) (map[string]any, *spec.Operation) {
	if a.Request == nil {
		return nil, nil
	}
	if object := sentIn(a); object != nil {
		return object, a.Request.Operation
	}
	for _, t := range slices.Backward(stateOf(s).things) {
		if names := t.resource.Named(a.Request.Operation); len(names) > 0 && t.created.Request != nil {
			return sentIn(t.created), t.created.Request.Operation
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

// isSent is "… is what was sent".
func isSent(s *scenario.Scenario, member string) (predicate, error) {
	a, err := s.Last()
	if err != nil {
		return nil, err
	}
	sent, _ := sentBefore(s, a)
	want, there := exactjson.Value{Tree: sent, Valid: sent != nil}.At(pointerOf(member))
	if !there {
		return nil, fmt.Errorf("no %s was sent that could come back", text.Short(member))
	}
	return func(is any, there bool) (phrase.Phrase, spec.FindingKind, bool) {
		return phrase.Of("{}, as it was sent,", shown(want.Tree)), missingOr(there, spec.KindDiffers), there && exactjson.Equal(is, want.Tree)
	}, nil
}

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
	v := verdict{kind: spec.KindDiffers, expected: phrase.Of("{}, as before", shown(was.Tree)), actual: phrase.Of("{}", shown(is.Tree)), exchanges: []int{before.Exchange.Seq}}
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

// thenDistinct is "no two items have the same id".
func thenDistinct(ctx context.Context, of, member string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil || follows(s, a) && s.Run.Promises != nil {
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
			kind: spec.KindDuplicate, expected: phrase.Of("no two items with the same ").Then(phrase.Of("{}", phrase.Pointer(pointer))), actual: phrase.Of("{} again", shown(v.Tree)),
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
	if err != nil || follows(s, a) || told(s, a) {
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
	kind, good := fits(words, len(items), n)
	conclude(s, a, verdict{kind: kind, expected: phrase.Of("{} {}", phrase.Text(words), phrase.Count(n, "item")), actual: phrase.Of("{}", phrase.Count(len(items), "item")), pointer: at, good: good})
	return nil
}

// remember is "in the response, id is remembered as "ticket"".
func remember(ctx context.Context, member, name string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil {
		return err
	}
	body, err := whole(a)
	if err != nil {
		return err
	}
	v, there := body.At(inWrapper(body, pointerOf(member)))
	if !there {
		return scenario.Stopf("the response of %s, status %d, holds no %s to be remembered", a.Exchange.Operation, a.Status(), unquoted(member))
	}
	return keep(s, name, v.Tree)
}

// rememberHeader is "the response's header ETag is remembered as "tag"".
func rememberHeader(ctx context.Context, header, name string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err != nil {
		return err
	}
	if a.Exchange.Response == nil || a.Exchange.Response.Header.Get(header) == "" {
		return scenario.Stopf("the response of %s, status %d, has no header %s to be remembered", a.Exchange.Operation, a.Status(), header)
	}
	return keep(s, name, a.Exchange.Response.Header.Get(header))
}

// rememberValue is "<JSON> is remembered as "name"".
func rememberValue(ctx context.Context, source, name string) error {
	s := scenario.From(ctx)
	v, err := Value(s, source)
	if err != nil {
		return err
	}
	return keep(s, name, v)
}

func keep(s *scenario.Scenario, name string, value any) error {
	if name = unquoted(name); !placeholder.MatchString("{"+name+"}") || name == "new" {
		return fmt.Errorf("%s is no name for a value; use letters, digits, _ and -", text.Short(name))
	}
	stateOf(s).remembered[name] = value
	return nil
}

func atoi(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is no number that could be counted to", word)
	}
	return n, nil
}

// goesOnWhere is "the scenario goes on where the response is an error".
func goesOnWhere(ctx context.Context, words string) error {
	a, err := scenario.From(ctx).Last()
	if err != nil {
		return err
	}
	class := a.Status() / 100
	if words == "a success" && class == 2 || words == "a refusal" && class == 4 || words == "an error" && class >= 4 || slices.Contains(strings.Split(words, " or "), strconv.Itoa(a.Status())) {
		return nil
	}
	return scenario.Excusef("%s answered %d, which is not %s", a.Exchange.Operation, a.Status(), words)
}

// thenNoServerError is "the response is no server error".
func thenNoServerError(ctx context.Context, _ string) error {
	s := scenario.From(ctx)
	a, err := s.Last()
	if err == nil {
		conclude(s, a, statusVerdict(a, phrase.Of("no server error (5xx)"), a.Status() < http.StatusInternalServerError))
	}
	return err
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
		is = phrase.Of("{}", shown(body.Tree))
	}
	conclude(s, a, verdict{kind: spec.KindType, expected: phrase.Of(words), actual: is, good: good})
	return nil
}
