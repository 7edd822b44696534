package score

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec/openapi"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// small is a contract with operations that are hard to judge: a creation that is answered 200, an optional body
// with only optional members, and an operation that few requests can be made for.
const small = `
openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /about:
    get:
      operationId: about
      responses: {'200': {description: what it is, content: {application/json: {schema: {type: object}}}}}
  /pets:
    post:
      operationId: addPet
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
      responses:
        '200': {description: the pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '400': {description: it is refused}
  /pets/{id}:
    get:
      operationId: readPet
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses:
        '200': {description: the pet, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: there is none}
  /notes:
    post:
      operationId: addNote
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string, example: remember}, colour: {type: string, enum: [red, blue]}}}}}}
      responses:
        '201': {description: the note, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}
        '400': {description: it is refused}
  /orders:
    post:
      operationId: addOrder
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses:
        '200': {description: the order, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        '400': {description: it is refused}
  /orders/{id}:
    get:
      operationId: readOrder
      parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
      responses:
        '200': {description: the order, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        '404': {description: there is none}
components:
  schemas:
    Order: {type: object, properties: {id: {type: integer, format: int64, example: 10}, quantity: {type: integer, format: int32, example: 7}, complete: {type: boolean}}}
    Pet: {type: object, required: [id, name], properties: {id: {type: integer, format: int64}, name: {type: string}}}
`

// smallSuite is derived from that contract.
func smallSuite(t *testing.T) (*Derived, Basis) {
	t.Helper()
	c, err := openapi.Load([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	b := Basis{Contract: c, Promises: promise.Of(c, 1, 0)}
	if b.Catalogue, b.Suite, err = steps.LoadPromises(b.Promises); err != nil {
		t.Fatal(err)
	}
	d, err := Made(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	d.Workers = 2
	return d, b
}

// Faults of operations that are hard to judge are found by the rules that they break, in front of a service that
// is made from the contract, and nothing is reported for the service itself.
func TestFaultsOfASmallContract(t *testing.T) {
	d, b := smallSuite(t)
	chosen := []string{"about.sometimes.500", "addPet.same-id", "addNote.strict.text-left-out", "addNote.strict.colour-left-out", "addOrder.strict.quantity-left-out"}
	faults := slices.DeleteFunc(b.Faults(), func(f fault.Fault) bool { return !slices.Contains(chosen, f.Name) })
	if len(faults) != len(chosen) {
		t.Fatalf("%d faults of %d", len(faults), len(chosen))
	}
	m, err := d.Measure(t.Context(), faults, mutate.Freedoms())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range m.Outcomes {
		if o.Fate != Killed || !o.Named {
			t.Errorf("%s: %s, %q is broken; %s", o.Name, o.Fate, o.Broken, o.Reason)
		}
	}
	if m.Accepted != len(m.Freedoms) || len(m.Broken) > 0 {
		t.Errorf("%d of %d freedoms are accepted; broken without a fault: %q", m.Accepted, len(m.Freedoms), m.Broken)
	}
}

// onePet keeps one pet: each creation replaces the previous one or, without replaces, is shown and forgotten,
// except for the first.
func onePet(replaces bool) http.Handler {
	var mu sync.Mutex
	kept := ""
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var pet struct{ Name *string }
		status := http.StatusOK
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/pets":
			if err := json.NewDecoder(r.Body).Decode(&pet); err != nil || pet.Name == nil {
				status = http.StatusBadRequest
				break
			}
			if kept == "" || replaces {
				kept = *pet.Name
			}
		case r.Method == http.MethodGet && r.URL.Path == "/pets/1" && kept != "":
			pet.Name = &kept
		case strings.HasPrefix(r.URL.Path, "/pets/"):
			status = http.StatusNotFound
		default:
			status = http.StatusNotImplemented
		}
		if status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		name, err := json.Marshal(*pet.Name)
		if err != nil {
			status = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"id": 1, "name": %s}`, name)
	})
}

// A creation that is answered 200 may replace an existing resource; it may not show what cannot be read.
func TestOneIdentifierForAll(t *testing.T) {
	const rule, scenario = "addPet.created.distinct", "two that are created are told apart"
	for _, test := range []struct{ replaces, wrong bool }{{true, false}, {false, true}} {
		d, _ := smallSuite(t)
		d.Service = func() (http.Handler, func(), error) { return onePet(test.replaces), func() {}, nil }
		rec, err := d.play(t.Context(), suite.Selection{Rules: []string{rule}}, func(next http.Handler, base string) (*mutate.Handler, error) {
			return d.Front.plain(next, base, newWatch()), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		findings, _ := broken(&rec)
		if _, wrong := findings[rule]; wrong != test.wrong {
			t.Errorf("replaces %v: %v is broken", test.replaces, findings)
		}
		if !slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Name == scenario && s.Outcome != record.Skipped }) {
			t.Errorf("replaces %v: %q was not played", test.replaces, scenario)
		}
	}
}
