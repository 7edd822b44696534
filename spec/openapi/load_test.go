package openapi_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"hallmark/spec"
	"hallmark/spec/openapi"
)

// small is a contract that holds a bit of everything; tests break it in one place.
const small = `openapi: 3.1.0
info: {title: Things, version: 2.0.0}
security: [{key: []}]
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - $ref: '#/components/parameters/size'
      responses:
        '200': {$ref: '#/components/responses/Things'}
    put:
      operationId: putThing
      security: []
      requestBody: {$ref: '#/components/requestBodies/Thing'}
      responses:
        '204': {description: Stored.}
components:
  securitySchemes:
    key: {type: http, scheme: Bearer}
  parameters:
    size: {name: size, in: query, schema: {type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}}
  requestBodies:
    Thing:
      content:
        application/json:
          schema: {$ref: '#/components/schemas/Alias'}
  responses:
    Things:
      description: Things.
      content:
        application/json:
          schema:
            type: array
            minItems: 1
            items: {$ref: '#/components/schemas/Alias'}
  schemas:
    Alias: {$ref: '#/components/schemas/Thing', description: The same.}
    Thing:
      type: object
      required: [size]
      properties:
        size: {type: integer, minimum: -9223372036854775808, maximum: 9223372036854775807}
        ratio: {type: number, format: double, maximum: 0.1}
        on: {type: boolean, default: true}
        note: {type: string, minLength: 1, maxLength: 9, x-anything: 1}
        level: {type: integer, enum: [1, 2], default: 2}
`

func mustLoad(t testing.TB, text string) *spec.Contract {
	t.Helper()
	c, err := openapi.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadFollowsReferences(t *testing.T) {
	c := mustLoad(t, small)
	get, _ := c.Operation("listThings")
	if p := get.Parameters[0]; p.Pointer != "/paths/~1things/get/parameters/0" || strings.Join(p.Via, " ") != "/components/parameters/size" {
		t.Errorf("parameter: %+v", p)
	}
	want := "/components/responses/Things/content/application~1json/schema " +
		"/components/responses/Things/content/application~1json/schema/items " +
		"/components/schemas/Alias /components/schemas/Thing"
	if got := strings.Join(get.Answers[0].Schema().Items.Chain(get.Answers[0].JSON().Chain()...), " "); got != want {
		t.Errorf("chain %s", got)
	}
	put, _ := c.Operation("putThing")
	if strings.Join(put.Body.Via, " ") != "/components/requestBodies/Thing" || put.Body.Required {
		t.Errorf("body: %+v", put.Body)
	}
	if len(put.Security) != 0 || len(get.Security) != 1 || get.Credential().Scheme != "bearer" {
		t.Errorf("security: %v, %v", put.Security, get.Security)
	}
	thing := put.Body.Schema()
	if p := thing.Property("size"); p.Schema.Maximum != "9223372036854775807" || p.Schema.Minimum != "-9223372036854775808" {
		t.Errorf("bounds: %+v", p.Schema)
	}
	if p := thing.Property("level"); p.Schema.Default != "2" || strings.Join(p.Schema.Enum, " ") != "1 2" {
		t.Errorf("enum: %+v", p.Schema)
	}
}

// JSON is YAML, so a contract may be written in it.
func TestLoadReadsJSON(t *testing.T) {
	mustLoad(t, `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"operationId":"a",
		"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"type":"string"}}}}}}}}}`)
}

func TestLoadRefuses(t *testing.T) {
	tests := map[string]struct {
		old, new string // what is replaced in small; the whole text when old is empty
		want     string
	}{
		"nothing":                    {"", "", "contract: it is empty"},
		"a comment":                  {"", "# nothing", "contract: it is empty"},
		"text":                       {"", "hello", `contract, line 1: it is the text "hello", not an OpenAPI 3.1 document`},
		"a list":                     {"", "[1]", "contract, line 1: it is a list"},
		"bytes":                      {"", "\xff\xfe\x00", "it is not YAML"},
		"broken YAML":                {"info: {title", "info: {title: [", "it is not YAML"},
		"a tab":                      {"  /things:", "\t/things:", "it is not YAML"},
		"another document":           {"", "a: 1", "no field openapi"},
		"OpenAPI 2":                  {"openapi: 3.1.0", "swagger: '2.0'", "no field openapi"},
		"OpenAPI 3.0":                {"3.1.0", "3.0.3", "contract, line 1: it is OpenAPI 3.0.3; hallmark reads 3.1"},
		"OpenAPI 3.2":                {"3.1.0", "3.2.0", "contract, line 1: it is OpenAPI 3.2.0"},
		"no version":                 {", version: 2.0.0", "", "line 2: it does not say its version"},
		"no paths":                   {"paths:", "x-paths:", "it defines no operations"},
		"paths is a list":            {"", "openapi: 3.1.0\ninfo: {version: 1}\npaths: []", "line 3: paths must be an object"},
		"no operationId":             {"      operationId: putThing\n", "", "line 12: PUT /things has no operationId"},
		"operationId twice":          {"putThing", "listThings", "line 12: the operationId listThings is here a second time, first in line 6"},
		"a key twice":                {"    put:", "    get:", "line 12: the key get is here a second time, first in line 6"},
		"reference to nowhere":       {"schemas/Thing'", "schemas/Thin'", "line 38: the reference #/components/schemas/Thin leads nowhere"},
		"reference to a file":        {"'#/components/schemas/Thing'", "other.yaml", "line 38: the reference other.yaml: only references within"},
		"reference to itself":        {"schemas/Thing'", "schemas/Alias'", "the schema leads into itself"},
		"schema in itself":           {"on: {type: boolean, default: true}", "on: {$ref: '#/components/schemas/Thing'}", "the schema leads into itself"},
		"response ref in a circle":   {"    Things:\n", "    Things: {$ref: '#/components/responses/Other'}\n    Other: {$ref: '#/components/responses/Things'}\n    Old:\n", "leads back to itself"},
		"keyword beside a ref":       {"description: The same.", "nullable: true", "line 38: a schema beside its $ref has nullable"},
		"unknown keyword":            {"x-anything", "pattern", "line 46: the schema uses pattern, which hallmark does not support"},
		"combinator":                 {"on: {type: boolean, default: true}", "on: {oneOf: []}", "line 45: the schema uses oneOf"},
		"misspelt keyword":           {"minLength", "minlength", "the schema uses minlength"},
		"keyword of another type":    {"minLength: 1", "minimum: 1", "line 46: minimum says nothing about a value of type string"},
		"bounds without a type":      {"{type: string, minLength: 1, maxLength: 9, x-anything: 1}", "{minLength: 1}", "say type: string"},
		"two types":                  {"type: boolean", "type: [boolean, 'null']", "line 45: the type must be one of"},
		"unknown type":               {"type: boolean", "type: bool", `line 45: the type must be one of string, integer, number, boolean, array and object, not the text "bool"`},
		"format of another type":     {"format: double", "format: int64", "line 44: the format int64 of type number is not supported"},
		"unknown format":             {"format: double", "format: decimal", "the format decimal"},
		"empty enum":                 {"enum: [1, 2], default: 2", "enum: []", "line 47: the enum is empty"},
		"default outside the enum":   {"default: 2", "default: 3", "line 47: the default 3 is not in the enum"},
		"enum of another type":       {"enum: [1, 2], default: 2", "enum: [1, two]", `an enum value is the text "two"; it must be an integer`},
		"unquoted word in an enum":   {"minLength: 1, maxLength: 9", "enum: [on, true]", "an enum value is the boolean true; it must be a string"},
		"null in an enum":            {"enum: [1, 2], default: 2", "enum: [1, null]", "an enum value is null"},
		"fraction as default":        {"default: 2", "default: 2.5", "the default is the number 2.5; it must be an integer"},
		"hexadecimal bound":          {"maximum: 0.1", "maximum: 0x10", "maximum is 0x10, which is no JSON number"},
		"bound as text":              {"maximum: 0.1", "maximum: '1'", "maximum is the text"},
		"infinite bound":             {"maximum: 0.1", "maximum: .inf", "no JSON number"},
		"giant bound":                {"maximum: 0.1", "maximum: 1e-500", "a number too long or too large"},
		"bound beyond the validator": {"maximum: 0.1", "maximum: 18446744073709551617.5", "/properties/ratio cannot be judged by: the validator does not hold its bounds as written"},
		"negative length":            {"minLength: 1", "minLength: -1", "minLength must be a whole number from 0"},
		"required not documented":    {"required: [size]", "required: [size, name]", "line 41: name is required but is no documented property"},
		"required twice":             {"required: [size]", "required: [size, size]", "size is required a second time"},
		"closed object":              {"      required: [size]", "      additionalProperties: false", "additionalProperties other than true"},
		"schema is no object":        {"{type: boolean, default: true}", "true", "line 45: a schema must be an object, not the boolean true"},
		"no schema":                  {"application/json:\n          schema: {$ref: '#/components/schemas/Alias'}", "application/json: {}", "has no schema"},
		"another media type":         {"application/json:\n          schema: {", "text/plain:\n          schema: {", "has the media types text/plain; only application/json"},
		"body without content":       {"      content:\n        application/json:\n          schema: {$ref: '#/components/schemas/Alias'}", "      description: none", "must have one media type"},
		"default answer":             {"'204':", "default:", "line 17: putThing documents a response default"},
		"range of responses":         {"'204':", "2XX:", "line 17: putThing documents a response 2XX"},
		"no responses":               {"'204': {description: Stored.}", "{}", "putThing documents no responses"},
		"cookie":                     {"in: query", "in: cookie", `the parameter size is in "cookie"`},
		"parameter style":            {"in: query,", "in: query, style: form,", "a parameter has style, which hallmark does not support"},
		"parameter without a name":   {"name: size, in: query", "in: query", "a parameter has no name"},
		"parameter twice":            {"        - $ref: '#/components/parameters/size'\n", "        - $ref: '#/components/parameters/size'\n        - $ref: '#/components/parameters/size'\n", "line 10: the parameter size is here a second time"},
		"path parameter not in it":   {"in: query", "in: path, required: true", "the path /things has no place for the parameter {size}"},
		"path parameter missing":     {"  /things:", "  /things/{id}:", "the path parameter {id} of /things/{id} is not described"},
		"path without a slash":       {"  /things:", "  things:", "line 5: the path things must begin with a slash"},
		"callbacks":                  {"      security: []", "      callbacks: {}", "PUT /things has callbacks"},
		"unknown security":           {"security: [{key: []}]", "security: [{kee: []}]", "the security scheme kee is not declared"},
		"two schemes at once":        {"security: [{key: []}]", "security: [{key: [], more: []}]", "several schemes at once"},
		"key in a header":            {"{type: http, scheme: Bearer}", "{type: apiKey, in: header, name: X}", "only http is supported"},
		"basic credentials":          {"scheme: Bearer", "scheme: basic", "only bearer is supported"},
		"sunset is no date":          {"      operationId: putThing", "      operationId: putThing\n      x-sunset: soon", "line 14: x-sunset is soon; it must be a date"},
		"deprecated is no boolean":   {"      operationId: putThing", "      operationId: putThing\n      deprecated: 'yes'", "deprecated must be true or false"},
		"link to nowhere":            {"{description: Stored.}", "{description: Stored., links: {l: {operationId: gone}}}", "the link l leads to the operation gone, which does not exist"},
		"link from a header":         {"{description: Stored.}", "{description: Stored., links: {l: {operationId: putThing, parameters: {a: $response.header.X}}}}", "only $response.body#/… is supported"},
		"an alias":                   {"on: {type: boolean, default: true}", "on: &b {type: boolean}\n        off: *b", "anchors and aliases are not supported"},
		"a merge key":                {"on: {type: boolean, default: true}", "on: {<<: {type: boolean}}", "merge keys"},
		"a structured key":           {"on: {type: boolean, default: true}", "? [a, b]\n        : 1", "structured keys"},
		"a second document":          {"", small + "---\nopenapi: 3.1.0\n", "more than one document"},
		"deep nesting":               {"on: {type: boolean, default: true}", "on: {example: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "nests deeper"},
		"unknown key at the top":     {"security: [{key: []}]", "securty: [{key: []}]", "line 3: the document has securty"},
		"webhooks":                   {"security: [{key: []}]", "webhooks: {}", "the document has webhooks"},
		"operationId is an object":   {"operationId: putThing", "operationId: {}", "operationId must be text, not an object"},
		"parameters is an object":    {"      parameters:\n        - $ref: '#/components/parameters/size'", "      parameters: {}", "parameters must be a list, not an object"},
		"a reference over lines":     {"'#/components/schemas/Thing'", `"#/a\n\u001b[2Jb"`, "line 38: the reference #/a [2Jb leads nowhere"},
		"a reference that is empty":  {"schemas/Thing'", "'", "line 38: the reference #/components/ leads nowhere"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := test.new
			if test.old != "" {
				if strings.Count(small, test.old) == 0 {
					t.Fatalf("%q is not in the contract", test.old)
				}
				text = strings.Replace(small, test.old, test.new, 1)
			}
			c, err := openapi.Load([]byte(text))
			if err == nil {
				t.Fatal("it was loaded")
			}
			if c != nil {
				t.Error("it was loaded in spite of the error")
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want %q in it, on one line", err, test.want)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	petstore, err := os.ReadFile("../petstore/openapi.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(petstore)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := openapi.Load(data)
		switch {
		case err == nil && len(c.Operations()) == 0:
			t.Error("a contract without operations was loaded")
		case err != nil && (c != nil || bytes.ContainsRune([]byte(err.Error()), '\n')):
			t.Errorf("not one clear line: %v", err)
		}
	})
}
