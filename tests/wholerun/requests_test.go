package wholerun_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/instance"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/schema"
	"github.com/hallmark-kit/hallmark/spec/source"
	"github.com/hallmark-kit/hallmark/spec/wire"
)

// forgetful answers the requests of a contract by its examples and schemas, and keeps nothing. What it creates has an identifier of its own.
type forgetful struct {
	contract *spec.Contract
	// grudging reports whether it takes the first request of an operation only, and others like it.
	grudging bool

	mu       sync.Mutex
	asked    map[string]int
	requests int
	bodies   map[string]any
	first    map[string]string
}

func newForgetful(c *spec.Contract, grudging bool) *forgetful {
	return &forgetful{contract: c, grudging: grudging, asked: map[string]int{}, bodies: map[string]any{}, first: map[string]string{}}
}

func (s *forgetful) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	res := w.Result()
	res.Request = req
	return res, nil
}

func (s *forgetful) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var sent []byte
	if req.Body != nil {
		sent, _ = io.ReadAll(req.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	op, ok := s.contract.Match(req.Method, req.URL.Path)
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	s.asked[op.ID]++
	if !op.Anonymous() && req.Header.Get("Authorization") == "" && req.Header.Get("X-Api-Key") == "" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if key := shape(req, sent); s.grudging {
		if known, asked := s.first[op.ID]; asked && known != key {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.first[op.ID] = key
	}
	answer := successOf(op)
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	status := cmp.Or(answer.Status, http.StatusOK)
	schema := answer.Schema()
	if schema == nil {
		w.WriteHeader(status)
		return
	}
	if _, known := s.bodies[op.ID]; !known {
		g := instance.New(instance.Options{Seed: 1, Direction: instance.Response, Limit: 1, Valid: validBy(s.contract)})
		s.bodies[op.ID] = g.Valid(instance.Subject{Name: "the body", Edge: spec.Edge{Schema: schema}}).Base
	}
	body := s.bodies[op.ID]
	if req.Method == http.MethodPost {
		body = renumbered(body, s.requests)
	}
	text, err := wire.JSON(body)
	if err != nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// shape says which parameters and members a request has.
func shape(req *http.Request, sent []byte) string {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(sent, &members)
	return fmt.Sprint(slices.Sorted(maps.Keys(req.URL.Query())), slices.Sorted(maps.Keys(members)))
}

func validBy(c *spec.Contract) func(*spec.Schema, any) bool {
	return func(s *spec.Schema, value any) bool {
		v := c.Validator(s)
		return v != nil && len(v.Validate(value, schema.Response).Violations) == 0
	}
}

func successOf(op *spec.Operation) *spec.DocumentedResponse {
	for i := range op.Responses {
		if a := &op.Responses[i]; a.Class() == 2 {
			return a
		}
	}
	return nil
}

// renumbered gives the identifiers in a body a number of their own.
func renumbered(value any, n int) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, one := range v {
			out[name] = renumbered(one, n)
			if plain := strings.ToLower(name); strings.HasSuffix(plain, "id") || plain == "key" || plain == "code" {
				switch text := one.(type) {
				case json.Number:
					out[name] = json.Number(strconv.Itoa(n))
				case string:
					if strings.Count(text, "-") == 4 && len(text) == 36 {
						out[name] = fmt.Sprintf("%08x%s", n, text[8:])
					} else {
						out[name] = fmt.Sprintf("id%d", n)
					}
				}
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = renumbered(v[i], n)
		}
		return out
	}
	return value
}

// TestRequestsStayWithinTheBudget judges a contract of 150 operations as the command does by default. The service costs many requests:
// whatever differs from what it took first is refused, and so asked for again.
func TestRequestsStayWithinTheBudget(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load(manyResources(30))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(contract.Operations()); n != 150 {
		t.Fatalf("the contract has %d operations", n)
	}
	service := newForgetful(contract, true)
	rec := confirmed(t, manyResources(30), service, 0)
	if service.requests >= 10_000 || service.requests < 4_000 {
		t.Errorf("%d requests were made", service.requests)
	}
	if n := len(service.asked); n != 150 {
		t.Errorf("%d operations were asked", n)
	}
	summarize(t, rec)
}

// What some operations create starves no other one, whatever a service lets in and however few may be created.
func TestCreationsStarveNoOperation(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load(manyResources(6))
	if err != nil {
		t.Fatal(err)
	}
	service := newForgetful(contract, false)
	rec := confirmed(t, manyResources(6), service, 150)
	if n := len(service.asked); n != 30 {
		t.Errorf("%d of 30 operations were asked", n)
	}
	created := 0
	for _, ex := range rec.Exchanges {
		if ex.Request.Method == http.MethodPost && ex.Response != nil && ex.Response.Status == http.StatusCreated {
			created++
		}
	}
	if created > 150+4 { // as many more as were under way
		t.Errorf("%d were created of 150", created)
	}
	summarize(t, rec)
}

// manyResources is a contract of resources with five operations each.
func manyResources(n int) []byte {
	var b strings.Builder
	b.WriteString(`openapi: 3.1.0
info: {title: Many, version: 1.0.0}
security: [{key: []}]
paths:
`)
	for i := range n {
		fmt.Fprintf(&b, strings.ReplaceAll(`  /things~:
    get:
      operationId: listThings~
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: sort, in: query, schema: {type: string, enum: [name, size, -name, -size]}}
        - {name: since, in: query, schema: {type: string, format: date-time}}
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Thing'}}}}}
        '400': {description: No}
        '401': {description: Who}
    post:
      operationId: createThing~
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: No}
        '401': {description: Who}
  /things~/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getThing~
      parameters:
        - {name: fields, in: query, schema: {type: array, items: {type: string, enum: [name, size]}}}
        - {name: If-None-Match, in: header, schema: {type: string}}
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '401': {description: Who}
        '404': {description: None}
    put:
      operationId: replaceThing~
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewThing'}}}}
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
        '400': {description: No}
        '401': {description: Who}
        '404': {description: None}
    delete:
      operationId: deleteThing~
      parameters:
        - {name: force, in: query, schema: {type: boolean}}
        - {name: reason, in: query, schema: {type: string, maxLength: 40}}
      responses:
        '204': {description: Gone}
        '400': {description: No}
        '401': {description: Who}
        '404': {description: None}
`, "~", "%[1]d"), i)
	}
	b.WriteString(`components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Api-Key}}
  schemas:
    NewThing:
      type: object
      required: [name, size, kind]
      additionalProperties: false
      properties:
        name: {type: string, minLength: 1, maxLength: 80}
        size: {type: integer, minimum: 0, maximum: 1000}
        kind: {type: string, enum: [red, green, blue]}
        note: {type: [string, 'null'], maxLength: 200}
        price: {type: number, exclusiveMinimum: 0, multipleOf: 0.01}
        tags: {type: array, items: {type: string, minLength: 1}, maxItems: 5, uniqueItems: true}
        made: {type: string, format: date}
        code: {type: string, pattern: '^[A-Z]{3}[0-9]{2}$'}
        owner: {type: object, required: [mail], properties: {mail: {type: string}, age: {type: integer, minimum: 18}}}
        active: {type: boolean}
    Thing:
      type: object
      required: [id, name]
      properties: {id: {type: string}, name: {type: string}, size: {type: integer}}
`)
	return []byte(b.String())
}

// summarize logs what became of the scenarios of a run, and what the requests were for.
func summarize(t *testing.T, rec record.Record) {
	t.Helper()
	outcomes, reasons, about := map[record.Outcome]int{}, map[string]int{}, map[string]int{}
	for _, one := range rec.Scenarios {
		outcomes[one.Outcome]++
		if one.Outcome == record.Skipped {
			reasons[one.Reason[:min(260, len(one.Reason))]]++
		}
	}
	for _, ex := range rec.Exchanges {
		what := ex.About
		if !slices.ContainsFunc([]string{"a plain", "to ", "the request that", "after", "before"}, func(begin string) bool { return strings.HasPrefix(what, begin) }) {
			what = "a case"
		}
		about[what]++
	}
	t.Logf("%v; for %v", outcomes, about)
	top := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return reasons[b] - reasons[a] })
	for _, r := range top[:min(4, len(top))] {
		t.Logf("    %d %s", reasons[r], r)
	}
}

// TestRequestsOfTheCorpus counts the requests of whole runs by the documents that HALLMARK_CORPUS names.
func TestRequestsOfTheCorpus(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("HALLMARK_CORPUS")
	if folder == "" {
		t.Skip("HALLMARK_CORPUS names no folder of documents")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.[yj]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		contract, err := openapi.LoadFile(name, source.Options{})
		if err != nil || len(contract.Operations()) > 300 {
			continue
		}
		for _, grudging := range []bool{false, true} {
			t.Run(filepath.Base(name)+fmt.Sprint(grudging), func(t *testing.T) {
				began := time.Now()
				s := newForgetful(contract, grudging)
				rec, _ := trial{read: contract, service: s, confirm: 1}.judge(t)
				t.Logf("%d operations, %d scenarios, %d requests in %v; %d reached", len(contract.Operations()), len(rec.Scenarios), s.requests, time.Since(began).Round(time.Millisecond), len(s.asked))
				summarize(t, rec)
			})
		}
	}
}
