package lifecycle

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// ETags and conditional requests. A service may send ETags only now and then, weak ones, one for each encoding by
// a proxy, or a new one with each response: nothing is concluded from those.

// tagForms returns the steps about entity tags.
func tagForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.ReadsByTag.Pattern(), Do: movedBy(readsByTag)},
		{Pattern: promise.ReadsByOldTag.Pattern(), Do: movedBy(readsByOldTag)},
		{Pattern: promise.ChangesByTag.Pattern(), Do: movedBy(byTag)},
		{Pattern: promise.ChangesByOldTag.Pattern(), Do: movedBy(byOldTag)},
		{Pattern: promise.DeletesByTag.Pattern(), Do: movedBy(byTag)},
		{Pattern: promise.DeletesByOldTag.Pattern(), Do: movedBy(byOldTag)},
		{Pattern: promise.HasAnotherTag, Do: then(hasNewTag)},
		{Pattern: promise.IsNotModified, Do: then(notModified)},
		{Pattern: promise.IsShownAsNow, Do: then(modified)},
		{Pattern: promise.OldTagRefused, Do: then(staleRefused)},
		{Pattern: promise.TagLetsIn, Do: then(currentTaken)},
		{Pattern: promise.TagIsShown, Do: then(tagShown)},
		{Pattern: promise.CreatesOnly.Pattern(), Do: movedBy(createsOnly)},
		{Pattern: promise.RefusedForThere, Do: then(existingRefused)},
	}
}

// entityTag matches an entity tag (RFC 9110, section 8.8.3).
var entityTag = regexp.MustCompile(`^(W/)?"[\x21\x23-\x7e\x80-\xff]*"$`)

// tagOf returns the entity tag of a response, or "" if there is none or it is malformed.
func tagOf(a *scenario.Answer) string {
	if a.Status()/100 != 2 {
		return ""
	}
	all := a.Exchange.Response.Header.Values("ETag")
	if len(all) != 1 || !entityTag.MatchString(all[0]) {
		return ""
	}
	return all[0]
}

// unusable returns why the ETag of a response is invalid, or "" if it has none.
func unusable(a *scenario.Answer) string {
	switch all := a.Exchange.Response.Header.Values("ETag"); {
	case len(all) == 0 || a.Status()/100 != 2:
		return ""
	case len(all) > 1:
		return fmt.Sprintf(" that counts: it shows %d", len(all))
	default:
		return " that counts: " + phrase.Text(all[0]).String() + " is not in quotes, as RFC 9110, section 8.8.3, requires"
	}
}

func weak(tag string) bool { return strings.HasPrefix(tag, "W/") }

// sameTag compares two entity tags by the weak comparison.
func sameTag(a, b string) bool { return strings.TrimPrefix(a, "W/") == strings.TrimPrefix(b, "W/") }

// encodings matches marks of proxies for encoded bodies. Some proxies do not recognize their own tags again.
var encodings = regexp.MustCompile(`(?i)[-;:+_.](gzip|br|deflate|zstd|df)"$`)

// doubtfulTag returns why nothing is concluded from an entity tag, or "".
func doubtfulTag(in *instance, tag string) string {
	switch {
	case encodings.MatchString(tag):
		return "its ETag is that of an encoded body"
	case weak(tag) && !resource.Tagged(in.story.life.Reader):
		return "its ETag is weak, and not documented"
	}
	return ""
}

// shownTag returns the entity tag of the last read. It ends the scenario if there is none.
func shownTag(in *instance) (string, error) {
	a, err := lastRead(in)
	if err != nil {
		return "", err
	}
	if a.Status()/100 != 2 {
		return "", scenario.Excusef("what was created cannot be read: status %d", a.Status())
	}
	tag := tagOf(a)
	if tag == "" {
		return "", scenario.Excusef("%s shows no ETag%s", a.Request.Operation.ID, unusable(a))
	}
	return tag, nil
}

// oldTag returns the entity tag from before the last change. It ends the scenario if the change is not visible, or
// the ETag is unchanged.
func oldTag(s *scenario.Scenario, in *instance) (string, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return "", err
	}
	meaning, err := conclusive(change, a)
	switch {
	case err != nil:
		return "", err
	case meaning != "":
		return "", scenario.Excusef("%s", meaning)
	case !showsChange(s, change, in, before, after):
		return "", scenario.Excusef("what was changed is not shown")
	}
	now, err := shownTag(in)
	if err != nil {
		return "", err
	}
	tag := tagOf(in.reads[len(in.reads)-2])
	if tag == "" || sameTag(tag, now) {
		return "", scenario.Excusef("%s shows the same ETag as before", a.Request.Operation.ID)
	}
	return tag, nil
}

// showsChange reports whether a read after a change shows a member that was sent and had another value before.
func showsChange(s *scenario.Scenario, change *scenario.Answer, in *instance, before, after map[string]any) bool {
	came, _ := noteUpdated(s, change.Request.Operation.ID, sentBy(*change.Request, in.story.life), before, after)
	for pointer := range came {
		was, there := memberAt(before, pointer)
		is, _ := memberAt(after, pointer)
		if !there || behaviour.Alike(was, is, true) == behaviour.Another {
			return true
		}
	}
	return false
}

// revisit reads the resource with If-None-Match.
func revisit(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation, tag string) (*scenario.Answer, error) {
	r, with, err := requestAbout(ctx, s, in, op)
	if err != nil {
		return nil, err
	}
	a, err := s.Ask(ctx, r.WithText(scenario.PlaceOf(op, resource.IfNoneMatch), tag), with, s.Pickle.Name)
	if err != nil {
		return nil, err
	}
	in.revisits, in.tag = append(in.revisits, in.note(a)), tag
	s.SetAnswers(a)
	return a, nil
}

// mostRevisits is how often a read is repeated whose ETag differs each time.
const mostRevisits = 3

// readsByTag implements "<operation> reads it by the ETag that it has".
func readsByTag(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		tag, err := shownTag(in)
		if err != nil {
			return err
		}
		for range mostRevisits {
			a, err := revisit(ctx, s, in, op, tag)
			if err != nil {
				return err
			}
			next := tagOf(a)
			if next == "" || sameTag(next, tag) {
				return nil
			}
			tag = next
		}
		return nil
	}
}

// readsByOldTag implements "<operation> reads it by the ETag that it had before". It waits until the resource is
// shown, at most for the patience of the run.
func readsByOldTag(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		tag, err := oldTag(s, in)
		if err != nil {
			return err
		}
		_, err = Until(ctx, s, func() (*scenario.Answer, error) { return revisit(ctx, s, in, op, tag) }, func(a *scenario.Answer) bool {
			return a.Status() != http.StatusNotModified
		})
		return err
	}
}

// lastRevisit returns the last response to a conditional read.
func lastRevisit(in *instance) (*scenario.Answer, error) {
	if len(in.revisits) == 0 {
		return nil, fmt.Errorf("nothing was read with an ETag before this step")
	}
	return in.revisits[len(in.revisits)-1], nil
}

// notModified implements "it is not modified".
func notModified(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRevisit(in)
	if err != nil {
		return judgement{}, err
	}
	switch tag := tagOf(a); {
	case a.Status() == http.StatusNotModified:
		return judgement{at: a, kept: true}, nil
	case a.Status() != http.StatusOK:
		return judgement{at: a, meaning: fmt.Sprintf("status %d", a.Status())}, nil
	case tag == "":
		return judgement{at: a, meaning: "the response to a read with an ETag has none"}, nil
	case !sameTag(tag, in.tag):
		return judgement{at: a, meaning: "its ETag differs with each read"}, nil
	case doubtfulTag(in, tag) != "":
		return judgement{at: a, meaning: doubtfulTag(in, tag)}, nil
	}
	return wrongStatus(s, a, "status 304, because If-None-Match has its current ETag"), nil
}

// modified implements "it is shown as it is now".
func modified(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRevisit(in)
	if err != nil {
		return judgement{}, err
	}
	switch {
	case a.Status() == http.StatusNotModified && doubtfulTag(in, in.tag) != "":
		return judgement{at: a, meaning: doubtfulTag(in, in.tag)}, nil
	case a.Status() == http.StatusNotModified:
		return wrongStatus(s, a, "a success, because it was changed, and has another ETag than If-None-Match names"), nil
	}
	return judgement{at: a, kept: a.Status()/100 == 2}, nil
}

// clockTick is how long an entity tag made from a time in seconds, or that time itself, may stay the same.
const clockTick = 1100 * time.Millisecond

// hasNewTag implements "it has another ETag".
func hasNewTag(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	tag, was := tagOf(a), tagOf(in.reads[len(in.reads)-2])
	switch {
	case !showsChange(s, change, in, before, after):
		return judgement{}, scenario.Excusef("what was changed is not shown")
	case tag == "" || was == "":
		return judgement{}, scenario.Excusef("%s shows no ETag%s", a.Request.Operation.ID, unusable(a))
	case !sameTag(tag, was):
		return judgement{at: a, kept: true}, nil
	case weak(tag) || weak(was):
		return judgement{at: a, meaning: "its ETag is weak, and the same as before"}, nil
	}
	// The tag may be made from a time in seconds.
	if err := client.Sleep(ctx, clockTick); err != nil {
		return judgement{}, err
	}
	op := change.Request.Operation
	for _, m := range []move{otherValues(op), reads(in.story.life.Reader)} {
		if err := m(ctx, s, in); err != nil {
			return judgement{}, err
		}
	}
	later, err := shownTag(in)
	if err != nil {
		return judgement{}, err
	}
	if later != tag {
		return judgement{at: a, meaning: "its ETag changes only some time after a change"}, nil
	}
	j := wrong(s, a, spec.KindDiffers, phrase.Of("another ETag than {}, which it had before it was changed", phrase.Text(was)), phrase.Of("{}", phrase.Text(tag)))
	j.finding.Header, j.finding.Where = "ETag", j.finding.Where.OfHeader("ETag")
	return j, nil
}

// changesBy sends a change with If-Match.
func changesBy(ctx context.Context, s *scenario.Scenario, in *instance, r request.Request, with credential, tag string) error {
	if err := requireOwned(in); err != nil {
		return err
	}
	a, err := s.Ask(ctx, r.WithText(scenario.PlaceOf(r.Operation, resource.IfMatch), tag), with, s.Pickle.Name)
	if err != nil {
		return err
	}
	in.updates, in.tag = append(in.updates, in.note(a)), tag
	s.SetAnswers(a)
	return nil
}

// changing returns the request with which an operation changes or deletes the resource, and its credential.
func changing(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation) (request.Request, credential, error) {
	if op.Method == http.MethodDelete {
		return requestAbout(ctx, s, in, op)
	}
	return withOthers(s, in, op), in.story.update.Credential, nil
}

// byOldTag implements "<operation> changes it by the ETag that it had before", or deletes it.
func byOldTag(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		tag, err := oldTag(s, in)
		if err != nil {
			return err
		}
		r, with, err := changingAnew(ctx, s, in, op)
		if err != nil {
			return err
		}
		return changesBy(ctx, s, in, r, with, tag)
	}
}

// changingAnew returns the request with which an operation changes the resource to other values, or deletes it,
// and its credential. For a second instance it first waits for caches, as long as the run grants.
func changingAnew(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation) (r request.Request, with credential, err error) {
	if in != in.story.now {
		if err := client.Sleep(ctx, s.Run.Patience.Settle); err != nil {
			return r, with, err
		}
	}
	if r, with, err = changing(ctx, s, in, op); err != nil {
		return r, with, err
	}
	if _, _, ok := r.Body(); ok && !alters(r, in) {
		err = scenario.Excusef("no values are known other than its own") // a change without effect may succeed
	}
	return r, with, err
}

// alters reports whether a request has another value for a member that the last read showed.
func alters(r request.Request, in *instance) bool {
	_, others := behaviour.Compare(sentBy(r, in.story.life), in.current())
	for _, d := range others {
		if d.There && d.Likeness == behaviour.Another {
			return true
		}
	}
	return false
}

// staleRefused implements "the ETag of before is refused".
func staleRefused(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.updates) < 2 {
		return judgement{}, fmt.Errorf("nothing was changed with an ETag before this step")
	}
	a := in.updates[len(in.updates)-1]
	switch status := a.Status(); {
	case status == http.StatusPreconditionFailed:
		return judgement{at: a, kept: true}, nil
	case status == http.StatusAccepted:
		return judgement{at: a, meaning: "the change was only accepted (202), and may not be done"}, nil
	case status/100 != 2:
		return judgement{at: a, meaning: fmt.Sprintf("status %d", status)}, nil
	case doubtfulTag(in, in.tag) != "":
		return judgement{at: a, meaning: doubtfulTag(in, in.tag)}, nil
	}
	return wrongStatus(s, a, "status 412, because If-Match does not have its current ETag"), nil
}

// byTag implements "<operation> changes it by the ETag that it has", or deletes it. It uses the ETag that a client
// with the credential of the change is shown.
func byTag(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		r, with, err := changing(ctx, s, in, op)
		if err != nil {
			return err
		}
		if err := readsFor(ctx, s, in, r); err != nil {
			return err
		}
		tag, err := shownTag(in)
		if err != nil {
			return err
		}
		p := resource.Condition(op, resource.IfMatch)
		switch why := doubtfulTag(in, tag); {
		case weak(tag):
			return scenario.Excusef("its ETag is weak, and weak ones never match in If-Match (RFC 9110, section 13.1.1)")
		case why != "":
			return scenario.Excusef("%s", why)
		case p != nil && p.Schema != nil && !s.Run.Promises.Valid(p.Schema, tag):
			return scenario.Excusef("the contract does not allow the ETag %s in If-Match", tag)
		}
		return changesBy(ctx, s, in, r, with, tag)
	}
}

// readsFor reads the resource as the client of a change sees it.
func readsFor(ctx context.Context, s *scenario.Scenario, in *instance, change request.Request) error {
	r, with, err := scenario.Current(ctx, s, in.story.life.Reader, change)
	if err != nil {
		return err
	}
	a, err := s.Ask(ctx, r, with, s.Pickle.Name)
	if err != nil {
		return err
	}
	in.reads = append(in.reads, in.note(a))
	return nil
}

// currentTaken implements "the ETag lets it in". A refused request is repeated without the ETag, or with * in its place if it has to name one. It is a
// violation only if that succeeds, and the resource still has that ETag.
func currentTaken(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.updates) == 0 {
		return judgement{}, fmt.Errorf("nothing was changed with an ETag before this step")
	}
	a := in.updates[len(in.updates)-1]
	switch status := a.Status(); {
	case status/100 == 2:
		return judgement{at: a, kept: true}, nil
	case status != http.StatusPreconditionFailed:
		return judgement{at: a, meaning: fmt.Sprintf("status %d", status)}, nil
	}
	if err := readsFor(ctx, s, in, *a.Request); err != nil {
		return judgement{}, err
	}
	if tagOf(in.reads[len(in.reads)-1]) != in.tag {
		return judgement{at: a, meaning: "its ETag differs with each read"}, nil
	}
	place := scenario.PlaceOf(a.Request.Operation, resource.IfMatch)
	without := a.Request.Without(place)
	if resource.Demands(a.Request.Operation) != nil {
		without = a.Request.WithText(place, "*")
	}
	if err := update(ctx, s, in, without); err != nil {
		return judgement{}, err
	}
	if without := in.updates[len(in.updates)-1]; without.Status()/100 != 2 {
		return judgement{at: a, meaning: fmt.Sprintf("it is refused without an ETag too: status %d", without.Status())}, nil
	}
	return wrongStatus(s, a, "a success, because If-Match has its current ETag"), nil
}
