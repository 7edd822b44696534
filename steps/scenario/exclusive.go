package scenario

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/turn"
)

// Of some resources there may be only one for what they refer to, for a period or for a number: a seat, a booking, a pair. A service refuses
// to create a second one, however it is named.

// variation is what distinguishes the creations of an operation besides their names.
type variation uint8

const (
	otherDates variation = 1 << iota
	otherNumbers
	otherTexts
	otherReferences
	otherParents
)

// variations are tried in this order: those that create nothing else come first.
var variations = []variation{
	otherDates, otherNumbers, otherTexts, otherDates | otherNumbers | otherTexts, otherReferences, otherParents,
	otherDates | otherNumbers | otherTexts | otherReferences | otherParents,
}

// words says what a variation changes.
func (by variation) words() []string {
	var all []string
	for _, one := range []struct {
		by    variation
		words string
	}{
		{otherDates, "other dates"}, {otherNumbers, "other numbers"}, {otherTexts, "other texts"}, {otherReferences, "references to other resources"},
		{otherParents, "another parent"},
	} {
		if by&one.by != 0 {
			all = append(all, one.words)
		}
	}
	return all
}

const (
	// mostVariations bounds how many requests of an operation a run sends to find a variation that is accepted.
	mostVariations = 10
	// mostFurther is how often a request is sent with further values if those of the known variation are taken.
	mostFurther = 3
)

// exclusivity is what a run knows about the resources of an operation of which there may be only one.
type exclusivity struct {
	search turn.Turn // held during the search; the rest is guarded by the mutex of resources
	// by is what must vary; 0 if nothing need, or is known to help.
	by variation
	// sent is the number of requests that the search sent, checks that of the plain ones that were repeated, last the number of the last
	// variation, and bases the values that are varied.
	sent, checks, last int
	bases              map[string]any
	// succeeded reports whether a creation succeeded, shared whether two existed that differed only in their names.
	succeeded, shared bool
	// used holds the creations that succeeded, or are about to be sent, without their names; the resource is nil for the latter.
	used map[uint64]*Resource
}

// exclusivity returns what is known about an operation. r.mu must be held.
func (r *resources) exclusivity(op *spec.Operation) *exclusivity {
	if r.exclusive[op.ID] == nil {
		r.exclusive[op.ID] = &exclusivity{search: turn.New(), bases: map[string]any{}, used: map[uint64]*Resource{}}
	}
	return r.exclusive[op.ID]
}

// variedBy returns what distinguishes the creations of an operation.
func (r *resources) variedBy(op *spec.Operation) variation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exclusivity(op).by
}

// nameless returns a hash of what a request creates, without the names that the run made up.
func nameless(r *Run, asked *request.Request) uint64 {
	h := fnv.New64a()
	var write func(value any)
	write = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				_, _ = fmt.Fprintf(h, "%q:", name)
				write(v[name])
			}
		case []any:
			for _, one := range v {
				_, _ = h.Write([]byte{','})
				write(one)
			}
		default:
			if name := nameOf(v); name == "" || !MadeUp(r, name) {
				_, _ = fmt.Fprintf(h, "%v;", v)
			}
		}
	}
	for _, slot := range resource.SlotsOf(asked.Operation) {
		value, _ := asked.Value(request.PlaceOf(slot.Parameter))
		write(value)
	}
	body, _, _ := asked.Body()
	write(body)
	return h.Sum64()
}

// noteCreation records that a creation succeeded; made is nil if the response does not say what it created.
func (r *resources) noteCreation(op *spec.Operation, nameless uint64, made *Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.exclusivity(op)
	known.succeeded = true
	if made == nil {
		return
	}
	if before := known.used[nameless]; before != nil && before != made && !before.gone.Load() && !before.leaving.Load() {
		known.shared = true
	}
	if len(known.used) < mostLasting {
		known.used[nameless] = made
	}
}

// succeededBefore reports whether a creation succeeded in this run.
func (r *resources) succeededBefore(op *spec.Operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exclusivity(op).succeeded
}

// mayVary reports whether a refusal may mean that there is such a resource already; changed reports whether a step has changed the request.
func (s *Scenario) mayVary(a *Answer, changed bool) bool {
	op, all := a.Request.Operation, s.Run.resources
	if _, _, creates := all.inferred.Creates(op); !creates || resource.Pays(op) || changesUnnamed(all.inferred, op) || !a.Right {
		return false
	}
	if _, danger := all.inferred.Danger(op); danger {
		return false
	}
	if _, sensitive := all.kindOf(op); sensitive || slices.ContainsFunc(resource.SlotsOf(op), all.sensitiveAt) {
		return false
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	known := all.exclusivity(op)
	return !known.shared && (a.Status() == http.StatusConflict || known.succeeded && !changed && refusesBody(a))
}

// askVaried sends a refused creation with other dates, numbers, texts, references and parents, until one succeeds, and returns that; or nil if none
// does. The places of the body in keep do not change. What helped is used for all later creations of the operation.
func (s *Scenario) askVaried(ctx context.Context, r request.Request, refused *Answer, purpose string, keep []string) (asked request.Request, a *Answer, err error) {
	if !s.mayVary(refused, len(keep) > 0) {
		return r, nil, nil
	}
	all, op := s.Run.resources, r.Operation
	all.mu.Lock()
	known := all.exclusivity(op)
	all.mu.Unlock()
	var changed variation
	try := func(by variation) (sent bool, err error) {
		if !s.Budget.Room(1) {
			return false, nil
		}
		if asked, changed, err = s.vary(ctx, Renamed(s, r), by, keep); err == nil && changed != 0 {
			a, err = s.Ask(ctx, asked, refused.Credential, purpose)
		}
		if errors.As(err, new(Stop)) {
			return false, nil // nothing was sent
		}
		return err == nil && changed != 0, err
	}
	for range mostFurther {
		by := all.variedBy(op)
		if by == 0 {
			break
		}
		if sent, err := try(by); err != nil || !sent || a.Succeeded() {
			return asked, succeeded(a), err
		}
	}
	leave, err := known.search.Take(ctx)
	if err != nil {
		return asked, nil, err
	}
	defer leave()
	if by := all.variedBy(op); by != 0 { // found by another scenario, or no longer enough
		if sent, err := try(by); err != nil || sent && a.Succeeded() {
			return asked, succeeded(a), err
		}
	}
	for _, by := range variations {
		all.mu.Lock()
		over := known.sent >= mostVariations
		all.mu.Unlock()
		if over {
			break
		}
		sent, err := try(by)
		if err != nil {
			return asked, nil, err
		}
		if !sent {
			continue
		}
		all.mu.Lock()
		known.sent++
		if a.Succeeded() {
			known.by |= changed
		}
		all.mu.Unlock()
		if a.Succeeded() {
			return asked, a, nil
		}
	}
	return r, nil, nil
}

// succeeded returns an answer if it is a success, or nil.
func succeeded(a *Answer) *Answer {
	if a == nil || !a.Succeeded() {
		return nil
	}
	return a
}

// changedPlaces returns the places in the body of a pending request that a step has changed.
func (m *Making) changedPlaces() []string {
	is, _, _ := m.Request.Body()
	was, _, _ := m.Plain.Request.Body()
	var all []string
	for _, pointer := range membersOf(is, "", 0) {
		now, _ := exactjson.Lookup(is, jsonpointer.Tokens(pointer))
		if before, there := exactjson.Lookup(was, jsonpointer.Tokens(pointer)); !there || !exactjson.Equal(before, now) {
			all = append(all, pointer)
		}
	}
	return all
}

// Elsewhere returns a pending request with other values beside those that a step has changed, if there may be only one resource for them all;
// exclusive is false if that is not known. The request is the same if it has no other values.
func Elsewhere(ctx context.Context, s *Scenario, m *Making) (r request.Request, exclusive bool, err error) {
	if s.Run.resources == nil || s.Run.resources.variedBy(m.Request.Operation) == 0 {
		return m.Request, false, nil
	}
	varied, _, err := s.vary(ctx, Renamed(s, m.Request), s.Run.resources.variedBy(m.Request.Operation), m.changedPlaces())
	if errors.As(err, new(Stop)) {
		return m.Request, true, nil
	}
	return varied, true, err
}

// mayCheck reports whether one more request may show that the plain one of an operation is now refused, too.
func (r *resources) mayCheck(op *spec.Operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.exclusivity(op)
	known.checks++
	return known.checks <= mostFurther
}

// placesToKeep returns the places in the body of a request that a step of the scenario has changed.
func (s *Scenario) placesToKeep(r request.Request) []string {
	m, err := s.Making()
	if err != nil || m.Plain.Answer == nil || m.Request.Operation != r.Operation {
		return nil
	}
	return m.changedPlaces()
}

// unused returns the request for one more resource with the variation that the operation needs, if the run has used what it refers to, its
// dates and numbers before. The places of the body in keep do not change.
func (s *Scenario) unused(ctx context.Context, r request.Request, keep []string) (request.Request, error) {
	all := s.Run.resources
	by := all.variedBy(r.Operation)
	if by == 0 {
		return r, nil
	}
	for range 2 {
		hash := nameless(s.Run, &r)
		all.mu.Lock()
		known := all.exclusivity(r.Operation)
		_, taken := known.used[hash]
		if !taken && len(known.used) < mostLasting {
			known.used[hash] = nil
		}
		all.mu.Unlock()
		if !taken {
			return r, nil
		}
		varied, changed, err := s.vary(ctx, r, by, keep)
		if errors.As(err, new(Stop)) || err == nil && changed == 0 {
			return r, nil
		}
		if err != nil {
			return r, err
		}
		r = varied
	}
	return r, nil
}

// varied returns a request for one more resource with other values where the operation needs them; false if it needs none.
func (s *Scenario) varied(ctx context.Context, r request.Request) (request.Request, bool, error) {
	varied, changed, err := s.vary(ctx, r, s.Run.resources.variedBy(r.Operation), nil)
	if errors.As(err, new(Stop)) {
		return r, false, nil
	}
	return varied, changed != 0, err
}

// AskAnew sends a pending request again with other values, and returns the response to it, if it was refused because a resource with the values
// of the plain request exists already. Otherwise it returns the response that it is given.
func AskAnew(ctx context.Context, s *Scenario, m *Making, a *Answer, purpose string) (*Answer, error) {
	if a.Status() != http.StatusConflict || m.Plain.Answer == nil || a.Request == nil || s.Run.resources == nil || !s.mayVary(a, true) {
		return a, nil
	}
	op := m.Request.Operation
	if s.Run.resources.variedBy(op) == 0 {
		if !s.Run.resources.mayCheck(op) {
			return a, nil
		}
		plain := Renamed(s, m.Plain.Request)
		again, err := s.Ask(ctx, plain, a.Credential, "the request that succeeded, with other names")
		if err == nil && again.Status() == http.StatusConflict {
			_, again, err = s.askVaried(ctx, plain, again, "the request that succeeded, with other values", nil)
		} else {
			again = nil
		}
		if errors.As(err, new(Stop)) || err == nil && again == nil {
			return a, nil
		}
		if err != nil {
			return nil, err
		}
	}
	for n := 0; n < mostFurther && a.Status() == http.StatusConflict; n++ {
		varied, changed, err := s.vary(ctx, m.Request, s.Run.resources.variedBy(op), m.changedPlaces())
		if errors.As(err, new(Stop)) || err == nil && changed == 0 {
			return a, nil
		}
		if err != nil {
			return nil, err
		}
		for _, one := range replacements(m.Request, varied) {
			m.Plain.Replaced = append(slices.Clip(m.Plain.Replaced), one)
			if with, err := m.Plain.Request.WithBodyAt(one.Pointer, one.Now); err == nil {
				m.Plain.Request = with
			}
		}
		for _, slot := range resource.SlotsOf(op) {
			if value, there := varied.Value(request.PlaceOf(slot.Parameter)); there {
				m.Plain.Request = m.Plain.Request.With(request.PlaceOf(slot.Parameter), value)
			}
		}
		m.Request = varied
		if a, err = s.Ask(ctx, m.Request, m.Credential, purpose); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// vary returns a request with other values for the variation, and the part of that which it has other values for.
func (s *Scenario) vary(ctx context.Context, r request.Request, by variation, keep []string) (varied request.Request, changed variation, err error) {
	all := s.Run.resources
	varied = r
	if by&otherParents != 0 {
		if varied, err = s.belowAnother(ctx, r); err != nil {
			return r, 0, err
		}
		if !varied.Equal(r) {
			changed |= otherParents
		}
	}
	if by&otherReferences != 0 {
		before := varied
		if varied, err = s.referringToOthers(ctx, varied, keep); err != nil {
			return r, 0, err
		}
		if !varied.Equal(before) {
			changed |= otherReferences
		}
	}
	if by&(otherDates|otherNumbers|otherTexts) != 0 {
		all.mu.Lock()
		known := all.exclusivity(r.Operation)
		known.last++
		n := known.last
		all.mu.Unlock()
		var moved variation
		varied, moved = s.moved(varied, by, n, keep)
		changed |= moved
	}
	return varied, changed, nil
}

// belowAnother returns a request that creates below a new parent, if the run can create one.
func (s *Scenario) belowAnother(ctx context.Context, r request.Request) (request.Request, error) {
	slots := resource.SlotsOf(r.Operation)
	if _, p, _ := s.Run.resources.inferred.Creates(r.Operation); p.Way == resource.Chosen && len(slots) > 0 {
		slots = slots[:len(slots)-1]
	}
	if len(slots) == 0 {
		return r, nil
	}
	last := slots[len(slots)-1]
	if _, given := s.Run.Promises.Given().Parameter(r.Operation, last.Parameter); given {
		return r, nil
	}
	above, _, err := s.create(forOneScenario(ctx), last)
	if above == nil || err != nil {
		return r, err
	}
	above.kept.Store(true)
	return above.In(r), nil
}

// referringToOthers returns a request that refers to new resources, where the run can create them and none is sensitive.
func (s *Scenario) referringToOthers(ctx context.Context, r request.Request, keep []string) (request.Request, error) {
	path := map[string]any{}
	for _, slot := range resource.SlotsOf(r.Operation) {
		path[slot.Key], _ = r.Value(request.PlaceOf(slot.Parameter))
	}
	for _, at := range s.Run.resources.inferred.References(r.Operation) {
		if IsGiven(s.Run.Promises.Given(), r.Operation, at) || !refersAt(r, at, keep) || s.Run.resources.sensitiveAt(at.Slot) {
			continue
		}
		if _, of := path[at.Slot.Key]; of {
			continue // it is what the path names
		}
		found, _, err := s.create(forOneScenario(ctx), at.Slot)
		if err != nil {
			return r, err
		}
		if found == nil || belowAnother(found, path) {
			continue
		}
		found.kept.Store(true)
		value := resource.Convert(found.Identifier(), at.Schema)
		if at.Schema == nil || s.Run.Promises.Valid(at.Schema, value) {
			r = namedReference{at, value}.apply(r)
		}
	}
	return r, nil
}

// refersAt reports whether a request holds a reference outside the places in keep.
func refersAt(r request.Request, at resource.Reference, keep []string) bool {
	if at.Parameter != nil {
		_, there := r.Value(request.PlaceOf(*at.Parameter))
		return there
	}
	body, _, _ := r.Body()
	all := pointers(body, at.Path, "", false)
	return len(all) > 0 && !slices.ContainsFunc(all, func(pointer string) bool { return slices.Contains(keep, pointer) })
}
