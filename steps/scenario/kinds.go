package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Limits on what a run creates, by kind: few sensitive resources, such as users and messages, and no more of what
// the service refuses to delete.

// kindOf returns the kind of resource that an operation creates, and whether it is sensitive; the name is empty if
// the operation is not known to create any.
func (r *resources) kindOf(op *spec.Operation) (name string, sensitive bool) {
	if kind := resource.Sensitive(op); kind != "" {
		return kind, true
	}
	if slot, _, ok := r.inferred.Creates(op); ok {
		return slot.Key, false
	}
	return "", false
}

// sensitiveAt reports whether a slot names sensitive resources.
func (r *resources) sensitiveAt(slot resource.Slot) bool {
	return slices.ContainsFunc(r.inferred.Creators(slot), func(p resource.Producer) bool {
		_, sensitive := r.kindOf(p.Operation)
		return sensitive
	})
}

// newKinds returns the counter of what a run creates by kind. Of sensitive kinds it reserves some for other
// requests: one to read, one for each operation that changes or deletes it.
func newKinds(c *spec.Contract, all *resources, limit int) *budget.Kinds {
	if limit <= 0 {
		limit = budget.DefaultOfAKind
	}
	needed, seen := map[string]int{}, map[string]bool{}
	operations := c.Operations()
	for i := range operations {
		kind, sensitive := all.kindOf(&operations[i])
		if !sensitive {
			continue
		}
		slot, _, ok := all.inferred.Creates(&operations[i])
		if !ok {
			needed[kind] = max(needed[kind], 1)
			continue
		}
		if seen[slot.Key] {
			continue
		}
		seen[slot.Key] = true
		needed[kind]++
		changed := map[string]bool{}
		for k := range operations {
			other := &operations[k]
			slots := resource.SlotsOf(other)
			if _, _, creates := all.inferred.Creates(other); !creates && changesOthers(all.inferred, other) && len(slots) > 0 && slots[len(slots)-1].Key == slot.Key {
				changed[changedBy(other, true)] = true
			}
		}
		needed[kind] += len(changed)
	}
	return budget.NewKinds(limit, needed)
}

// changedBy returns the key of the resource that an operation changes: one for each operation, but only one for
// all PUT and PATCH of a sensitive kind.
func changedBy(op *spec.Operation, sensitive bool) string {
	if slots := resource.SlotsOf(op); sensitive && len(slots) > 0 && (op.Method == http.MethodPut || op.Method == http.MethodPatch) {
		return "changed " + slots[len(slots)-1].Key
	}
	return op.ID
}

// sharedCreation is the context key that says whether a created resource is used by many scenarios or by one.
type sharedCreation struct{}

// forManyScenarios returns a context for creating what the requests of many scenarios name, unless it is already
// set.
func forManyScenarios(ctx context.Context) context.Context {
	if ctx.Value(sharedCreation{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, sharedCreation{}, true)
}

// forOneScenario returns a context for creating what the requests of one scenario name.
func forOneScenario(ctx context.Context) context.Context {
	return context.WithValue(ctx, sharedCreation{}, false)
}

// takeOfKind reserves what a request may create from the limit of its kind.
func (c *Caller) takeOfKind(ctx context.Context, asked *request.Request, with credentials.Credential) (budget.OfKind, error) {
	r := c.run
	if asked == nil || asked.Operation.Method != http.MethodPost && asked.Operation.Method != http.MethodPut {
		return budget.OfKind{}, nil
	}
	kind, sensitive := r.resources.kindOf(asked.Operation)
	if kind == "" || asked.Operation.Method == http.MethodPut && !r.resources.createsByPut(asked) {
		return budget.OfKind{}, nil
	}
	need := budget.ForItself
	switch {
	case r.hasToBeRefused(asked, with):
		need = budget.ToBeRefused
	case ctx.Value(sharedCreation{}) == true:
		need = budget.ForOthers
	}
	took, reason, ok := r.kinds.Reserve(kind, sensitive, need)
	switch {
	case ok, reason != "" && slices.Contains(r.Target.Allowed, asked.Operation.ID):
		return took, nil
	case reason != "":
		return took, Stopf("%s; --allow %s goes on", reason, text.ShellQuote(asked.Operation.ID))
	}
	return took, Stopf("no more than %s %s created (--max-sensitive)", text.Count(r.maxSensitive(), kind), text.Are(r.maxSensitive()))
}

func (r *Run) maxSensitive() int {
	if r.Target.MaxSensitive > 0 {
		return r.Target.MaxSensitive
	}
	return budget.DefaultOfAKind
}

// hasToBeRefused reports whether a request breaks the contract by its credential, its parameters or its body.
func (r *Run) hasToBeRefused(asked *request.Request, with credentials.Credential) bool {
	op := asked.Operation
	if !with.Right && !with.Open {
		return true
	}
	for _, p := range op.Parameters {
		value, there := asked.Value(request.PlaceOf(p))
		_, written := asked.Text(request.PlaceOf(p))
		if !there && !written && p.Required || there && p.Schema != nil && !r.Promises.Valid(p.Schema, value) {
			return true
		}
	}
	if op.Body == nil {
		return false
	}
	w, err := asked.Write(boundary)
	if err != nil {
		return false
	}
	if len(w.Body) == 0 {
		return op.Body.Required
	}
	if schema := op.Body.Schema(); schema != nil && strings.Contains(w.MediaType, "json") {
		// Readers put a replacement in the place of bytes that are not UTF-8, so a service may create what such a body asks for.
		body, err := exactjson.Decode(bytes.ToValidUTF8(w.Body, []byte("\uFFFD")))
		return err != nil || !r.Promises.Valid(schema, body.Tree)
	}
	return !keepsSchema(r, *asked)
}

// mostRefused is how many deletions of a kind may be refused, with none successful, before no more of the kind are
// created.
const mostRefused = 3

// removals counts refused and successful deletions of what the run created, by slot key.
type removals struct {
	refused, done map[string]int
}

// noteRemoval records the outcome of a valid deletion of a resource of the run. If it is refused, no more of the
// kind are created.
func (r *Run) noteRemoval(a *Answer) {
	op, all, named := a.Request.Operation, r.resources, a.leaving
	if !named.Owned() {
		return
	}
	status := a.Status()
	refused := status >= http.StatusBadRequest && a.Right && !slices.Contains(environment, status) && !r.hasToBeRefused(a.Request, a.Credential)
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.removals.done == nil {
		all.removals = removals{refused: map[string]int{}, done: map[string]int{}}
	}
	key := named.Slot.Key
	switch {
	case a.Succeeded():
		all.removals.done[key]++
		return
	case !refused || named.gone.Load():
		return
	}
	all.removals.refused[key]++
	for _, p := range all.inferred.Creators(*named.Slot) {
		kind, sensitive := all.kindOf(p.Operation)
		if sensitive || all.removals.done[key] == 0 && (all.removals.refused[key] >= mostRefused || a.Exchange.About == toSeeRemoved && status/100 == 4 && status != http.StatusConflict && status != http.StatusLocked) { // it may still be in creation
			r.kinds.Stop(kind, fmt.Sprintf("%s refuses to delete what the run created (status %d), so no more of it is created", op.ID, status))
		}
	}
}

// environment holds statuses of deletions that do not say whether the resource can be deleted: it is gone, the
// state was wrong, or the service or its proxy is overloaded.
var environment = []int{404, 410, 412, 428, 429, 502, 503, 504}

// toSeeRemoved is the purpose of deleting the first resource of a kind.
const toSeeRemoved = "to see whether what is created can be deleted"

// removable deletes the first resource of a kind to see whether that is allowed, and reports whether it is, or may
// be, gone. Creating stops where deletion is refused. Sensitive kinds are not tried, since too few of them are
// created.
func (s *Scenario) removable(ctx context.Context, made *Resource, by *spec.Operation) (gone bool, err error) {
	all := s.Run.resources
	op := all.inferred.Remover(*made.Slot)
	_, sensitive := all.kindOf(by)
	if op == nil || sensitive || forbidden(all.inferred, op, s.Run.Target.Allowed) != "" {
		return false, nil
	}
	if _, removed := s.Run.Removed[op.ID]; removed {
		return false, nil
	}
	all.mu.Lock()
	tried := all.tried[made.Slot.Key]
	all.tried[made.Slot.Key] = true
	all.mu.Unlock()
	if tried {
		return false, nil
	}
	requests, err := s.Run.Promises.Requests(op)
	if err != nil {
		return false, nil //nolint:nilerr // what cannot be asked is not tried
	}
	with, err := s.Entitled(ctx, op)
	if err != nil {
		return false, nil //nolint:nilerr // as above
	}
	a, err := s.Ask(ctx, made.In(requests[0]), with, toSeeRemoved)
	// A deletion may fail once by chance. One that keeps failing leaves behind whatever the run creates.
	for tries := 1; tries < mostRefused && err == nil && a.Status()/100 == 5 && !slices.Contains(environment, a.Status()) && !made.gone.Load(); tries++ {
		a, err = s.Ask(ctx, made.In(requests[0]), with, toSeeRemoved)
	}
	if errors.As(err, new(Stop)) {
		err = nil
	}
	return made.gone.Load() || a != nil && a.Status()/100 == 5, err // what fails may have been done
}

// toDelete returns a resource to be deleted: a new one or, if no more are created because deletions were refused,
// an existing one.
func (s *Scenario) toDelete(ctx context.Context, slot resource.Slot) (*Resource, string, error) {
	made, none, err := s.create(ctx, slot)
	if made != nil || err != nil && !errors.As(err, new(Stop)) {
		return made, none, err
	}
	all := s.Run.resources
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.removals.refused[slot.Key] == 0 {
		return made, none, err
	}
	for _, one := range slices.Backward(all.created) {
		if one.Slot.Key == slot.Key && one.Owned() && !one.gone.Load() {
			return one, "", nil
		}
	}
	return made, none, err
}

// keepIdle puts aside what the first plain request of an operation created, if it is sensitive, for other requests
// to use.
func (r *resources) keepIdle(op *spec.Operation, a *Answer) {
	if _, sensitive := r.kindOf(op); !sensitive || a.made == nil || !a.made.Owned() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a.made.kept.Store(true)
	r.idle = append(r.idle, a.made)
}

// takeIdle returns a resource of a slot that was put aside, or nil.
func (r *resources) takeIdle(slot resource.Slot) *Resource {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, one := range r.idle {
		if one.Slot.Key == slot.Key && !one.gone.Load() {
			r.idle = slices.Delete(r.idle, i, i+1)
			return one
		}
	}
	return nil
}

// Succeeded returns the plain request of an operation that creates or deletes sensitive resources, and its answer,
// so that it need not be sent again; false for other operations, and if none has succeeded.
func Succeeded(ctx context.Context, s *Scenario, op *spec.Operation) (Plain, bool, error) {
	_, sensitive := s.Run.resources.kindOf(op)
	if slots := resource.SlotsOf(op); op.Method == http.MethodDelete && len(slots) > 0 {
		sensitive = s.Run.resources.sensitiveAt(slots[len(slots)-1])
	}
	if !sensitive {
		return Plain{}, false, nil
	}
	p := s.Run.plains.entry(op.ID)
	if err := s.searchPlainOnce(ctx, op, p); err != nil {
		return Plain{}, false, err
	}
	return p.found, p.none == "", nil
}

// isAbout reports whether the scenario tests a rule of one of the kinds.
func (s *Scenario) isAbout(kinds ...promise.Kind) bool {
	return slices.ContainsFunc(s.Rule.Cases, func(k string) bool { return slices.Contains(kinds, promise.Kind(k).Base()) })
}

// isRefusedBefore reports whether a scenario sends a wrong credential, so that what it names remains unchanged.
func (s *Scenario) isRefusedBefore() bool {
	return slices.ContainsFunc(s.Pickle.Steps, func(step suite.Step) bool { return strings.HasPrefix(step.Text, promise.Credential.Beginning()) })
}
