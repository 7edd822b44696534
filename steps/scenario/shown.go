package scenario

import (
	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/spec/resource"
)

// Existing returns what this run created by an operation and did not remove, in the order of the creations.
func (r *Run) Existing(op *spec.Operation) []*Resource {
	all := r.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	slot, p, ok := all.inferred.Creates(op)
	if !ok || p.Way != resource.Created {
		return nil
	}
	var out []*Resource
	for _, one := range all.created {
		if one.Slot.Key == slot.Key && one.Owned() && !one.gone.Load() && !one.leaving.Load() {
			out = append(out, one)
		}
	}
	return out
}

// Shown returns what a response shows by an identifier: a resource that paths name in a slot, below what the request names.
func (r *Run) Shown(slot resource.Slot, asked *request.Request, id any) *Resource {
	return &Resource{Slot: &slot, identifiers: r.resources.parents(slot, asked).withValue(slot.Key, id)}
}
