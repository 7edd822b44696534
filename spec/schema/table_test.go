package schema

import (
	"strings"
	"testing"
)

// cases are small schemas with a value and the expected findings: places and keywords, "-" for nothing, "?" before
// what could not be judged. The components begin with X, the schema under test.
var cases = []struct {
	name       string
	dialect    Dialect
	components string
	value      string
	direction  Direction
	want       string
}{
	// null
	{"a type and null", OpenAPI30, `X: {type: string}`, `null`, Response, "/ type"},
	{"nullable", OpenAPI30, `X: {type: string, nullable: true}`, `null`, Response, "-"},
	{"nullable keeps the type", OpenAPI30, `X: {type: string, nullable: true}`, `1`, Response, "/ type"},
	{"nullable beside a reference in 3.0", OpenAPI30, `{X: {$ref: '#/components/schemas/Y', nullable: true}, Y: {type: object}}`, `null`, Response, "-"},
	{"nullable beside a reference keeps it", OpenAPI30, `{X: {$ref: '#/components/schemas/Y', nullable: true}, Y: {type: object}}`, `3`, Response, "/ type"},
	{"nullable without a type", OpenAPI30, `X: {nullable: true, enum: [a]}`, `null`, Response, "-"},
	{"nullable beside allOf", OpenAPI30, `X: {nullable: true, allOf: [{type: object}]}`, `null`, Response, "-"},
	{"nullable beside anyOf", OpenAPI30, `X: {nullable: true, anyOf: [{type: string}, {type: integer}]}`, `null`, Response, "-"},
	{"nullable beside anyOf keeps it", OpenAPI30, `X: {nullable: true, anyOf: [{type: string}, {type: integer}]}`, `true`, Response, "/ anyOf"},
	{"nullable beside an enum", OpenAPI30, `X: {type: string, nullable: true, enum: [a, b]}`, `null`, Response, "-"},
	{"nullable in an allOf of references", OpenAPI30, `{X: {nullable: true, type: object, allOf: [{$ref: '#/components/schemas/Y'}]}, Y: {type: object}}`, `null`, Response, "-"},
	{"nullable in 3.1 is tolerated", OpenAPI31, `X: {type: string, nullable: true}`, `null`, Response, "-"},
	{"x-nullable in Swagger 2", Swagger2, `X: {type: string, x-nullable: true}`, `null`, Response, "-"},
	{"nullable false", OpenAPI30, `X: {type: string, nullable: false}`, `null`, Response, "/ type"},
	{"a type array", OpenAPI31, `X: {type: [string, 'null']}`, `null`, Response, "-"},
	{"a type array with a bare null", OpenAPI31, `X: {type: [string, null]}`, `null`, Response, "-"},
	{"a null enum member", OpenAPI31, `X: {type: [string, 'null'], enum: [a]}`, `null`, Response, "/ enum"},
	{"null where an object is due", OpenAPI31, `X: {type: object}`, `null`, Response, "/ type"},
	{"null where an array is due", OpenAPI30, `X: {type: array, items: {}}`, `null`, Response, "/ type"},
	{"a branch that is nullable and nothing else", OpenAPI30, `X: {oneOf: [{type: object}, {nullable: true}]}`, `{}`, Response, "-"},
	{"a branch that is nullable and nothing else, for null", OpenAPI30, `X: {oneOf: [{type: object}, {nullable: true}]}`, `null`, Response, "-"},
	// closed parts of an allOf
	{"a closed part and what another requires", OpenAPI30, `X: {allOf: [{type: object, properties: {a: {type: string}}, additionalProperties: false}, {type: object, required: [b], properties: {b: {type: integer}}}]}`, `{"a": "x", "b": 1}`, Response, "-"},
	{"a closed part and what another requires, wrong", OpenAPI30, `X: {allOf: [{type: object, properties: {a: {type: string}}, additionalProperties: false}, {type: object, required: [b], properties: {b: {type: integer}}}]}`, `{"b": "x"}`, Response, "/b type"},
	{"a closed part and what nothing describes", OpenAPI30, `X: {allOf: [{type: object, properties: {a: {type: string}}, additionalProperties: false}, {type: object, required: [b], properties: {b: {type: integer}}}]}`, `{"b": 1, "c": 1}`, Response, "/c additionalProperties"},
	{"two closed parts", OpenAPI30, `{X: {allOf: [{$ref: '#/components/schemas/Y'}, {required: [b], properties: {b: {type: integer}}, additionalProperties: false}]}, Y: {required: [a], properties: {a: {}}, additionalProperties: false}}`, `{"a": 1, "b": 1}`, Response, "-"},
	{"two closed parts, and one by itself", OpenAPI30, `{X: {properties: {y: {$ref: '#/components/schemas/Y'}}, allOf: [{$ref: '#/components/schemas/Y'}, {required: [b], properties: {b: {type: integer}}}]}, Y: {properties: {a: {}}, additionalProperties: false}}`, `{"y": {"b": 1}, "b": 1}`, Response, "/y/b additionalProperties"},
	{"a closed reference with siblings", OpenAPI31, `{X: {$ref: '#/components/schemas/Y', required: [b], properties: {b: {}}}, Y: {properties: {a: {}}, additionalProperties: false}}`, `{"a": 1, "b": 1}`, Response, "-"},
	{"a closed part and what another may have", OpenAPI30, `X: {allOf: [{type: object, properties: {a: {type: string}}, additionalProperties: false}, {type: object, properties: {b: {type: integer}}}]}`, `{"b": 1}`, Response, "/b additionalProperties"},
	{"required by a closed schema, and described nowhere", OpenAPI30, `{X: {required: [a, z], additionalProperties: false, allOf: [{$ref: '#/components/schemas/Y'}]}, Y: {properties: {a: {}}, additionalProperties: false}}`, `{"a": 1}`, Response, "-"},
	{"required by a closed schema, and described by an alternative", OpenAPI30, `X: {required: [a, z], additionalProperties: false, oneOf: [{properties: {a: {}, z: {}}}]}`, `{"a": 1}`, Response, `/ required "z"`},
	{"closed alternatives in an opened part", OpenAPI30, `X: {allOf: [{required: [k], properties: {k: {}, b: {}}}, {properties: {}, additionalProperties: false}, {oneOf: [{properties: {k: {}}, additionalProperties: false}, {properties: {k: {}, b: {}}, required: [b], additionalProperties: false}]}]}`, `{"k": 1, "b": 1}`, Response, "-"},
	// keywords that a dialect ignores, and those beside them
	{"patternProperties of 3.0 beside additionalProperties", OpenAPI30, `X: {properties: {a: {}}, patternProperties: {'^x-': {type: string}}, additionalProperties: false}`, `{"a": 1, "x-b": "c"}`, Response, "-"},
	{"patternProperties of 3.0, and what no pattern matches", OpenAPI30, `X: {properties: {a: {type: string}}, patternProperties: {'^x-': {type: string}}, additionalProperties: {type: integer}}`, `{"a": 1, "b": "c"}`, Response, "/a type"},
	{"patternProperties of 3.1 beside additionalProperties", OpenAPI31, `X: {patternProperties: {'^x-': {type: string}}, additionalProperties: false}`, `{"x-b": "c", "b": 1}`, Response, "/b additionalProperties"},
	{"prefixItems of 3.0 beside items", OpenAPI30, `X: {type: array, prefixItems: [{type: string}], items: {type: integer}, maxItems: 2}`, `["a", 1, 2]`, Response, "/ maxItems"},
	{"prefixItems of Swagger 2 beside items: false", Swagger2, `X: {type: array, prefixItems: [{type: string}], items: false}`, `["a"]`, Response, "-"},
	{"prefixItems of 3.1 beside items", OpenAPI31, `X: {type: array, prefixItems: [{type: string}], items: false}`, `["a", 1]`, Response, "/1 items"},
	{"if of 3.0", OpenAPI30, `X: {properties: {a: {}}, if: {required: [a]}, then: {properties: {b: {}}, required: [b]}, additionalProperties: false}`, `{"a": 1, "b": 1}`, Response, "-"},
	{"oneOf of Swagger 2 beside additionalProperties", Swagger2, `X: {properties: {a: {}}, oneOf: [{properties: {b: {}}}, {properties: {c: {}}}], additionalProperties: false}`, `{"b": 1}`, Response, "-"},
	{"not of 3.0 that says nothing else", OpenAPI30, `X: {type: array, items: {}, not: {contains: {const: 1}}}`, `[2]`, Response, "- ?/not"},
	{"not of 3.0 with half a schema in it", OpenAPI30, `{X: {not: {$ref: '#/components/schemas/Y'}}, Y: {type: object, properties: {a: {patternProperties: {b: {}}}}}}`, `{}`, Response, "- ?/not"},
	{"not of 3.0", OpenAPI30, `X: {not: {type: object}}`, `{}`, Response, "/ not"},
	{"not of 3.0 with a const", OpenAPI30, `X: {not: {const: 1}}`, `2`, Response, "- ?/not/const"},
	{"a const of 3.0 in oneOf", OpenAPI30, `X: {oneOf: [{properties: {k: {const: a}}, required: [k, b]}, {properties: {k: {const: c}}, required: [k]}]}`, `{"k": "a", "b": 1}`, Response, "- ?/oneOf/1/properties/k/const"},
	{"contains, dependentRequired and unevaluatedProperties of 3.0", OpenAPI30, `X: {contains: {type: string}, minContains: 2, dependentRequired: {a: [b]}, unevaluatedProperties: false, propertyNames: {maxLength: 1}, $defs: {Y: {}}}`, `{"aa": 1, "a": 1}`, Response, "-"},
	{"minContains of 3.1 without contains", OpenAPI31, `X: {minContains: 2}`, `[]`, Response, "-"},
	{"then of 3.1 without if", OpenAPI31, `X: {then: {required: [a]}, else: {required: [b]}}`, `{}`, Response, "-"},
	// enums that contain what their type does not allow
	{"null in the enum of a text", OpenAPI30, `X: {type: string, enum: [a, null]}`, `null`, Response, "- ?/enum"},
	{"a text in the enum of a text with null", OpenAPI30, `X: {type: string, enum: [a, null]}`, `"a"`, Response, "-"},
	{"another text than those of the enum with null", OpenAPI31, `X: {type: string, enum: [a, null]}`, `"b"`, Response, "/ enum"},
	{"a number where the enum holds texts and null", OpenAPI31, `X: {type: string, enum: [a, null]}`, `1`, Response, "/ type"},
	{"a text in the enum of integers", OpenAPI31, `X: {type: integer, enum: [1, 2, all]}`, `"all"`, Response, "- ?/enum"},
	{"another text in the enum of integers", OpenAPI31, `X: {type: integer, enum: [1, 2, all]}`, `"none"`, Response, "/ enum"},
	// schemas that no value matches
	{"parts of an allOf of types that exclude each other", OpenAPI30, `X: {allOf: [{type: object}, {type: array, items: {}}]}`, `{}`, Response, "- ?/allOf"},
	{"types that exclude each other through references", OpenAPI31, `{X: {allOf: [{$ref: '#/components/schemas/Y'}], type: string}, Y: {allOf: [{type: [array, object]}]}}`, `1`, Response, "/ type"},
	{"types that exclude each other beside a reference", OpenAPI31, `{X: {$ref: '#/components/schemas/Y', type: string}, Y: {type: object}}`, `"a"`, Response, "- ?/$ref"},
	{"a type beside a reference of 3.0", OpenAPI30, `{X: {allOf: [{$ref: '#/components/schemas/Y', type: string}, {type: object}]}, Y: {type: object}}`, `{}`, Response, "-"},
	{"an integer and a number", OpenAPI30, `X: {allOf: [{type: number}, {type: integer}]}`, `1`, Response, "-"},
	{"types that leave null", OpenAPI31, `X: {allOf: [{type: [object, 'null']}, {type: [array, 'null']}]}`, `{}`, Response, "/ type"},
	{"bounds that exclude each other", OpenAPI30, `X: {type: integer, minimum: 5, maximum: 4}`, `3`, Response, "- ?/minimum"},
	{"an exclusive bound that is another", OpenAPI30, `X: {type: integer, minimum: 5, exclusiveMinimum: true, maximum: 5}`, `5`, Response, "- ?/minimum"},
	{"bounds that are equal", OpenAPI31, `X: {type: integer, minimum: 5, maximum: 5}`, `4`, Response, "/ minimum"},
	{"lengths that exclude each other", OpenAPI31, `X: {type: string, minLength: 3, maxLength: 2}`, `"a"`, Response, "- ?/minLength"},
	// numbers
	{"int64", OpenAPI30, `X: {type: integer, format: int64}`, `9223372036854775807`, Response, "-"},
	{"beyond int64", OpenAPI30, `X: {type: integer, format: int64}`, `9223372036854775808`, Response, "/ format"},
	{"int64 far beyond", OpenAPI31, `X: {type: integer, format: int64}`, `1e30`, Response, "/ format"},
	{"int64 and a fraction at 2^53", OpenAPI31, `X: {type: integer, format: int64}`, `9007199254740992.5`, Response, "/ type"},
	{"beyond int32", OpenAPI30, `X: {type: integer, format: int32}`, `2147483648`, Response, "/ format"},
	{"an integer with a zero fraction", OpenAPI31, `X: {type: integer}`, `1.0`, Response, "-"},
	{"a bound to the last digit", OpenAPI30, `X: {type: integer, maximum: 9007199254740993}`, `9007199254740994`, Response, "/ maximum"},
	{"a bound in 3.0 of int64", OpenAPI30, `X: {type: integer, maximum: 9223372036854775807}`, `9223372036854775807`, Response, "-"},
	{"exclusiveMinimum of 3.0", OpenAPI30, `X: {type: number, minimum: 0, exclusiveMinimum: true}`, `0`, Response, "/ exclusiveMinimum"},
	{"exclusiveMinimum false", OpenAPI30, `X: {type: number, minimum: 0, exclusiveMinimum: false}`, `0`, Response, "-"},
	{"exclusiveMaximum of Swagger 2", Swagger2, `X: {type: number, maximum: 5, exclusiveMaximum: true}`, `5`, Response, "/ exclusiveMaximum"},
	{"exclusiveMaximum of 3.1", OpenAPI31, `X: {type: number, exclusiveMaximum: 5}`, `5`, Response, "/ exclusiveMaximum"},
	{"multipleOf exactly", OpenAPI31, `X: {type: number, multipleOf: 0.01}`, `19.99`, Response, "-"},
	{"multipleOf broken", OpenAPI31, `X: {type: number, multipleOf: 0.01}`, `19.995`, Response, "/ multipleOf"},
	{"a giant", OpenAPI31, `X: {type: number, maximum: 5}`, `1e10000000`, Response, "/ maximum"},
	{"a giant bound", OpenAPI31, `X: {type: number, maximum: 1e10000000}`, `7`, Response, "-"},
	{"a giant in an enum", OpenAPI31, `X: {enum: [1e10000000]}`, `7`, Response, "/ enum"},
	// formats
	{"date-time", OpenAPI30, `X: {type: string, format: date-time}`, `"2026-02-30T10:00:00Z"`, Response, "/ format"},
	{"date-time with an offset", OpenAPI30, `X: {type: string, format: date-time}`, `"2026-02-28t10:00:00.123456789+01:00"`, Response, "-"},
	{"date-time without an offset", OpenAPI31, `X: {type: string, format: date-time}`, `"2026-02-28T10:00:00"`, Response, "/ format"},
	{"a leap second", OpenAPI31, `X: {type: string, format: date-time}`, `"1998-12-31T15:59:60.1-08:00"`, Response, "-"},
	{"no leap second", OpenAPI31, `X: {type: string, format: date-time}`, `"1998-12-31T15:58:60Z"`, Response, "/ format"},
	{"date", Swagger2, `X: {type: string, format: date}`, `"2026-2-3"`, Response, "/ format"},
	{"uuid", OpenAPI30, `X: {type: string, format: uuid}`, `"2eb8aa08-aa98-11ea-b4aa-73b441d1638"`, Response, "/ format"},
	{"byte", OpenAPI30, `X: {type: string, format: byte}`, `"aGVsbG8="`, Response, "-"},
	{"byte broken", OpenAPI30, `X: {type: string, format: byte}`, `"a*b"`, Response, "/ format"},
	{"ipv4", OpenAPI30, `X: {type: string, format: ipv4}`, `"127.0.0.01"`, Response, "/ format"},
	{"ipv6", OpenAPI30, `X: {type: string, format: ipv6}`, `"::1"`, Response, "-"},
	{"email is no assertion", OpenAPI30, `X: {type: string, format: email}`, `"nobody"`, Response, "-"},
	{"uri is no assertion", OpenAPI31, `X: {type: string, format: uri}`, `"a b"`, Response, "-"},
	{"an unknown format", OpenAPI31, `X: {type: string, format: unix-time}`, `"x"`, Response, "-"},
	{"a format of texts on a number", OpenAPI31, `X: {format: date}`, `5`, Response, "-"},
	// patterns
	{"a lookahead", OpenAPI30, `X: {type: string, pattern: '^(?=.*\d)[a-z0-9]+$'}`, `"abc"`, Response, "/ pattern"},
	{"a lookahead kept", OpenAPI30, `X: {type: string, pattern: '^(?=.*\d)[a-z0-9]+$'}`, `"abc1"`, Response, "-"},
	{"the end is the end", OpenAPI31, `X: {pattern: '^a$'}`, `"a\n"`, Response, "/ pattern"},
	{"patterns are not anchored", OpenAPI31, `X: {pattern: 'b'}`, `"abc"`, Response, "-"},
	{"digits are ASCII", OpenAPI31, `X: {pattern: '^\d$'}`, `"٣"`, Response, "/ pattern"},
	{"a pattern of another language", OpenAPI31, `X: {type: string, pattern: '(?i)^a$', maxLength: 1}`, `"bb"`, Response, "/ maxLength ?/pattern"},
	{"a pattern that cannot be judged, in a not", OpenAPI31, `X: {not: {pattern: '(?P<n>'}}`, `"b"`, Response, "- ?/not/pattern"},
	{"a pattern that cannot be judged, in oneOf", OpenAPI31, `X: {oneOf: [{pattern: '(?P<n>'}, {type: string}]}`, `"b"`, Response, "- ?/oneOf/0/pattern"},
	// references
	{"what stands beside a reference in 3.0", OpenAPI30, `{X: {$ref: '#/components/schemas/Y', maxLength: 1}, Y: {type: string}}`, `"abc"`, Response, "-"},
	{"what stands beside a reference in 3.1", OpenAPI31, `{X: {$ref: '#/components/schemas/Y', maxLength: 1}, Y: {type: string}}`, `"abc"`, Response, "/ maxLength"},
	{"recursion", OpenAPI30, `X: {type: object, properties: {n: {$ref: '#/components/schemas/X'}}, additionalProperties: false}`, `{"n":{"n":{"m":1}}}`, Response, "/n/n/m additionalProperties"},
	{"a circle of references", OpenAPI31, `{X: {$ref: '#/components/schemas/Y'}, Y: {$ref: '#/components/schemas/X'}}`, `1`, Response, "-"},
	{"a circle in allOf", OpenAPI30, `X: {type: string, allOf: [{$ref: '#/components/schemas/X'}]}`, `1`, Response, "/ type"},
	{"odd names", OpenAPI31, `{X: {properties: {a: {$ref: '#/components/schemas/o~1d%20~0d%25'}}}, 'o/d ~d%': {type: integer}}`, `{"a":"x"}`, Response, "/a type"},
	{"a reference that leads nowhere", OpenAPI31, `X: {properties: {a: {$ref: '#/components/schemas/Z'}, b: {type: integer}}}`, `{"a":1,"b":"x"}`, Response, "/b type ?/properties/a/$ref"},
	{"an anchor", OpenAPI31, `{X: {$ref: '#here'}, Y: {$anchor: here, type: integer}}`, `"x"`, Response, "/ type"},
	{"an address", OpenAPI31, `{X: {$ref: 'https://example.com/y'}, Y: {$id: 'https://example.com/y', type: integer}}`, `"x"`, Response, "/ type"},
	{"definitions within an address", OpenAPI31, `X: {$id: 'https://example.com/x', $ref: '#/$defs/n', $defs: {n: {type: integer}}}`, `"x"`, Response, "/ type"},
	{"a dynamic reference", OpenAPI31, `{X: {$id: 'https://example.com/strict', $dynamicAnchor: node, $ref: tree, unevaluatedProperties: false},
    Y: {$id: 'https://example.com/tree', $dynamicAnchor: node, properties: {data: true, children: {items: {$dynamicRef: '#node'}}}}}`,
		`{"children":[{"daat":1}]}`, Response, "/children/0/daat unevaluatedProperties"},
	// objects
	{"required", OpenAPI30, `X: {type: object, required: [a, b, c]}`, `{"b":1}`, Response, `/ required "a"; / required "c"`},
	{"unknown properties are fine", OpenAPI30, `X: {type: object, properties: {a: {}}}`, `{"z":1}`, Response, "-"},
	{"additionalProperties by schema", OpenAPI30, `X: {additionalProperties: {type: integer}}`, `{"a":1,"b":"x"}`, Response, "/b type"},
	{"no others beside what alternatives describe", OpenAPI30, `{X: {additionalProperties: false, discriminator: {propertyName: k}, oneOf: [{$ref: '#/components/schemas/Y'}]},
    Y: {type: object, properties: {k: {type: string}, a: {type: integer}}}}`, `{"k":"Y","a":1}`, Response, "-"},
	{"no others beside what no alternative describes", OpenAPI30, `{X: {additionalProperties: false, properties: {b: {}}, allOf: [{$ref: '#/components/schemas/Y'}]},
    Y: {type: object, properties: {a: {type: integer}}}}`, `{"a":1,"b":2,"c":3}`, Response, "/c additionalProperties"},
	{"no others beside an alternative that is broken", OpenAPI31, `X: {additionalProperties: false, anyOf: [{properties: {a: {type: integer}}, required: [a]}]}`, `{"a":"x"}`, Response, "/a type"},
	{"patternProperties", OpenAPI31, `X: {patternProperties: {'^a': {type: integer}}, additionalProperties: false}`, `{"a1":"x","b":1}`, Response, "/a1 type; /b additionalProperties"},
	{"patternProperties in 3.0 are none", OpenAPI30, `X: {patternProperties: {'^a': {type: integer}}}`, `{"a1":"x"}`, Response, "-"},
	{"propertyNames", OpenAPI31, `X: {propertyNames: {maxLength: 2}}`, `{"abc":1,"ab":2}`, Response, `/ propertyNames "abc"`},
	{"dependentRequired", OpenAPI31, `X: {dependentRequired: {a: [b]}}`, `{"a":1}`, Response, `/ dependentRequired "b"`},
	{"unevaluatedProperties through allOf", OpenAPI31, `{X: {allOf: [{$ref: '#/components/schemas/Y'}], properties: {b: {}}, unevaluatedProperties: false}, Y: {properties: {a: {}}}}`, `{"a":1,"b":2,"c":3}`, Response, "/c unevaluatedProperties"},
	{"minProperties", OpenAPI30, `X: {type: object, minProperties: 1}`, `{}`, Response, "/ minProperties"},
	{"a property that is forbidden", OpenAPI31, `X: {properties: {a: false}}`, `{"a":1}`, Response, "/a "},
	// arrays
	{"items", OpenAPI30, `X: {type: array, items: {type: integer}}`, `[1,"a",2,null]`, Response, "/1 type; /3 type"},
	{"a list of items is none of them", OpenAPI30, `X: {type: array, items: [{type: integer}, {type: string}]}`, `[1,2,3]`, Response, "- ?/items"},
	{"prefixItems and items", OpenAPI31, `X: {prefixItems: [{type: integer}], items: false}`, `[1,2]`, Response, "/1 items"},
	{"uniqueItems", OpenAPI30, `X: {type: array, uniqueItems: true}`, `[1,{"a":1.0},{"a":1}]`, Response, "/ uniqueItems"},
	{"contains", OpenAPI31, `X: {contains: {type: integer}, minContains: 2}`, `[1,"a"]`, Response, "/ minContains"},
	// alternatives
	{"oneOf", OpenAPI31, `X: {oneOf: [{type: integer}, {type: number}]}`, `1`, Response, "/ oneOf"},
	{"required and forbidden", OpenAPI30, `X: {type: object, required: [id, a], properties: {a: {type: string}}, additionalProperties: false}`, `{"a":"x"}`, Response, "-"},
	{"required, forbidden and there", OpenAPI30, `X: {type: object, required: [id, a], properties: {a: {type: string}}, additionalProperties: false}`, `{"a":"x","id":1,"b":1}`, Response, "/b additionalProperties"},
	{"anyOf says what was likely meant", OpenAPI31, `X: {anyOf: [{type: string}, {type: object, required: [a], properties: {a: {type: integer}}}]}`, `{"a":"x"}`, Response, "/a type"},
	{"anyOf goes by tags", OpenAPI31, `X: {anyOf: [{properties: {k: {const: a}}, required: [n]}, {properties: {k: {const: b}}, required: [m]}]}`, `{"k":"b"}`, Response, `/ required "m"`},
	{"not", OpenAPI30, `X: {not: {type: integer}}`, `1`, Response, "/ not"},
	{"if, then, else", OpenAPI31, `X: {if: {type: integer}, then: {minimum: 3}, else: {minLength: 3}}`, `"ab"`, Response, "/ minLength"},
	{"a discriminator settles what overlaps", OpenAPI30, `{X: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}},
    Cat: {type: object, properties: {kind: {type: string}}}, Dog: {type: object, properties: {kind: {type: string}, bark: {type: boolean}}}}`, `{"kind":"Dog"}`, Response, "-"},
	{"a discriminator chooses what is told", OpenAPI30, `{X: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}},
    Cat: {type: object, properties: {kind: {type: string}}}, Dog: {type: object, properties: {kind: {type: string}, bark: {type: boolean}}}}`, `{"kind":"Dog","bark":1}`, Response, "/bark type"},
	{"a discriminator's mapping", OpenAPI31, `{X: {anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {d: '#/components/schemas/Dog', c: Cat}}},
    Cat: {type: object, required: [purr]}, Dog: {type: object, required: [bark]}}`, `{"kind":"c","bark":1}`, Response, `/ required "purr"`},
	{"a discriminator with another value", OpenAPI30, `{X: {oneOf: [{$ref: '#/components/schemas/Cat'}], discriminator: {propertyName: kind}}, Cat: {type: object, required: [purr]}}`, `{"kind":"Cow"}`, Response, `/ discriminator "kind"`},
	{"a discriminator of a base", OpenAPI30, `{X: {type: object, required: [kind], discriminator: {propertyName: kind}, oneOf: [{$ref: '#/components/schemas/Cat'}]},
    Cat: {allOf: [{$ref: '#/components/schemas/X'}, {required: [purr]}]}}`, `{"kind":"Cat"}`, Response, `/ required "purr"`},
	{"a discriminator's default of 3.2", OpenAPI31, `{X: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Any'}], discriminator: {propertyName: kind, defaultMapping: Any}},
    Cat: {type: object}, Any: {type: object, required: [a]}}`, `{"kind":"Cow"}`, Response, `/ required "a"`},
	// direction
	{"a readOnly property is not asked of requests", OpenAPI30, `X: {type: object, required: [id, a], properties: {id: {type: integer, readOnly: true}}}`, `{}`, Request, `/ required "a"`},
	{"a readOnly property is asked of responses", OpenAPI30, `X: {type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}`, `{}`, Response, `/ required "id"`},
	{"readOnly where the property's schema says so", OpenAPI31, `{X: {required: [id], properties: {id: {$ref: '#/components/schemas/Id'}}}, Id: {readOnly: true}}`, `{}`, Request, "-"},
	{"readOnly in one part, required in another", OpenAPI30, `{X: {allOf: [{$ref: '#/components/schemas/B'}, {required: [id]}]}, B: {properties: {id: {readOnly: true}}}}`, `{}`, Request, "-"},
	{"required in the part that is referred to", OpenAPI30, `{X: {properties: {id: {readOnly: true}}, allOf: [{$ref: '#/components/schemas/B'}]}, B: {required: [id]}}`, `{}`, Request, "-"},
	{"a writeOnly property is not asked of responses", OpenAPI31, `X: {required: [p], properties: {p: {writeOnly: true}}}`, `{}`, Response, "-"},
	{"a writeOnly property in a response", OpenAPI30, `X: {properties: {p: {type: string, writeOnly: true}}}`, `{"p":"x"}`, Response, `/p writeOnly "p" advice`},
	{"a writeOnly property in a request", OpenAPI30, `X: {properties: {p: {type: string, writeOnly: true}}}`, `{"p":"x"}`, Request, "-"},
	// sloppy or broken schemas
	{"required: true is of a parameter", Swagger2, `X: {type: string, required: true}`, `"x"`, Response, "-"},
	{"type: file", Swagger2, `X: {type: file}`, `"x"`, Response, "-"},
	{"a type that is none", OpenAPI30, `X: {type: object, properties: {a: {type: date}, b: {type: integer}}}`, `{"a":1,"b":"x"}`, Response, "/b type ?/properties/a/type"},
	{"an enum of texts without quotes", OpenAPI30, `X: {type: string, enum: [1, true, 2020-01-01]}`, `"true"`, Response, "-"},
	{"an enum that admits nothing", OpenAPI30, `X: {type: integer, enum: ['1', '2']}`, `1`, Response, "- ?/enum"},
	{"const in 3.0", OpenAPI30, `X: {const: a}`, `"a"`, Response, "-"},
	{"another value than a const in 3.0 is in doubt", OpenAPI30, `X: {const: a}`, `"b"`, Response, "- ?/const"},
	{"const in 3.0 tells alternatives apart", OpenAPI30, `X: {oneOf: [{properties: {k: {const: a}}}, {properties: {k: {const: b}}}]}`, `{"k":"a"}`, Response, "- ?/oneOf/1/properties/k/const"},
	{"const in Swagger 2 is compared as a number", Swagger2, `X: {const: 1.0}`, `1`, Response, "-"},
	{"oneOf in Swagger 2 is an annotation", Swagger2, `X: {oneOf: [{type: string}]}`, `1`, Response, "-"},
	{"a schema that is a list", OpenAPI31, `X: {properties: {a: [], b: {type: string}}}`, `{"a":1,"b":2}`, Response, "/b type ?/properties/a"},
	{"properties that are none, and no others", OpenAPI30, `X: {properties: [a], additionalProperties: false}`, `{"a":1}`, Response, "- ?/properties"},
	{"patterns that are none, and no others", OpenAPI31, `X: {patternProperties: [a], additionalProperties: false}`, `{"a":1}`, Response, "- ?/patternProperties"},
	{"a pattern that is none, and no others", OpenAPI31, `X: {patternProperties: {'(?i)a': true}, additionalProperties: false}`, `{"a":1}`, Response, "- ?/patternProperties/(?i)a"},
	{"a lost part, and nothing unevaluated", OpenAPI31, `X: {allOf: [{$ref: '#/components/schemas/Z'}], unevaluatedProperties: false}`, `{"a":1}`, Response, "- ?/allOf/0/$ref"},
	{"a schema that is true", OpenAPI31, `X: true`, `1`, Response, "-"},
	{"a schema that is false", OpenAPI31, `X: false`, `1`, Response, "/ "},
}

func TestCases(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := schemaOf(t, c.dialect, componentsOf(c.components))
			r := s.Validate(decode(t, c.value), c.direction)
			if got := brief(r); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			agree(t, s, decode(t, c.value))
			for _, v := range r.Violations {
				if s.set.doc.Node(v.Constraint) == nil || v.Line == 0 {
					t.Errorf("nothing stands at %s", v.Constraint)
				}
			}
		})
	}
}

// componentsOf returns a document with the components of a case.
func componentsOf(text string) string {
	if !strings.HasPrefix(text, "{") {
		text = "{" + text + "}"
	}
	return "components:\n  schemas:\n    " + text + "\n"
}

// brief writes a result in the form of the cases.
func brief(r Result) string {
	var all []string
	for _, v := range r.Violations {
		text := v.Pointer()
		if text == "" {
			text = "/"
		}
		text += " " + v.Keyword
		if v.Name != "" && !strings.HasSuffix(v.Pointer(), "/"+v.Name) || v.Advice {
			text += ` "` + v.Name + `"`
		}
		if v.Advice {
			text += " advice"
		}
		all = append(all, text)
	}
	out := strings.Join(all, "; ")
	if out == "" {
		out = "-"
	}
	for _, h := range r.Unjudged {
		out += " ?" + strings.TrimPrefix(h.Pointer, "/components/schemas/X")
	}
	return out
}
