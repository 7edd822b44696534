package written

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/phrase"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/wire"
	"github.com/hallmark-kit/hallmark/steps/credentials"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Argument is a value of a parameter: one that a contract may type, or a text.
type Argument struct {
	Name  string
	Value any
	// Known reports whether the value was remembered, or identifies what the scenario created.
	Known bool
}

// IsKnown reports whether the text of a step names a value that was remembered, or what was created.
func IsKnown(source string) bool { return placeholder.MatchString(source) }

// Call makes a request of an operation of a contract that rules follow from: a plain one, about what the scenario created where its
// path names that, with what steps said of its parameters, its body and its credential.
func Call(ctx context.Context, s *scenario.Scenario, op *spec.Operation, args []Argument, plan *request.Plan) (*scenario.Answer, error) {
	c, err := prepare(ctx, s, op, args, plan)
	if err != nil {
		return nil, err
	}
	if t := aboutThing(s, c.request); t != nil {
		return askAbout(ctx, s, t, c)
	}
	a, err := s.Ask(ctx, c.request, c.with, s.Pickle.Name)
	if err != nil {
		return a, err
	}
	return found(ctx, s, c, a)
}

// found returns the response to a request, asked again where something of the scenario was not found yet, and judged by what the contract
// promises of each.
func found(ctx context.Context, s *scenario.Scenario, c call, a *scenario.Answer) (_ *scenario.Answer, err error) {
	if a.Status() == http.StatusNotFound {
		a, err = askBelow(ctx, s, c, a)
	}
	return promised(s, c, a, err)
}

// askBelow asks again for what was not found below something that the scenario created, once that can be read: it has the time of
// --settle to show.
func askBelow(ctx context.Context, s *scenario.Scenario, c call, first *scenario.Answer) (*scenario.Answer, error) {
	for _, t := range slices.Backward(stateOf(s).things) {
		life, ok := s.Run.Promises.Life(t.created.Request.Operation)
		if !ok || t.resource.Gone() || !t.resource.In(c.request).Equal(c.request) || len(t.resource.Named(c.request.Operation)) == 0 {
			continue
		}
		if a, err := about(ctx, s, t, life.Reader, nil); err != nil || a.Status()/100 != 2 {
			return first, nil // what cannot be read is no reason to ask again
		}
		return s.Ask(ctx, c.request, c.with, s.Pickle.Name)
	}
	return first, nil
}

// call is a request with its credential.
type call struct {
	request request.Request
	with    credentials.Credential
	// keeps reports whether the request is one that the contract itself gives: steps have changed nothing in it.
	keeps bool
	// given holds the places of the parameters whose values steps made up.
	given []string
}

// prepare returns the request of a call, and its credential.
func prepare(ctx context.Context, s *scenario.Scenario, op *spec.Operation, args []Argument, plan *request.Plan) (call, error) {
	if reason, gone := s.Run.Removed[op.ID]; gone {
		return call{}, scenario.Excusef("%s", reason)
	}
	named := map[string]any{}
	for _, t := range stateOf(s).things {
		maps.Copy(named, t.resource.Named(op))
	}
	for _, a := range args {
		if p, ok := parameter(op, a.Name); ok && p.In == wire.InPath {
			named[a.Name] = resource.Convert(a.Value, p.Schema)
		}
	}
	r, with, err := scenario.Addressed(ctx, s, op, named)
	if err != nil {
		return call{}, err
	}
	var given []string
	for i, a := range args {
		before := r
		r = withArgument(s, r, a)
		if p := placeOf(op, a.Name); p.In == wire.InQuery && slices.ContainsFunc(args[:i], func(b Argument) bool { return b.Name == a.Name }) {
			r = r.With(p, append(valuesAt(before, p), valuesAt(r, p)...))
		}
		if p, ok := parameter(op, a.Name); ok && !a.Known {
			given = append(given, p.Pointer)
		}
	}
	if r, err = withPlan(s, r, plan); err != nil {
		return call{}, err
	}
	r = withHeaders(s, r)
	keeps := len(args) == 0 && plan == nil && stateOf(s).letsIn() && len(stateOf(s).headers) == 0
	with, err = credential(ctx, s, op, with)
	return call{r, with, keeps, given}, err
}

// promised judges the status of a response by what the contract promises of each: that a success is documented, and, where the request
// keeps the contract for sure, that there is no server error. What else it has to be is for later steps.
func promised(s *scenario.Scenario, c call, a *scenario.Answer, err error) (*scenario.Answer, error) {
	if err != nil || a.Exchange.Response == nil || s.Derived() {
		return a, err
	}
	op := c.request.Operation
	judged := []promise.Kind{promise.Success}
	if c.keeps {
		judged = append(judged, promise.Available)
	}
	v := promise.Judge(op, a.Exchange.Response, promise.Keeps, promise.Success)
	for _, k := range judged {
		id := s.Run.Promises.Names.Rule(op.ID, k)
		rule, known := s.Run.Catalogue.Rule(id)
		switch {
		case !known:
		case slices.Contains(v.Kept, k):
			s.Kept(rule.ID)
		case slices.Contains(v.Broken, k):
			expected := phrase.Of("a success that is documented")
			if k == promise.Available {
				expected = phrase.Of("no server error (5xx)")
			}
			f := findingOf(a, id, statusVerdict(a, expected, false))
			f.Parts = slices.Clone(c.given)
			if c.keeps {
				f.Parts = append(f.Parts, promise.PartPlain)
			}
			if isShutOut(a) {
				f.Parts = append(f.Parts, promise.PartRight)
			}
			s.Find(a.Exchange, f)
		}
	}
	return a, nil
}

// isShutOut reports whether a response rejects the right credential.
func isShutOut(a *scenario.Answer) bool {
	return a.Status() == http.StatusUnauthorized && a.Credential.Right
}

func parameter(op *spec.Operation, name string) (spec.Parameter, bool) {
	i := slices.IndexFunc(op.Parameters, func(p spec.Parameter) bool { return p.Name == name })
	if i < 0 {
		return spec.Parameter{}, false
	}
	return op.Parameters[i], true
}

// placeOf returns the place of a parameter; one that the contract does not have goes into the query.
func placeOf(op *spec.Operation, name string) request.Place {
	if p, ok := parameter(op, name); ok {
		return request.PlaceOf(p)
	}
	return request.Place{In: wire.InQuery, Name: name}
}

// valuesAt returns the values of a parameter of a request, of which a list may have several.
func valuesAt(r request.Request, p request.Place) []any {
	value, given := r.Value(p)
	if !given {
		value, _ = r.Text(p)
	}
	if list, is := value.([]any); is {
		return slices.Clone(list)
	}
	return []any{value}
}

// withArgument returns a request with the value of a parameter; one that the contract does not have goes into the query.
func withArgument(s *scenario.Scenario, r request.Request, a Argument) request.Request {
	p, ok := parameter(r.Operation, a.Name)
	if !ok {
		return r.WithText(placeOf(r.Operation, a.Name), plain(a.Value))
	}
	if p.Schema == nil {
		return r.With(request.PlaceOf(p), a.Value)
	}
	for _, value := range readings(a.Value) {
		if value = resource.Convert(value, p.Schema); s.Run.Promises.Valid(p.Schema, value) {
			return r.With(request.PlaceOf(p), value)
		}
	}
	if p.In == wire.InPath {
		return r.With(request.PlaceOf(p), a.Value)
	}
	return r.WithText(request.PlaceOf(p), plain(a.Value))
}

// readings are the values that a text may be of: itself, or what it is as JSON.
func readings(v any) []any {
	all := []any{v}
	if t, is := v.(string); is {
		if d, err := exactjson.Decode([]byte(t)); err == nil {
			all = append(all, d.Tree)
		}
	}
	return all
}

// withPlan returns a request with the body that steps have planned.
func withPlan(s *scenario.Scenario, r request.Request, plan *request.Plan) (request.Request, error) {
	if plan == nil {
		return r, nil
	}
	_, media, _ := r.Body()
	if media == "" && r.Operation.Body != nil {
		if m := r.Operation.Body.JSON(); m != nil {
			media = m.Type
		}
	}
	media = first(media, "application/json")
	var err error
	switch {
	case plan.Absent:
		r = r.WithoutBody()
	case plan.Literal != nil:
		r = r.WithoutBody().WithMedia(media).WithRaw([]byte(*plan.Literal))
		if value, err := Value(s, *plan.Literal); err == nil {
			r = r.WithBody(media, value)
		} else if json.Valid([]byte(*plan.Literal)) {
			return r, err
		}
	default:
		if _, _, ok := r.Body(); !ok {
			r = r.WithBody(media, map[string]any{})
		}
		r, err = changed(s, r, plan)
	}
	if err != nil {
		return r, err
	}
	if plan.MediaType == "" {
		return r, nil
	}
	w, err := r.Write("hallmark")
	if err != nil {
		return r, scenario.Excusef("%v", err)
	}
	if plan.NoMediaType {
		return r.WithMedia("").WithRaw(w.Body), nil
	}
	return r.WithMedia(plan.MediaType).WithRaw(w.Body), nil
}

func first(all ...string) string {
	for _, one := range all {
		if one != "" {
			return one
		}
	}
	return ""
}

// uniqueOfLength stands for a name of a certain length that nothing else has.
var uniqueOfLength = regexp.MustCompile(`\{unique:(\d{1,7})\}`)

// withNames returns the JSON text of a step with {new} for {unique}, with a new name for {unique:40}, and with a new number for {digits}.
func withNames(s *scenario.Scenario, source string) string {
	source = strings.ReplaceAll(source, "{unique}", "{new}")
	if strings.Contains(source, "{digits}") {
		source = strings.ReplaceAll(source, "{digits}", s.Run.FreshID())
	}
	return uniqueOfLength.ReplaceAllStringFunc(source, func(hole string) string {
		length, _ := strconv.Atoi(uniqueOfLength.FindStringSubmatch(hole)[1])
		name := s.Run.FreshName()
		return name + strings.Repeat("x", max(0, length-len(name)))
	})
}

// changed returns a request with the changes of a plan to its body.
func changed(s *scenario.Scenario, r request.Request, plan *request.Plan) (request.Request, error) {
	var err error
	for _, c := range plan.Set {
		value, err := Value(s, withNames(s, c.JSON))
		if err != nil {
			return r, err
		}
		if r, err = r.WithBodyAt(pointerOf(c.Property), value); err != nil {
			return r, err
		}
	}
	for name, other := range plan.Renamed {
		body, _, _ := r.Body()
		value, there := exactjson.Value{Tree: body, Valid: true}.At(pointerOf(name))
		if !there {
			return r, fmt.Errorf("the plain body of %s has no %s that could be renamed", r.Operation.ID, name)
		}
		if r, err = r.WithoutBodyAt(pointerOf(name)); err == nil {
			r, err = r.WithBodyAt(pointerOf(other), value.Tree)
		}
		if err != nil {
			return r, err
		}
	}
	for _, name := range plan.Without {
		if r, err = r.WithoutBodyAt(pointerOf(name)); err != nil {
			return r, err
		}
	}
	body, media, _ := r.Body()
	if plan.Extra != "" {
		more, err := Value(s, "{"+plan.Extra+"}")
		object, is := body.(map[string]any)
		if err != nil || !is {
			return r, fmt.Errorf("%s are no members that the body of %s could have", text.Short(plan.Extra), r.Operation.ID)
		}
		object = maps.Clone(object)
		added, _ := more.(map[string]any)
		maps.Copy(object, added)
		body, r = object, r.WithBody(media, object)
	}
	switch {
	case plan.Damage != "":
		return r.WithRaw([]byte(request.Damaged(exactjson.Value{Tree: body, Valid: true}.String(), plan.Damage))), nil
	case plan.Layout == promise.SeveralLines, plan.Layout == "in reverse order":
		way := promise.SeveralLines
		if plan.Layout != way {
			way = promise.ReverseOrder
		}
		written, err := promise.Written(body, way)
		return r.WithRaw(written), err
	case plan.Layout != "":
		return r, fmt.Errorf("a body is written %s or in reverse order for a contract of your own, and not %s", promise.SeveralLines, plan.Layout)
	}
	return r, nil
}

// PrepareCredential says which credential the next call carries, by its words.
func PrepareCredential(s *scenario.Scenario, words string) error {
	st := stateOf(s)
	role, of := strings.CutPrefix(words, "that of the role ")
	if !of {
		st.words, st.role = words, ""
		return nil
	}
	st.role, st.words = unquoted(role), ""
	if _, known := s.Run.Target.Keyring.Roles[st.role]; known {
		return nil
	}
	return scenario.Stopf("no credential of the role %s is given (the key roles of the target in hallmark.yaml)", text.Visible(st.role))
}

// credential returns the credential of a call: the one that a step named, or that which the operation lets the run in by.
func credential(ctx context.Context, s *scenario.Scenario, op *spec.Operation, with credentials.Credential) (credentials.Credential, error) {
	st := stateOf(s)
	words, role := st.words, st.role
	switch {
	case role != "":
		as, err := s.Run.Target.Keyring.For(ctx, op, role)
		if err != nil {
			return with, scenario.Stopf("%v", err)
		}
		return as.Carried(), nil
	case words == "" || words == "right":
		return with, nil
	}
	wrong, err := s.Wrong(ctx, op, words)
	if no, ok := errors.AsType[credentials.Impossible](err); ok {
		return with, scenario.Excusef("%s", no.Reason)
	}
	return wrong, err
}

// Forget forgets the credential and the headers that steps have prepared: they were for one call.
func Forget(s *scenario.Scenario) {
	st := stateOf(s)
	st.words, st.role, st.headers = "", "", nil
}

// operation returns an operation by its name in a step.
func operation(s *scenario.Scenario, name string) (*spec.Operation, error) {
	name = unquoted(name)
	if op, ok := s.Run.Contract.Operation(name); ok {
		return op, nil
	}
	var known []string
	for _, op := range s.Run.Contract.Operations() {
		known = append(known, op.ID)
	}
	return nil, fmt.Errorf("the contract has no operation %q%s", name, meant(name, known))
}

// times reads a number of times.
func times(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > mostTimes {
		return 0, fmt.Errorf("%q is no number of times from 1 to %d", word, mostTimes)
	}
	return n, nil
}

// mostTimes bounds how often a step asks.
const mostTimes = 1000
