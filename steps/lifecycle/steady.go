package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Whether reading changes anything.

// responses is a suffix for operations whose own responses are meant rather than those of reads.
const responses = " itself"

// noteCreated records which sent members the response to a creation shows.
func noteCreated(s *scenario.Scenario, in *instance) map[string]any {
	created, ok := in.story.life.Created(in.created.Value.Tree)
	if !ok {
		return nil
	}
	same, _ := behaviour.Compare(in.sent(), created)
	scenario.Learned(s.Run).Note(in.asked.Operation.ID+responses, same)
	return same
}

// isUnchanged implements "it is as it was".
func isUnchanged(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.reads) < 2 {
		return judgement{}, fmt.Errorf("it was not read twice before this step")
	}
	before, a := in.reads[len(in.reads)-2], in.reads[len(in.reads)-1]
	if before.Status()/100 != 2 {
		return judgement{}, scenario.Excusef("what was created cannot be read: status %d", before.Status())
	}
	if a.Status()/100 != 2 {
		if a.Status() == http.StatusNotFound || a.Status() == http.StatusGone {
			j := wrongStatus(s, a, "a success, as before")
			j.finding.Kind = spec.KindLost
			return j, nil
		}
		return judgement{at: a, meaning: fmt.Sprintf("status %d", a.Status())}, nil
	}
	was, _ := in.story.life.Read(before.Value.Tree)
	is, ok := in.story.life.Read(a.Value.Tree)
	if !ok {
		return judgement{}, scenario.Excusef("the response shows no members")
	}
	kept, _ := behaviour.Compare(in.sent(), was)
	scenario.Learned(s.Run).Note(in.asked.Operation.ID, kept)
	own := maps.Clone(kept)
	for pointer := range noteCreated(s, in) {
		if value, there := memberAt(was, pointer); there {
			own[pointer] = value
		}
	}
	for _, d := range noLongerShown(own, is) {
		if !judgedOrBoolean(in.story.life, d.Pointer, d.Was) || readingMarks(firstMember(d.Pointer)) {
			continue
		}
		theirs, err := learnOwn(ctx, s, in, d.Pointer)
		if err != nil {
			return judgement{}, err
		}
		if !theirs {
			continue
		}
		if does, err := byReading(ctx, s, in, d); err != nil || does {
			return differs(s, a, d), err
		}
	}
	return judgement{at: a, kept: len(own) > 0}, nil
}

// learnOwn reports whether clients determine a member: two values of it came back, in reads or in the responses to
// creations. If that is unknown it sends some.
func learnOwn(ctx context.Context, s *scenario.Scenario, in *instance, pointer string) (bool, error) {
	learned, creator := scenario.Learned(s.Run), in.asked.Operation.ID
	return learnBy(ctx, s, in, pointer, creator+responses+" "+pointer, func() bool {
		return learned.Follows(creator, pointer) || learned.Follows(creator+responses, pointer)
	})
}

// byReading reports whether reading, rather than time, changes a member. With another resource, left alone for
// longer, the first read shows what was sent and a later one does not; or each read shows another value.
func byReading(ctx context.Context, s *scenario.Scenario, in *instance, d behaviour.Difference) (bool, error) {
	last := in.reads[len(in.reads)-1].Exchange
	took := last.Started.Add(last.Elapsed).Sub(in.created.Exchange.Started)
	other := &instance{story: in.story}
	if err := in.story.moves[0](ctx, s, other); err != nil {
		if endsScenario(err) {
			return false, nil
		}
		return false, err
	}
	if err := client.Sleep(ctx, 2*max(took, time.Millisecond)+s.Run.Patience.Patient()); err != nil {
		return false, err
	}
	var shown []any
	for range 3 {
		if err := reads(in.story.life.Reader)(ctx, s, other); err != nil {
			return false, err
		}
		a := other.reads[len(other.reads)-1]
		members, ok := in.story.life.Read(a.Value.Tree)
		if a.Status()/100 != 2 || !ok {
			return false, nil
		}
		value, _ := memberAt(members, d.Pointer)
		shown = append(shown, value)
	}
	in.all = append(in.all, other.all...)
	slices.Sort(in.all)
	sent, there := memberAt(other.sent(), d.Pointer)
	changes := func(i, j int) bool { return behaviour.Alike(shown[i], shown[j], true) > behaviour.Normal }
	if there && same(sent, shown[0]) {
		return changes(0, 1) || changes(0, 2), nil
	}
	return changes(0, 1) && changes(1, 2) && changes(0, 2), nil
}
