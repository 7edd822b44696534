package openapi

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pb33f/go-yaml"
	lowv3 "github.com/pb33f/libopenapi/datamodel/low/v3"
	"go.uber.org/goleak"

	"github.com/hallmark-kit/hallmark/spec"
)

func mustLoad(t *testing.T, text string) *spec.Contract {
	t.Helper()
	c, err := Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// libopenapi looks for a member that is missing in what lies beside it, and passes over what looks like an extension. None of that reaches a
// contract.
func TestWhatLibopenapiWouldTakeForSomethingElse(t *testing.T) {
	c := mustLoad(t, `
openapi: 3.2.0
info: {title: t, version: '1', servers: [{url: https://info.example}], security: [{none: []}]}
x-paths: {security: [{none: []}]}
paths:
  /first:
    summary: x-first
    get:
      tags: [requestBody, servers]
      description: parameters
      parameters: [{name: X-Trace, in: header, schema: {type: string}}, {$ref: '#/components/parameters/x-limit'}]
      responses: {'200': {description: links}, DEFAULT: {$ref: '#/components/responses/x-wrong'}, x-note: {description: d}}
    post:
      security: [{x-key: []}, {}, {$ref: [a]}]
      requestBody: {$ref: '#/paths/~1second/put/requestBody'}
      servers: [{url: 'https://{x-host}.example', variables: {x-host: {default: h}}}]
      responses: {'204': {description: d}}
    additionalOperations:
      X-COPY: {responses: {4xx: {description: d}}}
      get: {operationId: lower, responses: {'200': {description: d}}}
  /second:
    $ref: '#/components/pathItems/second'
    get: {operationId: beside, responses: {'200': {description: d}}}
    put:
      requestBody: {required: true, content: {text/plain: {}}}
      responses: {'200': {description: d}}
components:
  parameters: {x-limit: {name: limit, in: query, schema: {type: integer}}}
  responses: {x-wrong: {$ref: '#/components/responses/wrong'}, wrong: {description: w}}
  securitySchemes: {x-key: {type: apiKey, in: header, name: x-key}}
  pathItems: {second: {parameters: [{name: q, in: query, schema: {type: string}}], delete: {responses: {'204': {description: d}}}}}
`)
	var got []string
	for _, op := range c.Operations() {
		line := op.Method + " " + op.Path + " " + op.ID
		for _, p := range op.Parameters {
			line += fmt.Sprintf(" %s:%s@%s", p.In, p.Name, p.Pointer)
		}
		if op.Body != nil {
			line += fmt.Sprint(" body@", op.Body.Pointer, op.Body.Via, op.Body.Required)
		}
		for _, a := range op.Responses {
			line += fmt.Sprint(" ", a.Key, a.Via)
		}
		for _, r := range op.Security {
			line += " ["
			for _, s := range r {
				line += s.Name + "=" + s.Type + s.Key
			}
			line += "]"
		}
		for _, s := range op.Servers {
			line += fmt.Sprint(" ", s.URL, s.Variables)
		}
		got = append(got, line)
	}
	want := []string{
		"GET /first getFirst header:X-Trace@/paths/~1first/get/parameters/0 query:limit@/paths/~1first/get/parameters/1 200[]" +
			" default[/components/responses/x-wrong /components/responses/wrong]",
		"POST /first postFirst body@/paths/~1first/post/requestBody[/paths/~1second/put/requestBody] true 204[] [x-key=apiKeyx-key] [] [$ref=]" +
			" https://{x-host}.examplemap[x-host:h]",
		"X-COPY /first x-copyFirst 4XX[]",
		"get /first lower 200[]",
		"GET /second beside query:q@/components/pathItems/second/parameters/0 200[]",
		"PUT /second putSecond query:q@/components/pathItems/second/parameters/0 body@/paths/~1second/put/requestBody[] true 200[]",
		"DELETE /second deleteSecond query:q@/components/pathItems/second/parameters/0 204[]",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the operations are\n%s\nwant\n%s", g, w)
	}
}

// A header of a part may lead back to itself, through the parts of its own value.
func TestHeadersOfPartsEnd(t *testing.T) {
	c := mustLoad(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /a:
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object}, encoding: {a: {headers: {H: {$ref: '#/components/headers/H'}}}}}}}
      responses: {'204': {description: d}}
components:
  headers:
    H: {content: {application/json: {schema: {type: string}, encoding: {b: {headers: {H: {$ref: '#/components/headers/H'}}}}}}}
`)
	op := c.Operations()[0]
	h := op.Body.Content[0].Encoding["a"].Headers
	if len(h) != 1 || h[0].Content == nil || h[0].Content.Encoding != nil {
		t.Errorf("the headers of the part are %+v", h)
	}
	if o := c.Omissions(); len(o) != 1 || o[0].Line != 11 || o[0].Scope[0] != op.ID {
		t.Errorf("the omissions are %+v", o)
	}
}

// Names that the document chooses may begin with x-; those of members are written in one way only. libopenapi knows neither.
func TestNamesThatLibopenapiReadsOtherwise(t *testing.T) {
	c := mustLoad(t, `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      operationId: a
      parameters: [{name: q, in: query, Required: true, schema: {type: string}, examples: {x-one: {value: 'null'}}}, {name: r, in: query, required: 'true', schema: {}}]
      requestBody:
        content:
          x-form/data: {encoding: {x-part: {headers: {x-deep: {required: true, schema: {type: string}}}}}}
      responses:
        '200':
          description: links
          headers: {x-rate: {description: content, schema: {type: integer}}}
          content: {x-text/plain: {}}
          links: {x-next: {operationId: a, parameters: {x-id: $response.body#/id, requestBody: b}}}
`)
	op := c.Operations()[0]
	p, part, answer := op.Parameters, op.Body.Content[0], op.Responses[0]
	if p[0].Required || !p[1].Required || len(p[0].Examples) != 1 || p[0].Examples[0].Name != "x-one" {
		t.Errorf("the parameters are %+v", p)
	}
	if h := part.Encoding["x-part"].Headers; part.Type != "x-form/data" || len(h) != 1 || h[0].Name != "x-deep" || !h[0].Required {
		t.Errorf("the body is %+v", part)
	}
	if h := answer.Headers; len(h) != 1 || h[0].Name != "x-rate" || h[0].Content != nil || h[0].Schema.Type != "integer" {
		t.Errorf("the headers are %+v", h)
	}
	if l := answer.Links; len(l) != 1 || l[0].Name != "x-next" || l[0].Parameters["x-id"] != "/id" || l[0].Others["requestBody"] != "b" || l[0].Body != "" {
		t.Errorf("the links are %+v", l)
	}
	if len(answer.Content) != 1 || answer.Content[0].Type != "x-text/plain" {
		t.Errorf("the content is %+v", answer.Content)
	}
}

// Whatever libopenapi makes of an outline, it is an error and not the end of the process.
func TestOutlinesThatLibopenapiCannotRead(t *testing.T) {
	n := mapping()
	put(n, "responses", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
	if _, err := modelOf[lowv3.Operation](n); err == nil {
		t.Error("a list of responses is no error")
	}
	if _, err := modelOf[lowv3.Operation](&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{nil, nil}}); err == nil {
		t.Error("a panic is no error")
	}
}

// libopenapi keeps caches for the whole process, and works in goroutines. Reading leaves neither behind.
func TestReadingLeavesNothingBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	read := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			var b strings.Builder
			fmt.Fprintf(&b, "openapi: 3.1.0\ninfo: {title: t%d, version: '1'}\npaths:\n", i)
			for k := range 200 {
				fmt.Fprintf(&b, "  /a%d-%d: {get: {parameters: [{$ref: '#/components/parameters/p%d'}], responses: {'200': {$ref: '#/components/responses/none%d'}}}}\n", i, k, i, k)
			}
			fmt.Fprintf(&b, "components: {parameters: {p%d: {name: p%d, in: query, schema: {type: string}}}}\n", i, i)
			mustLoad(t, b.String())
		}
		var now runtime.MemStats
		for range 3 {
			runtime.GC()
		}
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	before := read(0, 5)
	after := read(5, 35)
	const most = 2 << 20
	if after > before+most {
		t.Errorf("thirty documents leave %d KiB behind", (after-before)>>10)
	}
	t.Logf("%d KiB before, %d KiB after", before>>10, after>>10)
}
