package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// What the responses around a change show together.

// conclusive returns why nothing is concluded from a change or the read after it, or an error that ends the
// scenario.
func conclusive(change, a *scenario.Answer) (meaning string, err error) {
	switch {
	case change.Status()/100 != 2:
		return "", scenario.Excusef("%s does not change it: status %d", change.Request.Operation.ID, change.Status())
	case change.Status() == http.StatusAccepted:
		return "the change was only accepted (202), and may not be done", nil
	case a.Status()/100 != 2:
		return "", scenario.Excusef("what was changed cannot be read: status %d", a.Status())
	}
	return "", nil
}

// leastLost is how many members, and no other, a change must leave unchanged to be taken for one without effect. A
// single one may be immutable, unless the response to the change shows it changed.
const leastLost = 2

// showsUpdate implements "it shows what was sent".
func showsUpdate(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	op := change.Request.Operation
	sent := sentBy(*change.Request, in.story.life)
	came, others := noteUpdated(s, op.ID, sent, before, after)
	var lost []behaviour.Difference
	for _, d := range others {
		if !another(d) || cut(d) || !settable(in, op, d.Pointer, d.Was) {
			continue
		}
		if statedOf(s, in.story.life, d) {
			return differs(s, a, d), nil
		}
		follows, err := learnUpdated(ctx, s, in, op, d.Pointer)
		if err != nil && !endsScenario(err) {
			return judgement{}, err
		}
		if follows {
			return differs(s, a, d), nil
		}
		if was, there := memberAt(before, d.Pointer); there && same(was, d.Is) && len(came) == 0 {
			follows, err := learnCreated(ctx, s, in, d.Pointer)
			if err != nil {
				return judgement{}, err
			}
			if follows {
				lost = append(lost, d)
			}
		}
	}
	if name, item, found := leftover(in, sent, before, after, op); found {
		j := differs(s, a, behaviour.Difference{Pointer: "/" + name, Was: sent[name], Is: after[name], There: true})
		j.finding.Expected = phrase.Of("only what was sent in {}", phrase.Field(name))
		j.finding.Actual = phrase.Of("{} in it, too, which an earlier request sent", phrase.JSON(exactjson.Describe(item)))
		return j, nil
	}
	if len(came) == 0 && (len(lost) >= leastLost || len(lost) > 0 && claims(in, change, lost[0])) {
		if part := partOf(in.story.life, op); part != "" {
			return judgement{at: a, meaning: "nothing that was sent is shown, and it may be " + part + " that " + op.ID + " changes"}, nil
		}
		return differs(s, a, lost[0]), nil
	}
	return judgement{at: a, kept: len(came) > 0}, nil
}

// leftover returns a list that still shows what the request before sent and the last one does not, and that item. Only requests that
// replace lists are looked at: PUT (RFC 9110, section 9.3.4) and merge patches (RFC 7396).
func leftover(in *instance, sent, before, after map[string]any, op *spec.Operation) (name string, item any, found bool) {
	if op.Method != http.MethodPut && !op.Body.JSON().IsMergePatch() {
		return "", nil, false
	}
	earlier := in.sent()
	if n := len(in.updates); n > 1 {
		earlier = sentBy(*in.updates[n-2].Request, in.story.life)
	}
	for _, p := range in.story.life.Settable(op) {
		list, is := sent[p.Name].([]any)
		old, was := earlier[p.Name].([]any)
		shown, there := after[p.Name].([]any)
		listed, _ := before[p.Name].([]any)
		if !is || !was || !there || !resource.TextList(p.Schema) || resource.HasWord(p.Name, "history", "log", "alias", "aliases", "previous") {
			continue
		}
		for _, item := range old {
			among := func(all []any) bool {
				return slices.ContainsFunc(all, func(o any) bool { return behaviour.Alike(item, o, true) <= behaviour.Normal })
			}
			if among(listed) && !among(list) && among(shown) && behaviour.Alike(list, shown, true) <= behaviour.Normal {
				return p.Name, item, true
			}
		}
	}
	return "", nil, false
}

// claims reports whether the response to a change shows the resource with the value that was sent: then the member
// is not immutable.
func claims(in *instance, change *scenario.Answer, d behaviour.Difference) bool {
	life := in.story.life
	shown, ok := life.Read(change.Value.Tree)
	id, told := life.Identifier(change.Value.Tree)
	if !ok || !told || change.Status() != http.StatusOK || fmt.Sprint(id) != fmt.Sprint(in.resource.Identifier()) {
		return false
	}
	is, there := memberAt(shown, d.Pointer)
	return there && same(is, d.Was)
}

// partOf returns a member of a PATCH body that is a list of objects, or "". Some services have a PATCH for such
// parts alone, although the document lists all members (the record sets of a zone). A merge patch, and a PATCH
// whose schema creations do not use, apply to the members that they list.
func partOf(life resource.Life, op *spec.Operation) string {
	if op.Method != http.MethodPatch || op.Body == nil || op.Body.Schema() == nil || op.Body.JSON().IsMergePatch() {
		return ""
	}
	listed := op.Body.Schema().Properties
	lists := func(name string) bool {
		return slices.ContainsFunc(listed, func(p spec.Property) bool { return p.Name == name })
	}
	created := false
	if by := life.Creator.Operation; by.Body != nil && by.Body.Schema() != nil {
		created = !slices.ContainsFunc(by.Body.Schema().Properties, func(p spec.Property) bool { return !lists(p.Name) })
	}
	if !created && slices.ContainsFunc(life.Names(), func(name string) bool { return !lists(name) }) {
		return ""
	}
	for _, p := range listed {
		if p.Schema == nil || p.Schema.Type != "array" {
			continue
		}
		if item := p.Schema.Item(); item != nil && (item.Type == "object" || len(item.Properties) > 0) {
			return p.Name
		}
	}
	return ""
}

// learnUpdated reports whether an operation stores what it is sent for a member: two other values came back. If
// that is unknown it sends some.
func learnUpdated(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation, pointer string) (bool, error) {
	learned := scenario.Learned(s.Run)
	properties := in.story.life.Settable(op)
	i := slices.IndexFunc(properties, func(p spec.Property) bool { return "/"+p.Name == pointer })
	if learned.Follows(op.ID, pointer) || i < 0 {
		return learned.Follows(op.ID, pointer), nil
	}
	known := func() bool { return learned.Follows(op.ID, pointer) }
	return learned.Learn("changed by "+op.ID+" "+pointer, known, func() (bool, error) {
		trial := &instance{story: in.story, asked: in.asked, created: in.created, resource: in.resource, reads: slices.Clone(in.reads), trial: true}
		told := 0
		values := plainValues(s, properties[i].Schema)
		if resource.TextList(properties[i].Schema) {
			values = singleTexts()
		}
		for n, value := range values {
			if len(values) < 2 || n >= mostLearned || known() {
				break
			}
			if shown, there := memberAt(trial.current(), pointer); there && same(shown, value) { // its return would prove nothing
				if err := changeTo(ctx, s, trial, properties[i].Name, values[(n+1)%len(values)]); err != nil {
					return false, err
				}
			}
			if err := changeTo(ctx, s, trial, properties[i].Name, value); err != nil {
				return false, err
			}
			before, after, change, a, err := states(trial)
			if err != nil {
				return false, err
			}
			if change.Status()/100 != 2 || a.Status()/100 != 2 {
				break
			}
			told++
			noteUpdated(s, op.ID, sentBy(*change.Request, in.story.life), before, after)
		}
		return told >= leastTold, nil
	})
}

// changeTo gives a member another value, and reads the result.
func changeTo(ctx context.Context, s *scenario.Scenario, in *instance, name string, value any) error {
	if err := update(ctx, s, in, withValid(s, scenario.Revision(s, in.story.update, in.resource), name, value)); err != nil {
		return err
	}
	return reads(in.story.life.Reader)(ctx, s, in)
}

// learnCreated reports whether a creation stores what it is sent for a member. If that is unknown it creates other
// resources.
func learnCreated(ctx context.Context, s *scenario.Scenario, in *instance, pointer string) (bool, error) {
	learned, creator := scenario.Learned(s.Run), in.asked.Operation.ID
	known := func() bool { return learned.Follows(creator, pointer) }
	return learned.Learn("prepared by "+creator+" "+pointer, known, func() (bool, error) {
		told := 0
		for n := 0; n < leastTold && !known(); n++ { // each with its own values
			switch err := prepared(ctx, s, &instance{story: in.story}); {
			case err == nil:
				told++
			case !endsScenario(err):
				return false, err
			}
		}
		return told >= leastTold, nil
	})
}

// leastKept is how many omitted members a service must keep, with none gone, to be taken for one that merges.
const leastKept = 2

// leftOutIsReplaced implements "what was left out is not what it was". A service that keeps everything that is
// omitted is taken for one that merges, as many do. That is only recorded, unless the document or the rules file says
// that the request replaces the resource.
func leftOutIsReplaced(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	if len(in.reads) < 5 || len(in.updates) < 4 {
		return judgement{}, scenario.Excusef("it was not changed twice")
	}
	a, op := in.reads[len(in.reads)-1], in.updates[0].Request.Operation
	for i, change := range in.updates {
		if meaning, err := conclusive(change, in.reads[i+1]); err != nil || meaning != "" {
			return judgement{at: a, meaning: meaning}, err
		}
	}
	stayed, vanished := leftOut(in, op)
	which := "which was left out, while others that were left out are gone"
	switch {
	case len(stayed) == 0:
		return judgement{at: a, kept: vanished > 0}, nil
	case vanished == 0 && !s.Rule.Stated && (!resource.Replaces(op) || len(stayed) < leastKept):
		return judgement{at: a, meaning: "it keeps all that is left out: it merges"}, nil
	case vanished == 0:
		which = "which was left out of what replaces it, according to the document"
		later, err := stillThere(ctx, s, in, stayed[0])
		if err != nil || !later {
			return judgement{at: a, meaning: "what is left out is gone later"}, err
		}
	}
	d := stayed[0]
	j := wrong(s, a, spec.KindDiffers, phrase.Of("another value than {} in {}, "+which, phrase.JSON(exactjson.Describe(d.Was)), phrase.Pointer(d.Pointer)), phrase.Of("{}", phrase.JSON(exactjson.Describe(d.Is))))
	j.finding.Pointer, j.finding.Detail = d.Pointer, d.Pointer
	j.finding.Where = j.finding.Where.At(d.Pointer)
	j.finding.Cause += " " + d.Pointer
	return j, nil
}

// stillThere reports whether a member has the same value some time later.
func stillThere(ctx context.Context, s *scenario.Scenario, in *instance, d behaviour.Difference) (bool, error) {
	if err := client.Sleep(ctx, s.Run.Patience.Lag()); err != nil {
		return false, err
	}
	r, with, err := requestAbout(ctx, s, in, in.story.life.Reader)
	if err != nil {
		return false, err
	}
	a, err := s.Ask(ctx, r, with, s.Pickle.Name+", some time later")
	if err != nil || a.Status()/100 != 2 {
		return false, err
	}
	shown, _ := in.story.life.Read(in.note(a).Value.Tree)
	is, there := memberAt(shown, d.Pointer)
	return there && same(d.Is, is), nil
}

// leftOut returns the members that twice showed what was sent, each time another value, and still showed it when
// they were omitted; and how many showed something else both times.
func leftOut(in *instance, op *spec.Operation) (stayed []behaviour.Difference, vanished int) {
	life := in.story.life
	for _, p := range life.Optional(op) {
		pointer := "/" + p.Name
		var stays []any
		set := 0
		for i := 0; i < 4; i += 2 {
			value, sent := memberAt(sentBy(*in.updates[i].Request, life), pointer)
			shown, _ := life.Read(in.reads[i+1].Value.Tree)
			later, _ := life.Read(in.reads[i+2].Value.Tree)
			was, _ := memberAt(shown, pointer)
			is, there := memberAt(later, pointer)
			if holdsMember(*in.updates[i+1].Request, p.Name) || !sent || !same(value, was) || !judgedOrBoolean(life, pointer, was) {
				continue
			}
			if set++; there && same(was, is) {
				stays = append(stays, was)
			}
		}
		switch {
		case len(stays) == 2 && !same(stays[0], stays[1]):
			stayed = append(stayed, behaviour.Difference{Pointer: pointer, Was: stays[1], Is: stays[1], There: true})
		case set == 2 && len(stays) == 0:
			vanished++
		}
	}
	return stayed, vanished
}

// restUnchanged implements "the rest of it is as it was".
func restUnchanged(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if meaning, err := conclusive(change, a); err != nil || meaning != "" {
		return judgement{at: a, meaning: meaning}, err
	}
	sent := sentBy(*change.Request, in.story.life)
	sentBefore, _ := behaviour.Compare(in.sent(), before)
	named := 0
	maps.DeleteFunc(sentBefore, func(pointer string, was any) bool {
		_, named := sent[firstMember(pointer)]
		return named || !judgedOrBoolean(in.story.life, pointer, was)
	})
	for _, d := range noLongerShown(sentBefore, after) {
		follows, err := learnCreated(ctx, s, in, d.Pointer)
		if err != nil {
			return judgement{}, err
		}
		if follows {
			return differs(s, a, d), nil
		}
		named++
	}
	return judgement{at: a, kept: len(sentBefore) > named}, nil
}

// readOnly implements "what is only to be read is as it was".
func readOnly(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	sent, class := sentBy(*change.Request, in.story.life), change.Status()/100
	if class != 2 && class != 4 {
		return judgement{}, scenario.Excusef("%s neither succeeds nor refuses: status %d", change.Request.Operation.ID, change.Status())
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		value, member := sent[name], in.story.life.Member(name)
		was, there := before[name]
		if member == nil || !member.ReadOnly || !there || same(was, value) {
			continue
		}
		gone := a.Status() == http.StatusNotFound || a.Status() == http.StatusGone
		switch is, shown := after[name]; {
		case gone && class == 2 && in.story.life.Identifies(name):
			j := wrongStatus(s, a, "a success, because its identifier is read-only")
			j.finding.Kind = spec.KindLost
			return j, nil
		case shown && same(is, value):
			return differs(s, a, behaviour.Difference{Pointer: "/" + name, Was: was, Is: is, There: true}), nil
		}
		return judgement{at: a, kept: a.Status()/100 == 2}, nil
	}
	return judgement{}, scenario.Excusef("no property that was sent is read-only and was shown before")
}

// unchanged implements "nothing of it was changed".
func unchanged(_ context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	before, after, change, a, err := states(in)
	if err != nil {
		return judgement{}, err
	}
	if !slices.Contains([]int{400, 401, 403, 405, 406, 409, 412, 413, 415, 422, 428}, change.Status()) {
		return judgement{}, scenario.Excusef("%s does not refuse it: status %d", change.Request.Operation.ID, change.Status())
	}
	if change.Request.Operation.Method == http.MethodDelete {
		if a.Status() == http.StatusNotFound || a.Status() == http.StatusGone {
			j := wrongStatus(s, a, "a success, because its deletion was refused")
			j.finding.Kind = spec.KindLost
			return j, nil
		}
		return judgement{at: a, kept: a.Status()/100 == 2}, nil
	}
	if a.Status()/100 != 2 {
		return judgement{at: a, meaning: fmt.Sprintf("status %d, which does not say whether it was changed", a.Status())}, nil
	}
	could := false
	now, _ := behaviour.Compare(sentBy(*change.Request, in.story.life), after)
	for _, pointer := range slices.Sorted(maps.Keys(now)) { // in a fixed order, so a second instance confirms the same one
		was, there := memberAt(before, pointer)
		value := now[pointer]
		if resource.StateLike(firstMember(pointer)) || behaviour.Alike(value, was, there) != behaviour.Another {
			continue // a missing member may be a default that is set late
		}
		return differs(s, a, behaviour.Difference{Pointer: pointer, Was: was, Is: value, There: true}), nil
	}
	for name, value := range sentBy(*change.Request, in.story.life) {
		was, there := before[name]
		could = could || behaviour.Alike(value, was, there) == behaviour.Another
	}
	return judgement{at: a, kept: could}, nil
}
