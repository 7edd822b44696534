package promise

import (
	"net/http"
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/values"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// Requests returns plain, valid requests of an operation, the most promising first: the document's examples with
// everything required; the smallest; one with everything optional too; one that keeps away from bounds; and one
// without an optional body, which says little about what an operation accepts, but comes second if the method
// gives a body no meaning. It returns an error if the contract requires what cannot be serialized.
func Requests(op *spec.Operation, o Options) ([]request.Request, error) {
	work := plainRequestWork(o.used)
	if o.used != nil {
		defer func() { o.used.Add(int64(plainWork - work.Left())) }()
	}
	o = o.bounded(work)
	w := plainValues{
		Generator: instance.New(instance.Options{Seed: o.Seed, Direction: instance.Request, Valid: o.Valid, Texts: o.texts, Work: work}), whole: map[string]instance.Cases{},
	}
	var all []request.Request
	add := func(r request.Request) {
		r = inOrder(modest(r, o), o.Valid, o.given)
		if !slices.ContainsFunc(all, r.Equal) {
			all = append(all, r)
		}
	}
	addBare := func() {
		if mayLackBody(op, o.given) {
			if r, err := w.parameters(op, instance.Smallest, o.given); err == nil {
				add(r)
			}
		}
	}
	var failed error
	for _, kind := range []instance.Variation{instance.Example, instance.Smallest, instance.Full, awayFromBounds} {
		r, err := plainRequest(w, op, kind, o.given)
		if err == nil {
			r, err = withMembers(r, o.given)
		}
		if err != nil {
			failed = err
			continue
		}
		add(r)
		add(requiredOnly(r))
		if kind == instance.Example && ignoresBody(op.Method) {
			addBare()
		}
	}
	addBare()
	if len(all) > 0 {
		failed = nil
		all = append(all, byState(all[0], o)...)
	}
	// An empty list has no item for a fault.
	slices.SortStableFunc(all, func(a, b request.Request) int { return empty(a) - empty(b) })
	return all, failed
}

// modest returns a request that asks for as few rights as the contract allows. Given values stay.
func modest(r request.Request, o Options) request.Request {
	if r.Operation.Body == nil {
		return r
	}
	if _, whole := o.given.Body(r.Operation); whole {
		return r
	}
	schema := BodySchema(r)
	return LeastRights(r, func(other request.Request) bool {
		body, _, _ := other.Body()
		return schema == nil || o.Valid(schema, body)
	}, func(pointer string) bool {
		return slices.ContainsFunc(o.given.Members(r.Operation), func(m values.Member) bool { return m.Pointer == pointer })
	})
}

// requiredOnly returns a request with a body without its optional parameters: those, such as the ETag of a
// representation, may conflict with a complete body.
func requiredOnly(r request.Request) request.Request {
	if _, _, ok := r.Body(); !ok {
		return r
	}
	for _, p := range r.Operation.Parameters {
		if !p.Required {
			r = r.Without(request.PlaceOf(p))
		}
	}
	return r
}

// awayFromBounds selects values that keep away from bounds: a service that refuses a bound by mistake accepts
// these.
const awayFromBounds instance.Variation = "roomy"

// empty returns 1 for a request whose body is an empty list, else 0.
func empty(r request.Request) int {
	body, _, _ := r.Body()
	if items, list := body.([]any); list && len(items) == 0 {
		return 1
	}
	return 0
}

// ignoresBody reports whether a method gives a body no meaning, so that a service may ignore it, and
// intermediaries may refuse it (RFC 9110, section 9.3). Bodies of GET and HEAD are not read from documents.
func ignoresBody(method string) bool { return method == http.MethodDelete }

// mayLackBody reports whether the body may be left out, and none is given.
func mayLackBody(op *spec.Operation, given *values.Values) bool {
	_, whole := given.Body(op)
	return op.Body != nil && !op.Body.Required && !whole && len(given.Members(op)) == 0
}

// parameters returns a request with parameters of a kind of values, and no body.
func (w plainValues) parameters(op *spec.Operation, kind instance.Variation, given *values.Values) (request.Request, error) {
	r := request.New(op)
	for _, p := range op.Parameters {
		if own, ok := given.Parameter(op, p); ok && (ours(op, p) || p.In == wire.InPath) {
			r = r.With(request.PlaceOf(p), own.Value)
			continue
		}
		if resource.IsCondition(p) {
			r = withCondition(r, p)
			continue
		}
		if !p.Required && kind != instance.Full || !ours(op, p) && p.In != wire.InPath {
			continue
		}
		edge, examples := p.Edge, p.Examples
		if p.Content != nil {
			edge, examples = p.Content.Edge, append(slices.Clone(examples), p.Content.Examples...)
		}
		if edge.Schema == nil {
			r = r.With(request.PlaceOf(p), "1")
			continue
		}
		subject := instance.Subject{Name: p.Name, Edge: edge, Examples: examples}
		value, ok := w.writable(op, p, subject, kind)
		switch {
		case ok:
			r = r.With(request.PlaceOf(p), value)
		case p.Required:
			return r, &Impossible{Operation: op.ID, What: "the parameter " + p.Name, Pointer: p.Pointer}
		}
	}
	return r, nil
}

// plainRequest returns a request with values of a kind, or of the base if there are none of that kind.
func plainRequest(w plainValues, op *spec.Operation, kind instance.Variation, given *values.Values) (request.Request, error) {
	r, err := w.parameters(op, kind, given)
	if err != nil || op.Body == nil {
		return r, err
	}
	own, whole := given.Body(op)
	for _, m := range media(op.Body) {
		if whole {
			with := w.withPartHeaders(r.WithBody(wire.Concrete(m.Type), own.Value), &m, kind)
			if _, err := with.Write(boundary); err == nil {
				return with, nil
			}
			continue
		}
		if m.Schema == nil {
			if wire.KindOf(m.Type) == wire.KindBinary || wire.KindOf(m.Type) == wire.KindText {
				sent := wire.Concrete(m.Type)
				return r.WithBody(sent, wire.File{Data: wire.SampleFile(sent, "hallmark")}), nil
			}
			continue
		}
		subject := instance.Subject{Name: "the body", Edge: m.Edge, Examples: m.Examples}
		for _, value := range w.candidates(subject, m.Pointer, kind) {
			with := w.withPartHeaders(r.WithBody(wire.Concrete(m.Type), value), &m, kind)
			if _, err := with.Write(boundary); err == nil {
				return with, nil
			}
		}
	}
	if op.Body.Required {
		return r, &Impossible{Operation: op.ID, What: "the body", Pointer: op.Body.Pointer}
	}
	return r, nil
}

// withPartHeaders returns a request with the required headers of its body's parts, and with the optional ones if
// everything optional is wanted.
func (w plainValues) withPartHeaders(r request.Request, m *spec.Media, kind instance.Variation) request.Request {
	for part, e := range m.Encoding {
		for i := range e.Headers {
			h := &e.Headers[i]
			edge, examples := h.Edge, h.Examples
			if h.Content != nil {
				edge, examples = h.Content.Edge, append(slices.Clone(examples), h.Content.Examples...)
			}
			if edge.Schema == nil || !h.Required && kind != instance.Full {
				continue
			}
			for _, value := range w.candidates(instance.Subject{Name: h.Name, Edge: edge, Examples: examples}, h.Pointer, kind) {
				if with, err := r.WithPartHeader(part, h, value); err == nil {
					r = with
					break
				}
			}
		}
	}
	return r
}

// writable returns a value of a parameter that servers parse as intended: of a kind, or else the base. A required
// parameter takes any other value rather than none, and at last one that some servers parse differently, such as a
// blank in a cookie.
func (w plainValues) writable(op *spec.Operation, p spec.Parameter, s instance.Subject, kind instance.Variation) (value any, ok bool) {
	fate := func(value any) wire.Fate {
		found := request.Param(op, request.PlaceOf(p)).Survives(value, request.HintOf(s.Edge.Schema))
		switch {
		case found.Absent:
			return wire.Vanishes
		case found.Fate == wire.Carried && found.Open != "":
			return wire.Ambiguous
		}
		return found.Fate
	}
	var doubtful any
	doubted := false
	carried := func(all []any) (any, bool) {
		for _, value := range all {
			found := fate(value)
			if found == wire.Carried {
				return value, true
			}
			if found == wire.Ambiguous && !doubted {
				doubtful, doubted = value, true
			}
		}
		return nil, false
	}
	if value, ok := carried(w.candidates(s, p.Pointer, kind)); ok || !p.Required {
		return value, ok
	}
	var others []any
	for _, c := range w.Valid(s).Cases {
		others = append(others, c.Value)
	}
	if value, ok := carried(append(others, w.candidates(s, p.Pointer, awayFromBounds)...)); ok {
		return value, true
	}
	return doubtful, doubted
}

// withMembers returns a request with the given members of its body.
func withMembers(r request.Request, given *values.Values) (request.Request, error) {
	if _, _, ok := r.Body(); !ok {
		return r, nil
	}
	for _, m := range given.Members(r.Operation) {
		with, err := r.WithBodyAt(m.Pointer, m.Value)
		if err != nil {
			continue // this body has no such pointer
		}
		r = with
	}
	_, err := r.Write(boundary)
	return r, err
}

// plainValues makes the values of the plain requests of one operation. It caches the whole values of each subject
// by pointer.
type plainValues struct {
	*instance.Generator
	whole map[string]instance.Cases
}

// wholeValues returns the whole values of a subject.
func (w plainValues) wholeValues(s instance.Subject, pointer string) instance.Cases {
	known, ok := w.whole[pointer]
	if !ok {
		known = w.Whole(s)
		w.whole[pointer] = known
	}
	return known
}

// candidates returns the values of a kind, followed by the usual one.
func (w plainValues) candidates(s instance.Subject, pointer string, kind instance.Variation) []any {
	var all []any
	if kind == awayFromBounds {
		if v, err := w.Roomy(s); err == nil {
			all = append(all, v)
		}
	}
	for _, one := range w.wholeValues(s, pointer).Cases {
		if one.Kind == kind {
			all = append(all, one.Value)
		}
	}
	if usual, err := w.Usual(s); err == nil {
		all = append(all, usual) // nothing replaces a value that was not found
	}
	return all
}

// media returns the media types of a body, JSON first, since most can be said about it.
func media(b *spec.RequestBody) []spec.Media {
	all := slices.Clone(b.Content)
	slices.SortStableFunc(all, func(x, y spec.Media) int { return preference(x) - preference(y) })
	return all
}

func preference(m spec.Media) int {
	parsed, err := wire.ParseMedia(m.Type)
	switch {
	case m.IsPatch():
		return 5
	case err == nil && parsed.Type == "application" && parsed.Subtype == "json":
		return 0
	case m.IsJSON():
		return 1
	case wire.KindOf(m.Type) == wire.KindForm:
		return 2
	case wire.KindOf(m.Type) == wire.KindMultipart:
		return 3
	}
	return 4
}

// Impossible says that no request can be made from what a contract requires.
type Impossible struct {
	Operation, What, Pointer string
}

func (e *Impossible) Error() string {
	return "no request to " + e.Operation + " can be made: " + e.What + " accepts no value that could be found and sent"
}
