package wholerun_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/tests/shop"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

var (
	stubCorpus = flag.String("stub.corpus", "", "a folder of OpenAPI documents, of each of which a service is made and judged")
	stubOnly   = flag.String("stub.only", "", "the names of some of them, separated by commas")
	stubFree   = flag.Bool("stub.freedoms", false, "judge each document with each freedom")
	stubPer    = flag.Int("stub.cases", 0, "how many cases of an operation are played at most; 0 for as many as the command plays")
)

// stubbed is what a run showed of the service of a document.
type stubbed struct {
	operations, reached int
	broken              map[string]spec.Finding
	advised             map[string]spec.Finding
	missed              []string
	record              record.Record
	took                time.Duration
}

// judgeStub judges the service of a document by what follows from it.
func judgeStub(t *testing.T, contract *spec.Contract, o stub.Options) stubbed {
	t.Helper()
	o.Secret = shop.Key
	service, err := stub.New(contract, o)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	rec, catalogue := trial{read: contract, service: inMemory{service}, perOperation: *stubPer, confirm: 1}.judge(t)
	out := stubbed{operations: len(contract.Operations()), broken: failing(rec, catalogue), advised: advised(rec, catalogue), took: time.Since(began), record: rec}
	seen := reached(rec)
	for _, op := range contract.Operations() {
		if slices.Contains(seen, op.ID) {
			out.reached++
		} else {
			out.missed = append(out.missed, op.ID+lastOf(rec, op.ID))
		}
	}
	return out
}

// lastOf tells of the last exchange of an operation.
func lastOf(rec record.Record, op string) string {
	for _, ex := range slices.Backward(rec.Exchanges) {
		if ex.Operation == op && ex.Response != nil {
			return fmt.Sprintf(": %s %s → %d", ex.Request.Method, ex.Request.URL, ex.Response.Status)
		}
	}
	return ""
}

// The service of a document keeps it.
func TestStubsConform(t *testing.T) {
	t.Parallel()
	for i, file := range []string{"tests/shop/library.yaml", "tests/shop/desk.yaml", "spec/petstore/openapi.yaml", "tests/shop/archive.yaml", "tests/shop/openapi.yaml", "examples/bookshop/openapi.yaml"} {
		t.Run(file, func(t *testing.T) {
			skip.Sampled(t, i, 3)
			t.Parallel()
			contract, err := openapi.LoadFile(filepath.Join("..", "..", file), source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			out := judgeStub(t, contract, stub.Options{Seed: 1})
			accuse(t, out.broken)
			accuse(t, out.advised)
			if len(out.missed) > 1 {
				t.Errorf("not reached: %q", out.missed)
			}
		})
	}
}

// No freedom is held against the service of a document: a few with one document each, or all with all of them.
func TestStubFreedoms(t *testing.T) {
	t.Parallel()
	documents := []string{"tests/shop/desk.yaml", "tests/shop/archive.yaml", "tests/shop/library.yaml", "spec/petstore/openapi.yaml", "tests/shop/openapi.yaml", "examples/bookshop/openapi.yaml"}
	for i, freedom := range stub.Freedoms() {
		for j, file := range documents {
			t.Run(freedom.Name+"/"+file, func(t *testing.T) {
				if !*stubFree && (i%8 != 1 || i/8%len(documents) != j) || *stubOnly != "" && !strings.Contains(t.Name(), *stubOnly) {
					t.Skip("-stub.freedoms judges all")
				}
				t.Parallel()
				contract, err := openapi.LoadFile(filepath.Join("..", "..", file), source.Options{})
				if err != nil {
					t.Fatal(err)
				}
				accuse(t, judgeStub(t, contract, stub.Options{Seed: 1, Freedoms: []string{freedom.Name}}).broken)
			})
		}
	}
}

// TestStubsOfCorpus judges the service of each document of a folder, as it is and, with -stub.freedoms, with each freedom.
func TestStubsOfCorpus(t *testing.T) {
	t.Parallel()
	if *stubCorpus == "" {
		t.Skip("it takes long; give it a folder by -stub.corpus")
	}
	files, err := os.ReadDir(*stubCorpus)
	if err != nil {
		t.Fatal(err)
	}
	chosen := 0
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), filepath.Ext(f.Name()))
		if *stubOnly != "" && !slices.Contains(strings.Split(*stubOnly, ","), name) || filepath.Ext(f.Name()) == ".md" {
			continue
		}
		chosen++
		t.Run(name, func(t *testing.T) {
			contract, err := openapi.LoadFile(filepath.Join(*stubCorpus, f.Name()), source.Options{})
			if err != nil {
				t.Skip(err)
			}
			out := judgeStub(t, contract, stub.Options{Seed: 1})
			t.Logf("STUB %-28s %4d operations %4d reached %3d findings %3d advised %v", name, out.operations, out.reached, len(out.broken), len(out.advised), out.took.Round(time.Millisecond))
			accuse(t, out.broken)
			for rule, f := range out.broken {
				for _, ex := range out.record.Exchanges {
					if ex.Seq == f.Decisive() && ex.Response != nil {
						t.Logf("%s: %s %s %.600s → %d %.900s", rule, ex.Request.Method, ex.Request.URL, ex.Request.Body, ex.Response.Status, ex.Response.Body)
					}
				}
			}
			for _, rule := range slices.Sorted(maps.Keys(out.advised)) {
				f := out.advised[rule]
				t.Logf("advised %s: %s, expected %s, actual %s", rule, f.Where, f.Expected, f.Actual)
			}
			if len(out.missed) > 0 {
				t.Logf("not reached: %q", out.missed)
			}
			runtime.GC()
			if !*stubFree {
				return
			}
			for _, freedom := range stub.Freedoms() {
				t.Run(freedom.Name, func(t *testing.T) {
					accuse(t, judgeStub(t, contract, stub.Options{Seed: 1, Freedoms: []string{freedom.Name}}).broken)
					runtime.GC()
				})
			}
		})
	}
	if chosen == 0 {
		t.Errorf("%s holds none of the documents %q: they are named without the ends of their files", *stubCorpus, *stubOnly)
	}
}

// disputed are documents of which the rules said once what a service that keeps them does not do.
var disputed = map[string]string{
	"a fault in one alternative beside another one": `
  /points:
    post:
      operationId: addPoints
      requestBody: {required: true, content: {application/json: {schema: {anyOf: [
        {type: object, required: [batch], properties: {batch: {type: object, required: [ids], properties: {ids: {type: array, minItems: 1, items: {type: integer}}}}}},
        {type: object, required: [points], properties: {points: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}}}}}}]}}}}
      responses: {'200': {description: d}, '400': {description: d}}`,
	"no responses": `
  /flights:
    get: {operationId: flights}`,
	"arguments of a computation": `
  /sums/{arg1}/{arg2}:
    get:
      operationId: sum
      parameters: [{name: arg1, in: path, required: true, schema: {type: integer}}, {name: arg2, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: integer}}}}, '404': {description: Not Found}}`,
	"a cursor of the examples": `
  /lines:
    get:
      operationId: lines
      parameters: [{name: marker, in: query, schema: {type: string}, example: JV9I}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [lines], properties: {lines: {type: array, items: {type: object, properties: {id: {type: string}}}}, next_marker: {type: string}}}}}}, '400': {description: d}}`,
	"operations that a fragment tells apart": `
  /files:
    get: {operationId: files, responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: file}}}}}}, '400': {description: d}}}
  /files#web:
    get:
      operationId: webFiles
      parameters: [{name: fields, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [type], properties: {type: {const: web}}}}}}, '400': {description: d}}`,
}

func TestDisputedDocuments(t *testing.T) {
	t.Parallel()
	for name, paths := range disputed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract, err := openapi.Load([]byte("openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths:" + paths + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			out := judgeStub(t, contract, stub.Options{Seed: 1})
			accuse(t, out.broken)
			accuse(t, out.advised)
			if out.reached == 0 {
				t.Error("nothing was reached")
			}
		})
	}
}
