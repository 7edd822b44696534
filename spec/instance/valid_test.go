package instance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// TestValid checks the smallest value, and some others. They are written as "value" or "value: description".
func TestValid(t *testing.T) {
	for name, c := range map[string]struct {
		schema   string
		smallest string
		has      []string
	}{
		"integer bounds": {
			`{type: integer, minimum: 1, maximum: 100}`, `1`, []string{`100: limit is its maximum, 100`},
		},
		"a closed part and what another requires": {
			`{allOf: [{properties: {a: {type: string}}, required: [a], additionalProperties: false}, {type: object, required: [b], properties: {b: {type: integer, minimum: 3}}}]}`,
			`{"a":"t","b":3}`, nil,
		},
		"a closed part as an alternative": {
			`{type: object, required: [k], properties: {k: {type: integer, minimum: 3}, b: {type: integer, minimum: 4}}, oneOf: [{properties: {b: {}}, additionalProperties: false}, {required: [b], properties: {k: {}, b: {}}, additionalProperties: false}]}`,
			`{"b":4,"k":3}`, nil,
		},
		"an alternative with a closed part": {
			`{oneOf: [{allOf: [{properties: {a: {type: string}}, additionalProperties: false}, {type: object, required: [b], properties: {b: {type: integer, minimum: 3}}}]}, {type: array, minItems: 3}]}`,
			`{"b":3}`, nil,
		},
		"exclusive bounds": {
			`{type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10}`, `1`, []string{`9: limit is 9, just below its maximum`},
		},
		"narrow decimals": {
			`{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1}`, `0.5`, nil,
		},
		"decimal bounds keep their text": {
			`{type: number, minimum: 0.10, maximum: 123456789012345678901234567890.5}`, `0.1`,
			[]string{`123456789012345678901234567890.5: limit is its maximum, 123456789012345678901234567890.5`},
		},
		"int64": {
			`{type: integer, format: int64}`, `1`,
			[]string{`9223372036854775807: limit is the greatest int64, 9223372036854775807`, `-9223372036854775808`},
		},
		"int32 within bounds": {
			`{type: integer, format: int32, minimum: 0}`, `0`, []string{`2147483647`},
		},
		"multiples": {
			`{type: number, multipleOf: 0.25, minimum: 0.3, maximum: 1.2}`, `0.5`, []string{`1`},
		},
		"two multiples": {
			`{allOf: [{type: integer, multipleOf: 6}, {multipleOf: 4, minimum: 1}]}`, `12`, nil,
		},
		"no upper end": {`{type: integer, maximum: -5}`, `-5`, nil},
		"enum": {
			`{type: string, enum: [open, closed]}`, `"open"`, []string{`"closed": limit is "closed", one of its values`},
		},
		"an end is far ahead": {
			`{type: object, required: [startsAt, endsAt, until_date, sender], properties: {startsAt: {type: string, format: date-time}, endsAt: {type: string, format: date-time}, until_date: {type: string, format: date}, sender: {type: string}}}`,
			`{"endsAt":"2099-12-31T23:59:59Z","sender":"t","startsAt":"2016-01-18T07:45:25Z","until_date":"2099-12-31"}`, nil,
		},
		"an end that the document lists": {
			`{type: object, required: [endsAt], properties: {endsAt: {type: string, format: date-time, enum: ['2020-01-01T00:00:00Z']}}}`,
			`{"endsAt":"2020-01-01T00:00:00Z"}`, nil,
		},
		"a full map": {
			`{type: object, additionalProperties: {type: string}}`, `{}`, []string{`{"member":"text"}: limit has all of its members`},
		},
		"a full list": {
			`{type: array, items: {type: object, properties: {a: {type: integer}}}}`, `[]`, []string{`[{"a":1}]: limit has an item with all of its members`},
		},
		"enums together":  {`{allOf: [{enum: [a, b, c]}, {enum: [c, b]}]}`, `"b"`, []string{`"c"`}},
		"const":           {`{const: {a: [1, 2.50]}}`, `{"a":[1,2.50]}`, nil},
		"boolean":         {`{type: boolean}`, `true`, []string{`false: limit is false`}},
		"lengths":         {`{type: string, minLength: 3, maxLength: 5}`, `"tex"`, []string{`"textx": limit has 5 characters, as many as may be`}},
		"empty":           {`{type: string, minLength: 0}`, `"t"`, []string{`"": limit is empty`}},
		"nullable":        {`{type: [string, 'null']}`, `"t"`, []string{`null: limit is null`}},
		"null alone":      {`{type: 'null'}`, `null`, nil},
		"required":        {`{type: object, required: [a], properties: {a: {type: integer}, b: {type: string}, c: {}}}`, `{"a":1}`, []string{`{"a":1,"b":"text"}: b is there, though optional`}},
		"not documented":  {`{type: object, required: [a]}`, `{"a":"text1"}`, nil},
		"read only":       {`{type: object, required: [a, b], properties: {a: {type: integer, readOnly: true}, b: {type: integer}}}`, `{"b":1}`, nil},
		"least members":   {`{type: object, minProperties: 2, properties: {a: {type: integer}}}`, `{"a":1,"member":"text1"}`, nil},
		"most members":    {`{type: object, maxProperties: 1, properties: {a: {type: integer}, b: {type: integer}}}`, `{}`, []string{`{"a":1}`, `{"b":1}`}},
		"map of integers": {`{type: object, minProperties: 1, additionalProperties: {type: integer}}`, `{"member":1}`, nil},
		"named by pattern": {
			`{type: object, minProperties: 1, additionalProperties: false, patternProperties: {'^x-[0-9]$': {type: integer}}}`, ``, nil,
		},
		"names":     {`{type: object, minProperties: 1, propertyNames: {enum: [left, right]}}`, `{"left":"text1"}`, nil},
		"dependent": {`{type: object, required: [a], dependentRequired: {a: [b], b: [c]}}`, `{"a":"text1","b":"text1","c":"text1"}`, nil},
		"items":     {`{type: array, items: {type: integer}, minItems: 2}`, `[1,1]`, []string{`[1,1]`}},
		"unique":    {`{type: array, items: {type: integer}, minItems: 3, uniqueItems: true}`, ``, nil},
		"unique of an enum": {
			`{type: array, items: {enum: [a, b, c]}, minItems: 3, uniqueItems: true}`, `["a","b","c"]`, nil,
		},
		"unique objects": {
			`{type: array, uniqueItems: true, minItems: 3, items: {type: object, required: [a], properties: {a: {type: boolean}, b: {type: integer}}}}`, ``, nil,
		},
		"counts":   {`{type: array, items: {type: boolean}, minItems: 0, maxItems: 2}`, `[]`, []string{`[true,true]: limit has 2 items, as many as may be`, `[]`}},
		"tuple":    {`{type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2}`, `["t",1]`, nil},
		"contains": {`{type: array, items: {type: integer}, contains: {minimum: 7}}`, `[7]`, nil},
		"all of":   {`{allOf: [{type: object, required: [a], properties: {a: {type: integer}}}, {properties: {a: {minimum: 5}}}]}`, `{"a":5}`, nil},
		"one of":   {`{oneOf: [{type: string}, {type: integer, minimum: 3}]}`, `"t"`, []string{`3: limit is the variant of type integer`}},
		"a closed schema beside what it consists of": {
			`{allOf: [{type: object, properties: {a: {type: integer}}, required: [a]}], additionalProperties: false}`, `{"a":1}`, nil,
		},
		"a member that is required and forbidden": {
			`{type: object, properties: {a: {type: integer}}, required: [id, a], additionalProperties: false}`, `{"a":1}`, nil,
		},
		"overlapping branches": {
			`{oneOf: [{type: integer}, {type: number}]}`, `1.5`, nil,
		},
		"branches told apart by what is optional": {
			`{oneOf: [{type: object, properties: {a: {type: integer}}, required: [a]}, {type: object, properties: {b: {type: integer}}}]}`, `{}`, nil,
		},
		"any of null": {`{anyOf: [{type: 'null'}, {type: integer}]}`, `1`, []string{`null: limit is null`}},
		"not":         {`{type: integer, minimum: 0, not: {const: 0}}`, `1`, nil},
		"if": {
			`{type: object, properties: {kind: {enum: [a, b]}}, required: [kind], if: {properties: {kind: {const: a}}}, then: {required: [x]}}`,
			`{"kind":"a","x":"text1"}`, nil,
		},
		"if and else by a member": {
			`{type: object, required: [kind], properties: {kind: {enum: [card, bank]}, number: {type: string}, iban: {type: string}}, if: {properties: {kind: {const: card}}}, then: {required: [number]}, else: {required: [iban]}}`,
			``, []string{
				`{"kind":"card","number":"text"}`,
				`{"iban":"text","kind":"bank"}: limit is the variant that does not keep if, and so else`,
			},
		},
		"if and else by a member within": {
			`{type: object, required: [pay], properties: {pay: {type: object, required: [kind], properties: {kind: {enum: [card, bank]}}}, a: {type: integer}, b: {type: integer}}, if: {properties: {pay: {properties: {kind: {enum: [card]}}}}}, then: {required: [a]}, else: {required: [b]}}`,
			``, []string{`{"a":1,"pay":{"kind":"card"}}`, `{"b":1,"pay":{"kind":"bank"}}`},
		},
		"if of what is there": {
			`{type: object, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}, if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}`,
			``, []string{`{"a":1,"b":1}: limit is the variant that keeps if`, `{"c":1}`},
		},
		"if of a number": {
			`{type: integer, if: {minimum: 10}, then: {multipleOf: 10}, else: {minimum: 1}}`, ``, []string{`10: limit is the variant that keeps if`, `1: limit is the variant that does not keep if`},
		},
		"if without else": {
			`{type: object, required: [a], properties: {a: {type: boolean}, b: {type: integer}}, if: {properties: {a: {const: true}}}, then: {required: [b]}}`,
			``, []string{`{"a":true,"b":1}`, `{"a":false}: limit is the variant that does not keep if`},
		},
		"if with not": {
			`{type: object, required: [a], properties: {a: {enum: [x, y]}, b: {type: integer}, c: {type: integer}}, if: {not: {properties: {a: {const: x}}}}, then: {required: [b]}, else: {required: [c]}}`,
			``, []string{`{"a":"y","b":1}`, `{"a":"x","c":1}`},
		},
		"reference beside keywords": {`{$ref: '#/Other', minimum: 5}`, `5`, nil},
		"endless but for null": {
			`{type: object, required: [next], properties: {next: {anyOf: [{$ref: '#/Root'}, {type: 'null'}]}}}`, `{"next":null}`, nil,
		},
		"endless but for a branch": {
			`{type: object, required: [next], properties: {next: {oneOf: [{$ref: '#/Root'}, {type: integer}]}}}`, `{"next":1}`, nil,
		},
		"recursive": {
			`{type: object, properties: {child: {$ref: '#/Root'}, items: {type: array, items: {$ref: '#/Root'}}}}`, `{}`, []string{`{"child":{}}: child is there, though optional`},
		},
		"pattern":              {`{type: string, pattern: '^[A-Z]{3}-[0-9]{2}$'}`, `"AAA-00"`, nil},
		"pattern and length":   {`{type: string, pattern: '^a+$', minLength: 3, maxLength: 4}`, `"aaa"`, []string{`"aaaa"`}},
		"pattern and format":   {`{type: string, format: date-time, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+Z)?$', minLength: 10, maxLength: 20}`, ``, nil},
		"pattern looks ahead":  {`{type: string, pattern: '^(?!abc)[a-c]{3}$'}`, ``, nil},
		"types in their order": {`{type: [integer, string]}`, `1`, nil},
		"anything":             {`{}`, `"t"`, nil},
		"example":              {`{type: integer, examples: [7, 9], minimum: 5}`, `5`, []string{`7: limit is 7, the example of the document`, `9`}},
		"default":              {`{type: integer, default: 7}`, `1`, []string{`7: limit is 7, the default`}},
		"discriminator": {
			`{oneOf: [{$ref: '#/Cat'}, {$ref: '#/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/Cat', dog: '#/Dog'}}}`,
			`{"kind":"cat"}`, []string{`{"bark":1,"kind":"dog"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, "Root: "+c.schema+"\nOther: {type: integer, maximum: 9}\n"+
				"Cat: {type: object, required: [kind], properties: {kind: {type: string}}}\n"+
				"Dog: {type: object, required: [kind, bark], properties: {kind: {type: string}, bark: {type: integer}}}\n")
			s := d.subject()
			s.Name = "limit"
			smallest, err := d.generator(1).Smallest(s)
			if err != nil {
				t.Fatal(err)
			}
			if c.smallest != "" && text(smallest) != c.smallest {
				t.Errorf("the smallest is %s, not %s", text(smallest), c.smallest)
			}
			cases := d.generator(1).Valid(s)
			for _, want := range c.has {
				value, says, _ := strings.Cut(want, ": ")
				if !slices.ContainsFunc(cases.Cases, func(c instance.Case) bool {
					return text(c.Value) == value && strings.HasPrefix(c.Description, says)
				}) {
					t.Errorf("there is no %s among %s", want, list(cases))
				}
			}
			holdValid(t, d, s, cases)
			for _, one := range d.generator(1).Whole(s).Cases {
				among := slices.ContainsFunc(cases.Cases, func(c instance.Case) bool { return c.Kind == one.Kind && text(c.Value) == text(one.Value) })
				if whole := one.Kind == instance.Example || one.Kind == instance.Smallest || one.Kind == instance.Full; !whole || !among {
					t.Errorf("the whole value %s (%s) is not among %s", text(one.Value), one.Kind, list(cases))
				}
			}
		})
	}
}

func list(cases instance.Cases) string {
	var b strings.Builder
	for _, c := range cases.Cases {
		b.WriteString("\n    " + text(c.Value) + ": " + c.Description + " (" + string(c.Kind) + ", " + c.Constraint + ")")
	}
	for _, d := range cases.Defects {
		b.WriteString("\n    defect: " + d.Pointer + ": " + d.Text)
	}
	return b.String()
}

func holdValid(t interface{ Errorf(string, ...any) }, d *document, s instance.Subject, cases instance.Cases) {
	valid := d.judge(schema.Request)
	seen := map[string]bool{}
	for _, c := range cases.Cases {
		if !valid(s.Edge.Schema, c.Value) {
			t.Errorf("%s is not valid: %s", text(c.Value), c.Description)
		}
		if seen[text(c.Value)] {
			t.Errorf("%s is there twice", text(c.Value))
		}
		seen[text(c.Value)] = c.Kind != instance.Smallest && c.Kind != instance.Full
		holdPlaces(t, d, c)
	}
}

// holdPlaces checks that the places a case points at are in the document.
func holdPlaces(t interface{ Errorf(string, ...any) }, d *document, c instance.Case) {
	if c.Constraint != "" && d.Node(c.Constraint) == nil && c.Kind != instance.Type && c.Kind != instance.Null {
		t.Errorf("%s: there is no %s in the document", c.Description, c.Constraint)
	}
	if c.Constraint != "" && (len(c.Chain) == 0 || !strings.HasPrefix(c.Constraint, c.Chain[len(c.Chain)-1])) {
		t.Errorf("%s: the chain %v does not lead to %s", c.Description, c.Chain, c.Constraint)
	}
	if strings.Contains(c.Description, "\n") || c.Description == "" {
		t.Errorf("%q is not one line", c.Description)
	}
}

func TestImpossible(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"types":   {`{allOf: [{type: string}, {type: object}]}`, "the types that it must have exclude each other"},
		"values":  {`{allOf: [{enum: [a]}, {enum: [b]}]}`, "the values that it must have exclude each other"},
		"bounds":  {`{type: integer, minimum: 5, maximum: 4}`, "its minimum is above its maximum"},
		"lengths": {`{type: string, minLength: 5, maxLength: 4}`, "its least length is above its greatest"},
		"never":   {`{type: object, required: [a], properties: {a: false}}`, "no value is allowed here"},
		"endless": {`{type: object, required: [a], properties: {a: {$ref: '#/Root'}}}`, "requires itself endlessly"},
		"few":     {`{type: array, minItems: 3, uniqueItems: true, items: {type: boolean}}`, "too few different values"},
		"many":    {`{type: array, minItems: 1000000000}`, "too many for hallmark"},
		"long":    {`{type: string, minLength: 1000000000}`, "every value tried violates it"},
	} {
		t.Run(name, func(t *testing.T) {
			d := parse(t, "Root: "+c.schema)
			for _, cases := range []instance.Cases{d.generator(1).Valid(d.subject()), d.generator(1).Invalid(d.subject())} {
				if len(cases.Cases) > 0 || len(cases.Defects) != 1 || !strings.Contains(cases.Defects[0].Text, c.want) {
					t.Errorf("not reported as %q: %s", c.want, list(cases))
				}
			}
		})
	}
}

func TestBadExamplesAreReported(t *testing.T) {
	d := parse(t, `Root: {type: object, properties: {a: {type: integer, minimum: 1, examples: [0, 2], default: x}}}`)
	cases := d.generator(1).Valid(d.subject())
	want := []instance.Defect{
		{Pointer: "/Root/properties/a/default", Text: "the default violates its schema"},
		{Pointer: "/Root/properties/a/examples/0", Text: "the example of the document violates its schema"},
	}
	if !slices.Equal(cases.Defects, want) {
		t.Errorf("the defects are %v", cases.Defects)
	}
	holdValid(t, d, d.subject(), cases)
}

func TestResponsesHoldNothingThatIsWrittenOnly(t *testing.T) {
	d := parse(t, `Root: {type: object, required: [a, b], properties: {a: {type: integer, writeOnly: true}, b: {type: integer, readOnly: true}}}`)
	for direction, want := range map[instance.Direction]string{instance.Request: `{"a":1}`, instance.Response: `{"b":1}`} {
		g := instance.New(instance.Options{Direction: direction, Valid: d.judge(schema.Direction(direction))})
		cases := g.Valid(d.subject())
		for _, c := range cases.Cases {
			if text(c.Value) != want {
				t.Errorf("%s is not %s", text(c.Value), want)
			}
		}
		if len(cases.Cases) == 0 {
			t.Errorf("nothing in direction %d", direction)
		}
	}
}
