package derive

import (
	"slices"

	"hallmark/spec"
)

// parameter makes the cases of a query (or header) parameter: within and outside its bounds or enum, of another type,
// left out, and beside the other parameters.
func (m *maker) parameter(p spec.Parameter) {
	s := p.Schema
	good := goodOf(s)
	kind := ParameterInside
	if len(choices(s)) > 0 {
		kind = ParameterMember
	}
	success := m.success()
	if success == nil {
		return
	}
	accepted := []string{statusIs(success.Status)}
	chain := p.Chain(p.Pointer)
	with := m.called

	for _, v := range good {
		m.add(testCase{kind: kind, pointers: []string{p.Pointer}, title: p.Name + " is " + v.is,
			call: with(p.Name + " <" + p.Name + ">"), then: accepted, row: []exampleValue{{p.Name, bare(v.text)}}})
	}
	for _, other := range m.op.Parameters {
		if other.Name == p.Name || other.In != p.In {
			continue
		}
		others := goodOf(other.Schema)
		for _, v := range ends(good) {
			for _, w := range ends(others) {
				m.add(testCase{kind: kind, pointers: []string{p.Pointer},
					title: p.Name + " is " + v.is + ", " + other.Name + " is " + w.is,
					call:  with(p.Name+" <"+p.Name+">", other.Name+" <"+other.Name+">"), then: accepted,
					row: []exampleValue{{p.Name, bare(v.text)}, {other.Name, bare(w.text)}}})
			}
		}
		if !p.Required && !m.needs() {
			for _, w := range others {
				m.add(testCase{kind: ParameterLeftOut, pointers: []string{p.Pointer},
					title: "only " + other.Name + " is given, " + w.is,
					call:  with(other.Name + " <" + other.Name + ">"), then: accepted,
					row: []exampleValue{{other.Name, bare(w.text)}}})
			}
		}
	}
	switch {
	case p.Required:
		m.add(testCase{kind: ParameterMissing, pointers: []string{p.Pointer}, title: p.Name + " is left out",
			call: m.calledBut(p.Name), then: m.refusal()})
	case m.needs():
		m.add(testCase{kind: ParameterLeftOut, pointers: []string{p.Pointer}, title: "only what is required is given", then: accepted})
	default:
		m.add(testCase{kind: ParameterLeftOut, pointers: []string{p.Pointer}, title: "no parameter is given", then: accepted})
	}
	bad := func(kind Kind, keyword string, values []value) {
		for _, v := range values {
			m.add(testCase{kind: kind, pointers: append(slices.Clone(chain), s.Pointer+"/"+keyword),
				title: p.Name + " is " + v.is,
				call:  with(p.Name + " <" + p.Name + ">"), then: m.refusal(), row: []exampleValue{{p.Name, bare(v.text)}}})
		}
	}
	bad(ParameterOutside, "minimum", below(s))
	bad(ParameterOutside, "maximum", above(s))
	bad(ParameterNotMember, "enum", notMembers(s))
	bad(ParameterType, "type", textOfOtherType(s))
}

// needs reports whether the operation requires a parameter beside those in its path.
func (m *maker) needs() bool {
	return slices.ContainsFunc(m.op.Parameters, func(p spec.Parameter) bool { return p.Required && p.In != "path" })
}

// members returns the values of an enum, or both booleans, as parameter texts.
func members(s *spec.Schema) []value {
	var out []value
	for _, e := range choices(s) {
		out = append(out, value{unquoted(e), unquoted(e)})
	}
	return out
}

// ends returns the first and the last value, so that pairs stay few.
func ends(values []value) []value {
	if len(values) < 3 {
		return values
	}
	return []value{values[0], values[len(values)-1]}
}

// textOfOtherType returns parameter texts that are no value of the schema's type.
func textOfOtherType(s *spec.Schema) []value {
	switch s.Type {
	case "integer":
		return []value{{"", "empty"}, {"abc", "a word"}, {"1.5", "a fraction"}, {"5x", "a number followed by a letter"},
			{"true", "a boolean"}, {"null", "the word null"}}
	case "number":
		return []value{{"", "empty"}, {"abc", "a word"}, {"true", "a boolean"}}
	case "boolean":
		return []value{{"", "empty"}, {"abc", "a word"}, {"2", "a number"}}
	}
	return nil
}

// pathParameter makes the cases of a path parameter: naming nothing, extreme, of another type.
func (m *maker) pathParameter(p spec.Parameter) {
	s := p.Schema
	chain := p.Chain(p.Pointer)
	call := m.op.ID + " is called with " + p.Name + " <" + p.Name + ">"
	success := m.success()
	if m.documents(404) {
		m.add(testCase{kind: PathUnknown, pointers: []string{p.Pointer}, title: p.Name + " belongs to nothing, again and again",
			call: m.op.ID + " is called 5 times with an unknown " + p.Name, then: []string{EachStatusIs.Write("404")}})
		if s.Type == "integer" && success != nil {
			for _, v := range extremes(s) {
				m.add(testCase{kind: PathExtreme, pointers: append(slices.Clone(chain), s.Pointer+"/format"),
					title: p.Name + " is " + v.is, call: call,
					then: []string{statusIs(404) + ", or " + itoa(success.Status) + " with that " + p.Name},
					row:  []exampleValue{{p.Name, bare(v.text)}}})
			}
		}
	}
	bad := []value{}
	if s.Type == "integer" {
		bad = []value{{"abc", "a word"}, {"1.5", "a fraction"}, {"1x", "a number followed by a letter"},
			{"null", "the word null"}}
		if s.Format != "" { // without one there is no integer that is too great
			bad = slices.Insert(bad, len(bad)-1, beyond(s)[:2]...)
		}
	}
	for _, v := range bad {
		m.add(testCase{kind: PathType, pointers: append(slices.Clone(chain), s.Pointer+"/type"),
			title: p.Name + " is " + v.is, call: call, then: m.refusal(), row: []exampleValue{{p.Name, bare(v.text)}}})
	}
}
