package wholerun_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// orders is a contract whose requests name customers in parameters and bodies.
const orders = `openapi: 3.1.0
info: {title: Orders, version: 1.0.0}
paths:
  /customers:
    get:
      operationId: listCustomers
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Customer'}}}}}}
    post:
      operationId: createCustomer
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}, '400': {description: No}}
    put:
      operationId: replaceCustomer
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string, minLength: 1}}}}}}
      responses: {'200': {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}, '400': {description: No}, '404': {description: None}}
  /customers/{customerId}:
    parameters: [{name: customerId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getCustomer
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Customer'}}}}, '404': {description: None}}
    delete:
      operationId: deleteCustomer
      responses: {'204': {description: Gone}, '404': {description: None}}
  /orders:
    get:
      operationId: listOrders
      parameters: [{name: customer_id, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: object}}}}}, '400': {description: No}, '404': {description: None}}
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [order]
              properties:
                order:
                  type: object
                  required: [customer_id, amount]
                  properties: {customer_id: {type: string}, amount: {type: integer, minimum: 1, maximum: 50}, gift: {type: boolean}}
            example: {order: {customer_id: c-1, amount: 3}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [number], properties: {number: {type: string}}}}}}, '400': {description: No}, '422': {description: Nobody}}
    delete:
      operationId: deleteOrders
      parameters: [{name: customer_id, in: query, required: true, schema: {type: string}}]
      responses: {'204': {description: Gone}, '400': {description: No}, '404': {description: None}}
  /settings:
    patch:
      operationId: changeSettings
      requestBody: {content: {application/json: {schema: {type: object, properties: {color: {type: string}}}}}}
      responses: {'200': {description: Done}, '400': {description: No}}
components:
  schemas:
    Customer: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
`

// shopkeeper serves it. The customer of the document's example was there before.
type shopkeeper struct {
	mu        sync.Mutex
	customers map[string]bool
	made      int
	// broken refuses to create customers; trailing leaves unread what follows a JSON text; touched are changes of what others own.
	broken, trailing bool
	touched          []string
}

func (s *shopkeeper) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	return w.Result(), nil
}

func (s *shopkeeper) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply := func(status int, body any) {
		if status == http.StatusCreated {
			w.Header().Set("Location", req.URL.Path+"/new/status") // it leads elsewhere than to what was created
		}
		if body == nil {
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	var sent map[string]any
	var text []byte
	if req.Body != nil {
		text, _ = io.ReadAll(req.Body)
	}
	if s.trailing {
		_ = json.NewDecoder(bytes.NewReader(text)).Decode(&sent)
	}
	if req.Method != http.MethodGet && req.Method != http.MethodDelete && sent == nil && json.Unmarshal(text, &sent) != nil {
		reply(http.StatusBadRequest, nil)
		return
	}
	foreign := func(id string) {
		if id == "c-1" {
			s.touched = append(s.touched, req.Method+" "+req.URL.String()+" "+string(text))
		}
	}
	customer, one := strings.CutPrefix(req.URL.Path, "/customers/")
	name, named := sent["name"].(string)
	named = named && name != ""
	switch {
	case one && !s.customers[customer]:
		reply(http.StatusNotFound, nil)
	case one && req.Method == http.MethodDelete:
		foreign(customer)
		delete(s.customers, customer)
		reply(http.StatusNoContent, nil)
	case one:
		reply(http.StatusOK, map[string]any{"id": customer, "name": "n"})
	case req.URL.Path == "/customers" && req.Method == http.MethodGet:
		all := []any{}
		for id := range s.customers {
			all = append(all, map[string]any{"id": id, "name": "n"})
		}
		reply(http.StatusOK, all)
	case req.URL.Path == "/customers" && (!named || s.broken):
		reply(http.StatusBadRequest, nil)
	case req.URL.Path == "/customers" && req.Method == http.MethodPost:
		s.made++
		id := fmt.Sprintf("c-%d", s.made+1)
		s.customers[id] = true
		reply(http.StatusCreated, map[string]any{"id": id, "name": name})
	case req.URL.Path == "/customers":
		id, text := sent["id"].(string)
		foreign(id)
		switch {
		case !text:
			reply(http.StatusBadRequest, nil)
		case !s.customers[id]:
			reply(http.StatusNotFound, nil)
		default:
			reply(http.StatusOK, map[string]any{"id": id, "name": name})
		}
	case req.URL.Path == "/orders" && req.Method == http.MethodPost:
		order, _ := sent["order"].(map[string]any)
		id, text := order["customer_id"].(string)
		amount, number := order["amount"].(float64)
		gift, given := order["gift"]
		_, boolean := gift.(bool)
		switch {
		case !text || !number || amount != float64(int(amount)) || amount < 1 || amount > 50 || given && !boolean:
			reply(http.StatusBadRequest, nil)
		case !s.customers[id]:
			reply(http.StatusUnprocessableEntity, nil)
		default:
			foreign(id)
			reply(http.StatusCreated, map[string]any{"number": "o-1"})
		}
	case req.URL.Path == "/orders":
		switch all := req.URL.Query()["customer_id"]; {
		case len(all) != 1:
			reply(http.StatusBadRequest, nil)
		case !s.customers[all[0]]:
			reply(http.StatusNotFound, nil)
		case req.Method == http.MethodGet:
			reply(http.StatusOK, []any{})
		default:
			foreign(all[0])
			reply(http.StatusNoContent, nil)
		}
	case req.URL.Path == "/settings" && req.Method == http.MethodPatch:
		s.touched = append(s.touched, "settings")
		reply(http.StatusOK, nil)
	default:
		reply(http.StatusNotFound, nil)
	}
}

// What parameters and bodies name is created first, and nothing that was there before is changed.
func TestRequestsNameWhatTheRunCreated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		broken bool
		want   []string
	}{
		{want: []string{"createCustomer", "createOrder", "deleteCustomer", "deleteOrders", "getCustomer", "listCustomers", "listOrders", "replaceCustomer"}},
		{broken: true, want: []string{"getCustomer", "listCustomers", "listOrders"}},
	} {
		t.Run(fmt.Sprint(c.broken), func(t *testing.T) {
			service := &shopkeeper{customers: map[string]bool{"c-1": true}, made: 0, broken: c.broken}
			rec := confirmed(t, []byte(orders), service, 0)
			got := reached(rec)
			if !slices.Equal(got, c.want) && !c.broken {
				t.Errorf("reached are %q, want %q", got, c.want)
			}
			for _, name := range c.want {
				if !slices.Contains(got, name) {
					t.Errorf("%s was not reached", name)
				}
			}
			if len(service.touched) > 0 && !c.broken {
				t.Errorf("changed is what was there before: %q", service.touched)
			}
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
				}
				if slices.Contains(s.Operations, "changeSettings") && s.Outcome == record.Passed && !strings.Contains(s.Name, "does not have") {
					t.Errorf("%s was played", s.Name)
				}
			}
			if !c.broken && len(service.customers) != 1 {
				t.Errorf("left are %v", service.customers)
			}
		})
	}
}

// A damaged body that names what exists is taken by who reads it: one that names nothing would be refused all the same.
func TestDamagedBodiesNameWhatTheRunCreated(t *testing.T) {
	t.Parallel()
	service := &shopkeeper{customers: map[string]bool{}, made: 8, trailing: true}
	rec := confirmed(t, []byte(orders), service, 0)
	if !slices.Contains(rulesFound(rec), "createOrder.refused.body-extended") {
		t.Error("nobody saw that createOrder reads a body that something follows")
	}
}
