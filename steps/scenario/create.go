package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/jsonpointer"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/credentials"
)

// Made returns the resource that a response says it created; nil for none. Whether it is the run's own says the resource.
func (a *Answer) Made() *Resource { return a.made }

// Learned returns what a run has learned of the members that come back.
func Learned(r *Run) *behaviour.Learned { return &r.resources.learned }

// refusals are the made-up names of creations that were refused, by operation, with the numbers of the exchanges; and those of requests
// that succeeded.
type refusals struct {
	names map[string]map[string]int
	used  map[string]bool
}

// noteNames keeps the made-up names of a request that was refused, or succeeded.
func noteNames(r *Run, a *Answer) {
	body, _, _ := a.Request.Body()
	members, _ := body.(map[string]any)
	refused := slices.Contains([]int{400, 401, 403, 415, 422}, a.Status())
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.refusals.names == nil {
		all.refusals = refusals{names: map[string]map[string]int{}, used: map[string]bool{}}
	}
	for _, value := range members {
		text, is := value.(string)
		if !is || !strings.Contains(strings.ToLower(text), strings.ToLower(r.ID)) {
			continue
		}
		id := a.Request.Operation.ID
		switch {
		case !refused:
			all.refusals.used[text] = true // it may have been done
		case all.refusals.names[id] == nil:
			all.refusals.names[id] = map[string]int{text: a.Exchange.Seq}
		default:
			all.refusals.names[id][text] = a.Exchange.Seq
		}
	}
}

// Refused returns the names that occur only in creations by an operation that were refused, and the exchanges in which they were.
func Refused(r *Run, op *spec.Operation) map[string]int {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	out := map[string]int{}
	for text, seq := range all.refusals.names[op.ID] {
		if !all.refusals.used[text] {
			out[text] = seq
		}
	}
	return out
}

// In returns a request with the identifiers of the resource, and of all that it is below, in its path.
func (r *Resource) In(asked request.Request) request.Request {
	for _, slot := range resource.SlotsOf(asked.Operation) {
		if value, ok := r.identifiers.in(slot.Key); ok {
			asked = asked.With(request.PlaceOf(slot.Parameter), value)
		}
	}
	return asked
}

// As returns a resource with another identifier below the same ones: one that a response told.
func (r *Resource) As(id any) *Resource {
	return &Resource{Slot: r.Slot, identifiers: r.identifiers.with(r.Slot.Key, id)}
}

// Alone returns a request that creates below a resource which nothing else of the run is below, so that a list of what is below it is
// short; the request as it is where no such resource can be created.
func Alone(ctx context.Context, s *Scenario, r request.Request) (request.Request, error) {
	slots := resource.SlotsOf(r.Operation)
	if _, p, ok := s.Run.resources.of.Creates(r.Operation); len(slots) == 0 || !ok || p.Way == resource.Chosen {
		return r, nil
	}
	above, _, err := s.create(forOne(ctx), slots[len(slots)-1])
	if err != nil || above == nil {
		return r, err
	}
	return above.In(r), nil
}

// Creation returns the request in the making for one more resource: with new names in the place of those that no step has
// changed, and a new identifier where its client chooses it.
func Creation(s *Scenario, m *Making) (request.Request, error) {
	r := Secured(s.Run, m.Request)
	was, _, _ := m.Plain.Request.Body()
	is, _, object := r.Body()
	before, _ := was.(map[string]any)
	now, _ := is.(map[string]any)
	if p := resource.IdempotencyKey(r.Operation); p != nil {
		before, _ := m.Plain.Request.Value(request.PlaceOf(*p))
		if now, _ := r.Value(request.PlaceOf(*p)); fmt.Sprint(now) == fmt.Sprint(before) {
			r = Rekeyed(s, r)
		}
	}
	renamed, _, _ := Renamed(s, m.Plain.Request).Body()
	names, _ := renamed.(map[string]any)
	for _, p := range naming(s, r.Operation) {
		value, is := now[p.Name].(string)
		if !object || !is || any(value) != before[p.Name] || names[p.Name] == nil {
			continue
		}
		if with, err := r.WithBodyAt(jsonpointer.Join("", p.Name), names[p.Name]); err == nil {
			r = with
		}
	}
	slot, p, ok := s.Run.resources.of.Creates(r.Operation)
	if !ok {
		return r, Excusef("%s is not known to create", r.Operation.ID)
	}
	if p.Way == resource.Chosen {
		chosen, none, err := s.chosenValue(p)(*slot)
		if err != nil || chosen == nil {
			return r, Stopf("%s", none)
		}
		r = bindings{values: map[request.Place]any{request.PlaceOf(last(r).Parameter): chosen.Identifier()}, last: chosen}.apply(r)
	}
	return r, nil
}

// last is the slot at the end of a request's path.
func last(r request.Request) resource.Slot {
	all := resource.SlotsOf(r.Operation)
	return all[len(all)-1]
}

// Addressed returns a plain request of an operation with values of its path that a step names, by the names of its parameters, and
// the credential for it. Optional parameters are left out, but for those that a file of values gives, and the state that it means. What the step names may be
// changed or removed; all else is as in [Scenario.PlainRequest].
func Addressed(ctx context.Context, s *Scenario, op *spec.Operation, named map[string]any) (request.Request, credentials.Credential, error) {
	all := true
	for _, slot := range resource.SlotsOf(op) {
		_, known := named[slot.Parameter.Name]
		all = all && (known || resource.Fixed(slot.Parameter))
	}
	whole := all && len(resource.SlotsOf(op)) > 0
	var r request.Request
	var with credentials.Credential
	err := errors.New("no plain request was made")
	if !whole || op.Method != http.MethodGet && op.Method != http.MethodDelete {
		if r, with, err = s.PlainRequest(ctx, op); err != nil && !errors.As(err, new(Stop)) {
			return r, with, err
		}
	}
	if err != nil {
		if !whole {
			return r, with, err
		}
		if err := s.Run.permit(op); err != nil {
			return r, with, err
		}
		plain, err := s.Run.Promises.Requests(op)
		if err != nil {
			return r, with, Stopf("%v", err)
		}
		if with, err = s.Entitled(ctx, op); err != nil {
			return r, with, Stopf("%v", err)
		}
		r = plain[0]
	}
	for _, p := range op.Parameters {
		place := request.PlaceOf(p)
		if value, ok := named[p.Name]; ok && p.In == "path" {
			r = r.With(place, value)
		} else if _, given := s.Run.Promises.Given().Parameter(op, p); !p.Required && !given && !resource.IsCondition(p) {
			r = r.Without(place)
		}
	}
	return r, with, nil
}

// Creating returns the operations of a run's contract that create what a word names: a ticket, by POST /tickets.
func Creating(r *Run, word string) []*spec.Operation { return resource.Named(r.resources.of, word) }

// Named returns the identifiers of a resource and of all that it is below, by the names that an operation's path has for them.
func (r *Resource) Named(op *spec.Operation) map[string]any {
	out := map[string]any{}
	for _, slot := range resource.SlotsOf(op) {
		if value, ok := r.identifiers.in(slot.Key); ok {
			out[slot.Parameter.Name] = value
		}
	}
	return out
}

// Gone reports whether the run has removed the resource.
func (r *Resource) Gone() bool { return r.gone.Load() }

// IsShared reports whether another creation of the run, by another request, was answered with the same identifier while this one was
// there.
func IsShared(r *Run, made *Resource) bool {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	key := made.identifiers.key()
	for _, other := range all.created {
		if other != made && !other.gone.Load() && other.identifiers.key() == key {
			return true
		}
	}
	return false
}

// GivenAgain returns what a later creation of the run was answered with under the identifier of a resource; nil for nothing.
func GivenAgain(r *Run, before *Resource) *Resource {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	if last := all.by[before.identifiers.key()]; last != before {
		return last
	}
	return nil
}

// Created returns the words for what the operations of a run's contract create.
func Created(r *Run) []string { return resource.Nouns(r.resources.of) }

// Creatable reports whether operations of a run's contract create what a parameter of a path names, so that nothing is named by a value
// that none of them made.
func Creatable(r *Run, op *spec.Operation, p spec.Parameter) bool {
	return r.resources != nil && slices.ContainsFunc(resource.SlotsOf(op), func(slot resource.Slot) bool {
		return slot.Parameter.Name == p.Name && len(r.resources.of.Creators(slot)) > 0
	})
}

// Revision returns the request in the making for a resource of the run: with its identifiers, and with new names in the place of those
// that no step has changed.
func Revision(s *Scenario, m *Making, about *Resource) request.Request {
	r := Secured(s.Run, about.In(m.Request))
	body, _, ok := r.Body()
	now, object := body.(map[string]any)
	if !ok || !object {
		return r
	}
	was, _, _ := m.Plain.Request.Body()
	before, _ := was.(map[string]any)
	own := resource.Own(r.Operation)
	identifies := func(p spec.Property) bool { return len(own) == 1 && own[0].Name == p.Name }
	r = withNames(s, r, slices.DeleteFunc(naming(s, r.Operation), func(p spec.Property) bool {
		text, is := now[p.Name].(string)
		return identifies(p) || !is || any(text) != before[p.Name]
	}))
	if len(own) == 1 && now[own[0].Name] != nil && fmt.Sprint(now[own[0].Name]) == fmt.Sprint(before[own[0].Name]) {
		if with, err := r.WithBodyAt(jsonpointer.Join("", own[0].Name), about.Identifier()); err == nil {
			r = with
		}
	}
	return r
}
