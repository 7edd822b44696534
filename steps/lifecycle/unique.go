package lifecycle

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Values that no two resources have.

// uniqueForms returns the steps about values that no two resources have.
func uniqueForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.SendsSame.Pattern(), Do: func(ctx context.Context, name string) error {
			return perform(ctx, scenario.From(ctx), sendsSame(unquoted(name)))
		}},
		{Pattern: promise.IsNoTwin, Do: then(isNoTwin)},
	}
}

// sendsSame implements "another one is sent with the same <member>". The service may refuse it.
func sendsSame(name string) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if err := requireOwned(in); err != nil {
			return err
		}
		if scenario.IsReference(s.Run, in.asked.Operation, name) {
			return scenario.Excusef("%s refers to another resource", name)
		}
		value := in.sent()[name]
		if value == nil {
			return scenario.Excusef("the request to %s has no %s", in.asked.Operation.ID, name)
		}
		r, err := scenario.Creation(ctx, s, in.story.making)
		if err != nil {
			return err
		}
		if r, err = r.WithBodyAt(jsonpointer.Join("", name), value); err != nil {
			return scenario.Excusef("the request to %s has no place for %s", r.Operation.ID, name)
		}
		a, err := s.Ask(ctx, r, in.story.making.Credential, s.Pickle.Name)
		if err != nil {
			return err
		}
		in.others = append(in.others, in.note(a))
		in.shared = name
		s.SetAnswers(a)
		return nil
	}
}

// isNoTwin implements "no two have it". A service may refuse the second, return the first instead, or change the value of the second. A
// refusal shows something only if one with a value of its own is accepted after it: it may have had another reason.
func isNoTwin(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.others) == 0 || in.shared == "" {
		return judgement{}, fmt.Errorf("no other one was sent with the same value before this step")
	}
	a := in.others[len(in.others)-1]
	switch status, made := a.Status(), a.Made(); {
	case status == http.StatusConflict, status == http.StatusUnprocessableEntity, status == http.StatusBadRequest:
		return refusedAlone(ctx, s, in, a)
	case status/100 != 2, status == http.StatusAccepted:
		return judgement{at: a, meaning: fmt.Sprintf("status %d, neither a success nor a conflict", status)}, nil
	case made == nil || !made.Owned():
		return judgement{at: a, meaning: unsaid}, nil
	case sameIdentifier(in.resource, made):
		return judgement{at: a, meaning: "it returned the first one"}, nil
	}
	twin := &instance{story: in.story, asked: *a.Request, created: a, resource: a.Made()}
	var last *scenario.Answer
	for _, one := range []*instance{in, twin} {
		r, with, err := requestAbout(ctx, s, one, in.story.life.Reader)
		if err != nil {
			return judgement{}, err
		}
		if last, err = s.Ask(ctx, r, with, s.Pickle.Name); err != nil {
			return judgement{}, err
		}
		in.note(last)
		record, _ := in.story.life.Read(last.Value.Tree)
		if last.Status()/100 != 2 || !same(record[in.shared], in.sent()[in.shared]) {
			return judgement{at: a, meaning: "the two do not both show it"}, nil
		}
	}
	j := wrong(s, a, spec.KindDuplicate, phrase.Of("no second one with the {} {}", phrase.Field(in.shared), phrase.JSON(fmt.Sprint(in.sent()[in.shared]))),
		phrase.Of("status {}, and both show it", phrase.Status(a.Status())))
	j.finding.Detail = in.shared
	return j, nil
}

// refusedAlone judges the refusal of a second resource with the same value, by whether another one without it is created.
func refusedAlone(ctx context.Context, s *scenario.Scenario, in *instance, refusal *scenario.Answer) (judgement, error) {
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return judgement{}, err
	}
	a, err := s.Ask(ctx, r, in.story.making.Credential, s.Pickle.Name)
	if err != nil {
		return judgement{}, err
	}
	in.note(a)
	if a.Status()/100 != http.StatusOK/100 {
		return judgement{}, scenario.Stopf("a second one with the same %s was answered %d, but one with another was refused, too (%d)", in.shared, refusal.Status(), a.Status())
	}
	return judgement{at: refusal, kept: true}, nil
}
