package lifecycle

import (
	"context"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// createsAll implements "it creates a resource with all that is known". Before that it makes the service show
// members that no plain request sets.
func createsAll(ctx context.Context, s *scenario.Scenario, in *instance) error {
	if err := showsAll(ctx, s, in); err != nil {
		return err
	}
	return createsWhole(ctx, s, in)
}

// showsAll creates a resource with every optional member for which the contract gives or allows a value, has it
// read and listed, and sends the same as an update. A service may refuse that for reasons that no schema
// expresses, so nothing is concluded from the statuses. The point is the responses, which are judged like all
// others: they show members that plain requests leave out.
func showsAll(ctx context.Context, s *scenario.Scenario, in *instance) error {
	making, l := *in.story.making, in.story.life
	full, err := fullest(ctx, s, l, making.Request)
	if err != nil || full.Equal(making.Request) {
		return err
	}
	making.Request = full
	made := &instance{story: &story{making: &making, life: l}}
	if err = creates(ctx, s, made); err == nil {
		err = requireOwned(made)
	}
	shows := []*spec.Operation{l.Reader, l.Replacer, l.Patcher}
	if l.Lister != nil {
		shows = append(shows, l.Lister.Operation)
	}
	for _, op := range shows {
		if op != nil && err == nil {
			err = showsBy(ctx, s, made, op)
		}
	}
	if endsScenario(err) {
		return nil
	}
	return err
}

// showsBy makes an operation show a resource.
func showsBy(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation) error {
	r, with, err := requestAbout(ctx, s, in, op)
	if endsScenario(err) {
		return nil
	}
	if err == nil && op.Body != nil {
		r, err = fullest(ctx, s, in.story.life, r)
	}
	if err != nil {
		return err
	}
	if l := in.story.life; l.Lister != nil && l.Lister.Operation == op {
		pages, _ := pagerOf(l, r, with).greatest()
		pages.sought = in.isListedAs
		_, err = pages.walk(ctx, s, shownWithin)
		return err
	}
	_, err = s.Ask(ctx, r, with, s.Pickle.Name)
	return err
}

// shownWithin is how many pages of a list are searched for a resource that it may show: a store may hold millions.
const shownWithin = 10

// fullest returns the plain request with the optional members that it lacks, except references.
func fullest(ctx context.Context, s *scenario.Scenario, l resource.Life, plain request.Request) (request.Request, error) {
	full := plain
	named, err := scenario.Referring(ctx, s, full.Operation)
	if err != nil {
		return full, err
	}
	all, _ := s.Run.Promises.Requests(full.Operation) // those that can be written
	given := map[string]any{}
	for _, r := range all {
		body, _, _ := r.Body()
		members, _ := body.(map[string]any)
		for name, value := range members {
			if given[name] == nil {
				given[name] = value
			}
		}
	}
	for _, p := range l.Settable(full.Operation) {
		value, known := named[p.Name]
		if !known && !scenario.Refers(s.Run, full.Operation, p.Name) {
			value = given[p.Name]
		}
		if value != nil && !holdsMember(full, p.Name) {
			full = withValid(s, full, p.Name, value)
		}
	}
	return full, nil
}
