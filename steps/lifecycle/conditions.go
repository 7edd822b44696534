package lifecycle

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// createsOnly implements "<operation> is to create it only where there is none", for an existing resource (RFC
// 9110, section 13.1.2).
func createsOnly(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if _, err := lastRead(in); err != nil {
			return err
		}
		p := resource.Condition(op, resource.IfNoneMatch)
		if p == nil || p.Schema != nil && !s.Run.Promises.Valid(p.Schema, "*") {
			return scenario.Excusef("the contract does not allow * in If-None-Match")
		}
		r, with, err := changingAnew(ctx, s, in, op)
		if err != nil {
			return err
		}
		a, err := s.Ask(ctx, r.WithText(request.PlaceOf(*p), "*"), with, s.Pickle.Name)
		if err != nil {
			return err
		}
		in.updates = append(in.updates, in.note(a))
		s.SetAnswers(a)
		judgeStatus(s, op, a)
		return nil
	}
}

// existingRefused implements "it is refused, for there is one".
func existingRefused(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.updates) == 0 {
		return judgement{}, fmt.Errorf("nothing was to be created before this step")
	}
	a := in.updates[len(in.updates)-1]
	switch status := a.Status(); {
	case status == http.StatusPreconditionFailed:
		return judgement{at: a, kept: true}, nil
	case status == http.StatusAccepted:
		return judgement{at: a, meaning: "it was only accepted (202), and may not be done"}, nil
	case status/100 != 2:
		return judgement{at: a, meaning: fmt.Sprintf("status %d", status)}, nil
	}
	return wrongStatus(s, a, "status 412, because If-None-Match is * and the resource exists"), nil
}

// tagShown implements "the ETag is shown with it", for a 304. It tries several times, since a service may omit the
// ETag now and then.
func tagShown(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRevisit(in)
	if err != nil {
		return judgement{}, err
	}
	for n := range mostRevisits {
		if n > 0 {
			if a, err = revisit(ctx, s, in, a.Request.Operation, in.tag); err != nil {
				return judgement{}, err
			}
		}
		if a.Status() != http.StatusNotModified {
			return judgement{at: a, meaning: fmt.Sprintf("status %d", a.Status())}, nil
		}
		if len(a.Exchange.Response.Header.Values("ETag")) > 0 {
			return judgement{at: a, kept: true}, nil
		}
	}
	if err := reads(a.Request.Operation)(ctx, s, in); err != nil {
		return judgement{}, err
	}
	if tagOf(in.reads[len(in.reads)-1]) == "" {
		return judgement{at: a, meaning: "its ETag is not shown by each success either"}, nil
	}
	j := wrong(s, a, spec.KindMissing, phrase.Of("the ETag {}, as in a 200", phrase.Text(in.tag)), phrase.Of("none"))
	j.finding.Header, j.finding.Where = "ETag", j.finding.Where.OfHeader("ETag")
	return j, nil
}
