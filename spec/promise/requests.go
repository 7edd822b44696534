package promise

import (
	"net/http"
	"slices"

	"hallmark/spec"
	"hallmark/spec/instance"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/spec/values"
	"hallmark/spec/wire"
)

// Requests returns plain requests of an operation, which keep the contract, those first that are likeliest to succeed: what the
// document gives as examples with all that is required; the smallest; one with all that is optional too; one that keeps away from
// bounds; and one without a body that is optional, which says little of what an operation takes, but stands second where a body means
// nothing to the method. It returns an error when the contract asks for what cannot be written.
func Requests(op *spec.Operation, o Options) ([]request.Request, error) {
	work := plainly(o.used)
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
	for _, kind := range []instance.Kind{instance.Example, instance.Smallest, instance.Full, awayFromBounds} {
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
	// An empty list has no item that a fault could be tried in.
	slices.SortStableFunc(all, func(a, b request.Request) int { return empty(a) - empty(b) })
	return all, failed
}

// modest returns a request that asks for as few rights as the contract leaves it to. What the values of a run say stays.
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

// requiredOnly returns a request with a body without the parameters that it need not have: what they are, such as the tag that a
// representation has, may stand against a whole body that a service wants.
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

// awayFromBounds asks for values that keep away from bounds: a service that refuses a bound by mistake takes these.
const awayFromBounds instance.Kind = "roomy"

// empty returns 1 for a request whose body is a list without items, else 0.
func empty(r request.Request) int {
	body, _, _ := r.Body()
	if items, list := body.([]any); list && len(items) == 0 {
		return 1
	}
	return 0
}

// ignoresBody reports whether a body means nothing to a method that may have one by the document, so that a service may ignore it, and what
// stands before a service may refuse it (RFC 9110, section 9.3). Bodies of GET and HEAD are not read from documents.
func ignoresBody(method string) bool { return method == http.MethodDelete }

// mayLackBody reports whether a body may be left out, and none is given.
func mayLackBody(op *spec.Operation, given *values.Values) bool {
	_, whole := given.Body(op)
	return op.Body != nil && !op.Body.Required && !whole && len(given.Members(op)) == 0
}

// parameters makes a request with the parameters of values of a kind, and no body.
func (w plainValues) parameters(op *spec.Operation, kind instance.Kind, given *values.Values) (request.Request, error) {
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

// plainRequest makes a request of values of a kind, or of the base where there is none of that kind.
func plainRequest(w plainValues, op *spec.Operation, kind instance.Kind, given *values.Values) (request.Request, error) {
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

// withPartHeaders returns a request with the headers that the parts of its body must have, and with all that they may have where all that is
// optional is asked for.
func (w plainValues) withPartHeaders(r request.Request, m *spec.Media, kind instance.Kind) request.Request {
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

// writable returns a value of a parameter that servers read as it is meant: of a kind, or else the base. A parameter that has to be
// there takes any other one rather than none, and at last one that some servers read in another way, such as a blank in a cookie.
func (w plainValues) writable(op *spec.Operation, p spec.Parameter, s instance.Subject, kind instance.Kind) (value any, ok bool) {
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

// withMembers returns a request with the members of its body that are given.
func withMembers(r request.Request, given *values.Values) (request.Request, error) {
	if _, _, ok := r.Body(); !ok {
		return r, nil
	}
	for _, m := range given.Members(r.Operation) {
		with, err := r.WithBodyAt(m.Pointer, m.Value)
		if err != nil {
			continue // this body has no such place
		}
		r = with
	}
	_, err := r.Write(boundary)
	return r, err
}

// plainValues makes the values of the plain requests of one operation. It remembers the whole ones of each subject, by the pointer of that.
type plainValues struct {
	*instance.Generator
	whole map[string]instance.Cases
}

// of returns the whole values of a subject.
func (w plainValues) of(s instance.Subject, pointer string) instance.Cases {
	known, ok := w.whole[pointer]
	if !ok {
		known = w.Whole(s)
		w.whole[pointer] = known
	}
	return known
}

// candidates are the values of a kind, and the usual one behind them.
func (w plainValues) candidates(s instance.Subject, pointer string, kind instance.Kind) []any {
	var all []any
	if kind == awayFromBounds {
		if v, err := w.Roomy(s); err == nil {
			all = append(all, v)
		}
	}
	for _, one := range w.of(s, pointer).Cases {
		if one.Kind == kind {
			all = append(all, one.Value)
		}
	}
	if usual, err := w.Usual(s); err == nil {
		all = append(all, usual) // nothing takes the place of a value that was not found
	}
	return all
}

// media are the media types of a body, JSON first: that is what can be said most of.
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

// Impossible says that no request can be made of what a contract asks for.
type Impossible struct {
	Operation, What, Pointer string
}

func (e *Impossible) Error() string {
	return "no request to " + e.Operation + " can be made: " + e.What + " takes no value that could be found and written"
}
