package schema

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A violation holds values, and the places of the original document.
func TestViolation(t *testing.T) {
	s := schemaOf(t, OpenAPI30, `components:
  schemas:
    X:
      type: object
      required: [a, b]
      properties:
        n:
          minimum: 3
          exclusiveMinimum: true
        list:
          items:
            maxLength: 2
        kind:
          enum: [x, y]
`)
	r := s.Validate(decode(t, `{"a":1,"n":3.0,"list":["äöü"],"kind":"z"}`), Response)
	x := "/components/schemas/X"
	want := []Violation{
		{Schema: x, Keyword: "required", Constraint: x + "/required/1", Line: 5, Name: "b", Actual: decode(t, `{"a":1,"n":3.0,"list":["äöü"],"kind":"z"}`)},
		{Path: []string{"kind"}, Schema: x + "/properties/kind", Keyword: "enum", Constraint: x + "/properties/kind/enum", Line: 14,
			Expected: []any{"x", "y"}, Actual: "z"},
		{Path: []string{"list", "0"}, Schema: x + "/properties/list/items", Keyword: "maxLength", Constraint: x + "/properties/list/items/maxLength",
			Line: 12, Expected: json.Number("2"), Actual: 3},
		{Path: []string{"n"}, Schema: x + "/properties/n", Keyword: "exclusiveMinimum", Constraint: x + "/properties/n/exclusiveMinimum", Line: 9,
			Expected: json.Number("3"), Actual: json.Number("3.0")},
	}
	for i := range r.Violations {
		if len(r.Violations[i].Path) == 0 {
			r.Violations[i].Path = nil
		}
	}
	if d := cmp.Diff(want, r.Violations, cmpopts.IgnoreUnexported(Violation{})); d != "" {
		t.Error(d)
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		format      string
		value       any
		fits, known bool
	}{
		{"email", "a@example.com", true, true},
		{"email", "nobody", false, true},
		{"uri", "https://example.com/a", true, true},
		{"uri", "/a", false, true},
		{"date", "2026-02-29", false, true},
		{"int32", json.Number("1e3"), true, true},
		{"int64", "7", false, false},
		{"hostname", "a-1.example", true, true},
		{"hostname", "a_b", false, true},
		{"duration", "P1Y2DT3H", true, true},
		{"duration", "P2W", true, true},
		{"duration", "30s", false, true},
		{"duration", "P", false, true},
		{"duration", "P1DT", false, true},
		{"time", "10:00:00Z", true, true},
		{"time", "10:00", false, true},
		{"password", "a", false, false},
		{"date", json.Number("7"), false, false},
	} {
		if fits, known := Fits(c.format, c.value); fits != c.fits || known != c.known {
			t.Errorf("%s of %v: %v, %v", c.format, c.value, fits, known)
		}
	}
}

func TestDialectOf(t *testing.T) {
	for version, want := range map[string]Dialect{"2.0": Swagger2, "3.0.3": OpenAPI30, "3.1.0": OpenAPI31, "3.2.0": OpenAPI31, "4.0.0": OpenAPI31} {
		if got := DialectOf(version); got != want {
			t.Errorf("%s is %v", version, got)
		}
	}
}

// A set is used by many goroutines from the first moment.
func TestConcurrentUse(t *testing.T) {
	var text strings.Builder
	text.WriteString("components: {schemas: {")
	for _, c := range cases {
		if c.dialect == OpenAPI31 && !strings.HasPrefix(c.components, "{") {
			text.WriteString(strings.Replace(c.components, "X:", json.Number(strings.ReplaceAll(strings.ReplaceAll(c.name, " ", "-"), ",", "")).String()+":", 1) + ", ")
		}
	}
	text.WriteString("X: {}}}")
	d := parse(t, text.String())
	set := New(d, OpenAPI31)
	pointers := schemasOf(d)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range pointers {
				s, ok := set.At(pointers[(i*7+j)%len(pointers)])
				if !ok {
					t.Error("a schema is lost")
					return
				}
				for _, c := range cases {
					var value any
					decoder := json.NewDecoder(strings.NewReader(c.value))
					decoder.UseNumber()
					if decoder.Decode(&value) == nil {
						s.Validate(value, c.direction)
					}
				}
			}
		})
	}
	all.Wait()
	open := 0
	set.sessions.Range(func(any, any) bool { open++; return true })
	if open > 0 {
		t.Errorf("%d sessions were left open", open)
	}
}

// benchmarkObject is judged by a schema with references, patterns, formats and alternatives.
const benchmarkDocument = `components:
  schemas:
    X: {type: array, items: {$ref: '#/components/schemas/Item'}}
    Item:
      type: object
      required: [id, name, kind]
      properties:
        id: {type: integer, format: int64}
        name: {type: string, minLength: 1, pattern: '^[a-z ]+$'}
        kind: {type: string, enum: [a, b]}
        at: {type: string, format: date-time}
        detail: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: kind}}
    A: {type: object, properties: {kind: {type: string}, a: {type: number}}}
    B: {type: object, properties: {kind: {type: string}, b: {type: number}}}
`

func BenchmarkValidate(b *testing.B) {
	s := schemaOf(b, OpenAPI30, benchmarkDocument)
	item := `{"id":9007199254740993,"name":"a name","kind":"a","at":"2026-01-01T00:00:00Z","detail":{"kind":"B","b":1.5}}`
	value := decode(b, "["+strings.TrimSuffix(strings.Repeat(item+",", 100), ",")+"]")
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Validate(value, Response); len(r.Violations) > 0 {
			b.Fatal(r.Violations)
		}
	}
}

// BenchmarkCompile compiles all schemas of the largest documents.
func BenchmarkCompile(b *testing.B) {
	for _, file := range corpus(b) {
		if !strings.HasSuffix(file, "github.json") && !strings.HasSuffix(file, "stripe.json") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		d := parse(b, string(text))
		pointers := schemasOf(d)
		b.Run(file[strings.LastIndexByte(file, '/')+1:], func(b *testing.B) {
			for b.Loop() {
				s := New(d, OpenAPI30)
				for _, p := range pointers {
					if x, ok := s.At(p); ok {
						x.unit.compiled(s)
					}
				}
			}
		})
	}
}

// In 3.1 a discriminator is an annotation: a service may name a kind that no alternative has (Cat for cat), as
// long as the value matches one.
func TestDiscriminatorThatNamesNothingIsLeftOpen(t *testing.T) {
	s := schemaOf(t, OpenAPI31, `components:
  schemas:
    X: {anyOf: [{$ref: '#/components/schemas/cat'}], discriminator: {propertyName: kind}}
    cat: {type: object, required: [purr]}
`)
	for text, want := range map[string][2]int{`{"kind":"cat","purr":1}`: {0, 0}, `{"kind":"Cat","purr":1}`: {0, 1}, `{"purr":1}`: {0, 0}, `{"kind":"Cat"}`: {1, 0}} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		r := s.Validate(value, Response)
		if got := [2]int{len(r.Violations), len(r.Unjudged)}; got != want {
			t.Errorf("%s: %v violations and places that are left open, want %v", text, got, want)
		}
	}
}
