package derive

import (
	"slices"
	"strconv"
	"strings"

	"hallmark/spec"
	"hallmark/spec/credential"
	"hallmark/spec/jsonpointer"
)

// requests derives which constraint of a request may go unchecked, one at a time, where the contract says how breaking it
// is answered; and which good value may be refused.
func (m *faultMaker) requests() {
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
		whole := plainJSON(s, 0)
		body := func(name, says string, kind Kind, pointers []string, f Fault) {
			f.Value = whole
			rule, ok := m.must(kind, pointers...)
			m.add(rule, ok, name, says, f)
		}
		if b.Required {
			body("body-not-required", "A request without a body is accepted.", BodyMissing, []string{b.Pointer + "/required"}, Fault{Do: "mend-no-body"})
		}
		body("body-not-parsed", "A body that is no JSON is accepted.", BodyMalformed, []string{b.Pointer + "/content"}, Fault{Do: "mend-malformed"})
		if s.Type == "object" {
			body("body-of-any-type", "A body that is no object is accepted.", Type, append(slices.Clip(chain), s.Pointer+"/type"),
				Fault{Do: "mend-type", Type: "object"})
		}
	}
	for _, p := range s.Properties {
		if m.op.ResponseFor(400) != nil {
			m.unchecked(chain, s, p)
		}
		m.strict(chain, s, p)
	}
}

// must returns the rule of a case, which has to be a must rule: what is left open cannot be broken.
func (m *faultMaker) must(kind Kind, pointers ...string) (spec.Rule, bool) {
	rule, ok := m.catalogue.ForCase(m.op.ID, string(kind), pointers...)
	return rule, ok && rule.Level == spec.Must
}

// unchecked derives the constraints of a property of the body that may go unchecked; outer is the way to its schema.
func (m *faultMaker) unchecked(outer []string, object *spec.Schema, p spec.Property) {
	s := p.Schema
	here := jsonpointer.Join(object.Pointer, "properties", p.Name)
	chain := append([]string{here}, p.Chain(outer...)...)
	add := func(name, says string, kind Kind, pointers []string, f Fault) {
		f.At, f.Value, f.Type = []string{p.Name}, plainJSON(s, 0), s.Type
		rule, ok := m.must(kind, pointers...)
		m.add(rule, ok, p.Name+"-"+name, "A request is accepted "+says+".", f)
	}
	at := func(keyword string) []string { return append(slices.Clone(chain), s.Pointer+"/"+keyword) }
	if p.Required {
		add("not-required", "without "+p.Name, LeftOut, []string{here, p.RequiredPointer}, Fault{Do: "mend-missing"})
	}
	add("may-be-null", "whose "+p.Name+" is null", Null, chain, Fault{Do: "mend-null"})
	if s.Type != "" {
		add("of-any-type", "whose "+p.Name+" is of another type", Type, at("type"), Fault{Do: "mend-type"})
	}
	if s.Type == "integer" {
		add("may-be-a-fraction", "whose "+p.Name+" is a fraction", Fraction, at("type"), Fault{Do: "mend-fraction"})
	}
	if len(s.Enum) > 0 {
		add("not-enumerated", "whose "+p.Name+" is a value that is not documented", NotMember, at("enum"),
			Fault{Do: "mend-enum", Allowed: s.Enum})
	}
	if s.Type == "integer" && s.Format != "" {
		low, high := formatRange(s)
		add("of-any-size", "whose "+p.Name+" lies outside "+s.Format, BeyondFormat, at("format"),
			Fault{Do: "mend-bounds", Low: low.String(), High: high.String()})
	}
	if s.Minimum != "" || s.Maximum != "" {
		add("not-bounded", "whose "+p.Name+" lies outside its bounds", Outside, at("minimum"),
			Fault{Do: "mend-bounds", Low: s.Minimum, High: s.Maximum})
	}
}

// strict derives the good values of a property that may be refused; outer is the way to the body's schema.
func (m *faultMaker) strict(outer []string, object *spec.Schema, p spec.Property) {
	here := jsonpointer.Join(object.Pointer, "properties", p.Name)
	chain := append([]string{here}, p.Chain(outer...)...)
	add := func(name, says string, kind Kind, pointers []string, f Fault) {
		f.At, f.To = []string{p.Name}, m.refuses()
		rule, ok := m.must(kind, pointers...)
		m.add(rule, ok, p.Name+"-"+name, "A request is refused "+says+".", f)
	}
	if !p.Required {
		add("required", "without "+p.Name, OptionalLeftOut, []string{here}, Fault{Do: "refuse-left-out"})
	}
	for _, e := range p.Schema.Enum {
		add(unquoted(e)+"-refused", "whose "+p.Name+" is "+unquoted(e), Member, chain, Fault{Do: "refuse-member", Value: e})
	}
}

// refuses returns the status by which the operation refuses a request, or would.
func (m *faultMaker) refuses() int {
	if m.op.ResponseFor(422) != nil && m.op.ResponseFor(400) == nil {
		return 422
	}
	return 400
}

// parameter derives the good values of a query parameter that may be refused.
func (m *faultMaker) parameter(p spec.Parameter) {
	add := func(name, says string, kind Kind, f Fault) {
		f.At, f.To = []string{p.Name}, m.refuses()
		rule, ok := m.must(kind, p.Pointer)
		m.add(rule, ok, p.Name+"-"+name, "A request is refused "+says+".", f)
	}
	if !p.Required {
		add("required", "without "+p.Name, ParameterLeftOut, Fault{Do: "refuse-no-parameter"})
	}
	for _, v := range inside(p.Schema) {
		add(v.text+"-refused", "whose "+p.Name+" is "+v.is, ParameterInside, Fault{Do: "refuse-parameter", Value: quote(v.text)})
	}
	for _, v := range members(p.Schema) {
		add(v.text+"-refused", "whose "+p.Name+" is "+v.is, ParameterMember, Fault{Do: "refuse-parameter", Value: quote(v.text)})
	}
}

// security derives which bad credential may be let in: every one, or those of one kind.
func (m *faultMaker) security() {
	answer := m.op.ResponseFor(401)
	if m.op.Anonymous() || answer == nil {
		return
	}
	rule, ok := m.must(Answer, append([]string{answer.Pointer}, answer.Via...)...)
	m.add(rule, ok, "open-to-all", "No credential is asked for.", Fault{Do: "let-in"})
	security := m.op.Credential()
	right, ok := m.must(CredentialRight, security.Pointer, security.SchemePointer)
	m.add(right, ok, "credential-right-refused", "The right credential is refused.", Fault{Do: "shut-out"})
	seen := map[credential.Kind]bool{}
	for _, c := range credential.WrongTokens() {
		if seen[c.Kind] {
			continue
		}
		seen[c.Kind] = true
		kind := strings.TrimPrefix(string(c.Kind), "credential-")
		rule, ok := m.must(Kind(c.Kind), security.Pointer, security.SchemePointer)
		m.add(rule, ok, "credential-"+kind+"-let-in", "A bad credential is let in: "+c.Words+", and its like.", Fault{Do: "let-in", Value: kind})
	}
}

// plainJSON returns an inconspicuous value of a schema, which stands at a depth in the whole value.
func plainJSON(s *spec.Schema, depth int) string {
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
		return quote(strings.Repeat("x", n))
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
				members = append(members, strconv.Quote(p.Name)+": "+plainJSON(p.Schema, depth+1))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return "null"
}
