package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/exactjson"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/schema"
)

// constraint is a schema, and schemas that a service has by mistake in its place: one that lets too much in, and one that lets too
// little in. Empty ones are left out.
type constraint struct{ name, right, loose, tight string }

// textual are constraints of values that can be written everywhere.
var textual = []constraint{
	{"minLength", `{type: string, minLength: 3, maxLength: 9}`, `{type: string, minLength: 2, maxLength: 9}`, `{type: string, minLength: 4, maxLength: 9}`},
	{"maxLength", `{type: string, minLength: 1, maxLength: 6}`, `{type: string, minLength: 1, maxLength: 7}`, `{type: string, minLength: 1, maxLength: 5}`},
	{"maxLength, none", `{type: string, minLength: 1, maxLength: 600}`, `{type: string, minLength: 1}`, `{type: string, minLength: 1, maxLength: 255}`},
	{"pattern", `{type: string, pattern: '^[a-z]{2,8}$'}`, `{type: string}`, ``},
	{"pattern, its end", `{type: string, pattern: '^[a-z]{2,8}$'}`, `{type: string, pattern: '^[a-z]{2,8}'}`, ``},
	{"pattern, its beginning", `{type: string, pattern: '^[a-z]{2,8}$'}`, `{type: string, pattern: '[a-z]{2,8}$'}`, ``},
	{"pattern, its class", `{type: string, pattern: '^[A-Z0-9]{4}$'}`, `{type: string, pattern: '^[A-Za-z0-9]{4}$'}`, ``},
	{"enum", `{type: string, enum: [red, green, blue]}`, `{type: string}`, `{type: string, enum: [red, green]}`},
	{"enum, its case", `{type: string, enum: [red, green, blue]}`, `{type: string, pattern: '^([Rr][Ee][Dd]|[Gg][Rr][Ee][Ee][Nn]|[Bb][Ll][Uu][Ee])$'}`, ``},
	{"enum, its beginnings", `{type: string, enum: [red, green, blue]}`, `{type: string, pattern: '^(red|green|blue)'}`, ``},
	{"enum of numbers", `{type: integer, enum: [10, 20, 50]}`, `{type: integer}`, `{type: integer, enum: [10, 20]}`},
	{"minimum", `{type: integer, minimum: 1, maximum: 100}`, `{type: integer, minimum: 0, maximum: 100}`, `{type: integer, minimum: 2, maximum: 100}`},
	{"minimum, below nought", `{type: integer, minimum: 0, maximum: 100}`, `{type: integer, maximum: 100}`, `{type: integer, minimum: 1, maximum: 100}`},
	{"maximum", `{type: integer, minimum: 1, maximum: 100}`, `{type: integer, minimum: 1, maximum: 101}`, `{type: integer, minimum: 1, maximum: 99}`},
	{"maximum, clamped", `{type: integer, minimum: 1, maximum: 100}`, `{type: integer, minimum: 1}`, ``},
	{"exclusiveMinimum", `{type: number, exclusiveMinimum: 0}`, `{type: number, minimum: 0}`, `{type: number, exclusiveMinimum: 1}`},
	{"exclusiveMaximum", `{type: number, exclusiveMaximum: 10}`, `{type: number, maximum: 10}`, `{type: number, exclusiveMaximum: 9}`},
	{"multipleOf", `{type: integer, multipleOf: 5, minimum: 0, maximum: 100}`, `{type: integer, minimum: 0, maximum: 100}`, `{type: integer, multipleOf: 10, minimum: 0, maximum: 100}`},
	{"integer", `{type: integer}`, `{type: number}`, ``},
	{"integer, any text", `{type: integer}`, `{type: [integer, string]}`, ``},
	{"int32", `{type: integer, format: int32}`, `{type: integer}`, ``},
	{"int64", `{type: integer, format: int64}`, `{type: [integer, string], format: int64}`, ``},
	{"number", `{type: number}`, `{type: [number, string]}`, ``},
	{"boolean", `{type: boolean}`, `{type: [boolean, string]}`, `{type: boolean, const: true}`},
	{"date", `{type: string, format: date}`, `{type: string, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'}`, ``},
	{"date-time", `{type: string, format: date-time}`, `{type: string}`, ``},
	{"uuid", `{type: string, format: uuid}`, `{type: string}`, ``},
	{"ipv4", `{type: string, format: ipv4}`, `{type: string, pattern: '^[0-9.]+$'}`, ``},
	{"ipv6", `{type: string, format: ipv6}`, `{type: string, pattern: '^[0-9a-fA-F:.]+$'}`, ``},
	{"const", `{type: string, const: only}`, `{type: string}`, ``},
	{"allOf", `{allOf: [{type: string, minLength: 2}, {maxLength: 5}]}`, `{allOf: [{type: string, minLength: 2}, {maxLength: 6}]}`, `{allOf: [{type: string, minLength: 3}, {maxLength: 5}]}`},
	{"not", `{type: string, minLength: 1, not: {enum: [admin]}}`, `{type: string, minLength: 1}`, ``},
}

// structured are constraints of values that bodies have.
var structured = []constraint{
	{"text, of another type", `{type: string, maxLength: 20}`, `{type: [string, integer], maxLength: 20}`, ``},
	{"text, null", `{type: string, maxLength: 20}`, `{type: [string, 'null'], maxLength: 20}`, ``},
	{"null", `{type: [string, 'null'], maxLength: 20}`, `{type: [string, 'null'], maxLength: 21}`, `{type: string, maxLength: 20}`},
	{"integer, as text", `{type: integer, minimum: 0}`, `{type: [integer, string], minimum: 0}`, ``},
	{"boolean, as a number", `{type: boolean}`, `{type: [boolean, integer]}`, ``},
	{"minItems", `{type: array, minItems: 2, items: {type: integer}}`, `{type: array, minItems: 1, items: {type: integer}}`, `{type: array, minItems: 3, items: {type: integer}}`},
	{"minItems, one", `{type: array, minItems: 1, items: {type: string}}`, `{type: array, items: {type: string}}`, `{type: array, minItems: 2, items: {type: string}}`},
	{"maxItems", `{type: array, maxItems: 4, items: {type: integer}}`, `{type: array, maxItems: 5, items: {type: integer}}`, `{type: array, maxItems: 3, items: {type: integer}}`},
	{"uniqueItems", `{type: array, uniqueItems: true, items: {type: integer}}`, `{type: array, items: {type: integer}}`, ``},
	{"items", `{type: array, items: {type: string, maxLength: 5}}`, `{type: array, items: {type: string}}`, `{type: array, items: {type: string, maxLength: 4}}`},
	{"items, the first only", `{type: array, items: {type: integer}}`, `{type: array, prefixItems: [{type: integer}]}`, ``},
	{"prefixItems", `{type: array, prefixItems: [{type: string}, {type: integer}], items: false, minItems: 2}`, `{type: array, prefixItems: [{type: string}], minItems: 2}`, ``},
	{"contains", `{type: array, items: {type: integer}, contains: {const: 7}}`, `{type: array, items: {type: integer}}`, ``},
	{"required", `{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}`, `{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}`, ``},
	{"optional", `{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}`, ``, `{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}`},
	{"additionalProperties, none", `{type: object, properties: {a: {type: string}}, additionalProperties: false}`, `{type: object, properties: {a: {type: string}}}`, ``},
	{"additionalProperties", `{type: object, additionalProperties: {type: integer}}`, `{type: object}`, ``},
	{"minProperties", `{type: object, minProperties: 1, properties: {a: {type: string}, b: {type: string}}}`, `{type: object, properties: {a: {type: string}, b: {type: string}}}`, `{type: object, minProperties: 2, properties: {a: {type: string}, b: {type: string}}}`},
	{"maxProperties", `{type: object, maxProperties: 2, additionalProperties: {type: integer}}`, `{type: object, maxProperties: 3, additionalProperties: {type: integer}}`, ``},
	{"patternProperties", `{type: object, patternProperties: {'^x-': {type: integer}}, additionalProperties: false}`, `{type: object, additionalProperties: false, patternProperties: {'^x-': {}}}`, ``},
	{"propertyNames", `{type: object, propertyNames: {maxLength: 3}, additionalProperties: {type: integer}}`, `{type: object, additionalProperties: {type: integer}}`, ``},
	{"dependentRequired", `{type: object, properties: {a: {type: string}, b: {type: string}}, dependentRequired: {a: [b]}}`, `{type: object, properties: {a: {type: string}, b: {type: string}}}`, ``},
	{"oneOf", `{oneOf: [{type: object, required: [kind, x], properties: {kind: {const: a}, x: {type: integer}}}, {type: object, required: [kind, y], properties: {kind: {const: b}, y: {type: string}}}]}`,
		`{type: object, required: [kind], properties: {kind: {enum: [a, b]}}}`,
		`{oneOf: [{type: object, required: [kind, x], properties: {kind: {const: a}, x: {type: integer}}}]}`},
	{"oneOf, the second branch", `{oneOf: [{type: object, required: [kind, x], properties: {kind: {const: a}, x: {type: integer}}}, {type: object, required: [kind, y], properties: {kind: {const: b}, y: {type: string, maxLength: 5}}}]}`,
		`{oneOf: [{type: object, required: [kind, x], properties: {kind: {const: a}, x: {type: integer}}}, {type: object, required: [kind, y], properties: {kind: {const: b}, y: {type: string}}}]}`, ``},
	{"anyOf", `{anyOf: [{type: string, maxLength: 3}, {type: integer, minimum: 10}]}`, `{anyOf: [{type: string}, {type: integer, minimum: 10}]}`, `{anyOf: [{type: string, maxLength: 3}]}`},
	{"if", `{type: object, required: [a], properties: {a: {enum: [x, y]}, b: {type: integer}}, if: {properties: {a: {const: x}}}, then: {required: [b]}}`, `{type: object, required: [a], properties: {a: {enum: [x, y]}, b: {type: integer}}}`,
		`{type: object, required: [a, b], properties: {a: {const: x}, b: {type: integer}}}`},
	{"else, what is required", `{type: object, required: [a], properties: {a: {enum: [x, y]}, b: {type: boolean}, c: {type: integer}}, if: {properties: {a: {const: x}}}, then: {required: [b]}, else: {required: [c]}}`,
		`{type: object, required: [a], properties: {a: {enum: [x, y]}, b: {type: boolean}, c: {type: integer}}, if: {properties: {a: {const: x}}}, then: {required: [b]}}`,
		`{type: object, required: [a, b], properties: {a: {const: x}, b: {type: boolean}, c: {type: integer}}}`},
	{"else, a bound", `{type: object, required: [a, b], properties: {a: {type: boolean}, b: {type: integer}}, if: {properties: {a: {const: true}}}, then: {properties: {b: {maximum: 10}}}, else: {properties: {b: {maximum: 20}}}}`,
		`{type: object, required: [a, b], properties: {a: {type: boolean}, b: {type: integer}}, if: {properties: {a: {const: true}}}, then: {properties: {b: {maximum: 10}}}, else: {properties: {b: {maximum: 21}}}}`, ``},
	{"then, a bound", `{type: object, required: [a, b], properties: {a: {type: boolean}, b: {type: integer}}, if: {properties: {a: {const: true}}}, then: {properties: {b: {maximum: 10}}}, else: {properties: {b: {maximum: 20}}}}`,
		`{type: object, required: [a, b], properties: {a: {type: boolean}, b: {type: integer}}, if: {properties: {a: {const: true}}}, then: {properties: {b: {maximum: 11}}}, else: {properties: {b: {maximum: 20}}}}`, ``},
	{"an object", `{type: object, properties: {a: {type: string}}}`, `{}`, ``},
	{"a list", `{type: array, items: {type: string}}`, `{}`, ``},
	{"read-only", `{type: object, required: [a, id], properties: {a: {type: string}, id: {type: integer, readOnly: true}}}`, ``, ``},
}

// undecoded have values with signs that are encoded in cookies, which many servers do not decode: no such request is made.
var undecoded = []string{"date-time", "ipv6"}

// unconcluded reports whether nothing follows from a service that refuses what a constraint allows at a place: another value in a path
// may name what is not there, and what lies deep in a part that need not be there was made up together with it.
func unconcluded(place string, c constraint) bool {
	switch place {
	case "path":
		return !strings.Contains(c.right, "enum:") && c.name != "boolean"
	case "free":
		return slices.Contains([]string{"allOf", "optional", "minProperties"}, c.name)
	case "item":
		return slices.Contains([]string{"optional", "minProperties"}, c.name)
	}
	return false
}

// places are where a constraint may stand: a pattern of an operation that holds the schema.
var places = []struct {
	name, operation string
	structured      bool
}{
	{"query", `{parameters: [{name: v, in: query, required: true, schema: %s}], responses: *answers}`, false},
	{"optional", `{parameters: [{name: v, in: query, schema: %s}], responses: *answers}`, false},
	{"header", `{parameters: [{name: X-V, in: header, required: true, schema: %s}], responses: *answers}`, false},
	{"cookie", `{parameters: [{name: v, in: cookie, required: true, schema: %s}], responses: *answers}`, false},
	{"path", `{parameters: [{name: v, in: path, required: true, schema: %s}], responses: *answers}`, false},
	{"list", `{parameters: [{name: v, in: query, required: true, schema: {type: array, items: %s}}], responses: *answers}`, false},
	{"body", `{requestBody: {required: true, content: {application/json: {schema: %s}}}, responses: *answers}`, true},
	{"member", `{requestBody: {required: true, content: {application/json: {schema: {type: object, required: [v], properties: {v: %s, other: {type: string}}}}}}, responses: *answers}`, true},
	{"free", `{requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {v: %s, other: {type: string}}}}}}, responses: *answers}`, true},
	{"deep", `{requestBody: {required: true, content: {application/json: {schema: {type: object, required: [in], properties: {in: {type: object, required: [v], properties: {v: %s}}}}}}}, responses: *answers}`, true},
	{"item", `{requestBody: {required: true, content: {application/json: {schema: {type: object, required: [all], properties: {all: {type: array, minItems: 1, items: {type: object, required: [v], properties: {v: %s}}}}}}}}, responses: *answers}`, true},
	{"form", `{requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [v], properties: {v: %s}}}}}, responses: *answers}`, false},
}

// constrained returns a contract with an operation for each place of each constraint, with the schema that pick chooses; and the
// constraints by the operation's id.
func constrained(pick func(constraint) string) (contract []byte, all map[string]constraint) {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Constraints, version: '1'}\n" +
		"x-answers: &answers {'200': {description: Done}, '400': {description: Refused}}\npaths:\n")
	all = map[string]constraint{}
	for _, p := range places {
		for i, c := range slices.Concat(textual, structured) {
			if i >= len(textual) && !p.structured || pick(c) == "" || p.name == "cookie" && slices.Contains(undecoded, c.name) {
				continue
			}
			id := fmt.Sprintf("%s%d", p.name, i)
			method, path := "get", "/"+id
			if strings.Contains(p.operation, "requestBody") {
				method = "post"
			}
			if p.name == "path" {
				path += "/{v}"
			}
			operation := strings.Replace(fmt.Sprintf(p.operation, pick(c)), "{", "{operationId: "+id+", ", 1)
			fmt.Fprintf(&b, "  %s: {%s: %s}\n", path, method, operation)
			all[id] = c
		}
	}
	return []byte(b.String()), all
}

// strict answers what its contract allows with 200, and everything else with 400. Parameters and forms it reads by itself.
type strict struct{ contract *spec.Contract }

func (s strict) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	op, ok := s.contract.Match(req.Method, req.URL.Path)
	switch {
	case !ok:
		w.WriteHeader(http.StatusNotFound)
	case !s.keeps(op, req):
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (s strict) keeps(op *spec.Operation, req *http.Request) bool {
	for _, p := range op.Parameters {
		var sent []string
		switch p.In {
		case "query":
			sent = req.URL.Query()[p.Name]
		case "header":
			sent = req.Header[http.CanonicalHeaderKey(p.Name)]
		case "cookie":
			if c, err := req.Cookie(p.Name); err == nil {
				text, _ := url.QueryUnescape(c.Value)
				sent = []string{text}
			}
		case "path":
			_, text, _ := strings.Cut(strings.TrimPrefix(req.URL.EscapedPath(), "/"), "/")
			text, _ = url.PathUnescape(text)
			sent = []string{text}
		}
		if len(sent) == 0 && !p.Required {
			continue
		}
		if len(sent) == 0 || !s.valid(p.Schema, sent) {
			return false
		}
	}
	if op.Body == nil {
		return true
	}
	text, err := io.ReadAll(req.Body)
	if err != nil {
		return false
	}
	m := &op.Body.Content[0]
	kind, _, _ := strings.Cut(req.Header.Get("Content-Type"), ";")
	if kind != m.Type {
		return false
	}
	if m.Type != "application/json" {
		fields, err := url.ParseQuery(string(text))
		return err == nil && len(fields["v"]) > 0 && s.valid(m.Schema.Properties[0].Schema, fields["v"])
	}
	value, err := exactjson.Decode(text)
	return err == nil && len(s.contract.Validator(m.Schema).Validate(value.Tree, schema.Request).Violations) == 0
}

// number is how JSON writes a number.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// valid reports whether one of the values that a text may stand for is allowed: in a parameter everything is text.
func (s strict) valid(is *spec.Schema, sent []string) bool {
	v := s.contract.Validator(is)
	if is.Type == "array" {
		for _, one := range sent {
			if !s.valid(is.Items.Schema, []string{one}) {
				return false
			}
		}
		return true
	}
	candidates := []any{sent[0]}
	if number.MatchString(sent[0]) {
		candidates = append(candidates, json.Number(sent[0]))
	}
	if sent[0] == "true" || sent[0] == "false" {
		candidates = append(candidates, sent[0] == "true")
	}
	return len(sent) == 1 && slices.ContainsFunc(candidates, func(one any) bool { return len(v.Validate(one, schema.Request).Violations) == 0 })
}

// judgeConstraints judges a service that has other constraints than its contract, for all of those where there is something else.
func judgeConstraints(t *testing.T, other func(constraint) string) (record.Record, *spec.Catalogue, map[string]constraint) {
	t.Helper()
	has := func(c constraint) string {
		if other(c) == "" {
			return ""
		}
		return c.right
	}
	document, all := constrained(has)
	wrong, _ := constrained(other)
	contract, err := openapi.Load(wrong)
	if err != nil {
		t.Fatal(err)
	}
	rec, catalogue := trial{contract: document, service: inMemory{strict{contract}}, perOperation: 400, created: 100_000}.judge(t)
	return rec, catalogue, all
}

// A service that lets in what one constraint of its contract forbids, or refuses what it allows, is found at each place and for each
// constraint, and one that keeps them all is not.
func TestEachConstraintOfRequestsIsJudged(t *testing.T) {
	t.Parallel()
	t.Run("kept", func(t *testing.T) {
		rec, catalogue, all := judgeConstraints(t, func(c constraint) string { return c.right })
		accuse(t, failing(rec, catalogue))
		for id, c := range all {
			if !slices.Contains(reached(rec), id) {
				t.Errorf("%s (%s) was not reached", id, c.name)
			}
		}
	})
	for name, test := range map[string]struct {
		other func(constraint) string
		kind  string
	}{
		"too loose": {func(c constraint) string { return c.loose }, ".refused."},
		"too tight": {func(c constraint) string { return c.tight }, ".accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			rec, catalogue, all := judgeConstraints(t, test.other)
			found := failing(rec, catalogue)
			n := 0
			for id, c := range all {
				if slices.ContainsFunc(catalogue.Rules, func(r spec.Rule) bool {
					_, is := found[r.ID]
					return is && strings.HasPrefix(r.ID, id+test.kind)
				}) {
					n++
				} else if place := strings.TrimRight(id, "0123456789"); name == "too loose" || !unconcluded(place, c) {
					t.Errorf("%s (%s) is not found", id, c.name)
				}
			}
			t.Logf("%d of %d are found", n, len(all))
		})
	}
}
