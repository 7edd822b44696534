package scenario

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/turn"
)

// mostRepairs is how many requests of an operation a run sends to find a body that the service accepts, after all plain ones were refused.
const mostRepairs = 12

// repairs holds what a run learned about bodies that a service accepts, by operation.
type repairs struct {
	mu          sync.Mutex
	byOperation map[string]*repair
}

// repair is the search for a body of one operation.
type repair struct {
	search turn.Turn // held during the search
	tried  bool      // guarded by search; the rest by the mutex of repairs
	// result is what the search has found out so far.
	result record.BodySearch
	// found is the request without identifiers of the run that was accepted, if one was.
	found request.Request
}

// attempt is a request without identifiers of the run, and the response to it with them.
type attempt struct {
	request request.Request
	answer  *Answer
}

func (p *repairs) entry(operation string) *repair {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byOperation == nil {
		p.byOperation = map[string]*repair{}
	}
	if p.byOperation[operation] == nil {
		p.byOperation[operation] = &repair{search: turn.New(), result: record.BodySearch{Operation: operation}}
	}
	return p.byOperation[operation]
}

// repaired returns the request that a run found for an operation, and the pointers of the members that the service needs, refuses, or needs
// other values for; false if there is none.
func (p *repairs) repaired(operation string) (r request.Request, places []string, ok bool) {
	known := p.entry(operation)
	p.mu.Lock()
	defer p.mu.Unlock()
	return known.found, slices.Concat(known.result.Without, known.result.With, known.result.Other), known.result.Accepted
}

// change changes the result of a search.
func (p *repairs) change(known *repair, by func(*record.BodySearch)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	by(&known.result)
}

// refused continues a sentence about an operation that never succeeded; "" if no search for a body was begun.
func (p *repairs) refused(operation string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.byOperation[operation]; known != nil && known.begun() && !known.result.Accepted {
		return known.result.Refused()
	}
	return ""
}

// begun reports whether plain bodies of the operation were refused.
func (k *repair) begun() bool { return k.result.OfPlain() }

// RepairedIn returns the member of the body at or above which a request differs from the plain one, if the service refused other plain
// requests for it; "" if there is none. The refusal of such a request shows nothing new.
func (p Plain) RepairedIn(r request.Request) string {
	was, _, _ := p.Request.Body()
	is, _, _ := r.Body()
	for _, pointer := range p.Repaired {
		before, had := exactjson.Lookup(was, jsonpointer.Tokens(pointer))
		now, has := exactjson.Lookup(is, jsonpointer.Tokens(pointer))
		if had != has || !(exactjson.Value{Tree: before, Valid: true}).Equal(exactjson.Value{Tree: now, Valid: true}) {
			return pointer
		}
	}
	return ""
}

// mayRepair reports whether a run may try further bodies of an operation: none of which each request matters, or that is held back by
// default.
func (s *Scenario) mayRepair(op *spec.Operation) bool {
	all := s.Run.resources
	if op.Body == nil || !slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, op.Method) || resource.Pays(op) {
		return false
	}
	if _, danger := all.inferred.Danger(op); danger || changesUnnamed(all.inferred, op) {
		return false
	}
	if _, sensitive := all.kindOf(op); sensitive {
		return false
	}
	return !slices.ContainsFunc(resource.SlotsOf(op), all.sensitiveAt)
}

// refusesBody reports whether a response may refuse the values of a body.
func refusesBody(a *Answer) bool {
	return a != nil && (a.Status() == http.StatusBadRequest || a.Status() == http.StatusUnprocessableEntity)
}

// repair searches for a body that the service accepts, after it refused all plain ones: it corrects the members that refusals name, follows
// each branch of the schema, leaves out one optional member at a time of the largest body, and adds one at a time to the smallest. All
// bodies conform to the contract. It returns the request that succeeded, without and with the identifiers of the run, and the response.
func (s *Scenario) repair(ctx context.Context, op *spec.Operation, tried []attempt, with credentials.Credential, b bindings) (plain, sent request.Request, a *Answer, err error) {
	tried = slices.DeleteFunc(slices.Clone(tried), func(one attempt) bool { return !refusesBody(one.answer) || !isObject(one.request) })
	if len(tried) == 0 {
		return plain, sent, nil, nil
	}
	all := &s.Run.repairs
	known := all.entry(op.ID)
	leave, err := known.search.Take(ctx)
	if err != nil {
		return plain, sent, nil, err
	}
	defer leave()
	if known.tried {
		return s.askRepaired(ctx, op, with, b) // another scenario has searched meanwhile
	}
	known.tried = true
	search := newRepairSearch(s, op, tried)
	may := s.mayRepair(op)
	if may {
		shown, ok, err := s.asShown(ctx, search.largest(), b)
		if err != nil {
			return plain, sent, nil, err
		}
		if ok {
			search.guided = append([]request.Request{shown}, search.guided...)
		}
	}
	all.change(known, func(r *record.BodySearch) { r.Withheld, r.Named = !may, search.named })
	for n := 0; may && n < mostRepairs; {
		next, more := search.next()
		if !more {
			break
		}
		if _, _, creates := s.Run.resources.inferred.Creates(op); creates && !s.Budget.Room(1) {
			break
		}
		sent, a, err = s.AskForOne(forManyScenarios(ctx), secured(s.Run, b.apply(next)), with, "a plain request with a corrected body")
		if errors.As(err, new(Stop)) {
			continue // nothing was sent
		}
		if err != nil {
			return plain, sent, nil, err
		}
		n++
		if a.Succeeded() {
			all.change(known, func(r *record.BodySearch) {
				r.Sent, r.Accepted, known.found = n, true, next
				search.compare(next, r)
			})
			return next, sent, a, nil
		}
		if refusesBody(a) {
			search.refused(attempt{next, a})
		}
		all.change(known, func(r *record.BodySearch) { r.Sent, r.Named = n, search.named })
		if !refusesBody(a) {
			break
		}
	}
	return plain, sent, nil, nil
}

// asShown returns a PUT with the body that a GET of the same path shows, without what the contract does not let a client send; false if there is
// none. A service may refuse to replace values that it has chosen itself.
func (s *Scenario) asShown(ctx context.Context, r request.Request, b bindings) (request.Request, bool, error) {
	operations := s.Run.Contract.Operations()
	i := slices.IndexFunc(operations, func(o spec.Operation) bool { return o.Method == http.MethodGet && o.Path == r.Operation.Path })
	if r.Operation.Method != http.MethodPut || i < 0 || b.last == nil {
		return r, false, nil
	}
	all, err := s.Run.Promises.Requests(&operations[i])
	if err != nil {
		return r, false, nil //nolint:nilerr // nothing can be read
	}
	with, err := s.Entitled(ctx, &operations[i])
	if err != nil {
		return r, false, nil //nolint:nilerr // as above
	}
	a, err := s.Ask(ctx, b.last.In(all[len(all)-1]), with, "to see what a request replaces")
	if errors.As(err, new(Stop)) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	shown, object := a.Value.Tree.(map[string]any)
	_, media, _ := r.Body()
	if a.Status()/100 != 2 || !object {
		return r, false, nil
	}
	sendable := map[string]any{}
	for name, value := range shown {
		if resource.Sends(r.Operation, name) {
			sendable[name] = value
		}
	}
	return r.WithBody(media, sendable), len(sendable) > 0, nil
}

// askRepaired sends the request that a search by another scenario found, with new names. The response is nil if there is none, or if it was
// refused.
func (s *Scenario) askRepaired(ctx context.Context, op *spec.Operation, with credentials.Credential, b bindings) (plain, sent request.Request, a *Answer, err error) {
	found, _, ok := s.Run.repairs.repaired(op.ID)
	if _, _, creates := s.Run.resources.inferred.Creates(op); !ok || creates && !s.Budget.Room(1) {
		return plain, sent, nil, nil
	}
	plain = Renamed(s, found)
	sent, a, err = s.AskForOne(forManyScenarios(ctx), secured(s.Run, b.apply(plain)), with, "a plain request with a corrected body")
	if errors.As(err, new(Stop)) {
		return plain, sent, nil, nil
	}
	if err != nil || !a.Succeeded() {
		return plain, sent, nil, err
	}
	return plain, sent, a, nil
}

// compare notes how a request that succeeded differs from those that were refused.
func (x *repairSearch) compare(r request.Request, result *record.BodySearch) {
	is, _, _ := r.Body()
	members, _ := is.(map[string]any)
	full, least := x.full(), x.least()
	for _, name := range slices.Sorted(maps.Keys(full)) {
		if _, has := members[name]; !has {
			result.Without = append(result.Without, jsonpointer.Join("", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, had := least[name]; !had {
			result.With = append(result.With, jsonpointer.Join("", name))
		}
	}
	for _, pointer := range x.pointers {
		tokens := jsonpointer.Tokens(pointer)
		value, has := exactjson.Lookup(is, tokens)
		if has && !slices.ContainsFunc(x.tried, func(one attempt) bool {
			body, _, _ := one.request.Body()
			was, had := exactjson.Lookup(body, tokens)
			return had && (exactjson.Value{Tree: was, Valid: true}).Equal(exactjson.Value{Tree: value, Valid: true})
		}) {
			result.Other = append(result.Other, pointer)
		}
	}
}

// BodySearches returns the searches for bodies that the service accepts, in the order of the contract.
func (r *Run) BodySearches() []record.BodySearch {
	var all []record.BodySearch
	r.repairs.mu.Lock()
	defer r.repairs.mu.Unlock()
	for _, op := range r.Contract.Operations() {
		one := record.BodySearch{Operation: op.ID}
		if known := r.repairs.byOperation[op.ID]; known != nil {
			one = known.result
		}
		if r.resources != nil {
			one.Again = r.resources.variedBy(&op).words()
		}
		if one.OfPlain() || one.Found() {
			all = append(all, one)
		}
	}
	return all
}

// isObject reports whether the body of a request is an object.
func isObject(r request.Request) bool {
	body, _, ok := r.Body()
	_, object := body.(map[string]any)
	return ok && object
}
