package lifecycle

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// createsReadOnly implements "it creates a resource with values of what is only to be read".
func createsReadOnly(ctx context.Context, s *scenario.Scenario, in *instance) error {
	making := *in.story.making
	sent := 0
	for _, name := range in.story.life.ReadOnly() {
		if !promise.HasPlaceFor(making.Request.Operation, name) {
			continue
		}
		for _, value := range promise.Foreign() {
			if !s.Run.Promises.Valid(in.story.life.Member(name), value) {
				continue
			}
			if with := withValid(s, making.Request, name, value); !with.Equal(making.Request) {
				making.Request = with
				sent++
			}
			break
		}
	}
	if sent == 0 {
		return scenario.Excusef("the body of %s has no place for what is only to be read", making.Request.Operation.ID)
	}
	made := &instance{story: &story{making: &making, life: in.story.life}}
	err := creates(ctx, s, made)
	in.asked, in.created, in.resource, in.all = made.asked, made.created, made.resource, append(in.all, made.all...)
	return err
}

// notAsSent implements "what is only to be read is not what was sent".
func notAsSent(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a := in.reads[len(in.reads)-1]
	if a.Status()/100 != 2 {
		return judgement{}, scenario.Excusef("what was created cannot be read: status %d", a.Status())
	}
	sent, shown := in.sent(), in.current()
	kept := false
	for _, name := range in.story.life.ReadOnly() {
		value, there := sent[name]
		if is, visible := shown[name]; there && visible {
			if same(value, is) {
				j := wrong(s, a, spec.KindForbidden, phrase.Of("another value in {} than the one that was sent, because it is read-only", phrase.Field(name)), phrase.Of("{}", phrase.JSON(exactjson.Describe(is))))
				j.finding.Pointer, j.finding.Detail = "/"+name, name
				j.finding.Cause += " " + name
				return j, nil
			}
			kept = true
		}
	}
	return judgement{at: a, kept: kept}, nil
}

// sameIdentity implements "its identifier and the time of its creation are as they were".
func sameIdentity(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	sent := sentBy(*change.Request, in.story.life)
	kept, versioned := false, slices.ContainsFunc(in.story.life.Names(), func(name string) bool { return resource.HasWord(name, "version", "revision") })
	for _, name := range in.story.life.Names() {
		_, named := sent[name]
		was, there := before[name]
		is, visible := after[name]
		lasts := in.story.life.Identifies(name) || !versioned && resource.CreationTime(name, in.story.life.Member(name))
		if named || !there || !visible || was == nil || is == nil || !lasts {
			continue
		}
		if behaviour.Renewed(was, is) {
			j := differs(s, a, behaviour.Difference{Pointer: "/" + name, Was: was, Is: is, There: true})
			j.finding.Expected = j.finding.Expected.With(", as before the change")
			return j, nil
		}
		kept = true
	}
	return judgement{at: a, kept: kept}, nil
}
