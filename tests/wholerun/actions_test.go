package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/tests/shop"
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
	t.Parallel()
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
	t.Parallel()
	rec, catalogue := trial{contract: []byte(stops), service: inMemory{stopping(http.StatusOK, http.StatusInternalServerError)}}.judge(t)
	broken := failing(rec, catalogue)
	if _, found := broken["stopJob.no-server-error"]; !found || len(broken) > 1 {
		t.Errorf("broken are %v", broken)
	}
}

// flags is the contract of flags, as frameworks generate such documents: a const in OpenAPI 3.0, a JSON Patch as application/json, and a
// copy whose name is that of the example.
const flags = `openapi: 3.0.3
info: {title: Flags, version: "1"}
paths:
  /flags:
    post:
      operationId: addFlag
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
        '400': {description: Wrong}
        '409': {description: It is there already}
  /flags/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readFlag
      responses:
        '200': {description: The flag, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
        '404': {description: There is none}
    patch:
      operationId: patchFlag
      requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Patch'}}}}}
      responses:
        '200': {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
        '400': {description: Wrong}
        '404': {description: There is none}
  /flags/{name}/clone:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    post:
      operationId: cloneFlag
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, example: new-flag}}}}}}
      responses:
        '201': {description: Cloned}
        '400': {description: Wrong}
        '404': {description: There is none}
        '409': {description: Such a name is there already}
components:
  schemas:
    Flag:
      oneOf:
        - {type: object, required: [name], properties: {name: {type: string}, kind: {type: string, const: release}, size: {anyOf: [{type: string, const: small}, {type: string, const: large}]}}}
        - {type: object, required: [name, kind], properties: {name: {type: string}, kind: {type: string, const: switch}, size: {anyOf: [{type: string, const: small}, {type: string, const: large}]}}}
    Patch:
      type: object
      required: [op, path]
      properties: {op: {type: string, enum: [add, remove, replace, copy, move]}, path: {type: string, example: /size}, from: {type: string, example: /size}, value: {example: large}}
`

// flagging serves flags. It looks at names before it looks for what is cloned, unless it answers missing for what is not there.
func flagging(missing int) http.Handler {
	var mu sync.Mutex
	all := map[string]map[string]any{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		answer := func(status int, flag map[string]any) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			if flag != nil {
				_ = json.NewEncoder(w).Encode(flag)
			}
		}
		name, clones := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/flags/"), "/clone")
		known := all[name]
		var flag map[string]any
		var patch []map[string]any
		raw, _ := io.ReadAll(r.Body)
		isFlag, isPatch := json.Unmarshal(raw, &flag) == nil && flag != nil, json.Unmarshal(raw, &patch) == nil && len(patch) > 0
		added, named := flag["name"].(string)
		_, there := all[added]
		switch {
		case r.URL.Path != "/flags" && strings.Contains(name, "/"):
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodPost && (r.URL.Path == "/flags" || clones):
			switch {
			case !isFlag || !named || !among(flag, "kind", "release", "switch") || !among(flag, "size", "small", "large"):
				w.WriteHeader(http.StatusBadRequest)
			case clones && known == nil && missing != 0:
				w.WriteHeader(missing)
			case there:
				w.WriteHeader(http.StatusConflict)
			case clones && known == nil:
				w.WriteHeader(http.StatusNotFound)
			default:
				all[added] = flag
				answer(http.StatusCreated, map[bool]map[string]any{false: flag}[clones])
			}
		case known == nil && (r.Method == http.MethodGet || r.Method == http.MethodPatch):
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet:
			answer(http.StatusOK, known)
		case r.Method == http.MethodPatch:
			for _, p := range patch {
				_, from := p["from"].(string)
				_, other := p["from"]
				path, ok := p["path"].(string)
				op, _ := p["op"].(string)
				isPatch = isPatch && ok && path == "/size" && from == other && (op == "add" || op == "remove" || op == "replace" || from && (op == "copy" || op == "move"))
			}
			if !isPatch {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			answer(http.StatusOK, known)
		default:
			w.Header().Set("Allow", "GET")
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}

// among reports whether a member is not there, or one of the texts.
func among(object map[string]any, name string, texts ...string) bool {
	value, there := object[name]
	text, _ := value.(string)
	return !there || slices.Contains(texts, text)
}

// What frameworks write is read as it is meant, and what the run did itself is not held against a service.
func TestGeneratedDocumentsAreReadAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	for missing, want := range map[int]string{0: "", http.StatusOK: "cloneFlag.not-found", http.StatusForbidden: "cloneFlag.not-found"} {
		t.Run(http.StatusText(missing), func(t *testing.T) {
			rec, catalogue := trial{contract: []byte(flags), service: inMemory{flagging(missing)}, created: 200}.judge(t)
			failed := failing(rec, catalogue)
			if _, found := failed[want]; want != "" && !found {
				t.Errorf("%s is not found", want)
			}
			delete(failed, want)
			delete(failed, "cloneFlag.success")
			accuse(t, failed)
			if got := strings.Join(reached(rec), " "); got != "addFlag cloneFlag patchFlag readFlag" {
				t.Errorf("reached are %s", got)
			}
		})
	}
}
