package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// notesContract is that of a service of notes that can be created, listed, read and deleted.
const notesContract = `openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
paths:
  /notes:
    get: {operationId: listNotes, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}}}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [label], properties: {label: {type: string, minLength: 1, maxLength: 60}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: bad}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getNote, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}}}
    delete: {operationId: deleteNote, responses: {'204': {description: gone}, '404': {description: none}}}
components:
  schemas:
    Note: {type: object, required: [id, label], properties: {id: {type: string}, label: {type: string}}}
`

// notes is a service that keeps that contract.
type notes struct {
	mu   sync.Mutex
	last int
	all  map[string]map[string]any
	// onDelete may answer a deletion itself, with a status other than 0; created counts what was created so far.
	onDelete func(w http.ResponseWriter, created int) int
}

// RoundTrip implements [http.RoundTripper].
func (n *notes) RoundTrip(r *http.Request) (*http.Response, error) { return inMemory{n}.RoundTrip(r) }

func (n *notes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answer := func(status int, body any) { respond(w, status, body) }
	id, one := strings.CutPrefix(r.URL.Path, "/notes/")
	switch {
	case r.URL.Path != "/notes" && !one:
		answer(http.StatusNotFound, nil)
	case !one && r.Method == http.MethodGet:
		all := []any{}
		for _, note := range n.all {
			all = append(all, note)
		}
		answer(http.StatusOK, all)
	case !one && r.Method == http.MethodPost:
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		err := json.Unmarshal(raw, &body)
		label, is := body["label"].(string)
		if length := len([]rune(label)); err != nil || !is || length < 1 || length > 60 {
			answer(http.StatusBadRequest, nil)
			return
		}
		n.last++
		id := fmt.Sprint(n.last)
		if n.all == nil {
			n.all = map[string]map[string]any{}
		}
		n.all[id] = map[string]any{"id": id, "label": label}
		answer(http.StatusCreated, n.all[id])
	case one && r.Method == http.MethodDelete:
		if n.onDelete != nil {
			if status := n.onDelete(w, n.last); status != 0 {
				answer(status, nil)
				return
			}
		}
		if n.all[id] == nil {
			answer(http.StatusNotFound, nil)
			return
		}
		delete(n.all, id)
		answer(http.StatusNoContent, nil)
	case one && r.Method == http.MethodGet && n.all[id] != nil:
		answer(http.StatusOK, n.all[id])
	case one && r.Method == http.MethodGet:
		answer(http.StatusNotFound, nil)
	default:
		w.Header().Set("Allow", map[bool]string{false: "GET, POST", true: "GET, DELETE"}[one])
		answer(http.StatusMethodNotAllowed, nil)
	}
}

// Cleaning up takes the time that it takes: a service that asks for fewer requests is given time, and its requests are in the record.
func TestCleanUpKeepsThePaceOfTheService(t *testing.T) {
	t.Parallel()
	deletions := 0
	service := &notes{onDelete: func(w http.ResponseWriter, _ int) int {
		if deletions++; deletions%3 != 0 {
			w.Header().Set("Retry-After", "0")
			return http.StatusTooManyRequests
		}
		return 0
	}}
	rec, catalogue := trial{contract: []byte(notesContract), service: service}.judge(t)
	accuse(t, failing(rec, catalogue))
	if left := record.Left(rec.Created); len(service.all) > 0 || len(left) > 0 || len(rec.Created) != service.last {
		t.Errorf("left are %v, and listed %v of %d; created were %d", service.all, left, len(rec.Created), service.last)
	}
	cleaning := 0
	for _, ex := range rec.Exchanges {
		if ex.About == "cleaning up" && ex.Request.Method == http.MethodDelete && ex.Scenario == "" {
			cleaning++
		}
	}
	if cleaning < len(rec.Created)/2 {
		t.Errorf("%d exchanges of the record clean up after %d creations", cleaning, len(rec.Created))
	}
}
