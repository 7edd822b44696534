package lifecycle

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// asCreated implements "what was sent to create it was shown, too": a member that shows what a change sends shows what the creation sent, too,
// and so do the members of an object and the items of a list. A value that takes effect only later, or is decided by the service, is not judged.
func asCreated(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	_, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	created, changed := in.sent(), sentBy(*change.Request, in.story.life)
	first, _ := in.story.life.Read(in.reads[0].Value.Tree)
	kept := false
	for _, c := range comparableMembers(in) {
		was, sent := memberAt(created, c.pointer)
		now, again := memberAt(changed, c.pointer)
		is, there := memberAt(after, c.pointer)
		if !sent || !again || isEmpty(was) || isEmpty(now) || behaviour.Alike(now, is, there) > behaviour.Normal {
			continue
		}
		shown, visible := memberAt(first, c.pointer)
		if visible = visible && !isEmpty(shown); visible && !ofItsOwn(was, now, shown, c) {
			kept = true
			continue
		}
		late, err := shownLater(ctx, s, in, c)
		if err != nil || late {
			return judgement{at: a, meaning: "what was created is shown later"}, err
		}
		j := wrong(s, in.reads[0], spec.KindLost, phrase.Of("{} in {}, as it was created, for {} shows what {} sends", phrase.JSON(exactjson.Describe(was)), phrase.Field(c.name()), phrase.Field(c.name()), phrase.Text(change.Request.Operation.ID)),
			phrase.Of("nothing"))
		if visible {
			j.finding.Kind, j.finding.Actual = spec.KindDiffers, phrase.Of("{}", phrase.JSON(exactjson.Describe(shown)))
		}
		j.finding.Pointer, j.finding.Detail = c.pointer, c.name()
		j.finding.Where = j.finding.Where.At(c.pointer)
		j.finding.Cause += " " + c.name()
		return j, nil
	}
	return judgement{at: a, kept: kept}, nil
}

// settableMember is a member that a creation sets, or a member of such an object.
type settableMember struct {
	pointer string
	schema  *spec.Schema
}

func (c settableMember) name() string { return strings.TrimPrefix(c.pointer, "/") }

// comparableMembers returns what a creation sets and a change may set, too, without states and choices, which a service may decide on.
func comparableMembers(in *instance) []settableMember {
	creator := in.asked.Operation
	var all []settableMember
	for _, p := range in.story.life.Settable(creator) {
		pointer := jsonpointer.Join("", p.Name)
		if len(p.Schema.Enum) > 0 {
			continue
		}
		inside := in.story.life.Inside(creator, p.Name)
		for _, inner := range inside {
			all = append(all, settableMember{pointer + jsonpointer.Join("", inner.Name), inner.Schema})
		}
		if len(inside) == 0 {
			all = append(all, settableMember{pointer, p.Schema})
		}
	}
	return all
}

// people are words in names of members that say who did something.
var people = []string{
	"account", "agent", "assignee", "author", "by", "channel", "client", "creator", "customer", "operator", "origin", "owner", "reporter", "requester", "sender", "source", "submitter", "tenant", "user", "username",
}

// ofItsOwn reports whether a service shows a text or a list of its own in place of what a creation sent, although it shows what a change sends. A
// text that is only longer may have been made unique, a long one is cut by many services, and whoever is logged in may stand for a person.
func ofItsOwn(was, now, shown any, c settableMember) bool {
	if behaviour.Alike(was, shown, true) != behaviour.Another || behaviour.Alike(now, shown, true) != behaviour.Another || behaviour.Alike(was, now, true) != behaviour.Another {
		return false
	}
	if resource.TextList(c.schema) {
		return true
	}
	text, isText := was.(string)
	is, alsoText := shown.(string)
	longer := strings.Contains(strings.ToLower(is), strings.ToLower(strings.TrimSpace(text)))
	return isText && alsoText && resource.FreeText(c.schema) && !longer && !resource.HasWord(c.name(), people...) && !cut(behaviour.Difference{Was: was, Is: shown})
}

// shownLater reports whether another new resource shows what its creation sent for a member, within the patience of the run.
func shownLater(ctx context.Context, s *scenario.Scenario, in *instance, c settableMember) (bool, error) {
	again := *in.story
	again.turn = in.turn - 1 // with the same values
	other := &instance{story: &again}
	if err := prepared(ctx, s, other); err != nil {
		return false, err
	}
	r, with, err := requestAbout(ctx, s, other, in.story.life.Reader)
	if err != nil {
		return false, err
	}
	sent, there := memberAt(other.sent(), c.pointer)
	shows := func(a *scenario.Answer) bool {
		shown, ok := in.story.life.Read(a.Value.Tree)
		is, visible := memberAt(shown, c.pointer)
		return a.Status()/100 != 2 || !ok || !there || visible && behaviour.Alike(sent, is, true) <= behaviour.Normal
	}
	a, err := Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, r, with, s.Pickle.Name+", some time later") }, shows)
	return err == nil && shows(a), err
}

// isEmpty reports whether a value is null, zero, an empty text, list or object, or false: services leave such values out.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	case json.Number:
		return exactjson.Equal(v, json.Number("0"))
	}
	return slices.Contains([]any{nil, "", false}, v)
}
