package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
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
	// of holds the collections that a name refers to in paths: a value for a name alone must mean the same
	// everywhere.
	of := map[string]map[string]bool{}
	for i := range operations {
		for _, slot := range resource.SlotsOf(&operations[i]) {
			if of[slot.Parameter.Name] == nil {
				of[slot.Parameter.Name] = map[string]bool{}
			}
			of[slot.Parameter.Name][slot.Key] = true
		}
	}
	var all []Group
	add := func(op *spec.Operation, key string, shared bool) {
		if !shared {
			key = op.ID + "." + key
		}
		if strings.ContainsAny(key, " :#{}[]&*!|>'%@,\"") {
			key = "'" + strings.ReplaceAll(key, "'", "''") + "'"
		}
		all = group(all, key+": …", op.ID)
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
			add(op, slot.Parameter.Name, len(of[slot.Parameter.Name]) == 1)
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
