package scenario

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

// changesUnnamed reports whether an operation may change something that exists, and its path does not say what.
func changesUnnamed(from *resource.Map, op *spec.Operation) bool {
	return changesOthers(from, op) && !resource.NamesOne(op)
}

// changesOthers reports whether a request to an operation may change something that exists. Reads change nothing,
// and what is created is the run's own.
func changesOthers(from *resource.Map, op *spec.Operation) bool {
	if op.Method == http.MethodPost {
		return strings.Contains(op.Path, "{") || from.Change(op) != ""
	}
	return !reads(op)
}

// NeverCalled returns why no run calls an operation, whatever the service is like, or "" if a run may call it.
// held reports whether it is held back only because it may do harm, so that --allow enables it. base is the base
// URL of the run; if it is empty, the server of the document is used.
func NeverCalled(op *spec.Operation, promises *promise.Promises, from *resource.Map, base string, allowed []string) (why string, held bool) {
	if danger, is := from.Danger(op); is && !slices.Contains(allowed, op.ID) {
		return danger.String(), true
	}
	if address := promises.Elsewhere(op, base); address != "" {
		return servedBy(address), false
	}
	if _, err := promises.Requests(op); err != nil {
		if impossible, ok := errors.AsType[*promise.Impossible](err); ok {
			return impossible.What + " accepts no value that could be found and sent", false
		}
		return err.Error(), false
	}
	if !changesOthers(from, op) {
		return "", false
	}
	slots := resource.SlotsOf(op)
	if !resource.NamesOne(op) {
		if slices.Contains(allowed, op.ID) {
			return "", false
		}
		named := slices.DeleteFunc(slices.Clone(from.References(op)), func(r resource.Reference) bool { return !r.Required })
		if len(named) == 0 || !slices.ContainsFunc(named, func(r resource.Reference) bool { return creatable(promises, from, r.Slot, allowed) }) {
			why = "it may change or remove what the run did not create, and nothing in its requests names what a run could create"
			if word := from.Change(op); word != "" {
				why += " (" + word + ")"
			}
			return why, true
		}
		return "", false
	}
	_, _, creates := from.Creates(op)
	for i, slot := range slots {
		last := i == len(slots)-1
		if _, given := givenFor(promises, from, op, slot, last, true); given {
			continue
		}
		if !resource.Fixed(slot.Parameter) && (!creates || !last) && !creatable(promises, from, slot, allowed) && !from.NamedTogether(slot, slots) && (last || !isScope(from, slot)) {
			return "it may change or remove only what the run created, and no operation that a run calls is known to create what " + slot.Key + " names", false
		}
	}
	return "", false
}

// creatable reports whether there are operations that create what a slot names, and what their own paths name. Of
// operations that may do harm only the allowed ones count. above holds the slots already visited.
func creatable(promises *promise.Promises, from *resource.Map, slot resource.Slot, allowed []string, above ...string) bool {
	if slices.Contains(above, slot.Key) {
		return false
	}
	above = append(slices.Clip(above), slot.Key)
	return slices.ContainsFunc(from.Creators(slot), func(p resource.Producer) bool {
		return forbidden(from, p.Operation, allowed) == "" && !slices.ContainsFunc(resource.SlotsOf(p.Operation), func(before resource.Slot) bool {
			if from.NamedTogether(before, resource.SlotsOf(p.Operation)) {
				return false
			}
			chosen := p.Way == resource.Chosen && before.Key == slot.Key
			_, given := givenFor(promises, from, p.Operation, before, false, true)
			return !given && !resource.Fixed(before.Parameter) && !chosen && !creatable(promises, from, before, allowed, above...) && !isScope(from, before)
		})
	})
}

// forbidden returns why a run does not call an operation that may do harm, or "".
func forbidden(from *resource.Map, op *spec.Operation, allowed []string) string {
	danger, is := from.Danger(op)
	if !is || slices.Contains(allowed, op.ID) {
		return ""
	}
	return danger.String() + "; --allow " + text.ShellQuote(op.ID) + " calls it"
}

// servedBy says that an operation is served by another host.
func servedBy(address string) string {
	return "the document serves it at " + address + ", which is another host"
}

// permit returns a [Stop] if an operation may do harm and is not allowed.
func (r *Run) permit(op *spec.Operation) error {
	if address := r.elsewhere[op.ID]; address != "" {
		return Stopf("%s is not called: %s", op.ID, servedBy(address))
	}
	if why := forbidden(r.resources.inferred, op, r.Target.Allowed); why != "" {
		return Stopf("%s is not called: %s", op.ID, why)
	}
	return nil
}

// Permit ends a scenario that would call an operation which may do harm and is not allowed.
func Permit(s *Scenario, op *spec.Operation) error { return s.Run.permit(op) }

// Danger returns the harm an operation may do, for which a run does not call it unless allowed; false if there is
// none.
func (r *Run) Danger(op *spec.Operation) (resource.Danger, bool) {
	return r.resources.inferred.Danger(op)
}
