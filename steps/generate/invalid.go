package generate

import (
	"math/rand/v2"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"hallmark/spec"
	"hallmark/spec/derive"
	"hallmark/spec/jsonpointer"
)

// nameHere stands for the fresh name in bodies that are generated, in JSON and in what once was JSON.
const nameHere = "{name}"

// RuleFunc returns the id of the rule that a body of a kind breaks. The pointers are those of the constraint; see derive.
type RuleFunc func(kind derive.Kind, pointers ...string) string

// InvalidBody is a body that violates exactly one constraint of the contract.
type InvalidBody struct {
	// Rule is the id of the rule that it breaks.
	Rule string
	// text is the body, with nameHere where the fresh name belongs.
	text string
	// simpler lists other bodies that break the same constraint, the simplest first.
	simpler []string
}

// Write returns the body's bytes, with name where a fresh name belongs.
func (b InvalidBody) Write(name string) []byte {
	return []byte(strings.ReplaceAll(b.text, nameHere, name))
}

// String is the body's text, to tell bodies apart.
func (b InvalidBody) String() string { return b.text }

// Smaller lists the simpler bodies.
func (b InvalidBody) Smaller() []InvalidBody {
	var out []InvalidBody
	for _, text := range b.simpler {
		if len(text) < len(b.text) {
			out = append(out, InvalidBody{Rule: b.Rule, text: text})
		}
	}
	return out
}

// InvalidEach is how many invalid bodies are tried for each valid one: they are cheap, since nothing is stored.
const InvalidEach = 4

// Invalid generates n bodies that a service has to refuse, each kind by its share.
func Invalid(op spec.Operation, plain map[string]string, rule RuleFunc, n int, seed func(i int) int) []InvalidBody {
	var pool []recipe
	for _, r := range newBreaker(op, plain, rule).recipes() {
		for range r.share {
			pool = append(pool, r)
		}
	}
	order := rand.New(rand.NewPCG(uint64(seed(-1)), 0)).Perm(len(pool)) //nolint:gosec // any bits make a seed
	out := make([]InvalidBody, n)
	for i := range out {
		out[i] = pool[order[i%len(order)]].make.Example(seed(i))
	}
	return out
}

// breaker generates bodies that a service has to refuse. What the interface leaves open is not among them: unknown or
// repeated properties, 1.0 for an integer, numbers that a float64 rounds to an integer.
type breaker struct {
	schema *spec.Schema
	// chain is the way to the schema.
	chain     []string
	operation spec.Operation
	rule      RuleFunc
	drafts    *drafts
}

func newBreaker(op spec.Operation, plain map[string]string, rule RuleFunc) *breaker {
	media := op.Body.JSON()
	return &breaker{media.Schema, media.Chain(), op, rule, &drafts{schema: media.Schema, plain: plain}}
}

// recipe generates invalid bodies of one kind. Each has a share of the cases.
type recipe struct {
	share int
	make  *rapid.Generator[InvalidBody]
}

// recipes lists all kinds of invalid bodies that the schema of the body has room for. The shares of NewPet's come to the 40
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
	wrapped := []string{"[" + whole + "]", JSONString(whole), "[[" + whole + "]]", "[" + whole + ", " + whole + "]"}
	out = append(out, recipe{1, b.otherBody(Evenly(wrapped))})
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
		members = append(members, JSONString(name)+": "+value)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// pointersOf is the way to a property's constraint; see derive.
func (b *breaker) pointersOf(p *spec.Property, keyword string) []string {
	here := jsonpointer.Join(b.schema.Pointer, "properties", p.Name)
	pointers := append([]string{here}, p.Chain(b.chain...)...)
	if keyword != "" {
		pointers = append(pointers, p.Schema.Pointer+"/"+keyword)
	}
	return pointers
}

// value generates plain bodies in which one property has a value that breaks it.
func (b *breaker) value(p *spec.Property, kind derive.Kind, keyword string, values *rapid.Generator[string], simple ...string) *rapid.Generator[InvalidBody] {
	rule := b.rule(kind, b.pointersOf(p, keyword)...)
	var simpler []string
	for _, v := range simple {
		simpler = append(simpler, b.body(map[string]string{p.Name: v}, nil))
	}
	return rapid.Map(values, func(v string) InvalidBody {
		return InvalidBody{Rule: rule, text: b.body(map[string]string{p.Name: v}, nil), simpler: simpler}
	})
}

// leftOut generates bodies that lack a required property, or have it under a name that is nearly right: names are
// compared byte by byte (RFC 8259, section 8.3).
func (b *breaker) leftOut(p *spec.Property) *rapid.Generator[InvalidBody] {
	here := b.schema.Pointer + "/properties/" + p.Name
	rule := b.rule(derive.LeftOut, here, p.RequiredPointer)
	without := b.body(map[string]string{p.Name: ""}, nil)
	other := edits(p.Name).Filter(func(name string) bool { return name != "" && name != "id" && b.schema.Property(name) == nil })
	return rapid.OneOf(
		rapid.Just(InvalidBody{Rule: rule, text: without}),
		rapid.Map(other, func(name string) InvalidBody {
			return InvalidBody{Rule: rule, text: b.body(nil, map[string]string{p.Name: name}), simpler: []string{without}}
		}),
	)
}

// otherBody takes JSON texts that are no object.
func (b *breaker) otherBody(texts *rapid.Generator[string]) *rapid.Generator[InvalidBody] {
	rule := b.rule(derive.Type, append(slices.Clip(b.chain), b.schema.Pointer+"/type")...)
	simpler := []string{"0", `""`, "[]", "[" + b.body(nil, nil) + "]"}
	return rapid.Map(texts, func(text string) InvalidBody { return InvalidBody{Rule: rule, text: text, simpler: simpler} })
}
