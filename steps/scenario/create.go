package scenario

import (
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/behaviour"
	"hallmark/spec/request"
	"hallmark/spec/resource"
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
		if value, ok := r.values[slot.Key]; ok {
			asked = asked.With(request.PlaceOf(slot.Parameter), value)
		}
	}
	return asked
}

// Creation returns the request in the making for one more resource: with new names in the place of those that no step has
// changed, and a new identifier where its client chooses it.
func Creation(s *Scenario, m *Making) (request.Request, error) {
	r := m.Request
	was, _, _ := m.Plain.Request.Body()
	is, _, object := r.Body()
	before, _ := was.(map[string]any)
	now, _ := is.(map[string]any)
	renamed, _, _ := Renamed(s, m.Plain.Request).Body()
	names, _ := renamed.(map[string]any)
	for _, p := range resource.Naming(r.Operation) {
		value, is := now[p.Name].(string)
		if !object || !is || any(value) != before[p.Name] || names[p.Name] == nil {
			continue
		}
		if with, err := r.WithBodyAt("/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(p.Name), names[p.Name]); err == nil {
			r = with
		}
	}
	slot, p, ok := s.Run.resources.of.Creates(r.Operation)
	if !ok {
		return r, Excusef("%s is not known to create", r.Operation.ID)
	}
	if p.Way == resource.Chosen {
		chosen, none, err := s.chosenValue(p)(slot)
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
