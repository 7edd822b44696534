package lifecycle

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Whether a deletion deletes only what it names.

// deletesLater implements "it creates two, <op> deletes the later one, and <reader> reads the earlier one before
// and after that". It deletes the later one, since that may refer to the earlier one and be deleted with it, but
// not the reverse. If the earlier one is missing before or after the deletion, everything is repeated while
// nothing else is sent, to rule out a store of limited size and deletions by other scenarios.
func deletesLater(op, reader *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		err := deletesOneOfTwo(ctx, s, in, op, reader)
		if err != nil && !endsScenario(err) || !missed(in) {
			return err
		}
		ctx, release, err := s.Alone(ctx)
		if err != nil {
			return err
		}
		defer release()
		before := in.all
		*in = instance{story: in.story}
		err = deletesOneOfTwo(ctx, s, in, op, reader)
		in.all = append(before, in.all...)
		return err
	}
}

// deletesOneOfTwo creates two resources, and reads the earlier one before and after deleting the later one.
func deletesOneOfTwo(ctx context.Context, s *scenario.Scenario, in *instance, op, reader *spec.Operation) error {
	later := &instance{story: in.story}
	for _, one := range []*instance{in, later} {
		if err := creates(ctx, s, one); err != nil {
			return err
		}
		if err := requireOwned(one); err != nil {
			return err
		}
	}
	switch {
	case fmt.Sprint(in.resource.Identifier()) == fmt.Sprint(later.resource.Identifier()):
		return scenario.Stopf("the two resources that %s creates cannot be distinguished", in.asked.Operation.ID)
	case same(in.sent(), later.sent()) && (in.created.Status() != http.StatusCreated || later.created.Status() != http.StatusCreated):
		return scenario.Stopf("both were sent the same, and may be one")
	}
	// Read twice: the deletion is not to blame if the resource is shown only once, or for a short time.
	for i, trouble := range []string{"what was created cannot be read", "what was read cannot be read again"} {
		if err := reads(reader)(ctx, s, in); err != nil {
			return err
		}
		if a := in.reads[i]; a.Status()/100 != 2 {
			return scenario.Excusef("%s: status %d", trouble, a.Status())
		}
	}
	err := deletes(op)(ctx, s, later)
	in.all = append(in.all, later.all...)
	if err != nil {
		return err
	}
	return reads(reader)(ctx, s, in)
}

// missed reports whether the last read was answered 404 or 410.
func missed(in *instance) bool {
	if len(in.reads) == 0 {
		return false
	}
	status := in.reads[len(in.reads)-1].Status()
	return status == http.StatusNotFound || status == http.StatusGone
}

// isStillThere implements "the earlier one is still there".
func isStillThere(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRead(in)
	if err != nil {
		return judgement{}, err
	}
	switch status := a.Status(); {
	case status/100 == 2:
		return judgement{at: a, kept: true}, nil
	case !missed(in):
		return judgement{at: a, meaning: fmt.Sprintf("status %d, which does not say whether it exists", status)}, nil
	}
	j := wrongStatus(s, a, "a success, because only another one was deleted")
	j.finding.Kind = spec.KindLost
	return j, nil
}
