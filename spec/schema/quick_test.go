package schema

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
)

// agree compares what is known at once about a value with the validator's result, in both directions, and returns
// how often something is known.
func agree(t testing.TB, s *Schema, value any) (known int) {
	t.Helper()
	for _, d := range []Direction{Request, Response} {
		r := s.whole(value, d, unlimited)
		a, _ := s.ask(value, d, quickEffort)
		broken := slices.ContainsFunc(r.Violations, func(v Violation) bool { return !v.Advice })
		if !broken && len(r.Unjudged) > 0 && !r.GaveUp {
			broken = a == no && refused(t, s, value, d)
		}
		switch {
		case a == yes && !r.GaveUp && (len(r.Violations) > 0 || len(r.Unjudged) > 0):
			t.Errorf("%v is taken for kept at once, and the validator finds %v, and doubts %v", value, r.Violations, r.Unjudged)
		case a == no && !broken && !r.GaveUp:
			t.Errorf("%v is taken for broken at once, and the validator finds %v, and doubts %v", value, r.Violations, r.Unjudged)
		case a != unknown:
			known++
		}
		if s.Keeps(value, d) == broken && !r.GaveUp {
			t.Errorf("%v: kept %v, and the validator finds %v", value, !broken, r.Violations)
		}
	}
	return known
}

// refused reports whether the validator refuses a value under each interpretation of what cannot be judged,
// possibly for different reasons: Validate only reports what both interpretations find.
func refused(t testing.TB, s *Schema, value any, d Direction) bool {
	t.Helper()
	for _, strict := range []bool{false, true} {
		if o, err := s.run(exactjson.ClampNumbers(value), d, strict, 100, unlimited); err != nil || o.tree == nil {
			return false
		}
	}
	return true
}

// What is known at once agrees with the validator, for schemas and values of all kinds.
func TestQuickAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	asked, known := 0, 0
	for range 600 {
		m := &maker{bytes: make([]byte, 600)}
		for i := range m.bytes {
			m.bytes[i] = byte(random.Uint32())
		}
		old, now := m.schema()
		for i, schema := range []any{old, now} {
			text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{"X": schema}}})
			if err != nil {
				t.Fatal(err)
			}
			s := schemaOf(t, []Dialect{OpenAPI30, OpenAPI31}[i], string(text))
			for range 6 {
				known += agree(t, s, m.value())
				asked += 2
			}
		}
	}
	if known*3 < asked*2 {
		t.Errorf("of %d answers only %d are known at once", asked, known)
	}
}

// The cases have each keyword: here each of them is tried with the values of the others too.
func TestQuickAgreesOnTheCases(t *testing.T) {
	asked, known := 0, 0
	for i, c := range cases {
		s := schemaOf(t, c.dialect, componentsOf(c.components))
		for j := i % 5; j < len(cases); j += 5 {
			known += agree(t, s, decode(t, cases[j].value))
			asked += 2
		}
	}
	if known*3 < asked*2 {
		t.Errorf("of %d answers only %d are known at once", asked, known)
	}
}

// What is known at once omits nothing that the validator would report, does not hang, and disables nothing.
func TestQuickLeavesOpen(t *testing.T) {
	for name, c := range map[string]struct{ components, value string }{
		"advice in an alternative that is broken": {
			`X: {oneOf: [{type: object, properties: {a: {type: string}, b: {type: object, properties: {s: {writeOnly: true}}}}}, {type: object, properties: {a: {type: integer}}}]}`,
			`{"a": 1, "b": {"s": 1}}`},
		"a discriminator in an alternative that is broken": {
			`{X: {oneOf: [{required: [zz], properties: {pet: {$ref: '#/components/schemas/P'}}}, {type: object}]}, P: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind}}, Cat: {type: object}}`,
			`{"pet": {"kind": "Cow"}}`},
		"a pattern that may take long": {`X: {type: string, pattern: '^(?!x)(a+)+$'}`, `"b"`},
		"several alternatives":         {`X: {oneOf: [{type: object}, {required: [a]}]}`, `{"a": 1}`},
		"items that have to differ":    {`X: {type: array, uniqueItems: true}`, `[1, 2]`},
		"a huge number":                {`X: {type: number, minimum: 3}`, `1e5000`},
	} {
		s := schemaOf(t, OpenAPI31, componentsOf(c.components))
		if _, known := s.Settles(decode(t, c.value), Response); known {
			t.Errorf("%s: it is known at once", name)
		}
		agree(t, s, decode(t, c.value))
	}
}

// Circular references are followed as the validator follows them.
func TestQuickFollowsWhatLeadsBack(t *testing.T) {
	for _, c := range []struct {
		components, value string
		keeps             bool
	}{
		{`{X: {allOf: [{$ref: '#/components/schemas/X'}], type: object}}`, `{}`, true},
		{`{X: {allOf: [{$ref: '#/components/schemas/X'}], type: object}}`, `1`, false},
		{`{X: {type: object, properties: {next: {$ref: '#/components/schemas/X'}}, additionalProperties: false}}`, `{"next": {"next": {}}}`, true},
		{`{X: {type: object, properties: {next: {$ref: '#/components/schemas/X'}}, additionalProperties: false}}`, `{"next": {"next": {"a": 1}}}`, false},
		{`{X: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind}}, Cat: {allOf: [{$ref: '#/components/schemas/X'}], required: [purr]}}`, `{"kind": "Cat", "purr": 1}`, true},
		{`{X: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind}}, Cat: {allOf: [{$ref: '#/components/schemas/X'}], required: [purr]}}`, `{"kind": "Cat"}`, false},
	} {
		s := schemaOf(t, OpenAPI31, componentsOf(c.components))
		if keeps, known := s.Settles(decode(t, c.value), Response); !known || keeps != c.keeps {
			t.Errorf("%s by %s: kept %v, known %v", c.value, c.components, keeps, known)
		}
		agree(t, s, decode(t, c.value))
	}
}
