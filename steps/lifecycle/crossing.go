package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// mostFollowed is how many texts of a resource are changed together.
const mostFollowed = 2

// changesText implements "<operation> gives it a new text". It changes up to two members on which hardly anything
// depends.
func changesText(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		c := &in.concurrent
		for _, p := range in.story.life.Texts(op) {
			if len(c.members) < mostFollowed && givesTexts(s, in, append(slices.Clone(c.members), p)) != nil {
				c.members = append(c.members, p)
			}
		}
		r := givesTexts(s, in, c.members)
		if r == nil || len(c.members) == 0 {
			return scenario.Excusef("no text that %s gives it is known to be allowed", op.ID)
		}
		if err := update(ctx, s, in, *r); err != nil {
			return err
		}
		return succeeded(in)
	}
}

// givesTexts returns a request that gives members new texts, or nil if the contract does not allow it.
func givesTexts(s *scenario.Scenario, in *instance, members []spec.Property) *request.Request {
	r := scenario.Revision(s, in.story.update, in.resource)
	op := r.Operation
	whole, media, _ := r.Body()
	body := map[string]any{}
	if op.Method == "PATCH" {
		for name, value := range in.current() {
			if resource.Required(op, name) {
				body[name] = value
			}
		}
	} else if sent, is := whole.(map[string]any); is {
		maps.Copy(body, sent)
	}
	for _, p := range members {
		body[p.Name] = s.Run.FreshName()
	}
	if schema := op.Body.Schema(); schema != nil && !s.Run.Promises.Valid(schema, body) {
		return nil
	}
	r = r.WithBody(media, body)
	return &r
}

// labels names the values of members in a history; unknown values are named by themselves.
type labels struct {
	members []spec.Property
	known   []map[string]any
}

// labelsOf returns the label of each member, or "" where the value says nothing.
func (l labels) labelsOf(shown map[string]any) []string {
	out := make([]string, len(l.members))
	for m, p := range l.members {
		value, there := shown[p.Name]
		out[m] = exactjson.Describe(value)
		if behaviour.Alike("something", value, there) == behaviour.Hidden {
			out[m] = ""
		}
		for _, one := range l.known {
			if was, text := one[p.Name].(string); text && behaviour.Alike(was, value, there) <= behaviour.Normal {
				out[m] = was
			}
		}
	}
	return out
}

// patience returns how long a read may show an earlier state.
func patience(s *scenario.Scenario) time.Duration { return s.Run.Patience.Patient() }

// changesAtOnce implements "<operation> gives it other texts at the same time, while <operation> reads it".
func changesAtOnce(op, reader *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		c, last := &in.concurrent, in.updates[len(in.updates)-1]
		sent, shown := sentBy(*last.Request, in.story.life), in.current()
		c.members = slices.DeleteFunc(c.members, func(p spec.Property) bool {
			is, there := shown[p.Name]
			return behaviour.Alike(sent[p.Name], is, there) > behaviour.Normal
		})
		if len(c.members) == 0 || last.Status() == 202 {
			return scenario.Excusef("no text that %s gives it alone is read", op.ID)
		}
		known := labels{members: c.members, known: []map[string]any{sent}}
		c.begin = known.labelsOf(shown)
		changes := make([]request.Request, promise.ChangedAtOnce)
		for i := range changes {
			r := givesTexts(s, in, c.members)
			if r == nil {
				return scenario.Excusef("no text that %s gives it is known to be allowed", op.ID)
			}
			changes[i] = *r
			known.known = append(known.known, sentBy(*r, in.story.life))
		}
		plain, with, err := requestAbout(ctx, s, in, reader)
		if err != nil {
			return err
		}
		ctx = scenario.Together(ctx)
		begun, mu := time.Now(), sync.Mutex{}
		ask := func(one int, r request.Request, with credential, late bool) error {
			start := time.Since(begun)
			a, err := s.Ask(ctx, r, with, s.Pickle.Name)
			if err != nil {
				return err
			}
			e := event{client: one, begun: start, ended: time.Since(begun), late: late, answer: a}
			mu.Lock()
			defer mu.Unlock()
			judgeConcurrentStatus(s, a)
			c.note(in, e, known)
			return nil
		}
		err = together(len(changes)+promise.ReadAtOnce, func(one int) error {
			if one < len(changes) {
				return ask(one, changes[one], in.story.update.Credential, false)
			}
			return errors.Join(ask(one, plain, with, false), ask(one, plain, with, false))
		})
		if err != nil || c.meaning != "" {
			return err
		}
		if !slices.ContainsFunc(c.history, func(e event) bool { return e.set }) {
			return scenario.Excusef("no concurrent change is made")
		}
		return settles(ctx, s, c, func() error {
			return together(promise.ReadAtOnce, func(one int) error { return ask(len(changes)+one, plain, with, true) })
		})
	}
}

// note adds an event with the values that it sets or shows.
func (c *concurrent) note(in *instance, e event, known labels) {
	in.note(e.answer)
	status, change := e.answer.Status(), e.answer.Exchange.Operation == in.story.update.Request.Operation.ID
	switch {
	case change && status/100 == 4: // it had no effect
	case change && status/100 != 2, change && status == 202:
		c.meaning = fmt.Sprintf("status %d does not say whether a change was done", status)
	case change:
		e.set, e.values = true, known.labelsOf(sentBy(*e.answer.Request, in.story.life))
		c.history = append(c.history, e)
	default:
		shown, ok := in.story.life.Read(e.answer.Value.Tree)
		switch {
		case status/100 == 2 && ok:
			e.values = known.labelsOf(shown)
		case e.late && (status == 404 || status == 410):
			e.values = slices.Repeat([]string{nothing}, len(known.members))
		default:
			return
		}
		c.history = append(c.history, e)
	}
}

// settles repeats read until the history is explained, or the patience of the run ends.
func settles(ctx context.Context, s *scenario.Scenario, c *concurrent, read func() error) error {
	for next := newPacer(patience(s)); ; {
		c.history = slices.DeleteFunc(c.history, func(e event) bool { return e.late })
		if err := read(); err != nil {
			return err
		}
		if c.history.unexplained(c.begin, patience(s)) == nil {
			return nil
		}
		if more, err := next.wait(ctx); !more {
			return err
		}
	}
}

// explains implements "one order of the changes explains what is read".
func explains(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	j := crossed(s, in)
	if !j.broken() || !in.concurrent.lost(patience(s)) {
		return j, nil
	}
	lost, err := lostByCrossing(ctx, s, in.story)
	if err == nil && !lost {
		j = judgement{at: j.at, meaning: j.finding.Actual.String() + ", which does not come of the changes alone"}
	}
	return j, err
}

// nothing is the label for all members of a missing resource.
const nothing = "nothing"

// lost reports whether the unexplained part is that the resource no longer exists.
func (c *concurrent) lost(patience time.Duration) bool {
	part := c.history.unexplained(c.begin, patience)
	return len(part) > 0 && slices.Contains(part[len(part)-1].values, nothing)
}

// lostByCrossing reports whether concurrent changes lose another resource as well, while an older, unchanged one
// remains. Otherwise the service may keep only the newest resources.
func lostByCrossing(ctx context.Context, s *scenario.Scenario, st *story) (bool, error) {
	older, again := &instance{story: st}, &instance{story: st}
	op, reader := st.update.Request.Operation, st.life.Reader
	for _, step := range []struct {
		do move
		of *instance
	}{
		{creates, older}, {creates, again}, {reads(reader), again}, {changesText(op), again}, {reads(reader), again},
		{changesAtOnce(op, reader), again}, {reads(reader), older},
	} {
		if err := step.do(ctx, s, step.of); endsScenario(err) {
			return false, nil // what cannot be repeated is no violation
		} else if err != nil {
			return false, err
		}
	}
	return older.reads[0].Status()/100 == 2 && again.concurrent.meaning == "" && again.concurrent.lost(patience(s)), nil
}

// crossed judges what was read during concurrent changes.
func crossed(s *scenario.Scenario, in *instance) judgement {
	c := &in.concurrent
	if c.meaning != "" {
		return judgement{at: in.updates[len(in.updates)-1], meaning: c.meaning}
	}
	last := c.history[len(c.history)-1].answer
	part := c.history.unexplained(c.begin, patience(s))
	if part == nil {
		late := slices.ContainsFunc(c.history, func(e event) bool { return e.late })
		return judgement{at: last, kept: late}
	}
	e := part[len(part)-1]
	var names []string
	for _, p := range c.members {
		names = append(names, p.Name)
	}
	expected := phrase.Of("what one of the concurrent changes sent, in {}", phrase.Field(names[0]))
	if len(names) > 1 {
		expected = phrase.Of("what one of the concurrent changes sent, in {} and {}", phrase.Field(names[0]), phrase.Field(names[1]))
	}
	actual := phrase.Of("{}", phrase.JSON(exactjson.Describe(asAny(e.values))))
	if len(part) > 1 {
		actual = phrase.Of("{} in one read, {} in another", phrase.JSON(exactjson.Describe(asAny(part[0].values))), phrase.JSON(exactjson.Describe(asAny(e.values))))
	}
	j := wrong(s, e.answer, spec.KindDiffers, expected, actual)
	j.finding.Detail = names[0]
	if !e.late {
		j.finding.Cause += " meanwhile"
	}
	return j
}

func asAny(all []string) []any {
	out := make([]any, len(all))
	for i, one := range all {
		out[i] = one
	}
	return out
}

// deletedBy is how many clients delete the same resource concurrently.
const deletedBy = 2

// deletesAtOnce implements "<operation> deletes it, while <operation> reads it".
func deletesAtOnce(op, reader *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if err := requireOwned(in); err != nil {
			return err
		}
		if a := in.reads[len(in.reads)-1]; a.Status()/100 != 2 {
			return scenario.Excusef("what was created cannot be read: status %d", a.Status())
		}
		remove, by, err := requestAbout(ctx, s, in, op)
		if err != nil {
			return err
		}
		plain, with, err := requestAbout(ctx, s, in, reader)
		if err != nil {
			return err
		}
		ctx = scenario.Together(ctx)
		var mu sync.Mutex
		ask := func(r request.Request, with credential) (*scenario.Answer, error) {
			a, err := s.Ask(ctx, r, with, s.Pickle.Name)
			if err == nil {
				mu.Lock()
				defer mu.Unlock()
				judgeConcurrentStatus(s, in.note(a))
			}
			return a, err
		}
		err = together(deletedBy+promise.ReadAtOnce, func(one int) error {
			if one < deletedBy {
				a, err := ask(remove, by)
				if err == nil && a.Status()/100 == 2 {
					mu.Lock()
					defer mu.Unlock()
					in.deleted = append(in.deleted, a)
				}
				return err
			}
			_, err := ask(plain, with)
			if err == nil {
				_, err = ask(plain, with)
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(in.deleted) == 0 {
			return scenario.Stopf("%s does not delete it", op.ID)
		}
		return staysGone(ctx, s, in, func() (*scenario.Answer, error) { return ask(plain, with) })
	}
}

// staysGone repeats reads until two rounds in a row show that a resource is gone, or the patience of the run ends.
func staysGone(ctx context.Context, s *scenario.Scenario, in *instance, read func() (*scenario.Answer, error)) error {
	rounds := 0
	for next := newPacer(patience(s)); ; {
		all := make([]*scenario.Answer, promise.ReadAtOnce)
		if err := together(len(all), func(one int) (err error) {
			all[one], err = read()
			return err
		}); err != nil {
			return err
		}
		rounds++
		for _, a := range all {
			if a != nil {
				in.reads = append(in.reads, a)
			}
		}
		if i := slices.IndexFunc(all, func(a *scenario.Answer) bool { return a != nil && a.Status()/100 == 2 }); i >= 0 {
			in.reads, rounds = append(in.reads, all[i]), 0
		}
		if rounds == 2 {
			return nil
		}
		if more, err := next.wait(ctx); !more {
			return err
		}
	}
}

// goneForGood implements "it is gone, and stays so". A violation counts only if a resource deleted without
// concurrent requests is gone.
func goneForGood(ctx context.Context, s *scenario.Scenario, in *instance) (judgement, error) {
	j, err := isGone(ctx, s, in)
	if err != nil || !j.broken() {
		return j, err
	}
	kept, err := goneAlone(ctx, s, in.story)
	if err != nil {
		return judgement{}, err
	}
	if !kept {
		j = judgement{at: j.at, meaning: j.finding.Actual.String() + "; the same holds for resources that are deleted while they are not read"}
	}
	return j, nil
}

// goneAlone reports whether a resource deleted without concurrent reads is gone.
func goneAlone(ctx context.Context, s *scenario.Scenario, st *story) (bool, error) {
	alone := &instance{story: st}
	for _, m := range []move{creates, deletes(st.life.Remover), reads(st.life.Reader)} {
		if err := m(ctx, s, alone); endsScenario(err) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	j, err := isGone(ctx, s, alone)
	return j.kept, err
}
