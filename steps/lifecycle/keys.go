package lifecycle

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// keyForms returns the steps about idempotency keys.
func keyForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.CreatesByKey, Do: moved(createsByKey)},
		{Pattern: promise.ByThatKey, Do: moved(sentAgain(false))},
		{Pattern: promise.ByAnotherKey, Do: moved(sentAgain(true))},
		{Pattern: promise.SameOne, Do: then(sameOne)},
		{Pattern: promise.AnotherOne, Do: then(anotherOne)},
	}
}

// createsByKey implements "it creates a resource by a new idempotency key".
func createsByKey(ctx context.Context, s *scenario.Scenario, in *instance) error {
	r, ok := scenario.WithNewKey(s, in.story.making.Request)
	if !ok {
		return scenario.Excusef("the contract allows no idempotency key that is certainly new")
	}
	making := *in.story.making
	making.Request = r
	with := &instance{story: &story{making: &making, life: in.story.life}}
	err := creates(ctx, s, with)
	in.asked, in.created, in.resource = with.asked, with.created, with.resource
	in.all = append(in.all, with.all...)
	return err
}

// sentAgain implements "the same is sent by that key", or by another one.
func sentAgain(another bool) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		r := in.asked
		if another {
			var ok bool
			if r, ok = scenario.WithNewKey(s, r); !ok {
				return scenario.Excusef("no other idempotency key is allowed")
			}
		}
		a, err := s.Ask(ctx, r, in.story.making.Credential, s.Pickle.Name)
		if err != nil {
			return err
		}
		in.others = append(in.others, in.note(a))
		s.SetAnswers(a)
		judgeStatus(s, r.Operation, a)
		return nil
	}
}

// repeated returns the response to the repeated request, and why nothing is concluded from it, or "".
func repeated(in *instance) (*scenario.Answer, string) {
	a := in.others[len(in.others)-1]
	switch {
	case in.created.Status() == http.StatusAccepted || a.Status() == http.StatusAccepted:
		return a, "the creation was only accepted (202), and is not done"
	case !a.Succeeded():
		return a, fmt.Sprintf("status %d, which creates nothing", a.Status())
	case a.Made() == nil:
		return a, "the response does not say what was created"
	}
	return a, ""
}

// sameOne implements "it is the same resource".
func sameOne(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.others) == 0 {
		return judgement{}, fmt.Errorf("nothing was sent a second time before this step")
	}
	a, why := repeated(in)
	if why != "" {
		return judgement{at: a, meaning: why}, nil
	}
	was, is := fmt.Sprint(in.resource.Identifier()), fmt.Sprint(a.Made().Identifier())
	if was == is {
		return judgement{at: a, kept: true}, nil
	}
	return wrong(s, a, spec.KindAnother, phrase.Of("{}, which the same key created before", phrase.JSON(was)), phrase.Of("{}", phrase.JSON(is))), nil
}

// anotherOne implements "it is another resource". A service that answers 200 may have returned an existing
// resource.
func anotherOne(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.others) == 0 {
		return judgement{}, fmt.Errorf("nothing was sent a second time before this step")
	}
	a, why := repeated(in)
	if why == "" && (in.created.Status() != http.StatusCreated || a.Status() != http.StatusCreated) {
		why = "the responses do not show that two were created"
	}
	if why != "" {
		return judgement{at: a, meaning: why}, nil
	}
	if was := fmt.Sprint(in.resource.Identifier()); was == fmt.Sprint(a.Made().Identifier()) {
		return wrong(s, a, spec.KindDuplicate, phrase.Of("another resource than {}, because the key is another one", phrase.JSON(was)), phrase.Of("{} again", phrase.JSON(was))), nil
	}
	return judgement{at: a, kept: true}, nil
}
