package wholerun_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reference/stub"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/resource"
)

const dangerous = `openapi: 3.1.0
info: {title: Dangers, version: 1.0.0}
paths:
  /things: {get: {operationId: listThings, responses: {'200': {description: ok}}}}
  /users/logout: {get: {operationId: leave, responses: {'200': {description: ok}}}}
  /admin: {post: {operationId: shutDown, responses: {'200': {description: ok}}}}
  /me/key: {post: {operationId: rotateKey, responses: {'200': {description: ok}}}}
  /purge: {post: {operationId: cleanUp, responses: {'200': {description: ok}}}}
  /payments: {post: {operationId: createPayment, responses: {'200': {description: ok}}}}
  /shutdowns: {get: {operationId: listShutdowns, responses: {'200': {description: ok}}}}
`

// counting answers everything with 200, and keeps what was asked.
type counting struct {
	mu    sync.Mutex
	asked []string
}

func (c *counting) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.asked, req.URL.Path) {
		c.asked = append(c.asked, req.URL.Path)
	}
	w := httptest.NewRecorder()
	if req.Method != http.MethodGet && req.Method != http.MethodPost {
		w.Header().Set("Allow", "GET")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
	return w.Result(), nil
}

// What may end the run or harm others is called only where that is allowed.
func TestDangerousOperationsAreCalledOnlyWhenAllowed(t *testing.T) {
	t.Parallel()
	for allowed, want := range map[string][]string{
		"":         {"createPayment", "listShutdowns", "listThings"},
		"leave":    {"createPayment", "leave", "listShutdowns", "listThings"},
		"shutDown": {"createPayment", "listShutdowns", "listThings", "shutDown"},
	} {
		t.Run(allowed, func(t *testing.T) {
			service := &counting{}
			rec, _ := trial{contract: []byte(dangerous), service: service, created: 100, allowed: []string{allowed}}.judge(t)
			var reached []string
			for _, ex := range rec.Exchanges {
				if ex.Response != nil && ex.Response.Status == http.StatusOK && ex.Operation != "" && !slices.Contains(reached, ex.Operation) {
					reached = append(reached, ex.Operation)
				}
			}
			if slices.Sort(reached); !slices.Equal(reached, want) {
				t.Errorf("called are %q, want %q", reached, want)
			}
			pays, ends := slices.Index(service.asked, "/payments"), slices.Index(service.asked, map[string]string{"leave": "/users/logout", "shutDown": "/admin"}[allowed])
			if allowed == "" && pays != len(service.asked)-1 || allowed != "" && (ends != len(service.asked)-1 || pays != ends-1) {
				t.Errorf("what may move money comes last, and what may end the run after it; called in turn are %q", service.asked)
			}
		})
	}
}

func TestPaymentsAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, id, path string
		want             bool
	}{
		{"POST", "createPayment", "/bookings/{id}/payment", true}, {"POST", "x", "/orders/{id}/pay", true}, {"GET", "listPayments", "/payments", false},
		{"POST", "createPaymaster", "/paymasters", false}, {"PUT", "refundOrder", "/orders/{id}", true},
	} {
		if got := resource.Pays(&spec.Operation{ID: c.id, Method: c.method, Path: c.path}); got != c.want {
			t.Errorf("%s %s %s: %v", c.id, c.method, c.path, got)
		}
	}
}

const templates = `openapi: 3.1.0
info: {title: Templates, version: 1.0.0}
paths:
  /templates:
    get: {operationId: listTemplates, responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Template'}}}}}}}
    post:
      operationId: createTemplate
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Template'}}}}, '400': {description: Wrong}}
  /templates/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readTemplate, responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Template'}}}}, '404': {description: None}}}
    put:
      operationId: replaceTemplate
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Template'}}}}, '400': {description: Wrong}, '404': {description: None}}
    delete: {operationId: deleteTemplate, responses: {'204': {description: Gone}, '404': {description: None}}}
components:
  schemas:
    New: {type: object, required: [name, is_default], properties: {name: {type: string, minLength: 1}, is_default: {type: boolean, example: true}}}
    Template: {type: object, required: [id, name, is_default], properties: {id: {type: integer}, name: {type: string}, is_default: {type: boolean}}}
`

// No request makes a resource of the run the one that counts for all, unless that is allowed.
func TestSharedFlagsAreNotSet(t *testing.T) {
	t.Parallel()
	contract, err := openapi.Load([]byte(templates))
	if err != nil {
		t.Fatal(err)
	}
	for name, allowed := range map[string][]string{"held back": nil, "allowed": {"createTemplate", "replaceTemplate"}} {
		t.Run(name, func(t *testing.T) {
			next, err := stub.New(contract, stub.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			var mu sync.Mutex
			set := 0
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				var sent map[string]any
				if json.Unmarshal(body, &sent) == nil && sent["is_default"] == true {
					mu.Lock()
					set++
					mu.Unlock()
				}
				next.ServeHTTP(w, r)
			})
			rec, catalogue := trial{read: contract, service: inMemory{service}, allowed: allowed}.judge(t)
			accuse(t, failing(rec, catalogue))
			if (set > 0) != (allowed != nil) {
				t.Errorf("is_default was true in %d requests", set)
			}
			for _, rule := range []string{"createTemplate.created.kept", "replaceTemplate.updated.kept", "createTemplate.refused.property"} {
				if rec.Exercised[rule] == 0 {
					t.Errorf("%s was not exercised", rule)
				}
			}
		})
	}
}
