package wholerun_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"hallmark/internal/shop"
)

// stops is the contract of jobs, which are stopped once.
const stops = `openapi: 3.1.0
info: {title: Jobs, version: "1"}
security: [{key: []}]
paths:
  /jobs:
    post:
      operationId: addJob
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
  /jobs/{jobId}:
    parameters: [{name: jobId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readJob
      responses:
        '200': {description: The job, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {description: There is none}
  /jobs/{jobId}/stop:
    parameters: [{name: jobId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: stopJob
      responses:
        '200': {description: Stopped, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {description: There is none}
        '409': {description: It is stopped already}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Job: {type: object, required: [id, running], properties: {id: {type: integer}, running: {type: boolean}}}
`

// stopping serves jobs; stopped is the status of a stop that succeeds, again that of one more.
func stopping(stopped, again int) http.Handler {
	var mu sync.Mutex
	running := map[string]bool{}
	show := func(w http.ResponseWriter, status int, id string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": json.Number(id), "running": running[id]})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id, stop := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/jobs/"), "/stop")
		is, known := running[id]
		switch {
		case r.Header.Get("X-Key") != shop.Key:
			w.Header().Set("WWW-Authenticate", "Key")
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/jobs" && r.Method == http.MethodPost:
			id = fmt.Sprint(len(running) + 1)
			running[id] = true
			w.Header().Set("Location", "/jobs/"+id)
			show(w, http.StatusCreated, id)
		case !known:
			w.WriteHeader(http.StatusNotFound)
		case !stop && r.Method == http.MethodGet:
			show(w, http.StatusOK, id)
		case !stop || r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case !is:
			w.WriteHeader(again)
		default:
			running[id] = false
			show(w, stopped, id)
		}
	})
}

// TestActionsThatSucceedOnce judges the success of an operation that uses up what it is about, in whatever order its scenarios are played.
func TestActionsThatSucceedOnce(t *testing.T) {
	for seed := range int64(4) {
		rec, catalogue := trial{contract: []byte(stops), service: inMemory{stopping(http.StatusOK, http.StatusConflict)}, seed: seed + 1}.judge(t)
		for rule, f := range failing(rec, catalogue) {
			t.Errorf("seed %d: %s is accused: expected %s, actual %s", seed+1, rule, f.Expected, f.Actual)
		}
		for _, rule := range []string{"stopJob.success", "stopJob.body", "stopJob.credential.missing"} {
			if rec.Exercised[rule] == 0 {
				t.Errorf("seed %d: %s is not exercised", seed+1, rule)
			}
		}
		rec, catalogue = trial{contract: []byte(stops), service: inMemory{stopping(http.StatusAccepted, http.StatusConflict)}, seed: seed + 1}.judge(t)
		if _, found := failing(rec, catalogue)["stopJob.success"]; !found {
			t.Errorf("seed %d: a stop that is answered with a status that is not documented is not found", seed+1)
		}
	}
}

// What is done already is asked for once more: that gets no server error.
func TestActionsOnceMore(t *testing.T) {
	rec, catalogue := trial{contract: []byte(stops), service: inMemory{stopping(http.StatusOK, http.StatusInternalServerError)}}.judge(t)
	broken := failing(rec, catalogue)
	if _, found := broken["stopJob.no-server-error"]; !found || len(broken) > 1 {
		t.Errorf("broken are %v", broken)
	}
}
