package derive

import (
	"slices"
	"strings"

	"hallmark/spec"
	"hallmark/spec/jsonpointer"
)

// body makes the cases of a request body: as a whole, and property by property.
func (m *maker) body() {
	b := m.op.Body
	refused := m.refusal()
	if b.Required {
		for _, g := range []struct{ given, title string }{
			// The request calls its body JSON. Without a Content-Type a service may refuse the media type (415) first.
			{NoBody, "there is no body, though the Content-Type is JSON"},
			{EmptyBody, EmptyBody},
			{BlankBody, "the body holds blanks only"},
		} {
			m.add(testCase{kind: BodyMissing, pointers: []string{b.Pointer + "/required"}, title: g.title,
				given: []string{g.given}, then: refused})
		}
	}
	for _, damage := range Damages() {
		m.add(testCase{kind: BodyMalformed, pointers: []string{b.Pointer + "/content"}, title: "the body is <damage>",
			given: []string{PlainBody + "<damage>"}, then: refused, row: []exampleValue{{"damage", damage}}})
	}
	media := b.JSON()
	if media == nil || media.Schema == nil {
		return
	}
	s, chain := media.Schema, media.Chain()
	if s.Type == "object" {
		for _, v := range append(otherTypes(s), value{"null", "null"}) {
			m.add(testCase{kind: Type, pointers: append(slices.Clip(chain), s.Pointer+"/type"), title: "the body is " + v.is,
				given: []string{BodyIs.Write("<body>")}, then: refused, row: []exampleValue{{"body", v.text}}})
		}
		m.add(testCase{kind: Type, pointers: append(slices.Clip(chain), s.Pointer+"/type"), title: "the body is a plain one inside an array",
			given: []string{PlainBody + "inside an array"}, then: refused})
	}
	for _, p := range s.Properties {
		m.property(chain, s, p)
	}
}

// Damages names the ways in which a plain body is made not to be one JSON text; the step PlainBody + "<damage>" knows each of them.
// Bytes that are not UTF-8 are not among them: readers in wide use put U+FFFD in their place.
func Damages() []string {
	return []string{
		"cut short", "followed by a word", "followed by a second object", "followed by a bracket",
		"with a comma before its last brace", "in single quotes", "without quotes around its names",
		"without its braces", "with a bare word as a value", "in the manner of a form",
	}
}

// property makes the cases of one property of the body; outer is the way to the body's schema.
func (m *maker) property(outer []string, object *spec.Schema, p spec.Property) {
	s := p.Schema
	refused := m.refusal()
	here := jsonpointer.Join(object.Pointer, "properties", p.Name)
	chain := append([]string{here}, p.Chain(outer...)...)
	where := func(kind Kind, keyword string, then []string, values ...value) {
		pointers := slices.Clone(chain)
		if keyword != "" {
			pointers = append(pointers, s.Pointer+"/"+keyword)
		}
		for _, v := range values {
			m.add(testCase{kind: kind, pointers: pointers, title: p.Name + " is " + v.is,
				given: []string{MemberIs.Write(p.Name, "<"+p.Name+">")}, then: then,
				row: []exampleValue{{p.Name, v.text}}})
		}
	}
	quoted := func(values []value) []value {
		out := slices.Clone(values)
		for i := range out {
			out[i].text = quote(out[i].text)
		}
		return out
	}
	without := []string{WithoutMember.Write(p.Name)}
	if p.Required {
		m.add(testCase{kind: LeftOut, pointers: []string{here, p.RequiredPointer}, title: p.Name + " is left out",
			given: without, then: refused})
		// Names are compared byte by byte (RFC 8259, section 8.3): under another case the property is missing.
		if other := strings.ToUpper(p.Name); other != p.Name && object.Property(other) == nil {
			m.add(testCase{kind: LeftOut, pointers: []string{here, p.RequiredPointer}, title: p.Name + " is called " + other,
				given: []string{MemberCalled.Write(p.Name, other)}, then: refused})
		}
	} else if a := m.success(); a != nil {
		m.add(testCase{kind: OptionalLeftOut, pointers: []string{here}, title: p.Name + " is left out",
			given: without, then: []string{statusIs(a.Status), ComesBack}})
	}
	where(Null, "", refused, value{"null", "null"})
	where(Type, "type", refused, otherTypes(s)...)
	if s.Type == "integer" {
		where(Fraction, "type", refused, value{"1.5", "a fraction"}, value{"0.1", "a fraction below one"})
	}
	where(NotMember, "enum", refused, quoted(notMembers(s))...)
	if a := m.success(); a != nil {
		accepted := []string{statusIs(a.Status), ComesBack}
		for _, e := range choices(s) {
			where(Member, "", accepted, value{e, unquoted(e)})
		}
		shortest, tooShort := short(s)
		longest, tooLong := long(s)
		where(Inside, "minimum", accepted, inside(s)...)
		where(Inside, "minLength", accepted, shortest...)
		where(Inside, "maxLength", accepted, longest...)
		where(Outside, "minimum", refused, below(s)...)
		where(Outside, "maximum", refused, above(s)...)
		where(Outside, "minLength", refused, tooShort...)
		where(Outside, "maxLength", refused, tooLong...)
		if s.Format != "" && s.Type == "integer" {
			either := accepted
			if m.documents(400) {
				either = []string{statusIs(a.Status, 400), ComesBack + IfAccepted}
			}
			where(Int64Extreme, "format", either, extremes(s)...)
			where(BeyondFormat, "format", refused, beyond(s)...)
		}
	}
}
