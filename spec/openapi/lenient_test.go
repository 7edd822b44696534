package openapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const everywhere = " [listThings putThing]"

// What is not understood is left out where it stands, and listed with its line and the operations that it concerns.
func TestLoadLeavesOut(t *testing.T) {
	tests := map[string]struct{ old, new, want string }{
		"an operation that is null":  {"    put:", "    post: null\n    put:", "12: POST /things is ignored: it is null; an operation must be an object with responses []"},
		"an operation without text":  {"    put:", "    post:\n    put:", "12: POST /things is ignored: it is null; an operation must be an object with responses []"},
		"an empty operation":         {"    put:", "    post: {}\n    put:", "12: POST /things is ignored: it is an empty object; an operation must have responses []"},
		"a method misspelled":        {"    put:", "    GETT: {responses: {}}\n    put:", "12: GETT of the path /things is ignored: it is neither an OpenAPI method nor another member of a path item; did you mean get? []"},
		"a method in capitals":       {"    put:", "    Post: {responses: {}}\n    put:", "12: Post of the path /things is ignored: it is neither an OpenAPI method nor another member of a path item; did you mean post? []"},
		"a method of its own":        {"    put:", "    link: {responses: {}}\n    put:", "12: link of the path /things is ignored: it is neither an OpenAPI method nor another member of a path item []"},
		"a response that is null":    {"        '204':", "        '205': null\n        '204':", "17: a response must be an object, not null; it is read as an empty one [putThing]"},
		"a response that is text":    {"        '204':", "        '205': no\n        '204':", `17: a response must be an object, not the string "no"; it is read as an empty one [putThing]`},
		"a body that is null":        {"      requestBody: {$ref: '#/components/requestBodies/Thing'}", "      requestBody:", "15: requestBody is null, and is read as if it were left out [putThing]"},
		"a security that is null":    {"      security: []", "      security:", "14: security is null, and is read as if it were left out [putThing]"},
		"a parameter that is null":   {"      parameters:\n", "      parameters:\n        - ~\n", "9: a parameter must be an object, not null [listThings]"},
		"a schema that is null":      {"in: query, schema:", "in: query, schema: ~, x-schema:", "22: schema is null, and is read as if it were left out [listThings]"},
		"a media type that is null":  {"      content:\n        application/json:", "      content:\n        text/plain:\n        application/json:", "26: a media type must be an object, not null; it is read as an empty one [putThing]"},
		"a server that is null":      {"    put:", "    servers: [~]\n    put:", "12: a server must be an object, not null" + everywhere},
		"a tag that is null":         {"      security: []", "      security: []\n      tags: [~]", "15: tags must hold strings, not null [putThing]"},
		"a query before 3.2":         {"    put:", "    query: {responses: {}}\n    put:", "12: QUERY /things is ignored: the method requires OpenAPI 3.2 []"},
		"a reference to nowhere":     {"schemas/Thing'", "schemas/Thin'", "38: the reference #/components/schemas/Thin has no target" + everywhere},
		"a reference to a file":      {"'#/components/schemas/Thing'", "other.yaml", "38: the reference other.yaml cannot be followed: there is no such file" + everywhere},
		"a reference to itself":      {"schemas/Thing'", "schemas/Alias'", "38: the reference #/components/schemas/Alias refers to itself" + everywhere},
		"a reference over lines":     {"'#/components/schemas/Thing'", `"#/a\n\u001b[2Jb"`, "38: the reference #/a [2Jb has no target" + everywhere},
		"a response in a circle":     {"    Things:\n", "    Things: {$ref: '#/components/responses/Other'}\n    Other: {$ref: '#/components/responses/Things'}\n    Old:\n", "30: the reference #/components/responses/Things refers to itself [listThings]"},
		"an unknown type":            {"type: boolean", "type: bool", `45: the type must be one of string, integer, number, boolean, array, object and null, not the string "bool"; any type is allowed` + everywhere},
		"a bound as text":            {"maximum: 0.1", "maximum: '1'", `44: maximum is the string "1"; it must be a number of at most 400 digits` + everywhere},
		"an infinite bound":          {"maximum: 0.1", "maximum: .inf", "44: maximum is the number .inf; it must be a number of at most 400 digits" + everywhere},
		"a giant bound":              {"maximum: 0.1", "maximum: 1e-500", "44: maximum is the number 1e-500; it must be a number of at most 400 digits" + everywhere},
		"a negative length":          {"minLength: 1", "minLength: -1", "46: minLength is the number -1; it must be an integer of 0 or more" + everywhere},
		"a bound of 3.0":             {"maximum: 0.1", "maximum: 0.1, exclusiveMaximum: true", "44: exclusiveMaximum is the boolean true, which this version of OpenAPI ignores" + everywhere},
		"a schema that is text":      {"{type: boolean, default: true}", "boolean", `45: a schema must be an object, not the string "boolean"; any value is allowed` + everywhere},
		"items as a list":            {"{type: boolean, default: true}", "{items: [{}]}", "45: items is a list, which OpenAPI does not allow: it may mean alternatives or items by position" + everywhere},
		"a body without content":     {"      content:\n        application/json:\n          schema: {$ref: '#/components/schemas/Alias'}", "      description: none", "15: the request body has no media type (content); none is sent [putThing]"},
		"a parameter without a name": {"name: size, in: query", "in: query", "9: a parameter has no name or no location (in) [listThings]"},
		"a parameter elsewhere":      {"in: query", "in: body", `9: the parameter size is in "body"; it must be in path, query, querystring, header or cookie [listThings]`},
		"a whole query before 3.2":   {"in: query", "in: querystring", `9: the parameter size is the whole query, which requires OpenAPI 3.2 and a content; it is not sent [listThings]`},
		"a parameter without schema": {"in: query, schema:", "in: query, x-schema:", "22: the parameter size has neither a schema nor a content; any value is accepted [listThings]"},
		"the header Authorization":   {"      responses:\n        '204'", "      parameters: [{name: authorization, in: header, schema: {}}]\n      responses:\n        '204'", "16: OpenAPI ignores a parameter for the header authorization; describe it as a security scheme [putThing]"},
		"an unknown style":           {"in: query,", "in: query, style: matrix,", "22: the style matrix is not allowed in query; form is used [listThings]"},
		"parameters as an object":    {"      parameters:\n        - $ref: '#/components/parameters/size'", "      parameters: {}", "8: parameters must be a list, not an object [listThings]"},
		"no status":                  {"'204':", "OK:", "17: OK is neither a status, a range of statuses nor default [putThing]"},
		"callbacks":                  {"      security: []", "      callbacks: {done: {}}", "14: callbacks are requests sent by the service; hallmark judges only its responses [putThing]"},
		"webhooks":                   {"security: [{key: []}]", "webhooks: {}", "3: webhooks are requests sent by the service; hallmark judges only its responses []"},
		"a table":                    {"      responses:\n        '204'", "      responses:\n        '200': {content: {text/csv: {schema: {type: array}}}, description: Table}\n        '204'", "17: bodies of the type text/csv are not read, so responses are not judged by their schema [putThing]"},
		"foreign bytes":              {"      responses:\n        '204'", "      responses:\n        '200': {content: {application/cbor: {schema: {type: object}}}, description: Bytes}\n        '204'", "17: bodies of the type application/cbor are not read, so responses are not judged by their schema [putThing]"},
		"parts without names":        {"      responses:\n        '204'", "      responses:\n        '200': {content: {multipart/mixed: {schema: {type: object}}}, description: Parts}\n        '204'", "17: bodies of the type multipart/mixed are not read, so responses are not judged by their schema [putThing]"},
		"a stream of anything":       {"      responses:\n        '204'", "      responses:\n        '200': {content: {application/x-ndjson: {schema: {type: object}}}, description: Lines}\n        '204'", "17: the schema does not say what the items of a stream are (itemSchema, or an array), so they are not judged [putThing]"},
		"an undeclared scheme":       {"security: [{key: []}]", "security: [{kee: []}]", "3: the security scheme kee is not declared [listThings]"},
		"an unknown scheme":          {"{type: http, scheme: Bearer}", "{type: magic}", `20: the security scheme key has the unknown type "magic" [listThings]`},
		"a sunset that is no date":   {"      operationId: putThing", "      operationId: putThing\n      x-sunset: soon", "14: x-sunset is soon; it must be a date such as 2030-12-05 [putThing]"},
		"deprecated as text":         {"      operationId: putThing", "      operationId: putThing\n      deprecated: 'yes'", `14: deprecated must be true or false, not the string "yes" [putThing]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := mustLoad(t, changed(t, test.old, test.new))
			var all []string
			for _, o := range c.Omissions() {
				all = append(all, fmt.Sprintf("%d: %s %v", o.Line, o.What, o.Scope))
			}
			if !slices.Contains(all, test.want) {
				t.Errorf("left out is\n%s\nwant\n%s", strings.Join(all, "\n"), test.want)
			}
			if len(c.Operations()) != 2 {
				t.Errorf("%d operations are left", len(c.Operations()))
			}
		})
	}
}

// What is wrong with the document itself is listed, and does not keep the rest from being read.
func TestLoadListsDefects(t *testing.T) {
	tests := map[string]struct{ old, new, want string }{
		"a second document":         {"", small + "---\nopenapi: 3.1.0\n", "48: the file contains more than one document; the first is used"},
		"no version":                {", version: 2.0.0", "", "1: its version is missing (info.version)"},
		"an operationId twice":      {"putThing", "listThings", "13: the operationId listThings is already used in line 7"},
		"a key twice":               {"    put:", "    get:", "12: the key get is already used in line 6; this one is used"},
		"a structured key":          {"on: {type: boolean, default: true}", "? [a, b]\n        : 1", "45: a key is a list, not a string; it is ignored"},
		"a reference to nowhere":    {"schemas/Thing'", "schemas/Thin'", "38: the reference #/components/schemas/Thin has no target"},
		"a required null":           {"required: [size]", "required: [~]", "41: required must list property names, each once"},
		"a parameter twice":         {"        - $ref: '#/components/parameters/size'\n", "        - $ref: '#/components/parameters/size'\n        - $ref: '#/components/parameters/size'\n", "10: the parameter size is defined twice; the first is used"},
		"a parameter not in it":     {"in: query", "in: path, required: true", "9: the path /things has no placeholder for the parameter {size}"},
		"a parameter missing":       {"  /things:", "  /things/{id}:", "12: the path parameter {id} of /things/{id} is not described"},
		"a path without a slash":    {"  /things:", "  things:", "5: the path things must begin with a slash"},
		"paths alike":               {"  /things:", "  /things/{a}: {get: {responses: {}}}\n  /things/{b}: {get: {responses: {}}}\n  /things:", "6: GET /things/{b} is indistinguishable from /things/{a} in line 5"},
		"no responses":              {"      responses:\n        '204': {description: Stored.}\n", "", "12: PUT /things documents no responses"},
		"a link to nowhere":         {"{description: Stored.}", "{description: Stored., links: {l: {operationId: gone}}}", "17: the link l refers to the operation gone, which does not exist"},
		"an empty enum":             {"enum: [1, 2], default: 2", "enum: []", "47: no value can satisfy this schema: the enum is empty"},
		"an enum of another type":   {"enum: [1, 2], default: 2", "enum: [1, two]", `47: an enum value is the string "two"; it must be an integer`},
		"a word read as a boolean":  {"minLength: 1, maxLength: 9", "enum: [on, true]", "46: an enum value is the boolean true; it must be a string and is read as one"},
		"a default not in the enum": {"default: 2", "default: 3", "47: the default 3 is not in the enum"},
		"a default of another type": {"default: 2", "default: 2.5", "47: the default is the number 2.5; it must be an integer"},
		"bounds that cross":         {"format: double, maximum: 0.1", "minimum: 0.2, maximum: 0.1", "44: no value can satisfy this schema: it lies between 0.2 and 0.1"},
		"bounds that touch":         {"format: double, maximum: 0.1", "exclusiveMinimum: 0.1, maximum: 0.1", "44: no value can satisfy this schema: it lies between 0.1 and 0.1"},
		"lengths that cross":        {"minLength: 1", "minLength: 10", "46: no value can satisfy this schema: it has at least 10 and at most 9 characters"},
		"required twice":            {"required: [size]", "required: [size, size]", "41: required must list property names, each once"},
		"a wrong example":           {"        application/json:\n          schema:\n            type: array", "        application/json:\n          example: [{size: 1}, {size: text}]\n          schema:\n            type: array", "33: the example violates its schema in line 34"},
		"a wrong named example":     {"        application/json:\n          schema:\n            type: array", "        application/json:\n          examples: {good: {value: [{size: 1}]}, bad: {value: [{size: 1.5}]}}\n          schema:\n            type: array", "33: the example violates its schema in line 34"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := mustLoad(t, changed(t, test.old, test.new))
			var all []string
			for _, d := range c.Defects() {
				all = append(all, fmt.Sprintf("%d: %s", d.Line, d.Text))
			}
			if !slices.Contains(all, test.want) {
				t.Errorf("defects are\n%s\nwant\n%s", strings.Join(all, "\n"), test.want)
			}
		})
	}
	if c := mustLoad(t, small); len(c.Omissions())+len(c.Defects()) != 0 {
		t.Errorf("a sound document has %v and %v", c.Omissions(), c.Defects())
	}
}

// Two credentials in one field of a request cannot be sent together: each lets in.
func TestCredentialsInOneField(t *testing.T) {
	const document = `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}},
  security: [{key: [], token: [], other: []}, {other: [], token: []}]}}},
  components: {securitySchemes: {key: {type: apiKey, in: header, name: authorization}, token: {type: http, scheme: bearer}, other: {type: apiKey, in: query, name: k}}}}`
	c, err := openapi.Load([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	op, _ := c.Operation("a")
	var ways []string
	for _, r := range op.Security {
		var names []string
		for _, s := range r {
			names = append(names, s.Name)
		}
		ways = append(ways, strings.Join(names, "+"))
	}
	if got := strings.Join(ways, " "); got != "key+other token+other other+token" {
		t.Errorf("%s", got)
	}
}

// Text that is meant as JSON and is none is read as the YAML that it is, and the document says what is wrong with it.
func TestLoadTellsWhatIsNoJSON(t *testing.T) {
	const text = `{"openapi": "3.0.3",
 "info": {"title": "T", "version": "1"},
 "paths": {"/items": {"get": {"responses": {"200": {"description": "ok"}}}}
 }
}
`
	for name, test := range map[string]struct{ old, new, want string }{
		"JSON":               {"", "", ""},
		"a comma at the end": {"}}}}\n }", "}}}},\n }", `3: it is not JSON: there is a comma before the closing "}", at column 76; it is parsed as YAML`},
		"in a list":          {`"description"`, `"x-l": [1,], "description"`, `3: it is not JSON: there is a comma before the closing "]", at column 62; it is parsed as YAML`},
		"a word":             {`"ok"`, `ok`, "3: it is not JSON: ok is no value; a text stands in double quotes, at column 68; it is parsed as YAML"},
		"a comment":          {"\n }", " # all of them\n }", "3: it is not JSON: JSON has no comments, at column 77; it is parsed as YAML"},
		"braces in YAML":     {text, "{openapi: 3.0.3, info: {title: T, version: '1'}, paths: {/items: {get: {responses: {'200': {description: ok}}}}}}", ""},
	} {
		c := mustLoad(t, strings.Replace(text, test.old, test.new, 1))
		got := ""
		for _, d := range c.Defects() {
			got += fmt.Sprintf("%d: %s", d.Line, d.Text)
		}
		if got != test.want || len(c.Operations()) != 1 {
			t.Errorf("%s: %d operations, defects %q, want %q", name, len(c.Operations()), got, test.want)
		}
	}
}
