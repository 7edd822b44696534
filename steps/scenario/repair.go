package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/prose"
	"github.com/hallmark-kit/hallmark/spec/refusal"
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

// repairSearch is the order in which bodies are tried.
type repairSearch struct {
	s     *Scenario
	tried []attempt
	seen  []request.Request
	// guided are corrections of refused requests; they come before the others.
	guided, others []request.Request
	// pointers are the members of all plain bodies, named those that refusals complain about.
	pointers, named []string
}

func newRepairSearch(s *Scenario, op *spec.Operation, tried []attempt) *repairSearch {
	x := &repairSearch{s: s, tried: tried}
	for _, one := range tried {
		x.seen = append(x.seen, one.request)
		body, _, _ := one.request.Body()
		members := membersOf(body, "", 0)
		if schema := promise.BodySchema(one.request); schema != nil { // no plain body has a member whose schema cannot be read
			for _, p := range schema.Properties {
				members = append(members, jsonpointer.Join("", p.Name))
			}
		}
		for _, pointer := range members {
			if !slices.Contains(x.pointers, pointer) {
				x.pointers = append(x.pointers, pointer)
			}
		}
	}
	slices.Sort(x.pointers)
	for _, one := range tried {
		x.guided = append(x.guided, x.corrected(one)...)
	}
	x.others = append(x.others, s.Run.Promises.Variants(op)...)
	full, least := x.largest(), x.smallest()
	var without, added []request.Request
	for _, name := range slices.Sorted(maps.Keys(objectOf(full))) {
		if r, err := full.WithoutBodyAt(jsonpointer.Join("", name)); err == nil {
			without = append(without, r)
		}
		if _, has := objectOf(least)[name]; !has {
			if r, err := least.WithBodyAt(jsonpointer.Join("", name), objectOf(full)[name]); err == nil {
				added = append(added, r)
			}
		}
	}
	for i := range max(len(without), len(added)) { // one of each in turn
		x.others = append(x.others, without[min(i, len(without)):min(i+1, len(without))]...)
		x.others = append(x.others, added[min(i, len(added)):min(i+1, len(added))]...)
	}
	return x
}

// next returns the next request that was not sent yet and conforms to the contract.
func (x *repairSearch) next() (request.Request, bool) {
	for len(x.guided)+len(x.others) > 0 {
		queue := &x.guided
		if len(x.guided) == 0 {
			queue = &x.others
		}
		r := (*queue)[0]
		*queue = (*queue)[1:]
		if !slices.ContainsFunc(x.seen, r.Equal) && keepsSchema(x.s.Run, r) && len(promise.Raised(Modest(x.s, r))) >= len(promise.Raised(r)) {
			x.seen = append(x.seen, r)
			return r, true
		}
	}
	return request.Request{}, false
}

// refused adds the corrections that a refusal asks for.
func (x *repairSearch) refused(one attempt) { x.guided = append(x.corrected(one), x.guided...) }

// objectOf returns the members of the body of a request.
func objectOf(r request.Request) map[string]any {
	body, _, _ := r.Body()
	members, _ := body.(map[string]any)
	return members
}

// largest and smallest return the refused plain requests with the most and the fewest members.
func (x *repairSearch) largest() request.Request {
	return slices.MaxFunc(x.tried, func(a, b attempt) int { return len(objectOf(a.request)) - len(objectOf(b.request)) }).request
}

func (x *repairSearch) smallest() request.Request {
	return slices.MinFunc(x.tried, func(a, b attempt) int { return len(objectOf(a.request)) - len(objectOf(b.request)) }).request
}

func (x *repairSearch) full() map[string]any  { return objectOf(x.largest()) }
func (x *repairSearch) least() map[string]any { return objectOf(x.smallest()) }

// membersOf returns the pointers of the members in a value, of lists those in the first item.
func membersOf(value any, pointer string, depth int) []string {
	const deepest = 4
	var all []string
	if depth == deepest {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			at := jsonpointer.Join(pointer, name)
			all = append(append(all, at), membersOf(inner, at, depth+1)...)
		}
	case []any:
		if len(v) > 0 {
			all = membersOf(v[0], jsonpointer.Join(pointer, "0"), depth+1)
		}
	}
	return all
}

// corrected returns a refused request with all members corrected that the response names, and then with each of them alone.
func (x *repairSearch) corrected(one attempt) []request.Request {
	sent, _, _ := one.request.Body()
	complaints := refusal.Read(one.answer.Exchange.Response.Body, x.pointers, sent)
	var all []request.Request
	whole, n := one.request, 0
	for _, c := range complaints {
		if !slices.Contains(x.named, c.Pointer) {
			x.named = append(slices.Clip(x.named), c.Pointer)
		}
		if givenAt(x.s.Run, one.request, c.Pointer) {
			continue
		}
		first := true
		for _, change := range x.changes(one.request, c) {
			if r, err := change(one.request); err == nil {
				all = append(all, r)
			}
			if r, err := change(whole); err == nil && first && keepsSchema(x.s.Run, r) {
				whole, n, first = r, n+1, false
			}
		}
	}
	if n > 1 {
		all = append([]request.Request{whole}, all...)
	}
	return all
}

// demand matches what refusals say of a member that is missing.
var demand = regexp.MustCompile(`(?i)\b(required|missing|blank|null|empty|must be (present|given|provided|set)|notnull|notblank|notempty)\b`)

type bodyChange func(request.Request) (request.Request, error)

// changes returns how the member that a refusal complains about may be corrected, the most promising first: one that is absent gets a value,
// one that is optional is left out, and others get other values.
func (x *repairSearch) changes(r request.Request, c refusal.Complaint) []bodyChange {
	body, _, _ := r.Body()
	tokens := jsonpointer.Tokens(c.Pointer)
	now, there := exactjson.Lookup(body, tokens)
	set := func(value any) bodyChange {
		return func(r request.Request) (request.Request, error) { return r.WithBodyAt(c.Pointer, value) }
	}
	leaveOut := func(r request.Request) (request.Request, error) { return r.WithoutBodyAt(c.Pointer) }
	var values []any
	add := func(value any) {
		if (!there || fmt.Sprint(value) != fmt.Sprint(now)) && !slices.ContainsFunc(values, func(v any) bool { return fmt.Sprint(v) == fmt.Sprint(value) }) {
			values = append(values, value)
		}
	}
	schema := resource.At(promise.BodySchema(r), tokens)
	if there {
		for _, value := range demanded(x.s, c.Text, now) {
			add(value)
		}
	}
	if _, is := now.(string); schema != nil && (is || !there) {
		for _, said := range prose.Examples(schema.Description) {
			if like, ok := freshLike(x.s, said); ok {
				add(like)
			}
		}
	}
	if schema != nil && slices.Contains(schema.Types, "array") {
		add([]any{})
	}
	for _, one := range slices.Backward(x.tried) { // the largest bodies come last
		other, _, _ := one.request.Body()
		if value, has := exactjson.Lookup(other, tokens); has {
			add(value)
		}
	}
	for _, listed := range resource.EnumOf(schema) {
		if d, err := exactjson.Decode([]byte(listed)); err == nil {
			add(d.Tree)
		}
	}
	const most = 3
	var all []bodyChange
	for _, value := range values[:min(len(values), most)] {
		all = append(all, set(value))
	}
	switch {
	case !there:
		return all
	case demand.MatchString(c.Text):
		return append(all, leaveOut)
	}
	return append([]bodyChange{leaveOut}, all...)
}

var (
	// bound matches a bound of a number in a sentence.
	bound = regexp.MustCompile(`(?i)\b(at least|greater than or equal to|minimum(?: is| of)?|no less than|at most|less than or equal to|maximum(?: is| of)?|no more than|up to|greater than|more than|above|less than|below|between)\s+(-?\d{1,18})\b`)
	// listing matches the values that a sentence lists.
	listing = regexp.MustCompile(`(?i)\b(?:one of|any of|allowed values(?: are)?|allowed|expected|either|permitted)[:\s]*[\[({]?\s*([\w"'` + "`" + `.,|/ -]+)`)
)

// demanded returns values that a sentence demands instead of the present one.
func demanded(s *Scenario, sentence string, now any) []any {
	var all []any
	switch now.(type) {
	case json.Number:
		for _, m := range bound.FindAllStringSubmatch(sentence, 2) {
			n, ok := new(big.Int).SetString(m[2], 10)
			if !ok {
				continue
			}
			switch strings.ToLower(m[1]) {
			case "greater than", "more than", "above":
				n.Add(n, big.NewInt(1))
			case "less than", "below":
				n.Sub(n, big.NewInt(1))
			}
			all = append(all, json.Number(n.String()))
		}
	case string:
		if m := listing.FindStringSubmatch(sentence); m != nil {
			for _, value := range strings.FieldsFunc(m[1], func(c rune) bool { return strings.ContainsRune(",| \"'`", c) }) {
				if value = strings.Trim(value, "."); value != "" && value != "or" && value != "and" {
					all = append(all, value)
				}
			}
		}
		lower, domain := strings.ToLower(sentence), freshText(s.Run, s.Run.resources.nextName())+".example.com"
		for _, form := range []struct{ word, value string }{
			{"email", freshText(s.Run, s.Run.resources.nextName()) + "@example.com"}, {"url", "https://example.com/"}, {"uri", "https://example.com/"},
			{"uuid", "3f2b8c1e-6d4a-4f0b-9a57-2c1d8e7b6a90"}, {"ip address", "192.0.2.1"}, {"ipv4", "192.0.2.1"}, {"ipv6", "2001:db8::1"},
			{"canonical", domain + "."}, {"fqdn", domain + "."}, {"trailing dot", domain + "."}, {"dns name", domain + "."}, {"domain", domain}, {"hostname", domain}, {"host name", domain},
			{"date-time", "2031-03-14T09:00:00Z"}, {"rfc3339", "2031-03-14T09:00:00Z"}, {"future", "2031-03-14T09:00:00Z"}, {"future", "2031-03-14"}, {"date", "2031-03-14"},
		} {
			if strings.Contains(lower, form.word) {
				all = append(all, form.value)
			}
		}
	}
	return all
}
