package scenario

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/turn"
)

// Plain is a valid request to an operation that succeeded in this run, and its response.
type Plain struct {
	Request request.Request
	// Answer is the response, usually without the value of its body: see [Answer.Whole].
	Answer *Answer
	// Replaced lists the places in the body where identifiers of the run replace values of the document.
	Replaced []Replaced
	// Named lists the path parameters whose values are known to exist: the run created or read them, or they are
	// given.
	Named []request.Place
	// Repaired lists the members of the body because of which the service refused the other plain requests; see
	// [Plain.RepairedIn].
	Repaired []string
}

// Names reports whether the value of a path parameter is known to exist, rather than made up or an example of the
// document.
func (p Plain) Names(place request.Place) bool { return slices.Contains(p.Named, place) }

// plains holds the plain requests of a run, by operation. Each is searched for once, by the scenario that first
// needs it.
type plains struct {
	mu          sync.Mutex
	byOperation map[string]*plain
}

// plain is the plain request of an operation, or why there is none.
type plain struct {
	search turn.Turn // held during the search
	known  bool
	found  Plain
	none   string
	// once reports whether the request succeeds only once for a resource, so that each scenario needs a resource of
	// its own.
	once bool
	// renamed reports whether the request succeeded only with names that did not exist yet.
	renamed bool
	// suggested are values that may make the operation succeed, if there is no plain request.
	suggested []record.Suggestion
}

func (p *plains) entry(operation string) *plain {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byOperation == nil {
		p.byOperation = map[string]*plain{}
	}
	if p.byOperation[operation] == nil {
		p.byOperation[operation] = &plain{search: turn.New()}
	}
	return p.byOperation[operation]
}

// Plain returns a plain request to an operation that succeeded. If there is none it ends the scenario: nothing is
// concluded from an operation that was never seen to succeed. If the operation deletes its resource or changes it
// for good, the returned request is about another resource than the one that succeeded.
func (s *Scenario) Plain(ctx context.Context, op *spec.Operation) (Plain, error) {
	p := s.Run.plains.entry(op.ID)
	if err := s.searchPlainOnce(ctx, op, p); err != nil {
		return Plain{}, err
	}
	if p.none != "" {
		return Plain{}, Stopf("%s", p.none)
	}
	found := p.found
	if p.once {
		b, err := s.bindAnother(ctx, op)
		// An identifier that belongs to nothing replaces what is gone already.
		if s.isAbout(promise.NotFound) && errors.As(err, new(Stop)) {
			err = nil
		}
		if err != nil {
			return Plain{}, err
		}
		found.Request = b.apply(found.Request)
	}
	if _, _, creates := s.Run.resources.inferred.Creates(op); creates || p.renamed {
		found.Request = Renamed(s, found.Request)
	} else {
		found.Request = Rekeyed(s, found.Request)
	}
	found.Request = renewed(s.Run, found.Request)
	varied, changed, err := s.varied(ctx, found.Request)
	if err != nil || !changed {
		return found, err
	}
	for i, one := range found.Replaced {
		body, _, _ := varied.Body()
		if now, there := exactjson.Lookup(body, jsonpointer.Tokens(one.Pointer)); there {
			found.Replaced = slices.Clone(found.Replaced)
			found.Replaced[i].Now = now
		}
	}
	for _, one := range replacements(found.Request, varied) {
		if !slices.ContainsFunc(found.Replaced, func(known Replaced) bool { return known.Pointer == one.Pointer }) {
			found.Replaced = append(slices.Clip(found.Replaced), one)
		}
	}
	found.Request = varied
	return found, nil
}

// bindAnother binds an operation that succeeds only once for a resource to a resource that it was not called with
// yet.
func (s *Scenario) bindAnother(ctx context.Context, op *spec.Operation) (bindings, error) {
	b, missing, err := s.bind(ctx, op, true, func(slot resource.Slot) (*Resource, string, error) { return s.Run.resources.lend(ctx, s, op, slot) })
	if err == nil && missing != "" {
		err = Stopf("%s succeeded, but cannot be called again: %s", op.ID, missing)
	}
	return b, err
}

// mayEnd reports whether an operation may succeed only once for what it names, such as a cancellation.
func (s *Scenario) mayEnd(op *spec.Operation) bool {
	_, _, creates := s.Run.resources.inferred.Creates(op)
	return op.Method == http.MethodPost && changesOthers(s.Run.resources.inferred, op) && !creates
}

func (s *Scenario) searchPlainOnce(ctx context.Context, op *spec.Operation, p *plain) error {
	leave, err := p.search.Take(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if p.known {
		return nil
	}
	return s.searchPlain(ctx, op, p)
}

// searchPlain tries the plain requests of an operation one after the other.
func (s *Scenario) searchPlain(ctx context.Context, op *spec.Operation, p *plain) (err error) {
	candidates, with, b, err := s.prepare(ctx, op)
	if stop, is := errors.AsType[Stop](err); is && s.Budget.Room(1) {
		p.known, p.none, p.suggested = true, stop.Reason, s.suggestUnsent(op, stop.Reason)
		return nil
	}
	if err != nil { // a scenario whose share of the budget is spent says nothing about others
		return err
	}
	defer func() {
		if slot, _, creates := s.Run.resources.inferred.Creates(op); err == nil && p.known && p.none == "" && creates && s.Run.resources.inferred.Remover(*slot) != nil {
			if _, _, err = s.shared(ctx, *slot, true); errors.As(err, new(Stop)) { // whether deletion works should be known before more are created
				err = nil
			}
		}
	}()
	var tried []attempt
	last, unstated, err := s.tryRequests(ctx, p, candidates, with, b, &tried)
	if err == nil && !p.known && op.Method == http.MethodGet && last != nil && last.Status() == http.StatusNotFound {
		if after, ok := s.bindingsOfPut(ctx, op); ok {
			after.named, after.missing = b.named, b.missing
			last, unstated, err = s.tryRequests(ctx, p, candidates, with, after, nil)
		}
	}
	if err == nil && !p.known {
		shown, others, no := s.withShown(ctx, op, last, b)
		if err = no; others && err == nil {
			last, unstated, err = s.tryRequests(ctx, p, candidates, with, shown, nil)
			if p.known {
				s.Run.shown.note(op.ID)
			}
		}
	}
	if err == nil && !p.known && last != nil && slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity}, last.Status()) {
		// The names in the requests may be taken.
		if all, fresh := freshFirst(s, candidates); len(all) > len(candidates) {
			last, unstated, err = s.tryRequests(ctx, p, all[:fresh], with, b, &tried)
			p.renamed = p.known
		}
	}
	if err == nil && !p.known {
		var plain, sent request.Request
		var a *Answer
		if plain, sent, a, err = s.repair(ctx, op, tried, with, b); a != nil && err == nil {
			err = s.keepPlain(ctx, p, plain, sent, a, with, b)
		}
	}
	if err == nil && !p.known {
		err = s.tryRoles(ctx, p, op, candidates, last, b)
	}
	if err == nil && !p.known {
		var plain, sent request.Request
		var a *Answer
		var to bindings
		if plain, sent, a, to, err = s.stage(ctx, op, candidates, telling(tried, last), with, b); a != nil && err == nil {
			err = s.keepPlain(ctx, p, plain, sent, a, with, to)
		}
	}
	if err != nil || p.known {
		return err
	}
	p.known, p.none, p.suggested = true, s.neverSucceeded(op, last), s.suggest(op, tried, telling(tried, last), b)
	for _, why := range []string{unstated, weakETagNote(last), b.missing} {
		if why != "" {
			p.none += "; " + why
		}
	}
	return nil
}

// telling returns the refusal that says most of why an operation never succeeded: a conflict, since it comes after other checks, or the last.
func telling(tried []attempt, last *Answer) *Answer {
	for _, one := range tried {
		if one.answer.Status() == http.StatusConflict {
			return one.answer
		}
	}
	return last
}

// neverSucceeded says that an operation never succeeded, or not once more, with the last response to it.
func (s *Scenario) neverSucceeded(op *spec.Operation, last *Answer) string {
	if s.Run.resources.succeededBefore(op) {
		return op.ID + " succeeded, but refuses another one: " + quoteAnswer(last)
	}
	return op.ID + " never succeeded" + s.Run.repairs.refused(op.ID) + ": " + quoteAnswer(last)
}

// bindingsOfPut returns the path parameters under which a PUT to the same path has stored something, such as an
// image; false if none has.
func (s *Scenario) bindingsOfPut(ctx context.Context, op *spec.Operation) (bindings, bool) {
	operations := s.Run.Contract.Operations()
	i := slices.IndexFunc(operations, func(o spec.Operation) bool { return o.Method == http.MethodPut && o.Path == op.Path })
	if i < 0 {
		return bindings{}, false
	}
	plain, err := s.Plain(ctx, &operations[i])
	if err != nil {
		return bindings{}, false
	}
	b := bindings{values: map[request.Place]any{}}
	for _, slot := range resource.SlotsOf(op) {
		place := request.PlaceOf(slot.Parameter)
		if value, ok := plain.Request.Value(place); ok {
			b.values[place] = value
		}
	}
	return b, true
}

// tryRequests sends plain requests until one succeeds, and stores it in p. It returns the last response, and why a
// request could not name the state that it needs, or "". It adds what was refused to tried, unless that is nil.
func (s *Scenario) tryRequests(ctx context.Context, p *plain, candidates []request.Request, with credentials.Credential, b bindings, tried *[]attempt) (last *Answer, unstated string, err error) {
	for _, plain := range candidates {
		r, a, err := s.AskForOne(forManyScenarios(ctx), secured(s.Run, b.apply(plain)), with, "a plain request")
		if why, is := isNoState(err); is {
			unstated = why
			continue
		}
		if err != nil {
			return last, unstated, err
		}
		last = a
		if !a.Succeeded() {
			if tried != nil {
				*tried = append(*tried, attempt{plain, a})
			}
			continue
		}
		return last, unstated, s.keepPlain(ctx, p, plain, r, a, with, b)
	}
	return last, unstated, nil
}

// keepPlain stores a request that succeeded in p: plain is the request without identifiers of the run, r the one
// that was sent.
func (s *Scenario) keepPlain(ctx context.Context, p *plain, plain, r request.Request, a *Answer, with credentials.Credential, b bindings) error {
	op := r.Operation
	_, repaired, _ := s.Run.repairs.repaired(op.ID)
	p.known, p.once = true, op.Method == http.MethodDelete
	p.found = Plain{
		Request: r, Answer: a.Light(), Replaced: append(replacements(plain, r), givenIn(s.Run.Promises, op)...), Named: slices.Collect(maps.Keys(b.values)), Repaired: repaired,
	}
	s.Run.resources.keepIdle(op, a)
	if s.mayEnd(op) {
		again, err := s.Ask(ctx, r, with, "to see whether it succeeds twice")
		if err != nil {
			return err
		}
		p.once = !again.Succeeded()
	}
	return nil
}

// weakETagNote explains that a request was refused because it sent a weak ETag; empty if it was not.
func weakETagNote(a *Answer) string {
	if a == nil || a.Status() != http.StatusPreconditionFailed || !strings.HasPrefix(a.Exchange.Request.Header.Get(resource.IfMatch), "W/") {
		return ""
	}
	return "its ETag is weak, and weak ones never match in If-Match (RFC 9110, section 13.1.1)"
}

// prepare returns the plain requests of an operation, the values that they need, and their credential. It ends the
// scenario if no request may or can be made.
func (s *Scenario) prepare(ctx context.Context, op *spec.Operation) (all []request.Request, with credentials.Credential, b bindings, err error) {
	if err := s.Run.permit(op); err != nil {
		return nil, with, b, err
	}
	if all, err = s.Run.Promises.Requests(op); err != nil {
		return nil, with, b, Stopf("%v", err)
	}
	if found, _, ok := s.Run.repairs.repaired(op.ID); ok {
		all = append([]request.Request{found}, all...)
	}
	if with, err = s.Entitled(ctx, op); err != nil {
		return nil, with, b, Stopf("%v", err)
	}
	b, none, err := s.bind(ctx, op, changesOthers(s.Run.resources.inferred, op), s.changeable(ctx, op))
	if err != nil {
		return nil, with, b, err
	}
	if none != "" {
		return nil, with, b, Stopf("%s is not called: it may change or remove only what this run created, and that failed: %s", op.ID, none)
	}
	if changesUnnamed(s.Run.resources.inferred, op) && !slices.Contains(s.Run.Target.Allowed, op.ID) {
		if ok, why := s.Run.resources.namesOwn(b.apply(all[0])); !ok {
			return nil, with, b, Stopf("%s is not called: it may change or remove what this run did not create: %s; --allow %s calls it anyway", op.ID, why, text.ShellQuote(op.ID))
		}
	}
	if _, _, creates := s.Run.resources.inferred.Creates(op); creates {
		if !s.Budget.Room(1) {
			s.Budget.CutShort()
			return nil, with, b, Stopf("%s", s.Run.noMore())
		}
		all, _ = freshFirst(s, all)
	}
	return all, with, b, nil
}

// changeable returns a function that finds the resource that an operation changes; nil if it changes none.
func (s *Scenario) changeable(ctx context.Context, op *spec.Operation) func(resource.Slot) (*Resource, string, error) {
	if !changesOthers(s.Run.resources.inferred, op) {
		return nil
	}
	if _, p, creates := s.Run.resources.inferred.Creates(op); creates {
		return s.chosenValue(p) // the shared resource is only the parent
	}
	return func(slot resource.Slot) (*Resource, string, error) {
		if op.Method == http.MethodDelete {
			return s.toDelete(ctx, slot)
		}
		return s.owned(ctx, op, slot)
	}
}

// PlainRequest returns the most promising plain request of an operation, and its credential. It ends the scenario
// if none may or can be made. If the operation succeeds only once for a resource, it uses another resource than
// the search for a plain request did.
func (s *Scenario) PlainRequest(ctx context.Context, op *spec.Operation) (request.Request, credentials.Credential, error) {
	p := s.Run.plains.entry(op.ID)
	if s.mayEnd(op) {
		if err := s.searchPlainOnce(ctx, op, p); err != nil {
			return request.Request{}, credentials.Credential{}, err
		}
	}
	all, with, b, err := s.prepare(ctx, op)
	if err != nil {
		return request.Request{}, with, err
	}
	if s.mayEnd(op) && p.none == "" && p.once {
		if b, err = s.bindAnother(ctx, op); err != nil {
			return request.Request{}, with, err
		}
	}
	return secured(s.Run, b.apply(all[0])), with, nil
}

// quoteAnswer describes the response to a request, with the beginning of the body.
func quoteAnswer(a *Answer) string {
	if a == nil {
		return "no request to it could be made"
	}
	text := "the last response was " + strconv.Itoa(a.Status()) + " to " + a.Exchange.Request.Method + " " + check.Path(a.Exchange)
	if body := strings.Join(strings.Fields(string(a.Exchange.Response.Body)), " "); body != "" {
		text += ": " + phrase.Text(body).String()
	}
	return text
}
