package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/behaviour"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Made returns the resource that a response says it created, or nil. Use [Resource.Owned] to see whether it is the
// run's own.
func (a *Answer) Made() *Resource { return a.made }

// Learned returns what a run has learned about fields that responses return.
func Learned(r *Run) *behaviour.Learned { return &r.resources.learned }

// RefusedName is an exchange in which the creation of a name was refused.
type RefusedName struct{ Exchange, Status int }

// refusals holds the made-up names in refused creations, by operation; and those in requests that were not refused.
type refusals struct {
	names map[string]map[string]RefusedName
	used  map[string]bool
}

// noteNames records the made-up names in a request by its outcome.
func noteNames(r *Run, a *Answer) {
	body, _, _ := a.Request.Body()
	members, _ := body.(map[string]any)
	refused := slices.Contains([]int{400, 401, 403, 415, 422}, a.Status())
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.refusals.names == nil {
		all.refusals = refusals{names: map[string]map[string]RefusedName{}, used: map[string]bool{}}
	}
	for _, value := range members {
		text, is := value.(string)
		if !is || !strings.Contains(strings.ToLower(text), strings.ToLower(r.ID)) {
			continue
		}
		id := a.Request.Operation.ID
		switch {
		case !refused:
			all.refusals.used[text] = true // it may have had an effect
		case all.refusals.names[id] == nil:
			all.refusals.names[id] = map[string]RefusedName{text: {a.Exchange.Seq, a.Status()}}
		default:
			all.refusals.names[id][text] = RefusedName{a.Exchange.Seq, a.Status()}
		}
	}
}

// Refused returns the names that occur only in refused creations by an operation, with the last refusal of each.
func Refused(r *Run, op *spec.Operation) map[string]RefusedName {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	out := map[string]RefusedName{}
	for text, refusal := range all.refusals.names[op.ID] {
		if !all.refusals.used[text] {
			out[text] = refusal
		}
	}
	return out
}

// In returns a request with the identifiers of the resource, and of its parents, in its path.
func (r *Resource) In(asked request.Request) request.Request {
	for _, slot := range resource.SlotsOf(asked.Operation) {
		if value, ok := r.identifiers.valueIn(slot.Key); ok {
			asked = asked.With(request.PlaceOf(slot.Parameter), value)
		}
	}
	return asked
}

// As returns a resource with the same parents and another identifier, taken from a response.
func (r *Resource) As(id any) *Resource {
	return &Resource{Slot: r.Slot, identifiers: r.identifiers.withValue(r.Slot.Key, id)}
}

// Alone returns a request that creates below a new parent, so that lists of its children are short. It returns the
// request unchanged where no such parent can be created.
func Alone(ctx context.Context, s *Scenario, r request.Request) (request.Request, error) {
	slots := resource.SlotsOf(r.Operation)
	if _, p, ok := s.Run.resources.inferred.Creates(r.Operation); len(slots) == 0 || !ok || p.Way == resource.Chosen {
		return r, nil
	}
	above, _, err := s.create(forOneScenario(ctx), slots[len(slots)-1])
	if err != nil || above == nil {
		return r, err
	}
	return above.In(r), nil
}

// Creation returns the pending request for one more resource: with new names for those that no step has changed,
// a new identifier if the client chooses it, and other values if there may be only one for those of another creation.
func Creation(ctx context.Context, s *Scenario, m *Making) (request.Request, error) {
	r := secured(s.Run, m.Request)
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
		if value := nameOf(now[p.Name]); !object || value == "" || value != nameOf(before[p.Name]) || names[p.Name] == nil {
			continue
		}
		if with, err := r.WithBodyAt(jsonpointer.Join("", p.Name), names[p.Name]); err == nil {
			r = with
		}
	}
	slot, p, ok := s.Run.resources.inferred.Creates(r.Operation)
	if !ok {
		return r, Excusef("%s is not known to create", r.Operation.ID)
	}
	if p.Way == resource.Chosen {
		chosen, none, err := s.chosenValue(p)(*slot)
		if err != nil || chosen == nil {
			return r, Stopf("%s", none)
		}
		r = bindings{values: map[request.Place]any{request.PlaceOf(lastSlot(r).Parameter): chosen.Identifier()}, last: chosen}.apply(r)
	}
	return s.unused(ctx, r, m.changedPlaces())
}

// lastSlot is the last slot in a request's path.
func lastSlot(r request.Request) resource.Slot {
	all := resource.SlotsOf(r.Operation)
	return all[len(all)-1]
}

// Addressed returns a plain request of an operation with the path parameters that a step names, and its
// credential. Optional parameters are left out, except those given by a file of values and conditional headers.
// What the step names may be changed or removed; everything else is as in [Scenario.PlainRequest].
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

// Creating returns the operations of a run's contract that create what a word names, such as POST /tickets for
// "ticket".
func Creating(r *Run, word string) []*spec.Operation {
	return resource.Named(r.resources.inferred, word)
}

// Named returns the identifiers of a resource and its parents, by the parameter names of an operation's path.
func (r *Resource) Named(op *spec.Operation) map[string]any {
	out := map[string]any{}
	for _, slot := range resource.SlotsOf(op) {
		if value, ok := r.identifiers.valueIn(slot.Key); ok {
			out[slot.Parameter.Name] = value
		}
	}
	return out
}

// Gone reports whether the run has deleted the resource.
func (r *Resource) Gone() bool { return r.gone.Load() }

// IsShared reports whether another creation of the run returned the same identifier while this resource existed.
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

// IsGivenTwice reports whether two creations of the run returned the identifier of a resource, and neither was deleted.
func IsGivenTwice(r *Run, shown *Resource) bool {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	key, n := shown.identifiers.key(), 0
	for _, made := range all.created {
		if !made.gone.Load() && made.identifiers.key() == key {
			n++
		}
	}
	return n > 1
}

// Lasts is a resource that a run created and that nothing has removed.
type Lasts struct {
	*Resource
	// Created is the number of the exchange that created it, and Members the numbers and short texts that were sent for it, as far as the run
	// still knows them and the response did not show others.
	Created int
	Members map[string]any
}

// Lasting returns what this run created by an operation and nothing has removed, in the order of its creation.
func Lasting(r *Run, operation string) (all []Lasts) {
	r.resources.mu.Lock()
	defer r.resources.mu.Unlock()
	for _, made := range r.resources.created {
		if made.creator != operation || !made.Owned() || made.gone.Load() || made.leaving.Load() {
			continue
		}
		if r.resources.byKey[made.identifiers.key()] != made {
			continue // another one has its identifier
		}
		all = append(all, Lasts{made, made.created, made.members})
	}
	return all
}

// GivenAgain returns the later resource of the run that was given the identifier of a resource, or nil.
func GivenAgain(r *Run, before *Resource) *Resource {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	if last := all.byKey[before.identifiers.key()]; last != before {
		return last
	}
	return nil
}

// Created returns the nouns for what the operations of a run's contract create.
func Created(r *Run) []string { return resource.Nouns(r.resources.inferred) }

// NounOf returns the noun for what an operation of a run's contract creates; false if it is not known to create anything.
func NounOf(r *Run, op *spec.Operation) (string, bool) {
	slot, _, ok := r.resources.inferred.Creates(op)
	if !ok {
		return "", false
	}
	return resource.Noun(*slot), true
}

// Creatable reports whether operations of a run's contract create what a path parameter names.
func Creatable(r *Run, op *spec.Operation, p spec.Parameter) bool {
	return slices.ContainsFunc(resource.SlotsOf(op), func(slot resource.Slot) bool {
		return slot.Parameter.Name == p.Name && len(r.resources.inferred.Creators(slot)) > 0
	})
}

// Revision returns the pending request for a resource of the run: with its identifiers, and with new names for
// those that no step has changed.
func Revision(s *Scenario, m *Making, about *Resource) request.Request {
	r := secured(s.Run, about.In(m.Request))
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
