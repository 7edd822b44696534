package scenario

import (
	"context"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
)

// Identifiers of created resources in the values of a file ({created NOUN}).

// nounsGiven returns the nouns of {created NOUN} in the values for an operation.
func nounsGiven(given *values.Values, op *spec.Operation) []string {
	var all []string
	for _, p := range op.Parameters {
		if g, ok := given.Parameter(op, p); ok {
			all = append(all, values.NounsIn(g.Value)...)
		}
	}
	if g, ok := given.Body(op); ok {
		all = append(all, values.NounsIn(g.Value)...)
	}
	for _, m := range given.Members(op) {
		all = append(all, values.NounsIn(m.Value)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// bindCreated creates what the values for an operation name by {created NOUN}. It returns why that is impossible, or "".
func (s *Scenario) bindCreated(ctx context.Context, op *spec.Operation, b *bindings) (none string, err error) {
	all := map[string]any{}
	for _, noun := range nounsGiven(s.Run.Promises.Given(), op) {
		slot, ok := s.Run.resources.slotOfNoun(noun)
		if !ok || s.needs(slot, op, nil) {
			return "the value {created " + noun + "} is what only " + op.ID + " creates, or needs it first", nil
		}
		found, none, err := s.shared(ctx, slot, true)
		if found == nil || err != nil {
			return "the value {created " + noun + "}: " + none, err
		}
		all[noun] = found.Identifier()
	}
	if len(all) > 0 {
		b.fill = func(r request.Request) request.Request {
			return filled(s.Run, r, values.Fill{Created: func(noun string) (any, bool) { id, known := all[noun]; return id, known }})
		}
	}
	return "", nil
}

// slotOfNoun returns the slot of what a noun names, if an operation creates it.
func (r *resources) slotOfNoun(noun string) (resource.Slot, bool) {
	for _, op := range resource.Named(r.inferred, noun) {
		if slot, _, ok := r.inferred.Creates(op); ok {
			return *slot, true
		}
	}
	return resource.Slot{}, false
}

// needs reports whether creating what a slot names calls an operation: by itself, for a parent, for a reference or for a value.
func (s *Scenario) needs(slot resource.Slot, op *spec.Operation, above []string) bool {
	if slices.Contains(above, slot.Key) {
		return false
	}
	above = append(slices.Clip(above), slot.Key)
	from := s.Run.resources.inferred
	return slices.ContainsFunc(from.Creators(slot), func(p resource.Producer) bool {
		if p.Operation.ID == op.ID {
			return true
		}
		first := resource.SlotsOf(p.Operation)
		for _, at := range from.References(p.Operation) {
			first = append(first, at.Slot)
		}
		for _, noun := range nounsGiven(s.Run.Promises.Given(), p.Operation) {
			if named, ok := s.Run.resources.slotOfNoun(noun); ok {
				first = append(first, named)
			}
		}
		return slices.ContainsFunc(first, func(one resource.Slot) bool { return s.needs(one, op, above) })
	})
}

// createdBefore returns the identifier of a resource of the run by its noun, one first that no scenario removes; false if there is none.
func (r *resources) createdBefore(noun string) (any, bool) {
	slot, ok := r.slotOfNoun(noun)
	if !ok {
		return nil, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, kept := range []bool{true, false} {
		for _, one := range r.created {
			if one.Slot.Key == slot.Key && one.Owned() && !one.gone.Load() && one.kept.Load() == kept {
				return one.Identifier(), true
			}
		}
	}
	return nil, false
}
