package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Unlocking returns the lines of a file of values that would unlock operations.
func (b *Basis) Unlocking() []Group {
	return unlocking(b.Contract, b.promises, resource.Of(b.Contract))
}

// unlocking returns the lines for a values file without which operations cannot be called, or can hardly succeed,
// because the values that their requests need are unknown.
func unlocking(c *spec.Contract, promises *promise.Promises, from *resource.Map) []Group {
	operations := c.Operations()
	var all []Group
	add := func(op *spec.Operation, key string, shared bool) {
		about := op
		if shared {
			about = nil
		}
		all = group(all, values.KeyOf(about, key)+": …", op.ID)
	}
	for i := range operations {
		op := &operations[i]
		if _, err := promises.Requests(op); err != nil {
			if no, ok := errors.AsType[*promise.Impossible](err); ok {
				add(op, strings.TrimPrefix(strings.TrimPrefix(no.What, "the parameter "), "the "), false)
			}
			continue
		}
		for _, slot := range scenario.Unknown(op, promises, from) {
			add(op, slot.Parameter.Name, from.NamesOneCollection(slot.Parameter.Name))
		}
		known := from.References(op)
		for _, r := range from.Candidates(op) {
			if !r.Required || r.Slot.Key != "" || exemplified(r) || slices.ContainsFunc(known, func(k resource.Reference) bool { return k.Parameter == r.Parameter && r.Parameter != nil }) {
				continue
			}
			if r.Parameter == nil {
				if pointer, ok := r.Pointer(); ok && r.Qualified() && !scenario.IsGiven(promises.Given(), op, r) {
					add(op, pointer, false)
				}
			} else if !scenario.IsGiven(promises.Given(), op, r) {
				add(op, r.Parameter.Name, false)
			}
		}
	}
	return all
}

// exemplified reports whether the contract gives an example of a value.
func exemplified(r resource.Reference) bool {
	if r.Parameter != nil && len(r.Parameter.Examples) > 0 {
		return true
	}
	return r.Schema != nil && (len(r.Schema.Examples) > 0 || r.Schema.Default != "")
}
