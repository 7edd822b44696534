package lifecycle

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// asCreated implements "what was sent to create it was shown, too": a member that shows what a change sends shows what the creation sent, too.
// A value that takes effect only later, or is decided by the service, is not judged.
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
	for _, p := range in.story.life.Settable(in.asked.Operation) {
		was, sent := created[p.Name]
		now, again := changed[p.Name]
		is, there := after[p.Name]
		if !sent || !again || !there || resource.StateLike(p.Name) || len(p.Schema.Enum) > 0 || behaviour.Alike(now, is, there) > behaviour.Normal || behaviour.Alike(now, nil, false) != behaviour.Hidden || isEmpty(was) || isEmpty(now) {
			continue
		}
		shown, visible := first[p.Name]
		if visible && !isEmpty(shown) {
			kept = true
			continue
		}
		late, err := shownLater(ctx, s, in, p.Name)
		if err != nil || late {
			return judgement{at: a, meaning: "what was created is shown later"}, err
		}
		j := wrong(s, in.reads[0], spec.KindLost, phrase.Of("{} in {}, as it was created, for {} shows what {} sends", phrase.JSON(exactjson.Describe(was)), phrase.Field(p.Name), phrase.Field(p.Name), phrase.Text(change.Request.Operation.ID)),
			phrase.Of("nothing"))
		j.finding.Pointer, j.finding.Detail = "/"+p.Name, p.Name
		j.finding.Where = j.finding.Where.At("/" + p.Name)
		j.finding.Cause += " " + p.Name
		return j, nil
	}
	return judgement{at: a, kept: kept}, nil
}

// shownLater reports whether another new resource shows a member that its creation sent, within the patience of the run.
func shownLater(ctx context.Context, s *scenario.Scenario, in *instance, name string) (bool, error) {
	other := &instance{story: in.story}
	if err := prepared(ctx, s, other); err != nil {
		return false, err
	}
	r, with, err := requestAbout(ctx, s, other, in.story.life.Reader)
	if err != nil {
		return false, err
	}
	shows := func(a *scenario.Answer) bool {
		shown, ok := in.story.life.Read(a.Value.Tree)
		return a.Status()/100 != 2 || !ok || !isEmpty(shown[name])
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
