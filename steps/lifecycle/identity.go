package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Whether resources have different identifiers, and whether a read returns the requested one.

// identifiersDiffer implements "their identifiers differ".
func identifiersDiffer(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.others) == 0 {
		return judgement{}, fmt.Errorf("no other one was created before this step")
	}
	a := in.others[len(in.others)-1]
	other := a.Made()
	if other == nil {
		return judgement{at: a, meaning: unsaid}, nil
	}
	alike := sameIdentifier(in.resource, other)
	said := in.created.Status() == http.StatusCreated && a.Status() == http.StatusCreated
	switch {
	case !said && alike:
		return judgeWithout201(ctx, s, in, a)
	case !said:
		return judgement{at: a, meaning: unsaid}, nil
	case same(in.sent(), sentBy(*a.Request, in.story.life)):
		return judgement{at: a, meaning: "both were sent the same"}, nil
	case !alike:
		return judgement{at: a, kept: true}, nil
	case sendsIdentifier(in.sent(), in.resource) && sendsIdentifier(sentBy(*a.Request, in.story.life), other):
		return judgement{at: a, meaning: "both requests name the identifier"}, nil
	}
	return wrong(s, a, spec.KindDuplicate, phrase.Of("a unique identifier"), phrase.Of("{}, which the previous one has", phrase.JSON(fmt.Sprint(other.Identifier())))).withIdentifier(other.Identifier()), nil
}

// unsaid is why nothing is concluded from identifiers.
const unsaid = "the responses do not show that two were created"

func sameIdentifier(one, other *scenario.Resource) bool {
	return fmt.Sprint(one.Identifier()) == fmt.Sprint(other.Identifier())
}

// sendsIdentifier reports whether a member of the body that created a resource is its identifier: a client may choose it, or it refers to
// another resource, of which there is one of these at most.
func sendsIdentifier(sent map[string]any, made *scenario.Resource) bool {
	for _, value := range sent {
		switch value.(type) {
		case string, json.Number:
			if fmt.Sprint(value) == fmt.Sprint(made.Identifier()) {
				return true
			}
		}
	}
	return false
}

// mayBeReplaced reports whether another request of the run named the identifier of the resource, too, to create it.
func (in *instance) mayBeReplaced(s *scenario.Scenario) bool {
	return in.resource != nil && sendsIdentifier(in.sent(), in.resource) && (scenario.IsShared(s.Run, in.resource) || scenario.GivenAgain(s.Run, in.resource) != nil)
}

// judgeWithout201 judges creations that are not answered 201 and show different names under the same identifier.
// Such a service may keep one resource, which each creation replaces. So a third one is created while this run
// sends nothing else. If a read by the identifier then shows neither the third nor a later state of it, but what
// this run created before, the third has replaced nothing, and cannot be read.
func judgeWithout201(ctx context.Context, s *scenario.Scenario, in *instance, second *scenario.Answer) (judgement, error) {
	l, nothing := in.story.life, judgement{at: second, meaning: unsaid}
	if _, named := namedApart(in, second); l.Reader == nil || !named {
		return nothing, nil
	}
	ctx, release, err := s.Alone(ctx)
	if err != nil {
		return judgement{}, err
	}
	defer release()
	if err = createsAnother(ctx, s, in); endsScenario(err) {
		return nothing, nil
	}
	if err != nil {
		return judgement{}, err
	}
	third := in.others[len(in.others)-1]
	name, named := namedApart(in, third)
	if made := third.Made(); !named || made == nil || !sameIdentifier(in.resource, made) || third.Status() == http.StatusAccepted || unsettledAfterCreation(l, third) != "" {
		return nothing, nil
	}
	r, with, err := requestAbout(ctx, s, in, l.Reader)
	if endsScenario(err) {
		return nothing, nil
	}
	if err != nil {
		return judgement{}, err
	}
	sent, shown := sentBy(*third.Request, l)[name], ""
	isAnother := func(a *scenario.Answer) bool {
		record, _ := l.Read(a.Value.Tree)
		shown, _ = record[name].(string)
		return a.Status()/100 == 2 && unsettledState(record) == "" && scenario.MadeUp(s.Run, shown) && behaviour.Alike(sent, shown, true) == behaviour.Another
	}
	read, err := Until(ctx, s, func() (*scenario.Answer, error) { return s.Ask(ctx, r, with, s.Pickle.Name) }, func(a *scenario.Answer) bool { return !isAnother(a) })
	if endsScenario(err) {
		return nothing, nil
	}
	if err != nil {
		return judgement{}, err
	}
	if !isAnother(in.note(read)) {
		return nothing, nil
	}
	return wrong(s, read, spec.KindDuplicate, phrase.Of("the name {}, which the response to its creation shows for this identifier", phrase.JSON(fmt.Sprint(sent))),
		phrase.Of("the name {}", phrase.JSON(shown))), nil
}

// namedApart returns a member in which two created resources have different names, both as sent and as returned.
func namedApart(in *instance, second *scenario.Answer) (string, bool) {
	l := in.story.life
	was, is := in.sent(), sentBy(*second.Request, l)
	first, _ := l.Created(in.created.Value.Tree)
	other, _ := l.Created(second.Value.Tree)
	for _, p := range resource.Naming(second.Request.Operation) {
		_, text := was[p.Name].(string)
		if _, also := is[p.Name].(string); text && also && !same(was[p.Name], is[p.Name]) && same(first[p.Name], was[p.Name]) && same(other[p.Name], is[p.Name]) {
			return p.Name, true
		}
	}
	return "", false
}

// createsAnother implements "another one is created". It uses other values if no name distinguishes it from the
// first.
func createsAnother(ctx context.Context, s *scenario.Scenario, in *instance) error {
	r, err := scenario.Creation(ctx, s, in.story.making)
	if err != nil {
		return err
	}
	if same(sentBy(r, in.story.life), in.sent()) {
		for i, p := range in.story.life.Settable(r.Operation) {
			if scenario.Refers(s.Run, r.Operation, p.Name) {
				continue
			}
			for n := range 2 {
				if value, ok := plainValue(s, p.Schema, i+n); ok && !same(value, in.sent()[p.Name]) {
					r = withValid(s, r, p.Name, value)
					break
				}
			}
		}
	}
	return createOther(ctx, s, in, r)
}

// isRequested implements "it is the one that was asked for".
func isRequested(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	a, err := lastRead(in)
	if err != nil {
		return judgement{}, err
	}
	if a.Status()/100 != 2 {
		return judgement{}, scenario.Excusef("what was created cannot be read: status %d", a.Status())
	}
	shown, ok := in.story.life.Identifier(a.Value.Tree)
	if !ok {
		return judgement{at: a, meaning: "the response shows no identifier"}, nil
	}
	asked := in.resource.Identifier()
	if fmt.Sprint(shown) == fmt.Sprint(asked) {
		return judgement{at: a, kept: true}, nil
	}
	j := wrong(s, a, spec.KindAnother, phrase.Of("the identifier {}", phrase.JSON(fmt.Sprint(asked))), phrase.Of("{}", phrase.JSON(fmt.Sprint(shown))))
	_, number := shown.(json.Number)
	if _, also := asked.(json.Number); number && also {
		return j, nil
	}
	if s.Run.HasCreated(in.resource.As(shown)) {
		j.finding.Actual = j.finding.Actual.With(", which this run created as another one")
		return j, nil
	}
	meaning, err := otherName(ctx, s, in, shown)
	if err != nil {
		return judgement{}, err
	}
	if meaning != "" {
		return judgement{at: a, meaning: meaning}, nil
	}
	j.finding.Actual = j.finding.Actual.With(", which names nothing")
	return j, nil
}

// otherName returns why a text in the identifier member may be another name of the same resource, such as a name
// with a version. It returns "" if the text names nothing, although the creation returned the path's identifier in
// that member.
func otherName(ctx context.Context, s *scenario.Scenario, in *instance, shown any) (string, error) {
	const several = "a resource may have several identifiers"
	is, text := shown.(string)
	asked, also := in.resource.Identifier().(string)
	created, _ := in.story.life.Created(in.created.Value.Tree)
	name, one := in.story.life.Identifying()
	if was, told := created[name].(string); !text || !also || !one || !told || was != asked || in.created.Status() != http.StatusCreated {
		return several, nil
	}
	if behaviour.Alike(asked, is, true) != behaviour.Another || containsFold(asked, is) || containsFold(is, asked) {
		return several, nil
	}
	if schema := in.story.life.Slot.Parameter.Schema; schema != nil && !s.Run.Promises.Valid(schema, is) {
		return several, nil
	}
	by, err := read(ctx, s, &instance{story: in.story, resource: in.resource.As(is)}, in.story.life.Reader, false)
	if err != nil {
		return "", err
	}
	in.note(by)
	if by.Status() != http.StatusNotFound && by.Status() != http.StatusGone {
		return several, nil
	}
	return "", nil
}

// containsFold reports whether a text contains another, ignoring case.
func containsFold(whole, part string) bool {
	return strings.Contains(strings.ToLower(whole), strings.ToLower(part))
}

// readingMarks reports whether a name is that of something a read may change although it is safe: read markers,
// counters, remaining uses.
func readingMarks(name string) bool {
	return resource.HasWord(name, "read", "reads", "unread", "seen", "unseen", "view", "views", "viewed", "visit", "visits", "visited", "hit", "hits", "open", "opened",
		"access", "accessed", "accesses", "use", "used", "uses", "usage", "download", "downloads", "downloaded", "remaining", "left", "new", "last", "recent", "fresh", "attempts", "tries", "once", "nonce", "now")
}
