package fault

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/credential"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// Seeded is a fault of the reference service of an interface that follows from its contract: one response, constraint or credential of one
// operation that is wrong.
type Seeded struct {
	// Name consists of words joined by hyphens.
	Name string
	// Rule is the rule that it breaks.
	Rule string
	Says string

	Mutation mutate.Mutation
}

// SeededOf derives the faults of the reference service of an interface: what its responses may lack, which constraints may go unchecked or be
// checked too strictly, and which wrong credential may be accepted. The rules are those of the catalogue that cover the derived rules. The
// error names faults that break no rule.
func SeededOf(c *spec.Contract, catalogue *spec.Catalogue) ([]Seeded, error) {
	operations := c.Operations()
	var all []Seeded
	var errs []error
	for i := range operations {
		m := &seeder{catalogue: catalogue, names: promise.NamesOf(operations), op: &operations[i]}
		for _, a := range m.op.Responses {
			m.response(a)
		}
		m.requests()
		m.security()
		all = append(all, m.faults...)
		errs = append(errs, m.errs...)
	}
	return all, errors.Join(errs...)
}

// seeder derives the faults of one operation.
type seeder struct {
	catalogue *spec.Catalogue
	names     promise.Names
	op        *spec.Operation
	faults    []Seeded
	errs      []error
}

// broken is the derived rule that a fault breaks, and the parts of it; see [spec.PartsOf].
type broken struct {
	kind  promise.Kind
	parts []string
}

// addSeeded adds a fault that breaks a rule.
func (m *seeder) addSeeded(b broken, name, says string, do mutate.Mutation) {
	name = m.op.ID + "-" + name
	rule, known := m.catalogue.Rule(m.catalogue.Resolve(m.names.Rule(m.op.ID, b.kind), spec.PartsOf(b.parts...)...))
	if !known || rule.Level == spec.Open {
		m.errs = append(m.errs, fmt.Errorf("%s: no rule of the catalogue is broken by a service of which this is true: %s", name, says))
		return
	}
	do.Method, do.Path = m.op.Method, m.op.Path
	m.faults = append(m.faults, Seeded{Name: name, Rule: rule.ID, Says: says, Mutation: do})
}

// plausible returns the statuses that a service may confuse with another one.
func plausible(status int) []int {
	switch status {
	case 200:
		return []int{201, 202, 204, 206, 500}
	case 201:
		return []int{200, 202, 204, 500}
	case 400:
		return []int{200, 409, 422, 500}
	case 401:
		return []int{400, 403, 404, 500}
	case 404:
		return []int{200, 204, 400, 410, 500}
	}
	return []int{500}
}

// kindOfStatus returns the kind of promise that a documented status keeps.
func kindOfStatus(status int) promise.Kind {
	switch {
	case status/100 == 2:
		return promise.Success
	case status == 401:
		return promise.CredentialWrong
	case status == 404:
		return promise.NotFound
	}
	return promise.Refusal
}

// response derives what may be wrong with a documented response.
func (m *seeder) response(a spec.DocumentedResponse) {
	status := strconv.Itoa(a.Status)
	where := "answer " + status + " of " + m.op.ID
	for _, to := range plausible(a.Status) {
		m.addSeeded(broken{kind: kindOfStatus(a.Status)}, fmt.Sprintf("%s-as-%d", status, to), fmt.Sprintf("What should be an %s is answered %d.", where, to),
			mutate.Mutation{Status: a.Status, Do: mutate.ActStatus, To: to})
	}
	media := a.JSON()
	if media == nil || media.Schema == nil {
		return
	}
	spoil := func(b broken, name, says string, do mutate.Mutation) {
		do.Status = a.Status
		m.addSeeded(b, status+"-"+name, fmt.Sprintf("The %s %s.", where, says), do)
	}
	labelled := broken{kind: promise.MediaType}
	spoil(labelled, "no-media-type", "has no Content-Type", mutate.Mutation{Do: mutate.ActMedia})
	spoil(labelled, "text-media-type", "is labelled as plain text", mutate.Mutation{Do: mutate.ActMedia, Media: "text/plain; charset=utf-8"})
	spoil(labelled, "page-media-type", "is labelled as a page for people", mutate.Mutation{Do: mutate.ActMedia, Media: "text/html"})
	content := a.Pointer + "/content"
	if len(a.Via) > 0 {
		content = a.Via[len(a.Via)-1] + "/content"
	}
	unreadable := broken{promise.Body, []string{content, promise.PartUnreadable}}
	spoil(broken{promise.Body, []string{content, promise.PartMissing}}, "no-body", "has no body", mutate.Mutation{Do: mutate.ActNoBody})
	spoil(unreadable, "cut", "is cut off in the middle", mutate.Mutation{Do: mutate.ActCut})
	spoil(unreadable, "rubbish", "ends in text that is not JSON", mutate.Mutation{Do: mutate.ActRubbish})

	whole := broken{promise.Body, append(media.Chain(), media.Schema.Pointer+"/type")}
	spoil(whole, "null", "is null", mutate.Mutation{Do: mutate.ActBody, Value: "null"})
	if media.Schema.Type == "array" {
		spoil(whole, "first-item", "is the first item without its array", mutate.Mutation{Do: mutate.ActFirst})
		spoil(whole, "envelope", "is put into an object", mutate.Mutation{Do: mutate.ActEnvelope})
	} else {
		spoil(whole, "array", "is put into an array", mutate.Mutation{Do: mutate.ActArray})
		spoil(whole, "string", "is a string", mutate.Mutation{Do: mutate.ActBody, Value: `"done"`})
	}
	v := seededValues{m, a.Status, map[*spec.Schema]bool{}}
	v.values(media.Edge, nil, nil, "the "+where)
}

// seededValues derives what may be wrong with the values in a response.
type seededValues struct {
	*seeder
	status int
	// seen holds the schemas on the way, which may lead to themselves.
	seen map[*spec.Schema]bool
}

// values derives what may be wrong with properties, and with those in the items of arrays; outer is the way to the edge.
func (m *seededValues) values(e spec.Edge, outer, at []string, of string) {
	s, chain := e.Schema, e.Chain(outer...)
	if m.seen[s] {
		return
	}
	m.seen[s] = true
	if s.Items != nil {
		m.values(*s.Items, chain, append(slices.Clip(at), "*"), "every item of "+of)
		return
	}
	for _, p := range s.Properties {
		place := slices.Concat(at, []string{p.Name})
		dotted := strings.ReplaceAll(strings.Join(place, "-"), "*-", "")
		inside := p.Chain(chain...)
		add := func(name, says, pointer string, way []string, do mutate.Mutation) {
			do.Status, do.At = m.status, place
			m.addSeeded(broken{promise.Body, append(slices.Clip(way), pointer)}, fmt.Sprintf("%d-%s-%s", m.status, dotted, name), fmt.Sprintf("In %s, %s %s.", of, p.Name, says), do)
		}
		set := func(name, says, keyword, value string) {
			add(name, says, p.Schema.Pointer+"/"+keyword, inside, mutate.Mutation{Do: mutate.ActSet, Value: value})
		}
		if p.Required {
			add("dropped", "is missing", p.RequiredPointer, chain, mutate.Mutation{Do: mutate.ActDrop})
		}
		if p.Schema.Type != "" {
			set("null", "is null", "type", "null")
			is, other := otherType(p.Schema)
			set("wrong-type", "is "+is, "type", other)
		}
		if p.Schema.Type == "integer" {
			set("fraction", "is a fraction", "type", "1.5")
			if low, high := rangeOf(p.Schema); p.Schema.Format != "" {
				set("too-great", "is one above the maximum of "+p.Schema.Format, "format", new(big.Int).Add(high, big.NewInt(1)).String())
				set("too-small", "is one below the minimum of "+p.Schema.Format, "format", new(big.Int).Sub(low, big.NewInt(1)).String())
			}
		}
		if len(p.Schema.Enum) > 0 {
			set("no-member", "is a value that is not documented", "enum", `"nonesuch"`)
			set("empty", "is empty", "enum", `""`)
		}
	}
}

// otherType returns a JSON text of another type than a schema's, with what it is.
func otherType(s *spec.Schema) (is, json string) {
	if s.Type == "string" {
		return "a number", "1"
	}
	return "a string", `"text"`
}

// rangeOf returns the least and the greatest integer of a schema's format, int64 if it names none.
func rangeOf(s *spec.Schema) (low, high *big.Int) {
	bits := uint(63)
	if s.Format == "int32" {
		bits = 31
	}
	high = new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Int).Neg(high), high.Sub(high, big.NewInt(1))
}

// requests derives which constraint of a request may go unchecked, if the contract says how a violation is answered, and which valid value
// may be refused.
func (m *seeder) requests() {
	for _, p := range m.op.Parameters {
		if p.In == "query" {
			m.parameter(p)
		}
	}
	b := m.op.Body
	if b == nil || b.Schema() == nil {
		return
	}
	s, chain := b.Schema(), b.JSON().Chain()
	if m.op.ResponseFor(400) != nil {
		whole := plainValue(s, 0)
		if b.Required {
			m.addSeeded(broken{kind: promise.BodyMissing}, "body-not-required", "A request without a body is accepted.", mutate.Mutation{Do: mutate.ActMendNoBody, Value: whole})
		}
		m.addSeeded(broken{kind: promise.BodyMalformed}, "body-not-parsed", "A body that is not JSON is accepted.", mutate.Mutation{Do: mutate.ActMendMalformed, Value: whole})
		if s.Type == "object" {
			m.addSeeded(broken{kind: promise.BodyType}, "body-of-any-type", "A body that is not an object is accepted.", mutate.Mutation{Do: mutate.ActMendType, Type: "object", Value: whole})
		}
	}
	for _, p := range s.Properties {
		if m.op.ResponseFor(400) != nil {
			m.unchecked(chain, s, p)
		}
		m.strict(chain, s, p)
	}
}

// unchecked derives the constraints of a property of the body that may go unchecked; outer is the way to its schema.
func (m *seeder) unchecked(outer []string, object *spec.Schema, p spec.Property) {
	s := p.Schema
	here := jsonpointer.Join(object.Pointer, "properties", p.Name)
	chain := append([]string{here}, p.Chain(outer...)...)
	add := func(b broken, name, says string, do mutate.Mutation) {
		do.At, do.Value, do.Type = []string{p.Name}, plainValue(s, 0), s.Type
		m.addSeeded(b, p.Name+"-"+name, "A request is accepted "+says+".", do)
	}
	value := func(keyword string) broken {
		return broken{promise.PropertyValue, append(slices.Clone(chain), s.Pointer+"/"+keyword)}
	}
	if p.Required {
		add(broken{promise.PropertyMissing, []string{here, p.RequiredPointer}}, "not-required", "without "+p.Name, mutate.Mutation{Do: mutate.ActMendMissing})
	}
	add(broken{promise.PropertyValue, append(slices.Clone(chain), s.Pointer+"/type", promise.PartNull)}, "may-be-null", "whose "+p.Name+" is null", mutate.Mutation{Do: mutate.ActMendNull})
	if s.Type != "" {
		add(value("type"), "of-any-type", "whose "+p.Name+" is of another type", mutate.Mutation{Do: mutate.ActMendType})
	}
	if s.Type == "integer" {
		add(value("type"), "may-be-a-fraction", "whose "+p.Name+" is a fraction", mutate.Mutation{Do: mutate.ActMendFraction})
	}
	if len(s.Enum) > 0 {
		add(value("enum"), "not-enumerated", "whose "+p.Name+" is a value that is not documented", mutate.Mutation{Do: mutate.ActMendEnum, Allowed: s.Enum})
	}
	if s.Type == "integer" && s.Format != "" {
		low, high := rangeOf(s)
		add(value("format"), "of-any-size", "whose "+p.Name+" lies outside "+s.Format, mutate.Mutation{Do: mutate.ActMendBounds, Low: low.String(), High: high.String()})
	}
	if s.Minimum != "" || s.Maximum != "" {
		add(value("minimum"), "not-bounded", "whose "+p.Name+" lies outside its bounds", mutate.Mutation{Do: mutate.ActMendBounds, Low: s.Minimum, High: s.Maximum})
	}
}

// strict derives the valid values of a property that may be refused; outer is the way to the body's schema.
func (m *seeder) strict(outer []string, object *spec.Schema, p spec.Property) {
	here := jsonpointer.Join(object.Pointer, "properties", p.Name)
	chain := append([]string{here}, p.Chain(outer...)...)
	add := func(parts []string, name, says string, do mutate.Mutation) {
		do.At, do.To = []string{p.Name}, m.refusal()
		m.addSeeded(broken{promise.Accepted, parts}, p.Name+"-"+name, "A request is refused "+says+".", do)
	}
	if !p.Required {
		add([]string{here, promise.PartLeftOut}, "required", "without "+p.Name, mutate.Mutation{Do: mutate.ActRefuseLeftOut})
	}
	for _, e := range p.Schema.Enum {
		add(chain, bare(e)+"-refused", "whose "+p.Name+" is "+bare(e), mutate.Mutation{Do: mutate.ActRefuseMember, Value: e})
	}
}

// refusal returns the status with which the operation refuses a request, or would.
func (m *seeder) refusal() int {
	if m.op.ResponseFor(422) != nil && m.op.ResponseFor(400) == nil {
		return 422
	}
	return 400
}

// parameter derives the valid values of a query parameter that may be refused.
func (m *seeder) parameter(p spec.Parameter) {
	add := func(parts []string, name, says string, do mutate.Mutation) {
		do.At, do.To = []string{p.Name}, m.refusal()
		m.addSeeded(broken{promise.Accepted, parts}, p.Name+"-"+name, "A request is refused "+says+".", do)
	}
	if !p.Required {
		add([]string{p.Pointer, promise.PartLeftOut}, "required", "without "+p.Name, mutate.Mutation{Do: mutate.ActRefuseNoParameter})
	}
	refuse := func(text, is string) {
		add([]string{p.Pointer}, text+"-refused", "whose "+p.Name+" is "+is, mutate.Mutation{Do: mutate.ActRefuseParameter, Value: strconv.Quote(text)})
	}
	for _, v := range bounds(p.Schema) {
		refuse(v[0], v[1])
	}
	for _, e := range p.Schema.Enum {
		refuse(bare(e), bare(e))
	}
}

// bounds returns the integers at, near and halfway between the bounds of a schema that has both, each with what it is.
func bounds(s *spec.Schema) [][2]string {
	low, isLow := new(big.Int).SetString(s.Minimum, 10)
	high, isHigh := new(big.Int).SetString(s.Maximum, 10)
	if !isLow || !isHigh {
		return nil
	}
	one := big.NewInt(1)
	middle := new(big.Int).Add(low, high)
	return [][2]string{
		{low.String(), "its minimum"}, {new(big.Int).Add(low, one).String(), "one above its minimum"},
		{middle.Rsh(middle, 1).String(), "halfway between its bounds"},
		{new(big.Int).Sub(high, one).String(), "one below its maximum"}, {high.String(), "its maximum"},
	}
}

// security derives which wrong credential may be accepted: each, or those of one kind.
func (m *seeder) security() {
	if m.op.Anonymous() || m.op.ResponseFor(401) == nil {
		return
	}
	m.addSeeded(broken{kind: promise.CredentialWrong}, "open-to-all", "No credential is required.", mutate.Mutation{Do: mutate.ActLetIn})
	m.addSeeded(broken{promise.Success, []string{promise.PartRight}}, "credential-right-refused", "The right credential is rejected.", mutate.Mutation{Do: mutate.ActShutOut})
	seen := map[credential.Flaw]bool{}
	for _, c := range credential.WrongTokens() {
		if seen[c.Kind] {
			continue
		}
		seen[c.Kind] = true
		b := broken{promise.CredentialWrong, []string{string(c.Kind)}}
		if c.Kind == credential.Missing {
			b = broken{kind: promise.CredentialMissing}
		}
		kind := strings.TrimPrefix(string(c.Kind), "credential-")
		m.addSeeded(b, "credential-"+kind+"-let-in", "A bad credential is accepted: "+c.Words+", and similar ones.", mutate.Mutation{Do: mutate.ActLetIn, Value: kind})
	}
}

// bare returns the text of a JSON string, or the JSON text itself for anything else.
func bare(json string) string {
	if text, err := strconv.Unquote(json); err == nil {
		return text
	}
	return json
}

// plainValue returns a JSON text of an inconspicuous value of a schema, at a depth in the whole value.
func plainValue(s *spec.Schema, depth int) string {
	const deepest = 20 // a schema may require itself
	switch {
	case depth > deepest:
		return "null"
	case s.Default != "":
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		n := 4
		if s.MinLength != nil {
			n = max(n, int(min(*s.MinLength, 1<<16)))
		}
		return strconv.Quote(strings.Repeat("x", n))
	case s.Type == "integer" || s.Type == "number":
		if s.Minimum != "" {
			return s.Minimum
		}
		return "1"
	case s.Type == "boolean":
		return "true"
	case s.Type == "array":
		return "[]"
	case s.Type == "object":
		var members []string
		for _, p := range s.Properties {
			if p.Required {
				members = append(members, strconv.Quote(p.Name)+": "+plainValue(p.Schema, depth+1))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return "null"
}
