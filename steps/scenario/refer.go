package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
)

// References in requests outside their paths: in parameters and bodies.

// namedReference is a value for a reference to a resource.
type namedReference struct {
	reference resource.Reference
	value     any
}

// bindReferences finds the values of the references in an operation's parameters and body. Operations that may
// change something get only what this run created. A required reference that cannot be resolved is recorded as
// missing; an example is used for it.
func bindReferences(ctx context.Context, s *Scenario, op *spec.Operation, own bool, b *bindings) error {
	for _, at := range s.Run.resources.inferred.References(op) {
		if IsGiven(s.Run.Promises.Given(), op, at) {
			continue
		}
		value, known := b.slots[at.Slot.Key]
		if !known {
			found, none, err := s.shared(ctx, at.Slot, own || !reads(op))
			if found == nil && err == nil && !own && s.mayReferTo(op, at) {
				found, none, err = s.shared(ctx, at.Slot, false)
			}
			if err != nil {
				return err
			}
			if found == nil {
				if at.Required && b.missing == "" {
					b.missing = at.Name() + ": " + none
				}
				continue
			}
			if belowAnother(found, b.slots) {
				continue
			}
			value = found.Identifier()
		}
		if value = resource.Convert(value, at.Schema); at.Schema == nil || s.Run.Promises.Valid(at.Schema, value) {
			b.named = append(b.named, namedReference{at, value})
		}
	}
	if s.Run.shown.isNeeded(op.ID) {
		return s.bindShown(ctx, op, b)
	}
	return nil
}

// shownNeeded holds the operations that were refused with the values of the document, and need those that other reads show.
type shownNeeded struct {
	mu sync.Mutex
	by map[string]bool
}

func (x *shownNeeded) isNeeded(operation string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.by[operation]
}

func (x *shownNeeded) note(operation string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.by == nil {
		x.by = map[string]bool{}
	}
	x.by[operation] = true
}

// withShown returns bindings with the values that other reads show, for an operation whose plain requests were refused; false if there are no
// others.
func (s *Scenario) withShown(ctx context.Context, op *spec.Operation, last *Answer, b bindings) (bindings, bool, error) {
	refused := last != nil && slices.Contains([]int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity}, last.Status())
	if !refused || s.Run.shown.isNeeded(op.ID) {
		return b, false, nil
	}
	before := len(b.named)
	b.named = slices.Clip(b.named)
	err := s.bindShown(ctx, op, &b)
	return b, len(b.named) > before, err
}

// mayReferTo reports whether a request may refer to something that exists and that the run did not create: a read may, and so may a creation of
// which each one does not matter, if no operation creates what it refers to, such as a category or a country.
func (s *Scenario) mayReferTo(op *spec.Operation, at resource.Reference) bool {
	if reads(op) {
		return true
	}
	all := s.Run.resources
	_, _, creates := all.inferred.Creates(op)
	return creates && at.Required && op.Method == http.MethodPost && s.mayRepair(op) && !at.IsOfOthers() && !all.sensitiveAt(at.Slot) && len(all.inferred.Creators(at.Slot)) == 0
}

// bindShown finds the values of required references that no collection of the contract is known for, in what other reads show.
func (s *Scenario) bindShown(ctx context.Context, op *spec.Operation, b *bindings) error {
	from := s.Run.resources.inferred
	for _, at := range from.Candidates(op) {
		if at.Slot.Key != "" || !at.Required || IsGiven(s.Run.Promises.Given(), op, at) || !s.mayReferTo(op, at) {
			continue
		}
		producers := from.ShownFor(op, at)
		if len(producers) == 0 {
			continue
		}
		key := "shown for " + op.ID + " " + at.Name() + fmt.Sprint(at.Path)
		found, _, err := s.Run.resources.lookup(s.Run.resources.shared, key).once(ctx, func() (*Resource, string, error) {
			return s.readShown(ctx, at, producers, *b)
		})
		if err != nil {
			return err
		}
		if found != nil {
			b.named = append(b.named, namedReference{at, found.Identifier()})
		}
	}
	return nil
}

// readShown reads what a reference may name. Values for the paths of the reads are those of the request itself.
func (s *Scenario) readShown(ctx context.Context, at resource.Reference, producers []resource.Producer, b bindings) (*Resource, string, error) {
	for _, p := range producers {
		if forbidden(s.Run.resources.inferred, p.Operation, s.Run.Target.Allowed) != "" {
			continue
		}
		candidates, err := s.Run.Promises.Requests(p.Operation)
		if err != nil {
			continue
		}
		with, err := s.Entitled(ctx, p.Operation)
		if err != nil {
			continue
		}
		r := candidates[len(candidates)-1] // the fewest parameters filter least
		known := true
		for _, slot := range resource.SlotsOf(p.Operation) {
			value, ok := b.slots[slot.Key]
			if known = known && ok; ok {
				r = r.With(request.PlaceOf(slot.Parameter), value)
			}
		}
		if !known {
			continue
		}
		a, err := s.Ask(ctx, r, with, "to find what another request refers to")
		if errors.As(err, new(Stop)) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		slot := resource.Slot{Key: "shown " + at.Name(), Parameter: spec.Parameter{Edge: spec.Edge{Schema: at.Schema}}}
		for _, id := range p.Identifiers(slot, a.Value.Tree) {
			if a.Status()/100 == 2 && (at.Schema == nil || s.Run.Promises.Valid(at.Schema, id)) {
				return &Resource{Slot: &slot, identifiers: identifiers{{slot.Key, id}}}, "", nil
			}
		}
	}
	return nil, "nothing shows it", nil
}

// Refers reports whether a top-level member of an operation's body is named like a reference, so that a made-up
// value would refer to nothing.
func Refers(r *Run, op *spec.Operation, member string) bool {
	return slices.ContainsFunc(r.resources.inferred.Candidates(op), func(at resource.Reference) bool {
		return at.Parameter == nil && len(at.Path) == 1 && at.Path[0].Name == member
	})
}

// IsReference reports whether a top-level member of an operation's body surely refers to a resource.
func IsReference(r *Run, op *spec.Operation, member string) bool {
	return slices.ContainsFunc(r.resources.inferred.References(op), func(at resource.Reference) bool {
		return at.Parameter == nil && len(at.Path) == 1 && at.Path[0].Name == member
	})
}

// Referring returns values for the top-level members of an operation's body that refer to resources created by
// this run. Others are left out.
func Referring(ctx context.Context, s *Scenario, op *spec.Operation) (map[string]any, error) {
	all := map[string]any{}
	for _, at := range s.Run.resources.inferred.References(op) {
		if at.Parameter != nil || len(at.Path) != 1 || at.Path[0].Each || IsGiven(s.Run.Promises.Given(), op, at) {
			continue
		}
		found, _, err := s.shared(ctx, at.Slot, true)
		if err != nil {
			return nil, err
		}
		if found != nil {
			all[at.Path[0].Name] = resource.Convert(found.Identifier(), at.Schema)
		}
	}
	return all, nil
}

// NamingAnother returns a plain request of an operation in which a top-level member of the body refers to a
// resource that no other request of the run refers to; false if the run cannot create one.
func NamingAnother(ctx context.Context, s *Scenario, op *spec.Operation, member string) (request.Request, bool, error) {
	for _, at := range s.Run.resources.inferred.References(op) {
		if at.Parameter != nil || len(at.Path) != 1 || at.Path[0].Name != member || IsGiven(s.Run.Promises.Given(), op, at) {
			continue
		}
		plain, err := s.Plain(ctx, op)
		if err != nil {
			return request.Request{}, false, err
		}
		made, _, err := s.create(forOneScenario(ctx), at.Slot)
		if made == nil || err != nil {
			return request.Request{}, false, err
		}
		r, no := plain.Request.WithBodyAt(jsonpointer.Join("", member), resource.Convert(made.Identifier(), at.Schema))
		return r, no == nil, nil
	}
	return request.Request{}, false, nil
}

// IsGiven reports whether a file of values sets the value at a reference.
func IsGiven(all *values.Values, op *spec.Operation, at resource.Reference) bool {
	if at.Parameter != nil {
		_, ok := all.Parameter(op, *at.Parameter)
		return ok
	}
	if _, whole := all.Body(op); whole {
		return true
	}
	return slices.ContainsFunc(all.Members(op), func(m values.Member) bool {
		tokens := jsonpointer.Tokens(m.Pointer)
		for i, token := range tokens {
			if i >= len(at.Path) || at.Path[i].Each == (strings.Trim(token, "0123456789") != "") || !at.Path[i].Each && at.Path[i].Name != token {
				return false
			}
		}
		return true
	})
}

// Unknown returns the first slot of an operation's path whose value neither the contract nor a file of values
// provides, if a file could. A name alone does not permit changing or deleting what it names.
func Unknown(op *spec.Operation, promises *promise.Promises, from *resource.Map) []resource.Slot {
	slots := resource.SlotsOf(op)
	own := changesOthers(from, op)
	_, _, creates := from.Creates(op)
	for i, slot := range slots {
		last := i == len(slots)-1
		if _, given := givenFor(promises, from, op, slot, last, own); given || resource.Fixed(slot.Parameter) || own && last && (!creates || op.Method == http.MethodPut) {
			continue
		}
		if from.NamedTogether(slot, slots) {
			continue // the value comes with that of a later one
		}
		if own && !creatable(promises, from, slot, nil) && (last || !isScope(from, slot)) || !own && !from.Fillable(slot) && len(slot.Parameter.Examples) == 0 {
			return []resource.Slot{slot} // what is below it may be creatable once it is known
		}
	}
	return nil
}

// givenFor returns the value of a slot from the file of values. A parameter's name alone does not permit changing
// or deleting the resource at the end of the path: the file must name the operation too.
func givenFor(promises *promise.Promises, from *resource.Map, op *spec.Operation, slot resource.Slot, last, own bool) (any, bool) {
	g, ok := promises.Given().Parameter(op, slot.Parameter)
	if !ok {
		return nil, false
	}
	if _, _, creates := from.Creates(op); own && last && !g.Named && (!creates || op.Method == http.MethodPut) {
		return nil, false
	}
	return g.Value, true
}

// belowAnother reports whether a resource has another parent than a path names.
func belowAnother(r *Resource, slots map[string]any) bool {
	for _, one := range r.identifiers {
		if known, there := slots[one.slot]; there && one.slot != r.Slot.Key && fmt.Sprint(known) != fmt.Sprint(one.value) {
			return true
		}
	}
	return false
}

// reads reports whether an operation has a safe method.
func reads(op *spec.Operation) bool {
	const query = "QUERY" // the safe method with a body in OpenAPI 3.2
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, query}, op.Method)
}

// apply returns a request with the value, if the request has the reference or must have it.
func (n namedReference) apply(r request.Request) request.Request {
	if p := n.reference.Parameter; p != nil {
		if _, there := r.Value(request.PlaceOf(*p)); there || n.reference.Required {
			r = r.With(request.PlaceOf(*p), n.value)
		}
		return r
	}
	body, _, _ := r.Body()
	for _, pointer := range pointers(body, n.reference.Path, "", n.reference.Required) {
		if with, err := r.WithBodyAt(pointer, n.value); err == nil {
			r = with
		}
	}
	return r
}

// pointers returns the pointers to the values that steps lead to; with missing, also to a last member that is
// absent.
func pointers(value any, path []resource.Step, at string, missing bool) []string {
	if len(path) == 0 {
		return []string{at}
	}
	var all []string
	switch v := value.(type) {
	case map[string]any:
		member, there := v[path[0].Name]
		if !path[0].Each && (there || missing && len(path) == 1) {
			return pointers(member, path[1:], jsonpointer.Join(at, path[0].Name), missing)
		}
	case []any:
		for i := range v {
			if path[0].Each {
				all = append(all, pointers(v[i], path[1:], jsonpointer.Join(at, strconv.Itoa(i)), missing)...)
			}
		}
	}
	return all
}

// Replaced is a place in a body where the identifier of a resource replaced a value of the document.
type Replaced struct {
	Pointer  string
	Was, Now any
}

// replacements returns the scalars in which the bodies of two requests of the same form differ.
func replacements(before, after request.Request) []Replaced {
	was, _, _ := before.Body()
	now, _, _ := after.Body()
	var all []Replaced
	var walk func(was, now any, at string)
	walk = func(was, now any, at string) {
		switch n := now.(type) {
		case map[string]any:
			w, _ := was.(map[string]any)
			for name := range n {
				if old, there := w[name]; there {
					walk(old, n[name], jsonpointer.Join(at, name))
				}
			}
		case []any:
			w, _ := was.([]any)
			for i := range min(len(n), len(w)) {
				walk(w[i], n[i], jsonpointer.Join(at, strconv.Itoa(i)))
			}
		default:
			if fmt.Sprint(was) != fmt.Sprint(now) {
				all = append(all, Replaced{Pointer: at, Was: was, Now: now})
			}
		}
	}
	walk(was, now, "")
	return all
}

// givenIn returns the places in a body where the file of values replaces a value of the document.
func givenIn(from *promise.Promises, op *spec.Operation) []Replaced {
	was := from.Members(op)
	var all []Replaced
	for _, m := range from.Given().Members(op) {
		for _, value := range was[m.Pointer] {
			all = append(all, Replaced{Pointer: m.Pointer, Was: value, Now: m.Value})
		}
	}
	return all
}

// Rebound returns a request derived from the plain one, with the plain one's identifiers where a change restored
// the values of the document.
func (p Plain) Rebound(r request.Request) request.Request {
	for _, one := range p.Replaced {
		body, _, ok := r.Body()
		if !ok {
			return r
		}
		if value, there := exactjson.Lookup(body, jsonpointer.Tokens(one.Pointer)); !there || !sameScalar(value, one.Was) {
			continue // a number in quotes is another value
		}
		if with, err := r.WithBodyAt(one.Pointer, one.Now); err == nil {
			r = with
		}
	}
	return r
}

// sameScalar reports whether two values are written alike, and both are texts or neither is.
func sameScalar(a, b any) bool {
	_, text := a.(string)
	_, other := b.(string)
	return text == other && fmt.Sprint(a) == fmt.Sprint(b)
}

// namesOwn reports whether all required references in a request refer to resources of this run; otherwise it
// returns why not. It is for operations without a path parameter.
func (r *resources) namesOwn(asked request.Request) (bool, string) {
	said := false
	for _, at := range r.inferred.References(asked.Operation) {
		if !at.Required {
			continue
		}
		if !r.refersToOwn(at, asked) {
			return false, at.Name() + " names nothing that this run created"
		}
		said = true
	}
	return said, "nothing in the request says that it is about what this run created"
}

// refersToOwn reports whether a reference in a request is to an existing resource that this run created.
func (r *resources) refersToOwn(at resource.Reference, asked request.Request) bool {
	var values []any
	if at.Parameter != nil {
		value, there := asked.Value(request.PlaceOf(*at.Parameter))
		if !there {
			return false
		}
		values = append(values, value)
	} else {
		body, _, ok := asked.Body()
		if !ok {
			return false
		}
		for _, pointer := range pointers(body, at.Path, "", true) {
			value, _ := exactjson.Lookup(body, jsonpointer.Tokens(pointer))
			values = append(values, value)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, value := range values {
		if !slices.ContainsFunc(r.created, func(one *Resource) bool {
			return one.Slot.Key == at.Slot.Key && one.Owned() && !one.gone.Load() && fmt.Sprint(one.Identifier()) == fmt.Sprint(value)
		}) {
			return false
		}
	}
	return len(values) > 0
}
