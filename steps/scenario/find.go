package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// How path parameters get their values: from what the run knows, creates or reads.

// bindings are the values of path parameters, and the resource named by the last one, or nil.
type bindings struct {
	values map[request.Place]any
	last   *Resource
	// slots holds all known values by slot key.
	slots map[string]any
	// named holds the values of references outside the path.
	named []namedReference
	// missing is why some values could not be found; examples are used for them.
	missing string
	// fill replaces the resources that the file of values names; nil if there are none.
	fill func(request.Request) request.Request
}

// apply returns a request with the values.
func (b bindings) apply(r request.Request) request.Request {
	for place, value := range b.values {
		r = r.With(place, value)
	}
	if own := resource.Own(r.Operation); b.last != nil && len(own) == 1 {
		if _, _, ok := r.Body(); ok {
			if with, err := r.WithBodyAt("/"+own[0].Name, b.last.Identifier()); err == nil {
				r = with
			}
		}
	}
	for _, n := range b.named {
		r = n.apply(r)
	}
	if b.fill != nil {
		r = b.fill(r)
	}
	return r
}

// bind finds the values of an operation's path parameters. Reads use what the run created, or else what exists;
// changes use only what the run created. last finds the resource for the last parameter; nil means the shared one.
// missing is why a required resource could not be found.
func (s *Scenario) bind(ctx context.Context, op *spec.Operation, own bool, last func(resource.Slot) (*Resource, string, error)) (b bindings, missing string, err error) {
	b.values = map[request.Place]any{}
	bound := map[string]any{}
	slots := resource.SlotsOf(op)
	for i, slot := range slices.Backward(slots) {
		if resource.Fixed(slot.Parameter) {
			continue
		}
		if value, ok := givenFor(s.Run.Promises, s.Run.resources.inferred, op, slot, i == len(slots)-1, own); ok {
			bound[slot.Key] = value
		}
		if _, known := bound[slot.Key]; !known {
			var found *Resource
			var none string
			switch {
			case i == len(slots)-1 && len(s.Run.stages.actionsBefore(op.ID)) > 0:
				found, none, err = s.staged(ctx, op, slot, last)
			case i == len(slots)-1 && last != nil:
				found, none, err = last(slot)
			default:
				found, none, err = s.shared(ctx, slot, own)
			}
			if found == nil && err == nil && own && s.createsBelow(op, slot, i == len(slots)-1) {
				found, none, err = s.scopeResource(ctx, slot, none)
			}
			switch {
			case err != nil:
				return b, "", err
			case found == nil && own:
				return b, none, nil
			case found == nil:
				if b.missing == "" {
					b.missing = none
				}
				continue
			}
			if i == len(slots)-1 {
				b.last = found
			}
			for _, one := range found.identifiers {
				if _, known := bound[one.slot]; !known {
					bound[one.slot] = one.value
				}
			}
		}
		b.values[request.PlaceOf(slot.Parameter)] = bound[slot.Key]
	}
	b.slots = bound
	if missing, err = s.bindCreated(ctx, op, &b); err != nil {
		return b, "", err
	}
	if missing != "" && own {
		return b, missing, nil
	}
	b.missing = cmp.Or(b.missing, missing)
	return b, "", bindReferences(ctx, s, op, own, &b)
}

// createsBelow reports whether an operation creates a new resource below what a slot names, and the slot is a
// scope.
func (s *Scenario) createsBelow(op *spec.Operation, slot resource.Slot, last bool) bool {
	_, p, creates := s.Run.resources.inferred.Creates(op)
	return creates && (!last || p.Way != resource.Chosen) && isScope(s.Run.resources.inferred, slot)
}

// isScope reports whether no operation creates what a slot names, but a list shows it: a server, an account or a
// project that is set up in other ways.
func isScope(from *resource.Map, slot resource.Slot) bool {
	return len(from.Creators(slot)) == 0 && slices.ContainsFunc(from.Producers(slot), func(p resource.Producer) bool {
		return p.Way == resource.Listed && p.Operation.Method == http.MethodGet
	})
}

// scopeResource returns a parent that the run may create resources in although it did not create it: the only one
// in its list. If there are several, it is unknown whose they are.
func (s *Scenario) scopeResource(ctx context.Context, slot resource.Slot, none string) (*Resource, string, error) {
	read, unread, err := s.shared(ctx, slot, false)
	switch {
	case err != nil:
		return nil, "", err
	case read == nil:
		return nil, none + "; " + unread, nil
	case !read.alone:
		return nil, none + ", and there are several of unknown ownership", nil
	}
	return read, "", nil
}

// allEqual reports whether a list has elements and all of them are equal.
func allEqual(all []any) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(id any) bool { return id != all[0] })
}

// shared returns a resource that no scenario changes.
func (s *Scenario) shared(ctx context.Context, slot resource.Slot, own bool) (*Resource, string, error) {
	all := s.Run.resources
	key := slot.Key + "\x00" + slot.Parameter.Name
	made, none, err := s.createOnce(ctx, all.lookup(all.shared, "created "+slot.Key), slot)
	if made != nil || own || err != nil {
		return made, none, err
	}
	read, unread, err := all.lookup(all.shared, "read "+key).once(ctx, func() (*Resource, string, error) { return s.readFor(ctx, slot) })
	if read == nil && none == "" {
		none = unread
	}
	return read, none, err
}

// owned returns a resource that only one operation changes.
func (s *Scenario) owned(ctx context.Context, op *spec.Operation, slot resource.Slot) (*Resource, string, error) {
	all := s.Run.resources
	sensitive := all.sensitiveAt(slot)
	return s.createOnce(ctx, all.lookup(all.private, changedBy(op, sensitive)), slot)
}

// createOnce creates a resource that several scenarios use. That the share of the budget of one of them is spent is not remembered: another
// one may have something left.
func (s *Scenario) createOnce(ctx context.Context, used *lookup, slot resource.Slot) (*Resource, string, error) {
	return s.createWith(ctx, used, func() (*Resource, string, error) { return s.create(ctx, slot) })
}

// createWith is like createOnce, with another way to create it.
func (s *Scenario) createWith(ctx context.Context, used *lookup, create func() (*Resource, string, error)) (*Resource, string, error) {
	made, none, err := used.once(ctx, func() (*Resource, string, error) {
		made, none, err := create()
		if made == nil && err == nil && !s.Budget.Room(1) {
			err = Stopf("%s", none)
		}
		return made, none, err
	})
	if stop, is := errors.AsType[Stop](err); is {
		return nil, stop.Reason, nil
	}
	return made, none, err
}

// create creates a resource, or returns nil and the reason why it could not.
func (s *Scenario) create(ctx context.Context, slot resource.Slot) (*Resource, string, error) {
	if one := s.Run.resources.takeIdle(slot); one != nil {
		return one, "", nil
	}
	creators := s.Run.resources.inferred.Creators(slot)
	if len(creators) == 0 {
		return nil, "no operation is known to create what " + slot.Key + " names", nil
	}
	reason := ""
	for _, p := range creators {
		made, none, err := s.createBy(ctx, slot, p)
		if made != nil || err != nil {
			return made, "", err
		}
		if reason == "" {
			reason = none
		}
	}
	return nil, reason, nil
}

// createBy creates a resource by one of its creators.
func (s *Scenario) createBy(ctx context.Context, slot resource.Slot, p resource.Producer) (*Resource, string, error) {
	op, all := p.Operation, s.Run.resources
	if _, gone := s.Run.Removed[op.ID]; gone {
		return nil, s.Run.Removed[op.ID], nil
	}
	if s.Run.Target.ReadOnly {
		return nil, "the run is read-only", nil
	}
	if why := forbidden(all.inferred, op, s.Run.Target.Allowed); why != "" {
		return nil, op.ID + " is not called: " + why, nil
	}
	if !s.Budget.Room(1) {
		s.Budget.CutShort()
		return nil, s.Run.noMore(), nil
	}
	all.mu.Lock()
	working, works := all.working[op.ID]
	repeats := all.repeats[op.ID]
	all.mu.Unlock()
	if repeats {
		return nil, op.ID + " answers several requests with the same resource, which may have existed before", nil
	}
	b, missing, err := s.bind(ctx, op, true, s.chosenValue(p))
	if missing != "" || err != nil {
		return nil, missing, err
	}
	candidates, err := s.Run.Promises.Requests(op)
	if err != nil {
		return nil, err.Error(), nil //nolint:nilerr // it is the reason why there is no resource
	}
	with, err := s.Entitled(ctx, op)
	if err != nil {
		return nil, err.Error(), nil //nolint:nilerr // as above
	}
	if works {
		candidates = []request.Request{working}
	}
	if found, _, ok := s.Run.repairs.repaired(op.ID); ok && !works {
		candidates = append([]request.Request{found}, candidates...)
	}
	candidates, _ = freshFirst(s, candidates)
	var last *Answer
	var tried []attempt
	ctx = forManyScenarios(ctx)
	for n := 0; n < len(candidates); n++ {
		plain := candidates[n]
		one, err := s.unused(ctx, secured(s.Run, b.apply(plain)), nil)
		if err != nil {
			return nil, "", err
		}
		r, a, err := s.AskForOne(ctx, one, with, "to create what another request names")
		if _, is := isNoState(err); is {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		last = a
		if !a.Succeeded() {
			tried = append(tried, attempt{plain, a})
			if n == len(candidates)-1 && !works {
				shown, others, err := s.withShown(ctx, op, last, b)
				if err != nil {
					return nil, "", err
				}
				if others {
					s.Run.shown.note(op.ID)
					b, n = shown, -1
				}
			}
			continue
		}
		return s.keepCreated(ctx, slot, p, r, a, with)
	}
	if !works {
		_, sent, a, err := s.repair(ctx, op, tried, with, b)
		if err != nil {
			return nil, "", err
		}
		if a != nil {
			return s.keepCreated(ctx, slot, p, sent, a, with)
		}
	}
	if works && last != nil {
		return nil, fmt.Sprintf("%s refuses another one: %s", op.ID, Refusal(s.Run, last)), nil
	}
	return nil, s.neverSucceeded(op, last), nil
}

// keepCreated returns the resource that a request to one of its creators has created, or why it cannot be used.
func (s *Scenario) keepCreated(ctx context.Context, slot resource.Slot, p resource.Producer, r request.Request, a *Answer, with credentials.Credential) (*Resource, string, error) {
	if _, err := s.Await(ctx, a); err != nil {
		return nil, "", err
	}
	made := a.made
	if made != nil && !made.Owned() && p.Way == resource.Created {
		// Asking again shows whether the resource existed before.
		again, err := s.Ask(ctx, Renamed(s, r), with, "to see whether it creates another one")
		if err != nil {
			return nil, "", err
		}
		if again.Succeeded() && again.made != nil {
			made = again.made
		}
	}
	switch {
	case made == nil:
		return nil, p.Operation.ID + " does not say what it created: " + quoteAnswer(a), nil
	case !made.Owned():
		return nil, p.Operation.ID + " may have returned a resource that existed before: " + quoteAnswer(a), nil
	case slot.Parameter.Schema != nil && !s.Run.Promises.Valid(slot.Parameter.Schema, made.Identifier()):
		return nil, fmt.Sprintf("the contract does not allow the identifier %v of %s for %s", made.Identifier(), p.Operation.ID, slot.Parameter.Name), nil
	}
	s.Run.resources.mu.Lock()
	s.Run.resources.working[p.Operation.ID] = r
	s.Run.resources.mu.Unlock()
	if a.Status() == http.StatusAccepted {
		return made, "", nil // it may not exist yet
	}
	if gone, err := s.removable(ctx, made, p.Operation); err != nil || gone {
		if err != nil {
			return nil, "", err
		}
		return s.createBy(ctx, slot, p)
	}
	return made, "", nil
}

// chosenValue returns a function that makes up the identifier for a PUT that creates; nil for other creators.
func (s *Scenario) chosenValue(p resource.Producer) func(resource.Slot) (*Resource, string, error) {
	if p.Way != resource.Chosen {
		return nil
	}
	return func(slot resource.Slot) (*Resource, string, error) {
		for _, value := range freshTexts(s, slot.Parameter.Name, slot.Parameter.Schema) {
			if s.Run.Promises.Valid(slot.Parameter.Schema, value) {
				all := s.Run.resources
				all.mu.Lock()
				all.chosen[value] = true
				all.mu.Unlock()
				return &Resource{Slot: &slot, identifiers: identifiers{{slot.Key, value}}}, "", nil
			}
		}
		return nil, "no value of " + slot.Parameter.Name + " that is certainly new is allowed", nil
	}
}

// readFor returns a resource that a list or another read shows.
func (s *Scenario) readFor(ctx context.Context, slot resource.Slot) (*Resource, string, error) {
	reason := ""
	note := func(text string) {
		if reason == "" {
			reason = text
		}
	}
	for _, p := range s.Run.resources.inferred.Producers(slot) {
		if p.Way != resource.Listed && p.Way != resource.Shown || p.Operation.Method != "GET" {
			continue
		}
		if why := forbidden(s.Run.resources.inferred, p.Operation, s.Run.Target.Allowed); why != "" {
			note(p.Operation.ID + " is not called: " + why)
			continue
		}
		b, _, err := s.bind(ctx, p.Operation, false, nil)
		if err != nil {
			return nil, "", err
		}
		candidates, err := s.Run.Promises.Requests(p.Operation)
		if err != nil {
			note(err.Error())
			continue
		}
		with, err := s.Entitled(ctx, p.Operation)
		if err != nil {
			note(err.Error())
			continue
		}
		var last *Answer
		for _, r := range slices.Backward(candidates) { // those with the fewest parameters filter least
			a, err := s.Ask(ctx, b.apply(r), with, "to find what another request names")
			if err != nil {
				return nil, "", err
			}
			last = a
			if len(p.Above) > 0 && a.Status()/100 == 2 {
				for _, pair := range plainestFirst(p.Together(slot, a.Value.Tree), func(pair resource.Pair) any { return pair.Identifier }) {
					return &Resource{Slot: &slot, identifiers: withAbove(parents(slot, a.Request), p, pair).withValue(slot.Key, pair.Identifier)}, "", nil
				}
				continue
			}
			for _, id := range plainestFirst(p.Identifiers(slot, a.Value.Tree), func(id any) any { return id }) {
				if a.Status()/100 == 2 && (slot.Parameter.Schema == nil || s.Run.Promises.Valid(slot.Parameter.Schema, id)) {
					return &Resource{
						Slot: &slot, identifiers: parents(slot, a.Request).withValue(slot.Key, id),
						alone: p.Way == resource.Listed && allEqual(p.Identifiers(slot, a.Value.Tree)),
					}, "", nil
				}
			}
		}
		note(fmt.Sprintf("%s shows nothing that %s could name: %s", p.Operation.ID, slot.Parameter.Name, quoteAnswer(last)))
	}
	if found, err := s.monitorFor(ctx, slot); found != nil || err != nil {
		return found, "", err
	}
	if reason == "" {
		reason = "no operation is known to show what " + slot.Key + " names"
	}
	return nil, reason, nil
}

// plainestFirst returns what a response shows with those first whose identifier a path holds without escapes: many routers take an escaped
// slash for a separator.
func plainestFirst[T any](all []T, identifier func(T) any) []T {
	return slices.SortedStableFunc(slices.Values(all), func(x, y T) int { return strangeness(identifier(x)) - strangeness(identifier(y)) })
}

// strangeness returns 0 for an identifier that a path holds without escapes, 1 for one with escapes, and 2 for one with an escaped slash or
// backslash.
func strangeness(id any) int {
	plain, is := id.(string)
	switch {
	case !is || url.PathEscape(plain) == plain:
		return 0
	case strings.ContainsAny(plain, `/\`):
		return 2
	}
	return 1
}
