package judge

import (
	"strings"
	"testing"
)

// combined is a contract whose schemas are made of others.
const combined = `openapi: 3.0.3
info: {title: Combined, version: 1.0.0}
paths:
  /all:
    get:
      operationId: all
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Top'}
components:
  schemas:
    Base:
      type: object
      required: [id]
      properties:
        id: {type: integer, format: int64}
        parent: {$ref: '#/components/schemas/Top'}
        secret: {type: string, writeOnly: true}
    Top:
      nullable: true
      allOf:
        - {$ref: '#/components/schemas/Base'}
        - type: object
          properties:
            n: {type: number, minimum: 0, exclusiveMinimum: true, multipleOf: 0.5}
            code: {type: string, pattern: '^(?=.)[a-z]+$'}
            day: {type: string, format: date}
            tags: {type: array, uniqueItems: true, maxItems: 3, items: {type: string, maxLength: 3}}
            closed: {type: object, maxProperties: 1, additionalProperties: false, properties: {a: {}, b: {}}}
            shape:
              oneOf: [{$ref: '#/components/schemas/Circle'}, {$ref: '#/components/schemas/Square'}]
              discriminator: {propertyName: kind}
            either: {anyOf: [{type: string}, {type: boolean}]}
            no: {not: {type: string}}
            unclear: {type: string, pattern: '(?i)x', maxLength: 1}
    Circle: {type: object, required: [r], properties: {kind: {type: string}, r: {type: number}}}
    Square: {type: object, required: [a], properties: {kind: {type: string}, a: {type: number}}}
`

func TestCombinedSchemasAreExplained(t *testing.T) {
	j, err := New(loadText(t, combined), catalogueFor(t))
	if err != nil {
		t.Fatal(err)
	}
	for member, want := range map[string]string{
		`"n":0`:                        "all.schema: more than 0 | the number 0 | at /n",
		`"n":0.75`:                     "all.schema: a multiple of 0.5 | the number 0.75 | at /n",
		`"code":"A"`:                   `all.schema: a string that matches "^(?=.)[a-z]+$" | the string "A" | at /code`,
		`"day":"2026-02-30"`:           `all.schema: a string of the format date | the string "2026-02-30" | at /day`,
		`"tags":["a","b","a"]`:         "all.schema: items that all differ | an array of 3 items | at /tags",
		`"tags":["abcd"]`:              "all.schema: at most 3 characters | 4 characters | at /tags/0",
		`"closed":{"c":1}`:             "all.schema: no field c | the number 1 | at /closed/c",
		`"closed":{"a":1,"b":2}`:       "all.schema: at most 1 field | 2 fields | at /closed",
		`"shape":{"kind":"Square"}`:    "all.schema: the field a, a number | no field a | at /shape",
		`"shape":{"kind":"Oval"}`:      "all.schema: a documented value of the field kind | an object of 1 field | at /shape",
		`"either":1`:                   "all.schema: a value of one of the documented forms | the number 1 | at /either",
		`"no":"x"`:                     `all.schema: no value that matches the schema of not | the string "x" | at /no`,
		`"unclear":"xy"`:               "all.schema: at most 1 character | 2 characters | at /unclear",
		`"unclear":"y"`:                "",
		`"secret":"x"`:                 "",
		`"parent":null`:                "",
		`"parent":{"id":1.5}`:          "all.schema: an int64 | the number 1.5 | at /parent/id",
		`"parent":{"parent":{"id":2}}`: "all.schema: the field id, an int64 | no field id | at /parent",
	} {
		body, findings, exercised := j.Answer(answer("all", 200, `{"id":1,`+member+`}`))
		got := ""
		for _, f := range findings {
			got += show(f)
			if f.Kind == "" || !j.contract.Exists(f.Contract) {
				t.Errorf("%s: something is missing: %+v", member, f)
			}
		}
		if got != want || body.Err != nil {
			t.Errorf("%s: %q, want %q (%v)", member, got, want, body.Err)
		}
		if !strings.Contains(strings.Join(exercised, " "), "all.schema") {
			t.Errorf("%s: exercised are %v", member, exercised)
		}
	}
	if holes := j.Unjudged(); len(holes) != 1 || holes[0].Pointer != "/components/schemas/Top/allOf/1/properties/unclear/pattern" {
		t.Errorf("unjudged is %v", holes)
	}
}
