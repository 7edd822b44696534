package derive

import (
	"slices"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// answers reaches every documented response that can be reached without knowing more than the contract.
func (m *maker) answers() {
	for _, a := range m.op.Responses {
		chain := []string{a.Pointer}
		chain = append(chain, a.Via...)
		switch {
		case a.Status/100 == 2:
			m.reach(a, chain)
		case a.Status == 401 && !m.op.Anonymous():
			m.add(testCase{kind: Answer, pointers: chain, title: "no credential is sent",
				given: []string{CredentialIs.Write("missing")}, then: []string{statusIs(401)}})
		case a.Status == 400 && m.op.Body != nil:
			m.add(testCase{kind: Answer, pointers: chain, title: "the body is an empty object",
				given: []string{BodyIs.Write("{}")}, then: []string{statusIs(400)}})
		case a.Status == 404:
			for _, p := range m.op.Parameters {
				if p.In == "path" {
					m.add(testCase{kind: Answer, pointers: chain, title: p.Name + " belongs to nothing",
						call: m.op.ID + " is called with an unknown " + p.Name, then: []string{statusIs(404)}})
				}
			}
		}
	}
}

// reach comes to the response of success: by a plain call, or along the links that lead to the operation.
func (m *maker) reach(a spec.DocumentedResponse, chain []string) {
	then := []string{statusIs(a.Status)}
	needs := slices.ContainsFunc(m.op.Parameters, func(p spec.Parameter) bool { return p.In == "path" })
	if !needs {
		m.add(testCase{kind: Answer, pointers: chain, title: "a plain request", then: then, also: m.alwaysOf(a)})
	}
	for _, from := range m.contract.Operations() {
		for _, b := range from.Responses {
			for _, l := range b.Links {
				if l.Operation != m.op.ID {
					continue
				}
				for name := range l.Parameters {
					m.add(testCase{kind: Answer, pointers: chain,
						title: name + " comes from a response of " + from.ID,
						given: []string{from.ID + " has answered " + itoa(b.Status)},
						call:  m.op.ID + " is called with the " + name + " of that response",
						then:  then, also: m.alwaysOf(a)})
					m.add(testCase{kind: Linked, pointers: []string{b.Pointer, jsonpointer.Join(b.Pointer, "links", l.Name)},
						title: "compared with the response of " + from.ID,
						given: []string{from.ID + " has answered " + itoa(b.Status)},
						call:  m.op.ID + " is called with the " + name + " of that response",
						then:  append(slices.Clone(then), HeldByThat)})
				}
			}
		}
	}
	m.echoes(a)
}

// alwaysOf returns the pointers of what a response's schema demands, for the tags of the rules that encode it.
func (m *maker) alwaysOf(a spec.DocumentedResponse) []string {
	var out []string
	seen := map[*spec.Schema]bool{}
	var walk func(e spec.Edge, outer []string)
	walk = func(e spec.Edge, outer []string) {
		s := e.Schema
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		chain := e.Chain(outer...)
		out = append(out, s.Pointer)
		for _, p := range s.Properties {
			out = append(out, chain...)
			out = append(out, p.Via...)
			walk(p.Edge, chain)
		}
		if s.Items != nil {
			walk(*s.Items, chain)
		}
	}
	if media := a.JSON(); media != nil {
		walk(media.Edge, nil)
	}
	return out
}

// echoes asks that what was sent comes back, for every property that body and answer share.
func (m *maker) echoes(a spec.DocumentedResponse) {
	answered := a.Schema()
	if m.op.Body == nil || answered == nil {
		return
	}
	for _, p := range m.op.Body.Properties() {
		back := answered.Property(p.Name)
		if back == nil {
			continue
		}
		then := []string{statusIs(a.Status), IsSent.Write(p.Name)}
		chain := slices.Concat([]string{answered.Pointer}, a.JSON().Chain(), back.Via)
		chain = append(chain, jsonpointer.Join(answered.Pointer, "properties", p.Name))
		if p.Required && len(choices(p.Schema)) == 0 {
			m.add(testCase{kind: Echo, pointers: chain, title: "a plain " + p.Name, then: then})
			continue
		}
		values := choices(p.Schema)
		if v := plain(p.Schema); v != "" {
			values = []string{v} // an optional one is sent only when it is asked for
		}
		for _, v := range values {
			m.add(testCase{kind: Echo, pointers: chain, title: p.Name + " is " + unquoted(v),
				given: []string{MemberIs.Write(p.Name, "<"+p.Name+">")}, then: then,
				row: []exampleValue{{p.Name, v}}})
		}
	}
}
