package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
	"github.com/hallmark-kit/hallmark/steps/truncate"
)

// lastRead returns the last response to a read.
func lastRead(in *instance) (*scenario.Answer, error) {
	if len(in.reads) == 0 {
		return nil, fmt.Errorf("nothing was read before this step")
	}
	return in.reads[len(in.reads)-1], nil
}

// isFound implements "it is found".
func isFound(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRead(in)
	if err != nil {
		return judgement{}, err
	}
	if in.story.life.Reader == nil {
		return inList(ctx, s, in, a)
	}
	switch status := a.Status(); {
	case status/100 == 2:
		return judgement{at: a, kept: true}, nil
	case in.created.Status() == http.StatusAccepted && !in.done:
		return judgement{at: a, meaning: "the creation was only accepted (202), and is not done"}, nil
	case status != http.StatusNotFound && status != http.StatusGone && status != http.StatusBadRequest:
		return judgement{at: a, meaning: fmt.Sprintf("status %d, which does not say whether it exists", status)}, nil
	}
	if name := fmt.Sprint(in.resource.Identifier()); strings.ContainsRune(name, utf8.RuneError) {
		return judgement{at: a, meaning: "its identifier holds what is not Unicode, which no address can name"}, nil
	}
	if waiting := unsettledAfterCreation(in.story.life, in.created); waiting != "" && !s.Rule.Stated {
		return judgement{at: a, meaning: "it is " + waiting + ", and not to be read by everybody yet"}, nil
	}
	j := wrongStatus(s, a, "a success, because it was created")
	j.finding.Kind = spec.KindLost
	return j, nil
}

// undoneWords matches states in which a resource may not be visible to everybody yet.
var undoneWords = regexp.MustCompile(`(?i)^(draft|pend|review|in.review|queue|moderat|process|schedul|provision|creating|building|starting|wait|unverif|unconfirm|inactiv|request|hidden|private|unpublish)`)

// unsettledAfterCreation returns the state in the response to a creation that says the resource may not be visible
// yet, or "".
func unsettledAfterCreation(life resource.Life, created *scenario.Answer) string {
	shown, _ := life.Created(created.Value.Tree)
	return unsettledState(shown)
}

// unsettledState is unsettledAfterCreation for a representation.
func unsettledState(shown map[string]any) string {
	for name, value := range shown {
		if text, is := value.(string); is && resource.StateLike(name) && undoneWords.MatchString(text) {
			return text
		}
	}
	return ""
}

// judged reports whether the value of a member can be compared: it is not one that services set themselves, or
// write in a form of their own.
func judged(life resource.Life, pointer string, was any) bool {
	return judgedInside(life, pointer, was) && !inItem(life, pointer)
}

// inItem reports whether a pointer leads into an item of a list. Services compute such items anew when other members change.
func inItem(life resource.Life, pointer string) bool {
	return slices.ContainsFunc(resource.Along(life.Record, pointer), func(p spec.Property) bool { return p.Name == "" })
}

// judgedInside is judged for members of items of lists, too.
func judgedInside(life resource.Life, pointer string, was any) bool {
	path := resource.Along(life.Record, pointer)
	for _, p := range path {
		if p.Name != "" && resource.StateLike(p.Name) || p.Schema.ReadOnly || p.Schema.WriteOnly {
			return false
		}
	}
	if len(path) == 0 {
		return false
	}
	schema := path[len(path)-1].Schema
	switch v := was.(type) {
	case []any: // compared as sets
		return resource.TextList(schema) && !slices.ContainsFunc(v, func(one any) bool { text, is := one.(string); return !is || strings.TrimSpace(text) == "" })
	case string:
		return schema.Format == "" && schema.Pattern == ""
	case json.Number:
		whole, is := exactjson.CanonicalInt(v)
		if !is {
			return false
		}
		bounded := schema.Format == "int64" || schema.Format == "int32" || schema.Maximum != "" && schema.Minimum != ""
		return bounded || len(strings.TrimPrefix(whole, "-")) < 10
	}
	return false
}

// judgedOrBoolean reports whether a change of a member that was not sent counts as a violation: the member is
// judged, or a boolean, which services only decide about when they are sent one.
func judgedOrBoolean(life resource.Life, pointer string, was any) bool {
	if _, truth := was.(bool); truth && !inItem(life, pointer) {
		schema := life.Member(firstMember(pointer))
		return !resource.StateLike(firstMember(pointer)) && schema != nil && !schema.ReadOnly && !schema.WriteOnly
	}
	return judged(life, pointer, was)
}

// cutLength is the minimum length, in bytes, of texts that a service may truncate if the document gives no
// maximum.
const cutLength = 255

// holdsSent implements "it holds what was sent".
func holdsSent(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRead(in)
	if err != nil {
		return judgement{}, err
	}
	if a.Status()/100 != 2 {
		if j, err := isFound(ctx, s, in); err != nil || j.broken() && j.under(s, promise.Readable, in.asked.Operation.ID) {
			return j, err
		}
		return judgement{}, scenario.Excusef("what was created cannot be read: status %d", a.Status())
	}
	if in.created.Status() == http.StatusAccepted && !in.done {
		return judgement{at: a, meaning: "the creation was only accepted (202), and may not be done"}, nil
	}
	if in.story.life.Reader == nil && !in.shown {
		return judgement{}, scenario.Excusef("the list does not show what was created")
	}
	life, creator := in.story.life, in.asked.Operation.ID
	shown, ok := life.Read(a.Value.Tree)
	if !ok {
		return judgement{}, scenario.Excusef("the response shows no members")
	}
	same, others := behaviour.Compare(in.sent(), shown)
	scenario.Learned(s.Run).Note(creator, same)
	at := a
	if created, ok := life.Created(in.created.Value.Tree); ok {
		if _, more := behaviour.Compare(in.sent(), created); len(more) > 0 && !slices.ContainsFunc(others, another) {
			others, at = more, in.created
		}
	}
	for _, d := range others {
		if !another(d) && !leftOutOf(s, life, d) || !judgedInside(life, d.Pointer, d.Was) || cut(d) || life.Reader == nil && excerpt(d) || !showable(s, life, d) {
			continue
		}
		if shownOfAnother(s, d) || statedOf(s, life, d) {
			return in.unlikeSent(s, at, d), nil
		}
		if follows, err := learn(ctx, s, in, d); err != nil || !follows {
			if err != nil && !endsScenario(err) {
				return judgement{}, err
			}
			continue
		}
		return in.unlikeSent(s, at, d), nil
	}
	return judgement{at: a, kept: len(same) > 0}, nil
}

// unlikeSent returns the judgement that a member is shown otherwise than it was sent, in the response to that or when it is read.
func (in *instance) unlikeSent(s *scenario.Scenario, at *scenario.Answer, d behaviour.Difference) judgement {
	j := differs(s, at, d)
	if s.Pickle.Covered == "" || in.asked.Operation.Body == nil || in.asked.Operation.Body.Schema() == nil {
		return j
	}
	j.finding.Rule = s.Pickle.Covered
	shown, _ := in.story.life.Created(in.created.Value.Tree)
	echo, there := exactjson.Value{Tree: shown, Valid: shown != nil}.At(d.Pointer)
	if at == in.created || there && d.There && same(echo.Tree, d.Is) { // it was answered so, and is read as it was answered
		j.finding.Parts = append(j.finding.Parts, promise.PartEcho)
	}
	sent := in.asked.Operation.Body.Schema()
	if p := sent.Property(firstMember(d.Pointer)); p != nil {
		j.finding.Parts = append(j.finding.Parts, promise.PlacesOfMember(sent, *p)...)
	}
	return j
}

// statedOf reports whether the document states that a member comes back as it was sent, so that other values of it need not come back first.
// What clients choose as secrets is masked nevertheless.
func statedOf(s *scenario.Scenario, life resource.Life, d behaviour.Difference) bool {
	name := firstMember(d.Pointer)
	return s.Rule.Stated && !resource.HoldsSecret(name, life.Member(name))
}

// leftOutOf reports whether a response leaves out a member that the document states to come back. Nothing follows from an empty value.
func leftOutOf(s *scenario.Scenario, life resource.Life, d behaviour.Difference) bool {
	list, isList := d.Was.([]any)
	return !d.There && d.Was != "" && (!isList || len(list) > 0) && statedOf(s, life, d)
}

// shownOfAnother reports whether a name that the run made up for one resource came back as one that it made up for another. A service may write
// a name in a form of its own, but it cannot make another name of the run out of it.
func shownOfAnother(s *scenario.Scenario, d behaviour.Difference) bool {
	was, isText := d.Was.(string)
	is, isAlsoText := d.Is.(string)
	return isText && isAlsoText && scenario.NamesAnother(s.Run, was, is)
}

func another(d behaviour.Difference) bool { return d.Likeness == behaviour.Another }

// cut reports whether a long text was truncated. A service that cuts within a character leaves a replacement
// character.
func cut(d behaviour.Difference) bool {
	was, text := d.Was.(string)
	is, also := d.Is.(string)
	return text && also && len(is) >= cutLength && truncate.Begins(was, strings.TrimRight(is, "\uFFFD"))
}

// showable reports whether the schema of the response allows the value that was sent. A request may allow a name
// of any length, and the response at most 100 characters of it.
func showable(s *scenario.Scenario, life resource.Life, d behaviour.Difference) bool {
	member := life.Member(firstMember(d.Pointer))
	return member == nil || d.Pointer != jsonpointer.Join("", firstMember(d.Pointer)) || s.Run.Promises.Valid(member, d.Was)
}

// differs returns the finding that a member shows another value.
func differs(s *scenario.Scenario, a *scenario.Answer, d behaviour.Difference) judgement {
	j := wrong(s, a, spec.KindDiffers, phrase.Of("{} in {}", phrase.JSON(exactjson.Describe(d.Was)), phrase.Pointer(d.Pointer)), phrase.Of("{}", phrase.JSON(exactjson.Describe(d.Is))))
	if !d.There {
		j.finding.Actual = phrase.Of("nothing")
	}
	j.finding.Pointer, j.finding.Detail = d.Pointer, d.Pointer
	j.finding.Where = j.finding.Where.At(d.Pointer)
	j.finding.Cause += " " + d.Pointer
	return j
}

// mostLearned is how many other values of a member are tried to learn whether responses return what is sent.
const mostLearned = 6

// learn reports whether responses return what is sent for a member: two other values came back. If that is unknown
// it sends some.
func learn(ctx context.Context, s *scenario.Scenario, in *instance, d behaviour.Difference) (bool, error) {
	learned, creator := scenario.Learned(s.Run), in.asked.Operation.ID
	return learnBy(ctx, s, in, d.Pointer, creator+" "+d.Pointer, func() bool { return learned.Follows(creator, d.Pointer) })
}

// learnBy creates resources with other values of a member until known reports true.
func learnBy(ctx context.Context, s *scenario.Scenario, in *instance, pointer, what string, known func() bool) (bool, error) {
	return scenario.Learned(s.Run).Learn(what, known, func() (bool, error) {
		shown := 0
		for i, value := range others(s, in, pointer) {
			if known() || i >= mostLearned {
				break
			}
			told, err := createWith(ctx, s, in, pointer, value)
			if err != nil {
				return false, err
			}
			if told {
				shown++
			}
		}
		return shown >= leastTold, nil
	})
}

// leastTold is how many values a service must have accepted and returned in some form before it is known what it
// does with a member.
const leastTold = 2

// others returns other values of a member for creating a resource: plain ones, and those of test cases.
func others(s *scenario.Scenario, in *instance, pointer string) []any {
	creator := in.asked.Operation
	var plain, all []any
	if path := resource.Along(creator.Body.Schema(), pointer); has(in.story.life.Settable(creator), firstMember(pointer)) && len(path) == len(jsonpointer.Tokens(pointer)) {
		schema := path[len(path)-1].Schema
		for n := range 2 {
			if value, ok := plainValue(s, schema, n); ok {
				plain = append(plain, value)
			}
		}
		if resource.TextList(schema) {
			plain = append(plain, singleTexts()...)
		}
	}
	before, _ := promise.InBody.Around(pointer)
	for _, text := range s.Run.Promises.Others(creator, before) {
		if value, err := exactjson.Decode([]byte(text)); err == nil {
			all = append(all, value.Tree)
		}
	}
	return append(plain, all[:min(len(all), mostLearned)]...)
}

func has(all []spec.Property, name string) bool {
	return slices.ContainsFunc(all, func(p spec.Property) bool { return p.Name == name })
}

// singleTexts returns lists of one text each.
func singleTexts() []any { return []any{[]any{"hallmark three"}, []any{"hallmark four"}} }

// createWith creates another resource with a value of a member, and records which members come back, in the
// response to the creation and when it is read. told reports whether it was read.
func createWith(ctx context.Context, s *scenario.Scenario, in *instance, pointer string, value any) (told bool, err error) {
	with, err := in.story.making.Plain.Request.WithBodyAt(pointer, value)
	if err != nil {
		return false, nil //nolint:nilerr // no such pointer
	}
	making := *in.story.making
	making.Request = with
	other := &instance{story: &story{making: &making, life: in.story.life}}
	if err = creates(ctx, s, other); err == nil {
		noteCreated(s, other)
		err = looks(in.story.life)(ctx, s, other)
	}
	if endsScenario(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	shown, ok := in.story.life.Read(other.reads[0].Value.Tree)
	if ok {
		same, _ := behaviour.Compare(other.sent(), shown)
		scenario.Learned(s.Run).Note(in.asked.Operation.ID, same)
	}
	return ok, nil
}

func same(a, b any) bool {
	return exactjson.Equal(a, b)
}

// noLongerShown returns the members that came back at first and differ in a later response.
func noLongerShown(same, later map[string]any) []behaviour.Difference {
	var all []behaviour.Difference
	for pointer, was := range same {
		is, there := exactjson.Value{Tree: later, Valid: true}.At(pointer)
		if like := behaviour.Alike(was, is.Tree, there); like > behaviour.Normal {
			all = append(all, behaviour.Difference{Pointer: pointer, Was: was, Is: is.Tree, There: there, Likeness: like})
		}
	}
	slices.SortFunc(all, func(x, y behaviour.Difference) int { return strings.Compare(x.Pointer, y.Pointer) })
	return all
}

// isGone implements "it is gone".
func isGone(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRead(in)
	if err != nil {
		return judgement{}, err
	}
	switch status := a.Status(); {
	case status == http.StatusNotFound || status == http.StatusGone:
		return judgement{at: a, kept: true}, nil
	case status/100 != 2:
		return judgement{at: a, meaning: fmt.Sprintf("status %d, which does not say whether it exists", status)}, nil
	case in.deleted[0].Status() == http.StatusAccepted && !in.removed && s.Run.Patience.Settle <= 0: // it is unknown how long it takes
		return judgement{at: a, meaning: "the deletion was only accepted (202), and is not done"}, nil
	}
	shown, _ := in.story.life.Read(a.Value.Tree)
	before, _ := in.story.life.Created(in.created.Value.Tree)
	if name := deletionMark(before, shown); name != "" && !s.Rule.Stated {
		return judgement{at: a, meaning: "it is marked as deleted by " + name}, nil
	}
	if in.givenAgain(s, shown) {
		return judgement{at: a, meaning: "its identifier was assigned again"}, nil
	}
	j := wrongStatus(s, a, "status 404 or 410, because it was deleted")
	j.finding.Kind = spec.KindUnexpected
	return j, nil
}

// secondDeletionAccepted implements "that is no error".
func secondDeletionAccepted(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.deleted) < 2 {
		return judgement{}, fmt.Errorf("it was not deleted twice before this step")
	}
	a := in.deleted[len(in.deleted)-1]
	switch status := a.Status(); {
	case status/100 == 2 || status == http.StatusNotFound || status == http.StatusGone:
		return judgement{at: a, kept: true}, nil
	case in.deleted[0].Status() == http.StatusAccepted && !in.removed:
		return judgement{at: a, meaning: "the deletion was only accepted (202), and may not be done"}, nil
	case slices.Contains([]int{401, 403, 429, 501, 503}, status), a.Request.Operation.ResponseFor(status) != nil && a.Request.Operation.ResponseFor(status).Status == status:
		return judgement{at: a, meaning: fmt.Sprintf("status %d", status)}, nil
	}
	return wrongStatus(s, a, "a success, 404 or 410"), nil
}
