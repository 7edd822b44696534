package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"regexp"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// actsOn implements "<operation> acts on it".
func actsOn(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if err := requireOwned(in); err != nil {
			return err
		}
		r, with, err := requestAbout(ctx, s, in, op)
		if err != nil {
			return err
		}
		a, err := s.Ask(ctx, r, with, s.Pickle.Name)
		if err != nil {
			return err
		}
		in.acted = in.note(a)
		s.SetAnswers(a)
		judgeStatus(s, op, a)
		if a.Status() != http.StatusOK && a.Status() != http.StatusCreated {
			return scenario.Excusef("%s does not succeed with it: status %d", op.ID, a.Status())
		}
		return nil
	}
}

// underWay matches states that a resource soon leaves by itself.
var underWay = regexp.MustCompile(`(?i)^(draft|pend|queue|schedul|request|wait|accept|process|sync)|ing$|progress|started|trigger`)

// actionUndone returns the members that the response to an action shows changed, and a later read as they were before. shown reports whether a
// read shows one that the action changed.
func actionUndone(in *instance, later *scenario.Answer) (undone []behaviour.Difference, shown bool) {
	life := in.story.life
	before, _ := life.Read(in.reads[0].Value.Tree)
	acted, _ := life.Read(in.acted.Value.Tree)
	after, _ := life.Read(later.Value.Tree)
	for _, name := range life.Lasting() {
		was, known := before[name]
		is, visible := acted[name]
		now, there := after[name]
		text, _ := is.(string)
		if !known || !visible || was == nil || is == nil || is == "" || underWay.MatchString(text) || behaviour.Alike(was, is, true) != behaviour.Another {
			continue
		}
		switch {
		case there && same(was, now):
			undone = append(undone, behaviour.Difference{Pointer: jsonpointer.Join("", name), Was: is, Is: now, There: true})
		case there && behaviour.Alike(is, now, true) <= behaviour.Normal:
			shown = true
		}
	}
	return undone, shown
}

// shownAsActed implements "it is shown as the action showed it".
func shownAsActed(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if in.acted == nil || len(in.reads) < 2 {
		return judgement{}, fmt.Errorf("nothing acted on it and read it before this step")
	}
	a, life := in.reads[len(in.reads)-1], in.story.life
	if in.reads[0].Status()/100 != 2 || a.Status()/100 != 2 {
		return judgement{at: a, meaning: fmt.Sprintf("it cannot be read: status %d, and %d after the action", in.reads[0].Status(), a.Status())}, nil
	}
	id, told := life.Identifier(in.acted.Value.Tree)
	if !told || fmt.Sprint(id) != fmt.Sprint(in.resource.Identifier()) {
		return judgement{at: in.acted, meaning: "the action does not show the resource that it acts on"}, nil
	}
	undone, shown := actionUndone(in, a)
	if len(undone) == 0 {
		return judgement{at: a, kept: shown}, nil
	}
	r, with, err := requestAbout(ctx, s, in, life.Reader)
	if err != nil {
		return judgement{}, err
	}
	a, err = Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, r, with, s.Pickle.Name+", some time later") }, func(a *scenario.Answer) bool {
		undone, _ = actionUndone(in, a)
		return a.Status()/100 != 2 || len(undone) == 0
	})
	if err != nil || len(undone) == 0 {
		return judgement{at: a, meaning: "what the action changed is shown later"}, err
	}
	d := undone[0]
	j := differs(s, in.note(a), d)
	j.finding.Expected = phrase.Of("{} in {}, as {} showed it", phrase.JSON(exactjson.Describe(d.Was)), phrase.Pointer(d.Pointer), phrase.Text(in.acted.Request.Operation.ID))
	return j, nil
}
