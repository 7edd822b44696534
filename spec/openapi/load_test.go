package openapi_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
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
	if got := strings.Join(get.Responses[0].Schema().Items.Chain(get.Responses[0].JSON().Chain()...), " "); got != want {
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

// What cannot be judged at all is an error of one line.
func TestLoadRefuses(t *testing.T) {
	tests := map[string]struct {
		old, new string // what is replaced in small; the whole text when old is empty
		want     string
	}{
		"nothing":                    {"", "", "contract: it is empty"},
		"a comment":                  {"", "# nothing", "contract: it is empty"},
		"text":                       {"", "hello", `contract, line 1: it is the string "hello", not an OpenAPI document`},
		"a list":                     {"", "[1]", "contract, line 1: it is a list"},
		"bytes":                      {"", "\xff\xfe\x00", "it is not YAML"},
		"a byte that is no UTF-8":    {"", "openapi: 3.1.0\ninfo: {title: caf\xe9}", "contract, line 2: it is not YAML: it contains the byte 0xe9, which is not UTF-8"},
		"a control character":        {"", "openapi: 3.1.0\ninfo:\n  title: \"a\x01\"", "contract, line 3: it is not YAML: it contains the control character U+0001"},
		"one in JSON":                {"", "{\"openapi\": \"3.1.0\",\n\"info\": \"\x02\"}", "contract, line 2: it is not JSON: it contains the control character U+0002"},
		"no paths at all":            {"", "# A\nopenapi: 3.1.0\ninfo: {version: 1}", "contract, line 2: it has no paths, so there are no operations to test"},
		"webhooks only":              {"", "openapi: 3.1.0\ninfo: {version: 1}\nwebhooks: {}", "contract, line 3: it has webhooks but no paths"},
		"a defect elsewhere":         {"", "openapi: 3.1.0\ninfo: {title: A}\npaths:\n  /a:", "contract, line 3: it defines no operations (paths)"},
		"broken YAML":                {"info: {title", "info: {title: [", "it is not YAML"},
		"broken JSON":                {"", "{\n\"openapi\": \"3.1.0\",\n \"info\": ]}", "contract, line 3: it is not JSON: a value is missing before \"]\", at column 10"},
		"JSON without a comma":       {"", "{\n\"openapi\": \"3.1.0\"\n \"info\": {}}", "contract, line 3: it is not JSON: a comma is missing before the next text, at column 2"},
		"JSON cut short":             {"", "{\"openapi\": \"3.1.0\",\n\"info\": {", "contract, line 2: it is not JSON: it ends too early: the \"{\" of line 2, column 9 is not closed, at column 10"},
		"YAML in braces":             {"", "{openapi: 3.1.0,\ninfo: ]}", "contract, line 2: it is not YAML"},
		"a tab":                      {"  /things:", "\t/things:", "it is not YAML: the indentation contains a tab; use spaces, at column 1"},
		"another document":           {"", "a: 1", "contract, line 1: it has no openapi field"},
		"Swagger 1":                  {"openapi: 3.1.0", "swagger: '1.2'", "contract, line 1: it uses OpenAPI 1.2; hallmark reads 3.0, 3.1, 3.2 and Swagger 2.0"},
		"OpenAPI 4":                  {"3.1.0", "4.0.0", "contract, line 1: it uses OpenAPI 4.0.0"},
		"no paths":                   {"paths:", "x-paths:", "it has no paths, so there are no operations to test"},
		"paths is a list":            {"", "openapi: 3.1.0\ninfo: {version: 1}\npaths: []", "line 3: it defines no operations"},
		"a path in another file":     {"", "openapi: 3.0.0\ninfo: {version: 1}\npaths:\n  /a: {$ref: a.yaml}", "line 4: it defines no operations that can be read: the reference a.yaml cannot be followed"},
		"deep nesting":               {"on: {type: boolean, default: true}", "on: {example: " + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}", "line 45: it is nested deeper"},
		"an alias within its anchor": {"on: {type: boolean, default: true}", "on: &b {properties: {x: *b}}", "line 45: the alias *b refers to the value that contains it"},
		"an unknown alias":           {"on: {type: boolean, default: true}", "on: *b", "the anchor after * does not exist"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := openapi.Load([]byte(changed(t, test.old, test.new)))
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

// changed is small with a text replaced, or another text when old is empty.
func changed(t *testing.T, old, text string) string {
	t.Helper()
	if old == "" {
		return text
	}
	if strings.Count(small, old) == 0 {
		t.Fatalf("%q is not in the contract", old)
	}
	return strings.Replace(small, old, text, 1)
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	petstore, err := os.ReadFile("../petstore/openapi.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(petstore)
	for _, pattern := range []string{"testdata/*.yaml", "testdata/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := openapi.Load(data)
		switch {
		case err == nil && len(c.Operations()) == 0:
			t.Error("a contract without operations was loaded")
		case err != nil && (c != nil || bytes.ContainsRune([]byte(err.Error()), '\n')):
			t.Errorf("not one clear line: %v", err)
		case err != nil && strings.Contains(err.Error(), "defect of hallmark"):
			t.Errorf("it panics: %v", err)
		case err == nil:
			checkModel(t, "fuzz", c)
		}
	})
}
