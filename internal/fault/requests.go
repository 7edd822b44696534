package fault

import (
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// requests derives constraints that are not enforced.
func (m *maker) requests() {
	m.parameters()
	m.accepted()
	body := m.op.Body
	if body == nil {
		return
	}
	m.partHeaders()
	media := body.JSON()
	if media == nil || media.Schema == nil || media.IsPatch() || strings.Contains(media.Type, "*") {
		return
	}
	lenient := func(operator, place, says string, w mutate.Wrong, value string, kinds ...promise.Kind) {
		m.addFault(Fault{Operator: operator, Place: place, Says: m.op.ID + " accepts " + says + ".", Mutation: mutate.Mutation{
			Do: mutate.ActLenient, Wrong: w, Value: value, Media: media.Type,
		}}, kinds...)
	}
	lenient("lenient", "media-type", "a body of an undocumented media type", mutate.WrongMedia, "", promise.MediaTypeRefused)
	if whole, ok := m.plainBody(media); ok {
		if body.Required {
			lenient("lenient", "no-body", "a request without its body", mutate.WrongNoBody, whole, promise.BodyMissing)
		}
		lenient("lenient", "malformed", "a body that cannot be read", mutate.WrongMalformed, whole, promise.BodyMalformed)
		m.place(place{edge: media.Edge, schema: media.Schema, required: true}, whole, media.Type)
	}
	for _, pair := range m.promises.Bounds(m.op) {
		m.addFault(Fault{Operator: "lenient", Place: pair[0] + "-" + pair[1], Says: m.op.ID + " accepts " + pair[0] + " below " + pair[1] + ".", Mutation: mutate.Mutation{
			Do: mutate.ActLenient, Wrong: mutate.WrongOrder, At: pair[:], Media: media.Type,
		}}, promise.Reversed)
	}
	g := m.generator(instance.Request)
	naming := resource.Naming(m.op)
	for _, p := range placesOf(media.Edge, instance.Request, m.most()) {
		if p.closed {
			m.addFault(Fault{Operator: "lenient", Place: p.called("unknown"), Says: m.op.ID + " accepts an additional member at " + p.pointer() + ", which is forbidden.", Mutation: mutate.Mutation{
				Do: mutate.ActLenient, Wrong: mutate.WrongUnknown, At: p.at, Allowed: p.known, Media: media.Type,
			}}, promise.PropertyUnknown)
		}
		if len(p.at) == 0 {
			continue
		}
		member := p.at[len(p.at)-1]
		good := ""
		if value, err := g.Usual(instance.Subject{Name: member, Edge: p.edge}); err == nil {
			good = string(mutate.WriteJSON(value))
			isName := len(p.at) == 1 && slices.ContainsFunc(naming, func(n spec.Property) bool { return n.Name == member })
			if numbered := numberedName(p.schema); isName && m.promises.Valid(p.schema, numbered) {
				good = string(mutate.WriteJSON(numbered))
			}
		}
		m.place(p, good, media.Type)
	}
}

// numberedName returns a name that differs in each request.
func numberedName(s *spec.Schema) string {
	if s.Format == "email" {
		return "hallmark-" + mutate.Numbered + "@example.com"
	}
	return "Hallmark " + mutate.Numbered
}

// plainBody returns a body that is likely to be accepted, as JSON.
func (m *maker) plainBody(media *spec.Media) (string, bool) {
	all, err := m.promises.Requests(m.op)
	if err != nil {
		return "", false
	}
	for _, r := range all {
		value, _, ok := r.Body()
		if !ok {
			continue
		}
		tree, readable := mutate.ReadJSON(mutate.WriteJSON(value)) // a copy
		if object, is := tree.(map[string]any); is && readable {
			for _, p := range resource.Naming(m.op) {
				if _, there := object[p.Name]; there && m.promises.Valid(p.Schema, numberedName(p.Schema)) {
					object[p.Name] = numberedName(p.Schema)
				}
			}
		}
		return string(mutate.WriteJSON(tree)), readable && media.Schema != nil
	}
	return "", false
}

// place derives what is wrongly accepted at a place of a body. good is a valid value there as JSON, or "" if none was found.
func (m *maker) place(p place, good, media string) {
	if p.schema == nil || good == "" && p.required {
		return
	}
	add := func(w mutate.Wrong, says string, with func(*mutate.Mutation), kind promise.Kind) {
		x := mutate.Mutation{Do: mutate.ActLenient, Wrong: w, At: p.at, Value: good, Media: media}
		if with != nil {
			with(&x)
		}
		m.addFault(Fault{Operator: "lenient", Place: p.called(string(w)), Says: fmt.Sprintf("%s accepts %s at %s.", m.op.ID, says, p.pointer()), Mutation: x}, kind)
	}
	value := promise.PropertyValue
	s := p.schema
	if len(p.at) == 0 {
		if s.Type != "" {
			add(mutate.WrongBody, "a body of another type", func(x *mutate.Mutation) { x.Type, x.At = s.Type, nil }, promise.BodyType)
		}
		return
	}
	if p.required {
		add(mutate.WrongMissing, "a body without the member", nil, promise.PropertyMissing)
	}
	if !s.Nullable {
		add(mutate.WrongNull, "null", nil, value)
	}
	if s.Type != "" {
		add(mutate.WrongType, "a value of another type", func(x *mutate.Mutation) { x.Type = s.Type }, value)
	}
	if len(s.Enum) > 0 {
		add(mutate.WrongEnum, "a value outside the enum", func(x *mutate.Mutation) { x.Type, x.Allowed = s.Type, s.Enum }, value)
	}
	if low := bound(s.Minimum, s.ExclusiveMinimum, s.Type, 1); low != "" {
		add(mutate.WrongLow, "a number below the minimum", func(x *mutate.Mutation) { x.Low = low }, value)
	}
	if high := bound(s.Maximum, s.ExclusiveMaximum, s.Type, -1); high != "" {
		add(mutate.WrongHigh, "a number above the maximum", func(x *mutate.Mutation) { x.High = high }, value)
	}
	if s.Type == "integer" {
		add(mutate.WrongFraction, "a fraction", nil, value)
	}
	for _, c := range []struct {
		low, high   *int64
		few, many   mutate.Wrong
		less, above string
	}{{s.MinLength, s.MaxLength, mutate.WrongShort, mutate.WrongLong, "a string that is too short", "a string that is too long"}, {s.MinItems, s.MaxItems, mutate.WrongFew, mutate.WrongMany, "too few items", "too many items"}} {
		if c.low != nil && *c.low > 0 {
			add(c.few, c.less, func(x *mutate.Mutation) { x.Low = strconv.FormatInt(*c.low, 10) }, value)
		}
		if c.high != nil {
			add(c.many, c.above, func(x *mutate.Mutation) { x.High = strconv.FormatInt(*c.high, 10) }, value)
		}
	}
	if s.Pattern != "" || !strings.HasPrefix(s.Format, "int") && schema.Asserts(s.Format, m.contract.AssertsFormats()) {
		add(mutate.WrongText, "a string of another form", func(x *mutate.Mutation) {
			if s.MinLength != nil {
				x.Low = strconv.FormatInt(*s.MinLength, 10)
			}
			if s.MaxLength != nil {
				x.High = strconv.FormatInt(*s.MaxLength, 10)
			}
		}, value)
	}
}

// bound returns the last allowed number on one side; side is the direction inwards.
func bound(inclusive, exclusive, kind string, side int64) string {
	if inclusive != "" {
		return inclusive
	}
	b, ok := new(big.Rat).SetString(exclusive)
	if !ok {
		return ""
	}
	if kind == "integer" {
		return b.Add(b, big.NewRat(side, 1)).FloatString(0)
	}
	return b.Add(b, big.NewRat(side, 1_000_000)).FloatString(6)
}

// parameters derives parameters that are not checked.
func (m *maker) parameters() {
	g := m.generator(instance.Request)
	for _, p := range m.op.Parameters {
		if p.In != "query" && p.In != "header" || p.Schema == nil || resource.IsCondition(p) {
			continue
		}
		fragment := ""
		if value, err := g.Usual(instance.Subject{Name: p.Name, Edge: p.Edge, Examples: p.Examples}); err == nil {
			if text, sent, err := request.Param(m.op, request.PlaceOf(p)).Serialize(value); err == nil && sent {
				fragment = string(mutate.WriteJSON(text))
			}
		}
		add := func(w mutate.Wrong, value, says string, kind promise.Kind) {
			m.addFault(Fault{Operator: "lenient", Place: p.In + "-" + p.Name + "-" + string(w), Says: m.op.ID + " accepts " + says + " " + p.Name + ".", Mutation: mutate.Mutation{
				Do: mutate.ActLenient, Wrong: w, In: p.In, Name: p.Name, Value: value,
			}}, kind)
		}
		if p.Required && fragment != "" {
			add(mutate.WrongLeftOut, fragment, "a request without the parameter", promise.ParameterMissing)
		}
		if p.Required && fragment == "" {
			continue
		}
		good := fragment
		if !p.Required {
			good = ""
		}
		if m.refusable(p) {
			add(mutate.WrongParameter, good, "a wrong value of the parameter", promise.ParameterValue)
		}
	}
}

// refusable reports whether a parameter can have a wrong value: a string without constraints cannot.
func (m *maker) refusable(p spec.Parameter) bool {
	at, hint := request.Param(m.op, request.PlaceOf(p)), request.HintOf(p.Schema)
	wrong := m.generator(instance.Request).Invalid(instance.Subject{Name: p.Name, Edge: p.Edge, Examples: p.Examples})
	return slices.ContainsFunc(wrong.Cases, func(c instance.Case) bool { return at.Survives(c.Value, hint).Fate == wire.Carried })
}

// accepted derives allowed values that are rejected.
func (m *maker) accepted() {
	status := 0
	for _, s := range []int{400, 422} {
		if m.exactly(s) != nil && status == 0 {
			status = s
		}
	}
	if status == 0 {
		return
	}
	refusal := m.refusal(m.op, status)
	for _, p := range m.op.Parameters {
		if p.In != "query" || p.Schema == nil || p.Required {
			continue
		}
		var values []string
		if len(p.Schema.Enum) > 1 {
			values = p.Schema.Members()[len(p.Schema.Enum)-1:]
		} else if p.Schema.Type == "integer" && p.Schema.Maximum != "" {
			values = []string{p.Schema.Maximum}
		}
		for _, v := range values {
			m.addFault(Fault{Operator: "strict", Place: "query-" + p.Name + "-" + v, Says: fmt.Sprintf("%s rejects the value %s of the parameter %s.", m.op.ID, v, p.Name), Mutation: mutate.Mutation{
				Do: mutate.ActStrict, Name: p.Name, In: p.In, Value: string(mutate.WriteJSON(v)), Refusal: refusal,
			}}, promise.Accepted)
		}
	}
	if m.op.Body == nil || m.op.Body.JSON() == nil || m.op.Body.JSON().IsPatch() {
		return
	}
	for _, p := range placesOf(m.op.Body.JSON().Edge, instance.Request, mostOfRefusals*4) {
		if len(p.at) != 1 || p.schema == nil {
			continue
		}
		strict := func(what, value string) {
			m.addFault(Fault{Operator: "strict", Place: p.called(what), Says: fmt.Sprintf("%s rejects a body in which %s %s.", m.op.ID, p.pointer(), map[bool]string{true: "is left out", false: "is " + value}[value == ""]), Mutation: mutate.Mutation{
				Do: mutate.ActStrict, At: p.at, Value: value, Refusal: refusal,
			}}, promise.Accepted)
		}
		switch s := p.schema; {
		case len(s.Enum) > 1:
			strict("last", s.Enum[len(s.Enum)-1])
		case s.Type == "integer" && s.Maximum != "":
			strict("greatest", s.Maximum)
		}
		if !p.required && !m.promises.Chooses(m.op, p.at[0]) {
			strict("left-out", "")
		}
	}
}

// credentials derives faults that accept requests without the right credential, reject those with it, or check one where none is needed.
func (m *maker) credentials() {
	m.addFault(Fault{Operator: "credential", Place: "missing", Says: m.op.ID + " accepts requests without credentials.", Mutation: mutate.Mutation{Do: mutate.ActMissingCredential}}, promise.CredentialMissing)
	m.addFault(Fault{Operator: "credential", Place: "wrong", Says: m.op.ID + " accepts requests with wrong credentials.", Mutation: mutate.Mutation{Do: mutate.ActWrongCredential}},
		promise.CredentialWrong, promise.OtherScheme, promise.Scope)
	refusal := m.refusal(m.op, http.StatusUnauthorized)
	var all []string
	for _, places := range Places(m.contract) {
		all = append(all, places...)
	}
	slices.Sort(all)
	for _, place := range slices.Compact(all) {
		m.addFault(Fault{Operator: "credential", Place: "heeded-" + place, Says: m.op.ID + " rejects a wrong credential in the " + place + ", although it needs none.", Mutation: mutate.Mutation{
			Do: mutate.ActHeedCredential, Name: place, Refusal: refusal,
		}}, promise.CredentialIgnored)
	}
	for _, place := range m.alternatives() {
		m.addFault(Fault{Operator: "credential", Place: "refused-" + place, Says: m.op.ID + " rejects the credential in the " + place + ", which is sufficient.", Mutation: mutate.Mutation{
			Do: mutate.ActShunCredential, Name: place, Refusal: refusal,
		}}, promise.CredentialAccepted)
	}
}

// alternatives returns where requests carry a credential that is sufficient by itself and that the first alternative does not need.
func (m *maker) alternatives() []string {
	var all, first []string
	for i, requirement := range m.op.Security {
		for _, s := range requirement {
			switch place := s.Place(); {
			case place == "":
			case i == 0:
				first = append(first, place)
			case len(requirement) == 1 && !slices.Contains(all, place):
				all = append(all, place)
			}
		}
	}
	return slices.DeleteFunc(all, func(place string) bool { return len(first) == 0 || slices.Contains(first, place) })
}

// partHeaders derives headers of parts that are not checked.
func (m *maker) partHeaders() {
	g := m.generator(instance.Request)
	for _, media := range m.op.Body.Content {
		for _, part := range slices.Sorted(maps.Keys(media.Encoding)) {
			for i := range media.Encoding[part].Headers {
				h := &media.Encoding[part].Headers[i]
				if !h.Required || h.Schema == nil || wire.KindOf(media.Type) != wire.KindMultipart {
					continue
				}
				value, err := g.Usual(instance.Subject{Name: h.Name, Edge: h.Edge, Examples: h.Examples})
				if err != nil {
					continue
				}
				if text, sent, err := request.Header(h).Serialize(value); err == nil && sent {
					m.addFault(Fault{Operator: "lenient", Place: "part-" + part + "-" + h.Name, Says: fmt.Sprintf("%s accepts a part %s without a valid header %s.", m.op.ID, part, h.Name), Mutation: mutate.Mutation{
						Do: mutate.ActLenient, Wrong: mutate.WrongPartHeader, In: part, Name: h.Name, Value: string(mutate.WriteJSON(text)),
					}}, promise.PartHeader)
				}
			}
		}
	}
}

// Places returns where the requests of the operations carry credentials.
func Places(c *spec.Contract) map[string][]string {
	all := map[string][]string{}
	for _, op := range c.Operations() {
		for _, requirement := range op.Security {
			for _, s := range requirement {
				if place := s.Place(); place != "" && !slices.Contains(all[op.ID], place) {
					all[op.ID] = append(all[op.ID], place)
				}
			}
		}
	}
	return all
}
