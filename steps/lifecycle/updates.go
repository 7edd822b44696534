package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// updateForms returns the steps about changing resources.
func updateForms() []scenario.Form {
	return []scenario.Form{
		{Pattern: promise.ToBeChanged, Do: whenToBeChanged},
		{Pattern: promise.Changes.Pattern(), Do: movedBy(asMade)},
		{Pattern: promise.ChangesAll.Pattern(), Do: movedBy(otherValues)},
		{Pattern: promise.LeavesOut.Pattern(), Do: movedBy(leavesOut)},
		{Pattern: promise.ChangesMember.Pattern(), Do: whenMemberChanged},
		{Pattern: promise.ShowsSent, Do: then(showsUpdate)},
		{Pattern: promise.LeftOutIsNotKept, Do: then(leftOutIsReplaced)},
		{Pattern: promise.RestIsAsItWas, Do: then(restUnchanged)},
		{Pattern: promise.ReadOnlyIsAsItWas, Do: then(readOnly)},
		{Pattern: promise.Nulls.Pattern(), Do: whenNull},
		{Pattern: promise.ChangesInside.Pattern(), Do: whenChangedInside},
		{Pattern: promise.IsRemoved, Do: then(isRemoved)},
		{Pattern: promise.InsideStays, Do: then(insideStays)},
		{Pattern: promise.AsCreated, Do: then(asCreated)},
		{Pattern: promise.SameIdentity, Do: then(sameIdentity)},
		{Pattern: promise.NothingChanged, Do: then(unchanged)},
	}
}

// whenToBeChanged implements "there is a resource to be changed". It begins a story of which the request being
// built is a later part.
func whenToBeChanged(ctx context.Context) error {
	s := scenario.From(ctx)
	m, err := s.Making()
	if err != nil {
		return err
	}
	life, creates, ok := promise.LifeChanged(s.Run.Promises, m.Request.Operation)
	if !ok {
		return scenario.Excusef("it is unclear what %s changes", m.Request.Operation.ID)
	}
	plain, err := s.Plain(ctx, creates)
	if err != nil {
		return err
	}
	st := &story{making: &scenario.Making{Request: plain.Request, Credential: plain.Answer.Credential, Plain: plain}, life: life, update: m}
	st.now = &instance{story: st}
	s.Life = st
	return perform(ctx, s, prepared)
}

// whenMemberChanged implements "<operation> changes its member <name> alone".
func whenMemberChanged(ctx context.Context, name, member string) error {
	s := scenario.From(ctx)
	op, err := operation(s, unquoted(name))
	if err != nil {
		return err
	}
	return perform(ctx, s, changesMember(op, unquoted(member)))
}

// prepared creates a resource with as many members as possible, and reads it.
func prepared(ctx context.Context, s *scenario.Scenario, in *instance) error {
	if err := createsWhole(ctx, s, in); err != nil {
		return err
	}
	if err := requireOwned(in); err != nil {
		return err
	}
	if err := reads(in.story.life.Reader)(ctx, s, in); err != nil {
		return err
	}
	shown, ok := in.story.life.Read(in.reads[0].Value.Tree)
	if in.reads[0].Status()/100 != 2 || !ok {
		return scenario.Excusef("what was created cannot be read: status %d", in.reads[0].Status())
	}
	same, _ := behaviour.Compare(in.sent(), shown)
	scenario.Learned(s.Run).Note(in.asked.Operation.ID, same)
	return nil
}

// createsWhole implements "it creates a resource with all that is known": all members with plain values, and
// references.
func createsWhole(ctx context.Context, s *scenario.Scenario, in *instance) error {
	st := in.story
	st.turn++
	in.turn = st.turn
	making := *st.making
	named, err := scenario.Referring(ctx, s, making.Request.Operation)
	if err != nil {
		return err
	}
	plain := st.making.Request
	whole, safe := plain, plain
	for _, p := range st.life.Settable(plain.Operation) {
		value, ok := named[p.Name]
		refers := !ok && scenario.Refers(s.Run, plain.Operation, p.Name)
		if !ok {
			value, ok = plainValue(s, p.Schema, st.turn)
		}
		if inside := st.life.Inside(plain.Operation, p.Name); !ok && len(inside) > 1 {
			object := map[string]any{}
			for _, inner := range inside {
				if one, known := plainValue(s, inner.Schema, st.turn); known {
					object[inner.Name] = one
				}
			}
			value, ok = object, len(object) > 1
		}
		if list := []any{"hallmark two", "hallmark one"}; !ok && resource.TextList(p.Schema) && s.Run.Promises.Valid(p.Schema, list) {
			value, ok, refers = list, true, true // its texts may be references
		}
		if !ok || holdsMember(plain, p.Name) {
			continue
		}
		whole = withValid(s, whole, p.Name, value)
		if !refers {
			safe = withValid(s, safe, p.Name, value)
		}
	}
	all := []request.Request{scenario.Modest(s, whole), scenario.Modest(s, safe), plain}
	all = slices.CompactFunc(all, request.Request.Equal)
	for i, r := range all {
		making.Request = r
		made := &instance{story: &story{making: &making, life: st.life}}
		err := creates(ctx, s, made)
		if endsScenario(err) && i < len(all)-1 && made.created != nil && made.created.Status()/100 == 4 {
			continue // no schema says which members may not be combined, or what must exist
		}
		if made.created != nil {
			in.asked, in.created, in.resource, in.all = made.asked, made.created, made.resource, append(in.all, made.all...)
		}
		return err
	}
	return nil
}

func holdsMember(r request.Request, name string) bool {
	body, _, _ := r.Body()
	members, _ := body.(map[string]any)
	_, there := members[name]
	return there
}

// withValid returns a request with another member of its body, if its schema allows that.
func withValid(s *scenario.Scenario, r request.Request, name string, value any) request.Request {
	with, err := r.WithBodyAt(jsonpointer.Join("", name), value)
	if err != nil {
		return r
	}
	body, _, _ := with.Body()
	if schema := r.Operation.Body.Schema(); schema != nil && !s.Run.Promises.Valid(schema, body) {
		return r
	}
	return with
}

// plainValue returns one of several plain values of a schema; false if fewer than two are known.
func plainValue(s *scenario.Scenario, schema *spec.Schema, turn int) (any, bool) {
	all := plainValues(s, schema)
	if len(all) < 2 {
		return nil, false
	}
	return all[turn%len(all)], true
}

// plainValues returns the known plain values of a schema.
func plainValues(s *scenario.Scenario, schema *spec.Schema) []any {
	var all []any
	for _, text := range schema.Enum {
		if v, err := exactjson.Decode([]byte(text)); err == nil && v.Tree != nil {
			all = append(all, v.Tree)
		}
	}
	if resource.NameMap(schema) {
		for _, text := range []string{"hallmark one", "hallmark two", "hallmark three"} {
			all = append(all, map[string]any{promise.NameInMap: text})
		}
	}
	if kind, plain := plainType(*schema); plain && len(all) == 0 {
		switch {
		case kind == "string" && schema.Format == "":
			for _, text := range []string{"hallmark one", "hallmark two", "hallmark three", "one", "two"} {
				all = append(all, text)
			}
		case kind == "boolean":
			all = []any{true, false}
		case kind == "integer", kind == "number" && (schema.Minimum != "" || schema.Maximum != ""):
			for _, n := range []string{"3", "4", "5"} {
				all = append(all, json.Number(n))
			}
			for _, bound := range []string{schema.Minimum, schema.Maximum} {
				if schema.Format == "" && kind == "integer" && bound != "" {
					all = append(all, json.Number(bound))
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(v any) bool { return !s.Run.Promises.Valid(schema, v) })
}

// plainType returns the only type of a schema besides null; false if the schema restricts values by more than
// type, format and bounds.
func plainType(schema spec.Schema) (string, bool) {
	schema.Types = slices.DeleteFunc(slices.Clone(schema.Types), func(name string) bool { return name == "null" })
	return schema.Type, schema.Type != "" && schema.Simple()
}

// update sends a request that changes the resource, and records the response.
func update(ctx context.Context, s *scenario.Scenario, in *instance, r request.Request) error {
	if err := requireOwned(in); err != nil {
		return err
	}
	a, err := s.Ask(ctx, r, in.story.update.Credential, s.Pickle.Name)
	if err != nil {
		return err
	}
	in.updates = append(in.updates, in.note(a))
	s.SetAnswers(a)
	if !slices.ContainsFunc(s.Rule.Cases, func(k string) bool { return k == string(promise.Unchanged) || k == string(promise.ReadOnly) }) {
		judgeStatus(s, r.Operation, a) // the requests of those rules may be invalid
	}
	return nil
}

// succeeded ends the scenario if the last change did not succeed.
func succeeded(in *instance) error {
	if a := in.updates[len(in.updates)-1]; a.Status()/100 != 2 {
		return scenario.Excusef("%s does not change it: status %d", a.Request.Operation.ID, a.Status())
	}
	return nil
}

// asMade implements "<operation> changes it", with the request being built.
func asMade(*spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		return update(ctx, s, in, scenario.Revision(s, in.story.update, in.resource))
	}
}

// current returns the members that the last read showed.
func (in *instance) current() map[string]any {
	shown, _ := in.story.life.Read(in.reads[len(in.reads)-1].Value.Tree)
	return shown
}

// otherValues implements "<operation> gives it other values".
func otherValues(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		if err := update(ctx, s, in, withOthers(s, in, op)); err != nil {
			return err
		}
		return succeeded(in)
	}
}

// withOthers returns a request that gives the resource other values than the last read showed.
func withOthers(s *scenario.Scenario, in *instance, op *spec.Operation) request.Request {
	in.story.turn++
	r := scenario.Revision(s, in.story.update, in.resource)
	naming := resource.Naming(op)
	for _, p := range in.story.life.Settable(op) {
		if holdsMember(r, p.Name) && slices.ContainsFunc(naming, func(n spec.Property) bool { return n.Name == p.Name }) {
			continue // it has a new name already
		}
		if scenario.Refers(s.Run, op, p.Name) {
			continue // what it refers to must exist
		}
		if value, ok := anotherPlain(s, in, p); ok {
			r = withValid(s, r, p.Name, value)
		}
		if resource.TextList(p.Schema) && plainTexts(in, p.Name) {
			r = withValid(s, r, p.Name, otherTexts(s, in, p.Name))
		}
		if object := otherObject(s, in, op, p.Name); len(object) > 0 {
			r = withValid(s, r, p.Name, object)
		}
	}
	return scenario.Modest(s, r)
}

// plainTexts reports whether a list may hold any texts: the creation sent some, and what was read shows no others.
func plainTexts(in *instance, name string) bool {
	was, sent := in.sent()[name]
	is := in.current()[name]
	shown, list := is.([]any)
	return sent && (isEmpty(is) || list && behaviour.Alike(shown, was, true) <= behaviour.Normal)
}

// otherTexts returns as many new texts for a list as the creation sent, at most two.
func otherTexts(s *scenario.Scenario, in *instance, name string) []any {
	sent, _ := in.sent()[name].([]any)
	all := []any{s.Run.FreshName()}
	if len(sent) > 1 {
		all = append(all, s.Run.FreshName())
	}
	return all
}

// otherObject returns an object with other plain values than the creation sent and the last read showed; nil if the creation sent none.
func otherObject(s *scenario.Scenario, in *instance, op *spec.Operation, name string) map[string]any {
	sent, created := in.sent()[name].(map[string]any)
	shown, _ := in.current()[name].(map[string]any)
	if !created {
		return nil
	}
	object := map[string]any{}
	for _, inner := range in.story.life.Inside(op, name) {
		for i := range 3 {
			if value, ok := plainValue(s, inner.Schema, in.story.turn+i); ok && !same(value, sent[inner.Name]) && !same(value, shown[inner.Name]) {
				object[inner.Name] = value
				break
			}
		}
	}
	return object
}

// leavesOut implements "<operation> leaves out what it may", from the request before.
func leavesOut(op *spec.Operation) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		r := *in.updates[len(in.updates)-1].Request
		for _, p := range in.story.life.Optional(op) {
			if !holdsMember(r, p.Name) {
				continue
			}
			without, err := r.WithoutBodyAt(jsonpointer.Join("", p.Name))
			if err != nil {
				continue
			}
			body, _, _ := without.Body()
			if s.Run.Promises.Valid(op.Body.Schema(), body) {
				r = without
			}
		}
		if err := update(ctx, s, in, r); err != nil {
			return err
		}
		return succeeded(in)
	}
}

// changesMember implements "<operation> changes its member <name> alone".
func changesMember(op *spec.Operation, name string) move {
	return func(ctx context.Context, s *scenario.Scenario, in *instance) error {
		in.story.turn++
		made := scenario.Revision(s, in.story.update, in.resource)
		settable := in.story.life.Settable(op)
		i := slices.IndexFunc(settable, func(p spec.Property) bool { return p.Name == name })
		if i < 0 {
			return scenario.Excusef("%s sets no member %s", op.ID, name)
		}
		body := map[string]any{}
		for name, value := range in.current() {
			if resource.Required(op, name) {
				body[name] = value
			}
		}
		var ok bool
		if body[name], ok = otherValue(s, in, settable[i]); !ok || !s.Run.Promises.Valid(op.Body.Schema(), body) {
			return scenario.Excusef("the contract allows no request to %s that names %s alone", op.ID, name)
		}
		_, media, _ := made.Body()
		if err := update(ctx, s, in, made.WithBody(media, body)); err != nil {
			return err
		}
		return succeeded(in)
	}
}

// otherValue returns another value of a member than the last read showed: a unique name for a free text, on which
// hardly anything depends.
func otherValue(s *scenario.Scenario, in *instance, p spec.Property) (any, bool) {
	if resource.FreeText(p.Schema) {
		return s.Run.FreshName(), true
	}
	return anotherPlain(s, in, p)
}

// anotherPlain returns another plain value of a member than the last read showed; false if none is known.
func anotherPlain(s *scenario.Scenario, in *instance, p spec.Property) (any, bool) {
	for i := range 3 {
		if value, ok := plainValue(s, p.Schema, in.story.turn+i); ok && !same(value, in.current()[p.Name]) {
			return value, true
		}
	}
	return nil, false
}

// readsUpdated repeats a read after a change until it no longer shows the earlier values, at most for the patience
// of the run. A trial does not wait after waiting was in vain several times.
func readsUpdated(ctx context.Context, s *scenario.Scenario, in *instance, op *spec.Operation) (*scenario.Answer, error) {
	r, with, err := requestAbout(ctx, s, in, op)
	if err != nil {
		return nil, err
	}
	changing, before := in.updates[len(in.updates)-1], in.current()
	sent := sentBy(*changing.Request, in.story.life)
	late := scenario.Learned(s.Run).Lateness(changing.Request.Operation.ID)
	patience := s.Run.Patience.Patient()
	if in.trial && late.Hopeless() {
		patience = 0
	}
	asks, shows := 0, false
	a, err := UntilWithin(ctx, patience, func() (*scenario.Answer, error) { asks++; return s.Ask(ctx, r, with, s.Pickle.Name) }, func(a *scenario.Answer) bool {
		shown, ok := in.story.life.Read(a.Value.Tree)
		if a.Status()/100 != 2 || !ok || changing.Status()/100 != 2 {
			return true
		}
		if left := leftBy(in); len(left) > 0 && !slices.ContainsFunc(left, func(name string) bool { return !same(before[name], shown[name]) }) {
			return false
		}
		for name, value := range sent {
			if is, there := shown[name]; value == nil && there && !isEmpty(is) && same(is, before[name]) {
				return false // it is to be removed
			}
		}
		if _, _, still := leftover(in, sent, before, shown, changing.Request.Operation); still {
			return false // an item is to be removed
		}
		_, others := behaviour.Compare(sent, shown)
		shows = !slices.ContainsFunc(others, func(d behaviour.Difference) bool {
			was, there := exactjson.Value{Tree: before, Valid: true}.At(d.Pointer)
			return judged(in.story.life, d.Pointer, d.Was) && d.There == there && same(was.Tree, d.Is)
		})
		return shows
	})
	if asks > 1 {
		late.Note(shows)
	}
	return a, err
}

// leftBy returns the members that the last replacing request omitted, and the one before sent.
func leftBy(in *instance) []string {
	n := len(in.updates)
	if n < 2 || in.updates[n-1].Request.Operation.Method != http.MethodPut {
		return nil
	}
	var all []string
	now := sentBy(*in.updates[n-1].Request, in.story.life)
	for name := range sentBy(*in.updates[n-2].Request, in.story.life) {
		if _, there := now[name]; !there {
			all = append(all, name)
		}
	}
	return all
}

// settable reports whether a member that a change sets is judged.
func settable(in *instance, op *spec.Operation, pointer string, was any) bool {
	return judged(in.story.life, pointer, was) && slices.ContainsFunc(in.story.life.Settable(op), func(p spec.Property) bool { return p.Name == firstMember(pointer) })
}

// memberAt returns the value at a pointer; false if there is none.
func memberAt(members map[string]any, pointer string) (any, bool) {
	v, there := exactjson.Value{Tree: members, Valid: true}.At(pointer)
	return v.Tree, there
}

// states returns what was shown before and after the last change. It returns an error if nothing was changed and
// read.
func states(in *instance) (before, after map[string]any, change, a *scenario.Answer, err error) {
	if len(in.reads) < 2 || len(in.updates) == 0 {
		return nil, nil, nil, nil, fmt.Errorf("nothing was changed and read before this step")
	}
	a, change = in.reads[len(in.reads)-1], in.updates[len(in.updates)-1]
	before, _ = in.story.life.Read(in.reads[len(in.reads)-2].Value.Tree)
	after, _ = in.story.life.Read(a.Value.Tree)
	return before, after, change, a, nil
}

// noteUpdated records the members to which a change gave another value that was then read.
func noteUpdated(s *scenario.Scenario, op string, sent, before, after map[string]any) (came map[string]any, others []behaviour.Difference) {
	equal, others := behaviour.Compare(sent, after)
	came = map[string]any{}
	for pointer, value := range equal {
		if was, there := memberAt(before, pointer); !there || !same(was, value) {
			came[pointer] = value
		}
	}
	scenario.Learned(s.Run).Note(op, came)
	return came, others
}
