package instance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/jsonpointer"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// TestInvalid checks which values are derived. They are written as "value kind constraint" or "value kind
// constraint: description".
func TestInvalid(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		has    []string
	}{
		"bounds": {`{type: integer, minimum: 1, maximum: 100}`, []string{
			`0 outside /Root/minimum: limit is 0, one below its minimum`,
			`101 outside /Root/maximum: limit is 101, one above its maximum`,
			`1010 outside /Root/maximum: limit is 1010, far above its maximum`,
			`"text" type /Root/type: limit is a string instead of an integer`,
			`true type /Root/type`, `{} type /Root/type`, `[] type /Root/type`, `"1" type /Root/type: limit is a number in quotes`,
			`null null /Root/type: limit is null`,
			`1.5 fraction /Root/type: limit is 1.5, a fraction instead of an integer`,
		}},
		"decimal bounds": {`{type: number, minimum: 0.50, maximum: 2}`, []string{
			`0.49 outside /Root/minimum: limit is 0.49, 0.01 below its minimum`, `3 outside /Root/maximum`,
		}},
		"exclusive bounds": {`{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10}`, []string{
			`0 outside /Root/exclusiveMinimum: limit is 0, which its minimum excludes`, `10 outside /Root/exclusiveMaximum`,
		}},
		"bounds of any size": {`{type: integer, maximum: 123456789012345678901234567890}`, []string{
			`123456789012345678901234567891 outside /Root/maximum`,
		}},
		"int64": {`{type: integer, format: int64}`, []string{
			`9223372036854775808 beyond-format /Root/format: limit is 9223372036854775808, one above the greatest int64`,
			`-9223372036854775809 beyond-format /Root/format`,
			`18446744073709551617 beyond-format /Root/format: limit is 18446744073709551617, far above the greatest int64`,
		}},
		"int32": {`{type: integer, format: int32}`, []string{`2147483648 beyond-format /Root/format`}},
		"multiples and bounds": {`{type: integer, multipleOf: 10, maximum: 95, minimum: 10}`, []string{
			`100 outside /Root/maximum: limit is 100, above its maximum, 95`, `0 outside /Root/minimum`, `11 not-multiple /Root/multipleOf`,
		}},
		"enum": {`{type: string, enum: [open, shut]}`, []string{
			`"OPEN" not-member /Root/enum: limit is "OPEN", in upper case`, `"Open" not-member /Root/enum: limit is "Open", with a capital first letter`, `"open " not-member /Root/enum`, `"ope" not-member /Root/enum`,
			`"" not-member /Root/enum`, `"opeo" not-member /Root/enum`, `"opem" not-member /Root/enum`, `"SHUT" not-member /Root/enum`,
		}},
		"enum of numbers": {`{enum: [1, 2, 4]}`, []string{`0 not-member /Root/enum`, `5 not-member /Root/enum`}},
		"const":           {`{const: true}`, []string{`false not-member /Root/const`}},
		"lengths": {`{type: string, minLength: 2, maxLength: 3}`, []string{
			`"t" outside /Root/minLength: limit has 1 character, one too few`, `"text" outside /Root/maxLength`,
		}},
		"no members of a map": {`{type: object, additionalProperties: {type: integer}, minProperties: 1}`, []string{`{} outside /Root/minProperties: limit has 0 members, one too few`}},
		"pattern":             {`{type: string, pattern: '^[a-z]+$'}`, []string{`"tkk!" pattern /Root/pattern`}},
		"format":              {`{type: string, format: date}`, []string{`"2023-02-29" format /Root/format: limit is "2023-02-29", which is no date`}},
		"required": {`{type: object, required: [a, b], properties: {a: {type: integer}, b: {type: string}}}`, []string{
			`{"b":"text"} left-out /Root/required/0: a is left out`, `{"a":1} left-out /Root/required/1`,
			`{"a":"text","b":"text"} type /Root/properties/a/type: a is a string instead of an integer`,
			`{"a":null,"b":"text"} null /Root/properties/a/type: a is null`,
		}},
		"faults in what is optional": {`{type: object, properties: {a: {type: object, required: [b], properties: {b: {type: integer, maximum: 3}}}}}`, []string{
			`{"a":{}} left-out /Root/properties/a/required/0: a.b is left out`, `{"a":{"b":4}} outside /Root/properties/a/properties/b/maximum`,
		}},
		"faults in arrays": {`{type: array, items: {type: object, required: [b], properties: {b: {type: array, items: {maximum: 3, type: integer}}}}}`, []string{
			`[{"b":[4]}] outside /Root/items/properties/b/items/maximum: limit[0].b[0] is 4, one above its maximum`,
		}},
		"closed": {`{type: object, additionalProperties: false, properties: {a: {}}}`, []string{
			`{"unexpected":"text"} unknown-member /Root/additionalProperties: unexpected is there, though no such member is allowed`,
			`{"A":"text"} unknown-member /Root/additionalProperties`,
		}},
		"unevaluated": {`{allOf: [{properties: {a: {}}}], unevaluatedProperties: false, type: object}`, []string{
			`{"unexpected":"text"} unknown-member /Root/unevaluatedProperties`,
		}},
		"names": {`{type: object, propertyNames: {pattern: '^[a-z]+$'}}`, []string{`{"!":"text1"} unknown-member /Root/propertyNames`}},
		"counts": {`{type: array, minItems: 1, maxItems: 2, uniqueItems: true, items: {type: integer}}`, []string{
			`[] outside /Root/minItems: limit has one item too few, 0`, `[1,0,-1] outside /Root/maxItems`,
			`[1,1] duplicate-item /Root/uniqueItems: limit holds an item twice`,
		}},
		"members":   {`{type: object, minProperties: 1, maxProperties: 1, properties: {a: {type: integer}, b: {type: integer}}}`, []string{`{} outside /Root/minProperties`, `{"a":1,"b":1} outside /Root/maxProperties`}},
		"contains":  {`{type: array, items: {type: integer}, contains: {minimum: 7}}`, []string{`[1] outside /Root/contains`}},
		"dependent": {`{type: object, required: [a], dependentRequired: {a: [b]}}`, []string{`{"a":"text1"} left-out /Root/dependentRequired/a: b is left out, which a requires`}},
		"if, then and else": {
			`{type: object, required: [kind], properties: {kind: {enum: [card, bank]}, number: {type: string}, iban: {type: string}}, if: {properties: {kind: {const: card}}}, then: {required: [number]}, else: {required: [iban], properties: {iban: {maxLength: 9}}}}`,
			[]string{
				`{"iban":"text","kind":"card"} left-out /Root/then/required/0: number is left out`,
				`{"kind":"bank"} left-out /Root/else/required/0: iban is left out`,
				`{"iban":"textxxxxxx","kind":"bank"} outside /Root/else/properties/iban/maxLength`,
				`{"iban":"text","kind":"card","number":1} type /Root/properties/number/type`,
			},
		},
		"if of a text that may be any": {
			`{type: object, required: [country, code], properties: {country: {type: string}, code: {type: string}}, if: {properties: {country: {const: US}}}, then: {properties: {code: {maxLength: 5}}}, else: {properties: {code: {minLength: 6}}}}`,
			[]string{`{"code":"textxx","country":"US"} outside /Root/then/properties/code/maxLength`, `{"code":"textx","country":"text"} outside /Root/else/properties/code/minLength`},
		},
		"if of types": {
			`{if: {type: string}, then: {maxLength: 4}, else: {type: integer}}`, []string{`"textx" outside /Root/then/maxLength`, `true type /Root/else/type`},
		},
		"variants": {`{oneOf: [{type: string}, {type: integer}]}`, []string{
			`true no-variant /Root/oneOf: limit is a boolean, which is none of its variants`,
		}},
		"discriminator": {
			`{oneOf: [{$ref: '#/Cat'}, {$ref: '#/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/Cat', dog: '#/Dog'}}}`,
			[]string{`{"kind":"nonesuch"} discriminator /Root/discriminator: kind is "nonesuch", which stands for none of the variants`, `{} left-out /Cat/required/0`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, "Root: "+c.schema+"\n"+
				"Cat: {type: object, required: [kind], properties: {kind: {enum: [cat]}}}\n"+
				"Dog: {type: object, required: [kind, bark], properties: {kind: {enum: [dog]}, bark: {type: integer}}}\n")
			s := d.subject()
			s.Name = "limit"
			cases := d.generator(1).Invalid(s)
			for _, want := range c.has {
				case1, says, _ := strings.Cut(want, ": ")
				if !slices.ContainsFunc(cases.Cases, func(c instance.Case) bool {
					return text(c.Value)+" "+string(c.Kind)+" "+c.Constraint == case1 && strings.HasPrefix(c.Description, says)
				}) {
					t.Errorf("there is no %s among %s", want, list(cases))
				}
			}
			holdInvalid(t, d, s, cases)
		})
	}
}

// holdInvalid checks that each case is wrong, that it would be valid without its one fault, and that the fault is
// where it says.
func holdInvalid(t interface{ Errorf(string, ...any) }, d *document, s instance.Subject, cases instance.Cases) {
	valid := d.judge(schema.Request)
	for _, c := range cases.Cases {
		if valid(s.Edge.Schema, c.Value) {
			t.Errorf("%s is valid: %s", text(c.Value), c.Description)
		}
		if !valid(s.Edge.Schema, c.Repaired) {
			t.Errorf("%s is not valid without its fault (%s): %s", text(c.Value), text(c.Repaired), c.Description)
		}
		if !differOnlyAt(c.Value, c.Repaired, jsonpointer.Tokens(c.Pointer)) {
			t.Errorf("%s differs from %s elsewhere than at %q", text(c.Value), text(c.Repaired), c.Pointer)
		}
		holdPlaces(t, d, c)
	}
}

// differOnlyAt reports whether two values differ, and nowhere but at a place.
func differOnlyAt(a, b any, path []string) bool {
	if len(path) == 0 {
		return text(a) != text(b)
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for _, other := range []map[string]any{a, b} {
			for name := range other {
				if name != path[0] && (text(a[name]) != text(b[name]) || len(a) == 0 || len(b) == 0) {
					return false
				}
			}
		}
		v, inA := a[path[0]]
		w, inB := b[path[0]]
		if inA != inB {
			return len(path) == 1
		}
		return inA && differOnlyAt(v, w, path[1:])
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if jsonpointer.Index("", i) != "/"+path[0] && text(a[i]) != text(b[i]) {
				return false
			}
		}
		v, inA := exactjson.Lookup(a, path[:1])
		w, inB := exactjson.Lookup(b, path[:1])
		return inA && inB && differOnlyAt(v, w, path[1:])
	}
	return false
}

// TestBaseIsKept checks that cases are variants of the given value.
func TestBaseIsKept(t *testing.T) {
	d := parse(t, `Root: {type: object, required: [a], properties: {a: {type: integer}, b: {type: string}, c: {type: boolean}}}`)
	s := d.subject()
	s.Base = map[string]any{"a": jsonNumber("77"), "b": "kept"}
	for _, cases := range []instance.Cases{d.generator(1).Valid(s), d.generator(1).Invalid(s)} {
		if text(cases.Base) != `{"a":77,"b":"kept"}` {
			t.Errorf("the base is %s", text(cases.Base))
		}
	}
	holdInvalid(t, d, s, d.generator(1).Invalid(s))
	s.Base = map[string]any{"a": "not valid"}
	if base := d.generator(1).Invalid(s).Base; text(base) != `{"a":1}` {
		t.Errorf("a base that is not valid became %s", text(base))
	}
}

func TestLimitKeepsTheFirst(t *testing.T) {
	d := parse(t, `Root: {type: object, required: [a, b, c], properties: {a: {type: integer, maximum: 5}, b: {enum: [x, y]}, c: {type: string}}}`)
	all := d.generator(1).Invalid(d.subject())
	few := instance.New(instance.Options{Seed: 1, Valid: d.judge(schema.Request), Limit: 5}).Invalid(d.subject())
	if len(few.Cases) != 5 || few.More == 0 || text(few.Cases) != text(all.Cases[:5]) {
		t.Errorf("%d cases, and %d more", len(few.Cases), few.More)
	}
	kinds := map[instance.Variation]bool{}
	for _, c := range few.Cases {
		kinds[c.Kind] = true
	}
	if few.Cases[0].Kind != instance.LeftOut || len(kinds) != 5 {
		t.Errorf("the kinds take no turns: %s", list(few))
	}
}
