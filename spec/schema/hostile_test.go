package schema

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// ends fails if f does not end in a time that is far above what it needs on a busy machine.
func ends(t *testing.T, f func()) {
	t.Helper()
	begin := time.Now()
	f()
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// A few lines may have more branches than can ever be followed.
func TestExponentialAlternatives(t *testing.T) {
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		var text strings.Builder
		text.WriteString("components:\n  schemas:\n    X: {" + keyword + ": [{$ref: '#/components/schemas/A0'}]}\n")
		for i := range 60 {
			fmt.Fprintf(&text, "    A%d: {%s: [{$ref: '#/components/schemas/A%d'}, {$ref: '#/components/schemas/A%d'}]}\n", i, keyword, i+1, i+1)
		}
		text.WriteString("    A60: {type: integer}\n")
		s := schemaOf(t, OpenAPI31, text.String())
		ends(t, func() {
			r := s.Validate("x", Response)
			if len(r.Violations) > 0 || len(r.Unjudged) != 1 || r.Unjudged[0].Reason != errEffort.Error() {
				t.Errorf("%s: found %v, unjudged %v", keyword, len(r.Violations), r.Unjudged)
			}
		})
	}
}

// A pattern may take forever for a text; a list of such texts must take no longer than one.
func TestEndlessPattern(t *testing.T) {
	s := schemaOf(t, OpenAPI31, `components: {schemas: {X: {items: {pattern: '^(?=a)(a+)+$'}}}}`)
	var items []any
	for range 200 {
		items = append(items, strings.Repeat("a", 60)+"!")
	}
	ends(t, func() {
		r := s.Validate(items, Response)
		if len(r.Violations) > 0 || len(r.Unjudged) != 1 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
	for range mostSlow {
		s.Validate(items, Response)
	}
	if r := s.Validate([]any{"a"}, Response); len(r.Unjudged) != 1 {
		t.Error("a pattern that was too slow several times is tried again")
	}
}

// Without assertions a pattern is matched in a time that grows with the text.
func TestNestedRepeats(t *testing.T) {
	s := schemaOf(t, OpenAPI31, `components: {schemas: {X: {pattern: '^(a+)+$'}}}`)
	ends(t, func() {
		if r := s.Validate(strings.Repeat("a", 10_000)+"!", Response); len(r.Violations) != 1 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
}

// Many schemas cost no more than their number, and neither do those of a chain.
func TestManySchemas(t *testing.T) {
	n := 100_000
	if testing.Short() || skip.RaceDetector {
		n = 10_000
	}
	scalar := func(text string) *source.Node {
		return &source.Node{Kind: source.ScalarNode, Tag: source.StringTag, Value: text}
	}
	mapping := func(content ...*source.Node) *source.Node {
		return &source.Node{Kind: source.MappingNode, Tag: source.MapTag, Content: content}
	}
	schemas := mapping()
	ref := scalar("$ref")
	for i := range n {
		schemas.Content = append(schemas.Content, scalar("S"+strconv.Itoa(i)),
			mapping(ref, scalar("#/components/schemas/S"+strconv.Itoa(i+1))))
	}
	schemas.Content = append(schemas.Content, scalar("S"+strconv.Itoa(n)), mapping(scalar("type"), scalar("integer")))
	d := &testDocument{
		root: mapping(scalar("components"), mapping(scalar("schemas"), schemas)),
		keys: map[*source.Node]map[string]*source.Node{},
	}
	set := New(d, OpenAPI31)
	ends(t, func() {
		if survey := set.Survey([]string{"/components/schemas/S0"}); survey.Schemas != n+1 || len(survey.Holes) > 0 {
			t.Errorf("%d schemas, holes %v", survey.Schemas, survey.Holes)
		}
		first, _ := set.At("/components/schemas/S0")
		if r := first.Validate("x", Response); len(r.Violations) > 0 || len(r.Unjudged) != 1 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
		near, _ := set.At("/components/schemas/S" + strconv.Itoa(n-1000))
		if r := near.Validate("x", Response); len(r.Violations) != 1 || len(r.Unjudged) > 0 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
}

// A value that nests deeper than the decoder allows ends the validation, and nothing else.
func TestDeepValue(t *testing.T) {
	s := schemaOf(t, OpenAPI31, `components: {schemas: {X: {items: {$ref: '#/components/schemas/X'}}}}`)
	value := any("x")
	for range 100_000 {
		value = []any{value}
	}
	ends(t, func() {
		if r := s.Validate(value, Response); len(r.Violations) > 0 || len(r.Unjudged) != 1 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
}

// For a long list that is broken throughout, the first items are enough.
func TestLongBrokenList(t *testing.T) {
	s := schemaOf(t, OpenAPI31, `components: {schemas: {X: {items: {$ref: '#/components/schemas/Y'}}, Y: {anyOf: [{type: string}, {required: [a, b]}]}}}`)
	n := 100_000
	if skip.RaceDetector {
		n = maxViolations
	}
	items := make([]any, n)
	for i := range items {
		items[i] = map[string]any{"c": "d"}
	}
	ends(t, func() {
		r := s.Validate(items, Response)
		if len(r.Violations) != maxViolations || !r.More || r.Violations[0].Pointer() != "/0" || r.Violations[maxViolations-1].Pointer() != "/4999" {
			t.Errorf("%d violations, more: %v", len(r.Violations), r.More)
		}
	})
}

// Aliases of YAML that lead into themselves, or multiply, end as holes.
func TestAliases(t *testing.T) {
	var text strings.Builder
	text.WriteString("components:\n  schemas:\n    X: &x {properties: {a: *x}}\n    Y:\n      enum:\n        - &e0 [1, 2]\n")
	for i := range 40 {
		fmt.Fprintf(&text, "        - &e%d [*e%d, *e%d]\n", i+1, i, i)
	}
	s := New(parse(t, text.String()), OpenAPI31)
	ends(t, func() {
		survey := s.Survey([]string{"/components/schemas/X", "/components/schemas/Y"})
		if len(survey.Holes) != 2 {
			t.Errorf("holes %v", survey.Holes)
		}
	})
}

// Schemas within one schema are compiled in time proportional to their number, and disproportionate ones become a
// hole.
func TestWideSchema(t *testing.T) {
	many := func(n int, schema string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%q: %s, ", "p"+strconv.Itoa(i), schema)
		}
		return "{" + strings.TrimSuffix(text.String(), ", ") + "}"
	}
	n := 300
	if testing.Short() || skip.RaceDetector {
		n = 60
	}
	ends(t, func() {
		s := schemaOf(t, OpenAPI31, `{"components": {"schemas": {"X": {"properties": `+many(n, `{"properties": `+many(n, `{"type": "integer"}`)+`}`)+`}}}}`)
		last := "p" + strconv.Itoa(n-1)
		r := s.Validate(map[string]any{last: map[string]any{last: "x"}}, Response)
		if len(r.Violations) != 1 || r.Violations[0].Constraint != "/components/schemas/X/properties/"+last+"/properties/"+last+"/type" {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
	ends(t, func() {
		s := schemaOf(t, OpenAPI31, `{"components": {"schemas": {"X": {"type": "object", "properties": `+many(maxWidth+1, `{}`)+`}}}}`)
		if r := s.Validate("x", Response); len(r.Violations) != 1 || len(r.Unjudged) > 0 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
		if r := s.Validate(map[string]any{}, Response); len(r.Violations) > 0 || len(r.Unjudged) != 1 {
			t.Errorf("found %v, unjudged %v", r.Violations, r.Unjudged)
		}
	})
}
