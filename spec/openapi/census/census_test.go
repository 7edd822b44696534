package census_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/openapi/census"
	"github.com/hallmark-kit/hallmark/spec/source"
)

const head = `openapi: 3.1.0
info: {title: t, version: "1"}
`

// traps are documents whose readers lose something easily, with what is in them.
var traps = map[string]struct {
	document string
	counts   map[census.ItemKind]int
}{
	"members beside the reference of a path": {head + `
paths:
  /cats:
    $ref: '#/components/pathItems/Listing'
    parameters: [{name: own, in: query, schema: {type: string}}]
    post: {operationId: add, responses: {'200': {description: ok}}}
components:
  pathItems:
    Listing:
      parameters: [{name: shared, in: query, schema: {type: string}}]
      get: {operationId: list, responses: {'200': {description: ok}}}
`, map[census.ItemKind]int{census.Operation: 2, census.Parameter: 4, census.Response: 2}},
	"a path with a server of its own": {head + `
paths:
  /a:
    servers: [{url: https://other.example.com}]
    get: {operationId: a, responses: {'200': {description: ok}}}
`, map[census.ItemKind]int{census.Operation: 1, census.Response: 1}},
	"an operation that says nothing": {head + `
paths:
  /a:
    get: {}
    put: {operationId: a, responses: {'200': {description: ok}}}
`, map[census.ItemKind]int{census.Operation: 2, census.Response: 1}},
	"a method that HTTP has not": {head + `
paths:
  /a:
    gett: {operationId: b, responses: {'200': {description: ok}}}
    get: {operationId: a, responses: {'200': {description: ok}}}
`, map[census.ItemKind]int{census.Operation: 2, census.Response: 1}},
	"nothing where objects belong": {head + `
paths:
  /nothing:
  /a:
    delete:
    get:
      operationId: a
      parameters: [~, {name: q, in: query, schema: }, {name: r, in: query, content: {application/json: }}]
      requestBody:
      responses:
        '200':
        '201': {description: ok, headers: {X-A: }, content: {application/json: }}
        default: {$ref: '#/components/responses/R'}
components:
  responses: {R: }
`, map[census.ItemKind]int{census.Operation: 2, census.Parameter: 3, census.Response: 3, census.Content: 1, census.Header: 1}},
	"query before OpenAPI 3.2": {head + `
paths:
  /a:
    query: {operationId: b, responses: {'200': {description: ok}}}
    get: {operationId: a, responses: {'200': {description: ok}}}
`, map[census.ItemKind]int{census.Operation: 2, census.Response: 2}},
	"references everywhere": {head + `
security: [{key: []}, {}]
paths:
  /a:
    post:
      operationId: a
      parameters: [{$ref: '#/components/parameters/P'}]
      requestBody: {$ref: '#/components/requestBodies/B'}
      responses: {'2xx': {$ref: '#/components/responses/R'}, default: {description: no}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  parameters: {P: {name: p, in: query, schema: {type: string}}}
  headers: {H: {schema: {type: string}}}
  requestBodies:
    B:
      content:
        multipart/form-data:
          schema: {type: object, properties: {file: {type: string}}}
          encoding: {file: {headers: {X-Part: {$ref: '#/components/headers/H'}, Content-Type: {schema: {type: string}}}}}
        application/json: {schema: {type: object}}
  responses:
    R: {description: ok, headers: {X-H: {$ref: '#/components/headers/H'}}, content: {application/json: {}, text/plain: {}}}
`, map[census.ItemKind]int{
		census.Operation: 1, census.Parameter: 1, census.RequestBody: 2, census.PartHeader: 1, census.Response: 2, census.Content: 2, census.Header: 1,
		census.Security: 2,
	}},
	"a security of nothing": {head + `
paths:
  /a: {get: {operationId: a, security: [{missing: []}], responses: {'200': {description: ok}}}}
`, map[census.ItemKind]int{census.Operation: 1, census.Response: 1, census.Security: 1}},
	"parameters that make a body": {`swagger: "2.0"
info: {title: t, version: "1"}
paths:
  /a:
    post:
      operationId: a
      parameters: [{name: b, in: body, schema: {type: object}}]
      responses: {'200': {description: ok, schema: {type: object}}}
    put:
      operationId: b
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: f, in: formData, type: string}, {name: q, in: query, type: string}]
      responses: {'200': {description: ok}}
`, map[census.ItemKind]int{census.Operation: 2, census.Parameter: 3, census.Response: 2}},
}

// Everything that is in a document is in the contract, or listed.
func TestNothingIsPassedOver(t *testing.T) {
	for name, c := range traps {
		t.Run(name, func(t *testing.T) {
			doc, err := source.Parse([]byte(c.document))
			if err != nil {
				t.Fatal(err)
			}
			version := 31
			if strings.HasPrefix(c.document, "swagger") {
				version = 20
			}
			counts := map[census.ItemKind]int{}
			for _, item := range census.Of(doc, version) {
				counts[item.Kind]++
			}
			if fmt.Sprint(counts) != fmt.Sprint(c.counts) {
				t.Errorf("counted %v, want %v", counts, c.counts)
			}
			contract, err := openapi.Load([]byte(c.document))
			if err != nil {
				t.Fatal(err)
			}
			if silent := missing(doc, version, contract); len(silent) > 0 {
				t.Errorf("neither read nor listed: %s", silent)
			}
		})
	}
}

// Whatever a reader loses shows: each operation, parameter, media type, header and security of a contract is taken out in turn.
func TestEachLossShows(t *testing.T) {
	c := traps["references everywhere"]
	doc, err := source.Parse([]byte(c.document))
	if err != nil {
		t.Fatal(err)
	}
	lose := map[census.ItemKind]func(*spec.Operation){
		census.Parameter:   func(op *spec.Operation) { op.Parameters = nil },
		census.RequestBody: func(op *spec.Operation) { op.Body.Content = op.Body.Content[:1] },
		census.PartHeader:  func(op *spec.Operation) { op.Body.Content[0].Encoding = nil },
		census.Response:    func(op *spec.Operation) { op.Responses = op.Responses[:1] },
		census.Content:     func(op *spec.Operation) { op.Responses[0].Content = op.Responses[0].Content[1:] },
		census.Header:      func(op *spec.Operation) { op.Responses[0].Headers = nil },
		census.Security:    func(op *spec.Operation) { op.Security = op.Security[:1] },
		census.Operation:   func(op *spec.Operation) { op.Method = "GET" },
	}
	for kind, loss := range lose {
		contract, err := openapi.Load([]byte(c.document))
		if err != nil {
			t.Fatal(err)
		}
		operations := contract.Operations()
		loss(&operations[0])
		if all := census.Missing(doc, 31, operations, nil); len(all) != 1 || all[0].Kind != kind {
			t.Errorf("without the %s, what is missing is %v", kind, all)
		}
	}
}

// TestCorpus takes the census of each document of the folder that HALLMARK_CORPUS names.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	for _, ending := range []string{"*.yaml", "*.yml", "*.json"} {
		files, err := filepath.Glob(filepath.Join(folder, ending))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			contract, err := openapi.LoadFile(file, source.Options{})
			if err != nil {
				continue // the reader's own test says so
			}
			for _, o := range contract.Omissions() {
				if strings.HasSuffix(o.What, "is not supported and is ignored") && !slices.Contains(strings.Fields(o.What), "operation") {
					t.Errorf("%s:%d: %s", filepath.Base(file), o.Line, o.What)
				}
			}
		}
	}
}

// missing returns what a document describes, and the contract neither holds nor lists.
func missing(doc *source.Document, version int, c *spec.Contract) []string {
	var remarks, all []string
	for _, o := range c.Omissions() {
		remarks = append(remarks, o.Pointer)
	}
	for _, d := range c.Defects() {
		remarks = append(remarks, d.Pointer)
	}
	for _, item := range census.Missing(doc, version, c.Operations(), remarks) {
		all = append(all, item.Words())
	}
	return all
}
