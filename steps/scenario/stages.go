package scenario

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/refusal"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Operations may need their resource in a state that only actions of the document bring about: an invoice for what was closed.

const (
	// mostStaged is how many requests a run sends to bring a resource into the state that one operation needs, mostParents how many resources
	// it creates for that.
	mostStaged, mostParents = 16, 3
	// deepestStages is how many actions may need one another.
	deepestStages = 3
)

// stages holds the actions that the resource of an operation needs first, by operation.
type stages struct {
	mu    sync.Mutex
	first map[string][]*spec.Operation
	// ready holds the operations for which resources were prepared.
	ready map[*Resource][]string
}

// actionsBefore returns the actions that the resource of an operation needs first.
func (x *stages) actionsBefore(operation string) []*spec.Operation {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.first[operation]
}

// prepared notes that a resource is in the state that an operation needs, and returns whether it was before.
func (x *stages) prepared(made *Resource, operation string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if slices.Contains(x.ready[made], operation) {
		return true
	}
	if x.ready == nil {
		x.ready = map[*Resource][]string{}
	}
	x.ready[made] = append(x.ready[made], operation)
	return false
}

// learn notes the actions that the resource of an operation needs first.
func (x *stages) learn(operation string, first []*spec.Operation) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.first == nil {
		x.first = map[string][]*spec.Operation{}
	}
	x.first[operation] = first
}

// staged returns a resource in the state that an operation needs: the one that last finds, or one that only this operation uses.
func (s *Scenario) staged(ctx context.Context, op *spec.Operation, slot resource.Slot, last func(resource.Slot) (*Resource, string, error)) (*Resource, string, error) {
	prepare := func(made *Resource, none string, err error) (*Resource, string, error) {
		if made == nil || err != nil || s.Run.stages.prepared(made, op.ID) {
			return made, none, err
		}
		for _, action := range s.Run.stages.actionsBefore(op.ID) {
			a, err := s.act(ctx, action, made)
			switch {
			case err != nil:
				return nil, "", err
			case a == nil || !a.Succeeded():
				return nil, action.ID + ", which must succeed first, was refused: " + quoteAnswer(a), nil
			}
		}
		return made, "", nil
	}
	if last != nil {
		return prepare(last(slot))
	}
	all := s.Run.resources
	return s.createWith(ctx, all.lookup(all.private, "prepared for "+op.ID), func() (*Resource, string, error) { return prepare(s.create(ctx, slot)) })
}

// act sends a plain request of an action to a resource of the run. The answer is nil if none may or can be sent.
func (s *Scenario) act(ctx context.Context, action *spec.Operation, made *Resource) (*Answer, error) {
	all, err := s.Run.Promises.Requests(action)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // nothing can be sent
	}
	with, err := s.Entitled(ctx, action)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // as above
	}
	a, err := s.Ask(ctx, secured(s.Run, made.In(all[0])), with, "to bring a resource into the state that another request needs")
	if errors.As(err, new(Stop)) {
		return nil, nil //nolint:nilnil // as above
	}
	return a, err
}

// actionsOn returns the operations that act on what a slot names, and nothing else, except those that may do harm, that pay and that create
// something.
func (s *Scenario) actionsOn(slot resource.Slot, except *spec.Operation) []*spec.Operation {
	var all []*spec.Operation
	from, operations := s.Run.resources.inferred, s.Run.Contract.Operations()
	for i := range operations {
		op := &operations[i]
		verb, below := strings.CutPrefix(resource.Anonymous(op.Path), slot.Key+"/")
		if !below || strings.ContainsAny(verb, "/{") || op.ID == except.ID || !slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, op.Method) {
			continue
		}
		if _, _, creates := from.Creates(op); creates || resource.Pays(op) || resource.Sensitive(op) != "" || forbidden(from, op, s.Run.Target.Allowed) != "" || from.ListsBelow(op) {
			continue
		}
		all = append(all, op)
	}
	return all
}

// namesState matches sentences that speak of a state.
var namesState = regexp.MustCompile(`(?i)\b(state|status|stage|phase|must (first )?be|has to be|have to be|needs to be|is not|isn't|not yet|already|only|first|before|until|unless|cannot|can't)\b`)

// irregular are the forms of verbs that do not begin like them.
var irregular = map[string]string{"pay": "paid", "send": "sent", "begin": "begun", "start": "running", "build": "built", "hold": "held", "deny": "denied", "verify": "verified", "run": "running", "ready": "ready"}

// refusesState reports whether a response may refuse a request because of the state of its resource.
func refusesState(a *Answer) bool {
	return a != nil && slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusPreconditionFailed, http.StatusUnprocessableEntity}, a.Status())
}

// byWords returns actions, those first that a refusal names.
func byWords(actions []*spec.Operation, a *Answer) (all []*spec.Operation, named bool) {
	text := strings.ToLower(refusal.Sentence(a.Exchange.Response.Body))
	var others []*spec.Operation
	for _, op := range actions {
		verb := resource.Verb(op)
		stem := strings.TrimSuffix(verb, "e")
		if len(stem) > 2 && strings.Contains(text, stem) || irregular[verb] != "" && strings.Contains(text, irregular[verb]) {
			all = append(all, op)
		} else {
			others = append(others, op)
		}
	}
	named = len(all) > 0
	return append(all, others...), named
}

// stager searches for the actions after which an operation succeeds.
type stager struct {
	s       *Scenario
	made    *Resource
	actions []*spec.Operation
	done    []*spec.Operation
	left    int
}

// reach calls an action, and first those that its refusal names, and reports whether it succeeded.
func (x *stager) reach(ctx context.Context, action *spec.Operation, depth int) (bool, error) {
	if slices.Contains(x.done, action) || depth > deepestStages || x.left <= 0 {
		return false, nil
	}
	x.left--
	a, err := x.s.act(ctx, action, x.made)
	if err != nil || a == nil {
		return false, err
	}
	if !a.Succeeded() && refusesState(a) {
		before, named := byWords(x.actions, a)
		for _, one := range before {
			if !named || one.ID == action.ID {
				continue
			}
			if ok, err := x.reach(ctx, one, depth+1); err != nil {
				return false, err
			} else if ok && x.left > 0 {
				x.left--
				if a, err = x.s.act(ctx, action, x.made); err != nil || a == nil {
					return false, err
				}
				break
			}
		}
	}
	if a.Succeeded() {
		x.done = append(x.done, action)
		return true, nil
	}
	return false, nil
}

// stage searches for documented actions after which an operation succeeds that was refused because of the state of its resource. It returns the
// request that succeeded, without and with the identifiers of the run, the response, and the bindings; the response is nil if none did.
func (s *Scenario) stage(ctx context.Context, op *spec.Operation, candidates []request.Request, last *Answer, with credentials.Credential, b bindings) (plain, sent request.Request, a *Answer, to bindings, err error) {
	slots := resource.SlotsOf(op)
	if !refusesState(last) || len(slots) == 0 || reads(op) || resource.Chooses(op) || len(s.Run.stages.actionsBefore(op.ID)) > 0 {
		return plain, sent, nil, b, nil
	}
	slot, all := slots[len(slots)-1], s.Run.resources
	actions := s.actionsOn(slot, op)
	ranked, named := byWords(actions, last)
	if len(actions) == 0 || all.sensitiveAt(slot) || resource.Pays(op) || len(all.inferred.Creators(slot)) == 0 ||
		!named && !namesState.MatchString(refusal.Sentence(last.Exchange.Response.Body)) {
		return plain, sent, nil, b, nil
	}
	left := mostStaged
	for n := range min(mostParents, len(ranked)) {
		made, _, err := s.create(forOneScenario(ctx), slot)
		if made == nil || err != nil {
			return plain, sent, nil, b, err
		}
		x := &stager{s: s, made: made, actions: actions, left: left}
		to = b.about(op, made)
		for _, action := range append(slices.Clone(ranked[n:]), ranked[:n]...) {
			ok, err := x.reach(ctx, action, 1)
			if err != nil {
				return plain, sent, nil, b, err
			}
			for _, one := range candidates[:min(len(candidates), 2)] {
				if !ok || x.left <= 0 {
					continue
				}
				x.left--
				sent, a, err = s.AskForOne(forManyScenarios(ctx), secured(s.Run, to.apply(one)), with, "a plain request after "+action.ID)
				if errors.As(err, new(Stop)) {
					continue
				}
				if err != nil {
					return plain, sent, nil, b, err
				}
				if a.Succeeded() {
					s.Run.stages.learn(op.ID, x.done)
					s.Run.stages.prepared(made, op.ID)
					s.Run.repairs.change(s.Run.repairs.entry(op.ID), func(r *record.BodySearch) {
						for _, first := range x.done {
							r.After = append(r.After, first.ID)
						}
					})
					return one, sent, a, to, nil
				}
			}
		}
		left = x.left
	}
	return plain, sent, nil, b, nil
}

// about returns the bindings with another resource at the end of the path of an operation.
func (b bindings) about(op *spec.Operation, made *Resource) bindings {
	b.values, b.slots, b.last = maps.Clone(b.values), maps.Clone(b.slots), made
	for _, slot := range resource.SlotsOf(op) {
		if value, ok := made.identifiers.valueIn(slot.Key); ok {
			b.values[request.PlaceOf(slot.Parameter)], b.slots[slot.Key] = value, value
		}
	}
	return b
}
