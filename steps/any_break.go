package steps

import (
	"strings"

	"pgregory.net/rapid"

	"hallmark/spec"
	"hallmark/spec/derive"
)

// nameHere stands for the fresh name in bodies that are generated, in JSON and in what once was JSON.
const nameHere = "{name}"

// breach is a body that breaks exactly one constraint of the contract: what stands in it, and which rule says no.
type breach struct {
	rule string
	// text is the body, with nameHere where the fresh name belongs.
	text string
	// simpler lists other bodies that break the same constraint, the simplest first.
	simpler []string
}

// String is the body's text, to tell breaches apart.
func (b breach) String() string { return b.text }

// smaller lists the simpler bodies.
func (b breach) smaller() []breach {
	var out []breach
	for _, text := range b.simpler {
		if len(text) < len(b.text) {
			out = append(out, breach{rule: b.rule, text: text})
		}
	}
	return out
}

// breaker generates bodies that a service has to refuse. What the interface leaves open is not among them: unknown or
// repeated properties, 1.0 for an integer, numbers that a float64 rounds to an integer.
type breaker struct {
	schema    *spec.Schema
	operation spec.Operation
	catalogue *spec.Catalogue
	drafts    *drafts
}

func newBreaker(op spec.Operation, plain map[string]string, catalogue *spec.Catalogue) *breaker {
	return &breaker{op.Body.Schema, op, catalogue, &drafts{schema: op.Body.Schema, plain: plain}}
}

// recipe generates breaches of one kind. Each has a share of the cases.
type recipe struct {
	share int
	make  *rapid.Generator[breach]
}

// recipes lists all kinds of breaches that the schema of the body has room for. The shares of NewPet's come to the 40
// invalid bodies of a plain run, so that each kind is tried in it.
func (b *breaker) recipes() []recipe {
	var out []recipe
	for how := range damages {
		share := 1
		if how == laxDamage {
			share = 2
		}
		out = append(out, recipe{share, b.damaged(how)})
	}
	out = append(out, recipe{1, b.otherBody(rapid.Just("null"))}, recipe{1, b.otherBody(jsonOf("array", 2))},
		recipe{1, b.otherBody(rapid.OneOf(jsonOf("string", 0), jsonOf("number", 0), jsonOf("boolean", 0)))})
	whole := b.body(nil, nil)
	wrapped := []string{"[" + whole + "]", quoteJSON(whole), "[[" + whole + "]]", "[" + whole + ", " + whole + "]"}
	out = append(out, recipe{1, b.otherBody(evenly(wrapped))})
	for i := range b.schema.Properties {
		p := &b.schema.Properties[i]
		if p.Required {
			out = append(out, recipe{2, b.leftOut(p)})
		}
		out = append(out, recipe{1, b.value(p, derive.Null, "", rapid.Just("null"))})
		for _, other := range otherTypes(p.Schema) {
			out = append(out, recipe{1, b.value(p, derive.Type, "type", other, simpleOthers(p.Schema)...)})
		}
		if p.Schema.Type == "integer" {
			out = append(out, recipe{1, b.value(p, derive.Fraction, "type", fractions(), "1.5", "0.5")})
			if p.Schema.Format == "int64" {
				out = append(out, recipe{2, b.value(p, derive.BeyondFormat, "format", giants(), simpleGiants()...)})
			}
		}
		if len(p.Schema.Enum) > 0 && p.Schema.Type == "string" {
			out = append(out, recipe{3, b.value(p, derive.NotMember, "enum", nearMisses(p.Schema.Enum), `"x"`, `""`)})
		}
	}
	return out
}

// body writes a plain body in which some properties have other values: JSON texts by name, "" for none. Optional ones
// are there only where they are given.
func (b *breaker) body(values map[string]string, rename map[string]string) string {
	var members []string
	for i := range b.schema.Properties {
		p := &b.schema.Properties[i]
		value, given := values[p.Name]
		switch {
		case given && value == "", !given && !p.Required:
			continue
		case given:
		case p.Schema.Type == "string" && len(p.Schema.Enum) == 0:
			value = `"` + nameHere + `"`
		default:
			value = b.drafts.plainValue(p)
		}
		name := p.Name
		if other, ok := rename[name]; ok {
			name = other
		}
		members = append(members, quoteJSON(name)+": "+value)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// pointersOf is the way to a property's constraint; see derive.
func (b *breaker) pointersOf(p *spec.Property, keyword string) []string {
	here := b.schema.Pointer + "/properties/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(p.Name)
	pointers := append([]string{here}, p.Schema.Chain()...)
	if keyword != "" {
		pointers = append(pointers, p.Schema.Pointer+"/"+keyword)
	}
	return pointers
}

func (b *breaker) rule(kind derive.Kind, pointers ...string) string {
	if rule, ok := b.catalogue.ForCase(b.operation.ID, string(kind), pointers...); ok {
		return rule.ID
	}
	return "create.refused"
}

// value generates plain bodies in which one property has a value that breaks it.
func (b *breaker) value(p *spec.Property, kind derive.Kind, keyword string, values *rapid.Generator[string], simple ...string) *rapid.Generator[breach] {
	rule := b.rule(kind, b.pointersOf(p, keyword)...)
	var simpler []string
	for _, v := range simple {
		simpler = append(simpler, b.body(map[string]string{p.Name: v}, nil))
	}
	return rapid.Map(values, func(v string) breach {
		return breach{rule: rule, text: b.body(map[string]string{p.Name: v}, nil), simpler: simpler}
	})
}

// leftOut generates bodies that lack a required property, or have it under a name that is nearly right: names are
// compared byte by byte (RFC 8259, section 8.3).
func (b *breaker) leftOut(p *spec.Property) *rapid.Generator[breach] {
	here := b.schema.Pointer + "/properties/" + p.Name
	rule := b.rule(derive.LeftOut, here, p.RequiredPointer)
	without := b.body(map[string]string{p.Name: ""}, nil)
	other := edits(p.Name).Filter(func(name string) bool { return name != "" && name != "id" && b.schema.Property(name) == nil })
	return rapid.OneOf(
		rapid.Just(breach{rule: rule, text: without}),
		rapid.Map(other, func(name string) breach {
			return breach{rule: rule, text: b.body(nil, map[string]string{p.Name: name}), simpler: []string{without}}
		}),
	)
}

// otherBody takes JSON texts that are no object.
func (b *breaker) otherBody(texts *rapid.Generator[string]) *rapid.Generator[breach] {
	rule := b.rule(derive.Type, append(b.schema.Chain(), b.schema.Pointer+"/type")...)
	simpler := []string{"0", `""`, "[]", "[" + b.body(nil, nil) + "]"}
	return rapid.Map(texts, func(text string) breach { return breach{rule: rule, text: text, simpler: simpler} })
}
