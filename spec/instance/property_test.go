package instance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

func jsonNumber(text string) json.Number { return json.Number(text) }

// drawSchema draws a small schema as JSON text. Some have no value.
func drawSchema(t *rapid.T, depth int) string {
	kinds := []string{"string", "integer", "number", "boolean", "enum", "any"}
	if depth > 1 { // a schema that is nothing but a reference to itself is none
		kinds = append(kinds, "ref")
	}
	if depth < 3 {
		kinds = append(kinds, "object", "object", "object", "array", "array", "allOf", "oneOf", "anyOf", "not", "if", "nullable")
	}
	var members []string
	put := func(format string, args ...any) { members = append(members, fmt.Sprintf(format, args...)) }
	maybe := func(label string) bool { return rapid.IntRange(0, 2).Draw(t, label) == 0 }
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "string":
		put(`"type":"string"`)
		switch {
		case maybe("pattern"):
			put(`"pattern":%q`, rapid.SampledFrom([]string{"^[a-z]+$", "^x-", "[0-9]{2}$", "^(a|bc)d?$", "^(?=.*[A-Z]).{2,}$"}).Draw(t, "expression"))
		case maybe("format"):
			put(`"format":%q`, rapid.SampledFrom([]string{"date", "date-time", "uuid", "ipv4", "byte", "email", "odd"}).Draw(t, "name"))
		}
		if maybe("shortest") {
			put(`"minLength":%d`, rapid.IntRange(0, 5).Draw(t, "least"))
		}
		if maybe("longest") {
			put(`"maxLength":%d`, rapid.IntRange(3, 40).Draw(t, "most"))
		}
	case "integer", "number":
		put(`"type":%q`, kind)
		bound := rapid.SampledFrom([]string{"-9223372036854775808", "-3", "0", "0.5", "2", "7.25", "100", "9007199254740993", "1e3", "123456789012345678901"})
		for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
			if rapid.IntRange(0, 4).Draw(t, keyword) == 0 {
				put(`%q:%s`, keyword, bound.Draw(t, "bound"))
			}
		}
		if maybe("multiple") {
			put(`"multipleOf":%s`, rapid.SampledFrom([]string{"1", "2", "0.25", "3", "0.01"}).Draw(t, "unit"))
		}
		if maybe("format") {
			put(`"format":%q`, rapid.SampledFrom([]string{"int32", "int64", "double"}).Draw(t, "name"))
		}
	case "boolean":
		put(`"type":"boolean"`)
	case "enum":
		put(`"enum":%s`, rapid.SampledFrom([]string{`["a","b"]`, `[1,2.5]`, `["only"]`, `[{"a":1},[]]`, `[true,"",0]`}).Draw(t, "values"))
	case "ref":
		return fmt.Sprintf(`{"$ref":"#/%s"}`, rapid.SampledFrom([]string{"Root", "Other"}).Draw(t, "target"))
	case "object":
		put(`"type":"object"`)
		drawMembers(t, depth, put, maybe)
	case "array":
		put(`"type":"array"`)
		if !maybe("free") {
			put(`"items":%s`, drawSchema(t, depth+1))
		}
		if maybe("tuple") {
			put(`"prefixItems":[%s]`, drawSchema(t, depth+1))
		}
		if maybe("least") {
			put(`"minItems":%d`, rapid.IntRange(0, 3).Draw(t, "fewest"))
		}
		if maybe("most") {
			put(`"maxItems":%d`, rapid.IntRange(1, 4).Draw(t, "items"))
		}
		if maybe("unique") {
			put(`"uniqueItems":true`)
		}
		if rapid.IntRange(0, 5).Draw(t, "contains") == 0 {
			put(`"contains":%s`, drawSchema(t, depth+1))
		}
	case "allOf", "oneOf", "anyOf":
		var branches []string
		for range rapid.IntRange(1, 3).Draw(t, "branches") {
			branches = append(branches, drawSchema(t, depth+1))
		}
		put(`%q:[%s]`, kind, strings.Join(branches, ","))
	case "not":
		put(`"type":"integer","not":%s`, drawSchema(t, 3))
	case "if":
		put(`"type":"object","if":%s,"then":%s,"else":%s`, drawSchema(t, depth+1), drawSchema(t, depth+1), drawSchema(t, depth+1))
	case "nullable":
		put(`"type":["string","null"]`)
	}
	if maybe("example") {
		put(`"examples":[%s]`, rapid.SampledFrom([]string{`1`, `"a"`, `{"a":"b"}`, `null`}).Draw(t, "given"))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func drawMembers(t *rapid.T, depth int, put func(string, ...any), maybe func(string) bool) {
	names := []string{"a", "b", "c d", "e/f"}[:rapid.IntRange(0, 4).Draw(t, "names")]
	var properties, required []string
	for _, name := range names {
		member := `{"type":"integer","readOnly":true}`
		if rapid.IntRange(0, 9).Draw(t, "shown") > 0 {
			member = drawSchema(t, depth+1)
		}
		properties = append(properties, fmt.Sprintf("%q:%s", name, member))
		if maybe("required") {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	put(`"properties":{%s}`, strings.Join(properties, ","))
	if len(required) > 0 {
		put(`"required":[%s]`, strings.Join(required, ","))
	}
	switch rapid.IntRange(0, 6).Draw(t, "others") {
	case 0:
		put(`"additionalProperties":false`)
	case 1:
		put(`"additionalProperties":%s`, drawSchema(t, depth+1))
	case 2:
		put(`"unevaluatedProperties":false`)
	case 3:
		put(`"propertyNames":{"maxLength":8}`)
	case 4:
		put(`"dependentRequired":{"a":["b"]}`)
	}
	if maybe("fewest") {
		put(`"minProperties":%d`, rapid.IntRange(0, 3).Draw(t, "least"))
	}
	if maybe("most") {
		put(`"maxProperties":%d`, rapid.IntRange(1, 4).Draw(t, "members"))
	}
}

// mostJudged is how many values may be judged to find the valid and invalid instances of a schema.
const mostJudged = 20_000

// both returns the valid and the invalid instances of a document's subject, and how many values were judged for them.
func (d *document) both(seed uint64) (valid, invalid instance.Cases, judged int) {
	judge := d.judge(schema.Request)
	options := instance.Options{Seed: seed, Valid: func(s *spec.Schema, value any) bool {
		judged++
		return judge(s, value)
	}}
	valid, invalid = instance.New(options).Valid(d.subject()), instance.New(options).Invalid(d.subject())
	return valid, invalid, judged
}

// TestRandomSchemas checks the instances of random schemas with the validator: the valid ones are valid, the
// invalid ones are wrong only at the place that they name, and the same seed gives the same instances.
func TestRandomSchemas(t *testing.T) {
	all, found := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		source := fmt.Sprintf(`{"Root":%s,"Other":%s}`, drawSchema(r, 0), drawSchema(r, 1))
		d := parse(t, source)
		s := d.subject()
		seed := rapid.Uint64().Draw(r, "seed")
		valid, invalid, judged := d.both(seed)
		if judged > mostJudged {
			r.Errorf("%d values are judged for %s", judged, source)
		}
		holdValid(r, d, s, valid)
		holdInvalid(r, d, s, invalid)
		for range 2 {
			if again := d.generator(seed).Valid(s); text(again) != text(valid) {
				r.Errorf("the same seed gave\n%s\nand\n%s", text(valid), text(again))
			}
		}
		if all++; len(valid.Cases) > 0 {
			found++
		}
	})
	t.Logf("values were found for %d of %d", found, all)
	if found*10 < all*7 {
		t.Errorf("values were found for %d of %d only", found, all)
	}
}

// TestSameSeedSameInstances checks that ten generators derive the same, and another seed something else.
func TestSameSeedSameInstances(t *testing.T) {
	d := parse(t, `Root: {type: object, required: [id, name], properties: {id: {type: string, format: uuid}, name: {type: string, pattern: '^[a-z]{3,9}$'}, n: {type: array, uniqueItems: true, items: {type: string, format: date}, maxItems: 5}}}`)
	first := d.generator(1)
	valid, invalid := text(first.Valid(d.subject())), text(first.Invalid(d.subject()))
	for range 10 {
		g := d.generator(1)
		if text(g.Valid(d.subject())) != valid || text(g.Invalid(d.subject())) != invalid {
			t.Fatal("the same seed gave other instances")
		}
	}
	if text(d.generator(2).Valid(d.subject())) == valid {
		t.Error("another seed gave the same instances")
	}
}

// TestBounded checks that of schemas with endless combinations few values are judged.
func TestBounded(t *testing.T) {
	var diamond, branches, wide, deep, required strings.Builder
	for i := range 40 {
		fmt.Fprintf(&diamond, "D%d: {type: object, required: [l, r], properties: {l: {$ref: '#/D%d'}, r: {$ref: '#/D%d'}, o: {$ref: '#/D%d'}}}\n", i, i+1, i+1, i+1)
		fmt.Fprintf(&branches, "B%d: {anyOf: [{$ref: '#/B%d'}, {$ref: '#/B%d'}, {not: {$ref: '#/B%d'}}], oneOf: [{$ref: '#/B%d'}, {type: array}]}\n", i, i+1, i+1, i+1, i+1)
		fmt.Fprintf(&required, "R%d: {type: object, required: [a, b], properties: {a: {$ref: '#/R%d'}, b: {anyOf: [{$ref: '#/R0'}, {$ref: '#/R%d'}, {$ref: '#/R%d'}]}}}\n", i, i+1, (i*7)%40, (i*11)%40)
	}
	diamond.WriteString("D40: {type: integer}\n")
	branches.WriteString("B40: {type: integer}\n")
	required.WriteString("R40: {$ref: '#/R0', type: object}\n")
	for i := range 2000 {
		fmt.Fprintf(&wide, "    p%d: {oneOf: [{type: integer}, {type: string}, {$ref: '#/Root'}]}\n", i)
	}
	deep.WriteString(strings.Repeat("{type: array, minItems: 1, items: ", 100) + "{}" + strings.Repeat("}", 100))
	for name, text := range map[string]string{
		"diamond":  "Root: {$ref: '#/D20'}\n" + diamond.String(),
		"branches": "Root: {$ref: '#/B34'}\n" + branches.String(),
		"wide":     "Root:\n  type: object\n  properties:\n" + wide.String(),
		"deep":     "Root: " + deep.String(),
		"required": "Root: {$ref: '#/R0'}\n" + required.String(),
		"regex":    `Root: {type: string, pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', maxLength: 60, minLength: 40}`,
		"huge":     `Root: {type: integer, minimum: 1e400, maximum: 1e100000000}`,
		"many":     `Root: {type: array, minItems: 200, items: {type: array, minItems: 200, items: {type: array, minItems: 200, items: {type: integer}}}}`,
		"items":    `Root: {type: array, uniqueItems: true, minItems: 299, items: {type: array, uniqueItems: true, minItems: 299, items: {type: integer}}}`,
		"lengths":  `Root: {type: array, minItems: 300, items: {type: string, minLength: 16000}}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, text)
			d.set = schema.New(d, schema.OpenAPI31)
			valid, invalid, judged := d.both(1)
			t.Logf("%d valid, %d invalid, %d values judged; %v", len(valid.Cases), len(invalid.Cases), judged, valid.Defects)
			if judged > mostJudged {
				t.Errorf("%d values are judged", judged)
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	d := parse(b, `Root: {type: object, required: [id, name], properties: {id: {type: string, format: uuid}, name: {type: string, minLength: 1, maxLength: 64}, kind: {enum: [a, b, c]}, tags: {type: array, items: {type: string}}, price: {type: number, minimum: 0.01}}}`)
	b.ReportAllocs()
	for b.Loop() {
		instance.New(instance.Options{Valid: d.judge(schema.Request)}).Valid(d.subject())
	}
}

func BenchmarkInvalid(b *testing.B) {
	d := parse(b, `Root: {type: object, required: [id, name], properties: {id: {type: string, format: uuid}, name: {type: string, minLength: 1, maxLength: 64}, kind: {enum: [a, b, c]}, tags: {type: array, items: {type: string}}, price: {type: number, minimum: 0.01}}}`)
	b.ReportAllocs()
	for b.Loop() {
		instance.New(instance.Options{Valid: d.judge(schema.Request)}).Invalid(d.subject())
	}
}
