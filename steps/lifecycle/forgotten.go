package lifecycle

import (
	"context"
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
func asCreated(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
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
		if !sent || !again || !there || resource.StateLike(p.Name) || behaviour.Alike(now, is, there) > behaviour.Normal || behaviour.Alike(now, nil, false) != behaviour.Hidden || isEmpty(was) || isEmpty(now) {
			continue
		}
		shown, visible := first[p.Name]
		if visible && !isEmpty(shown) {
			kept = true
			continue
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

// isEmpty reports whether a value is null, an empty text, list or object, or false: services leave such values out.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return slices.Contains([]any{nil, "", false}, v)
}
