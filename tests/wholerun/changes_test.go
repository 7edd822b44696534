package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// slips is the contract of something of which one member can be changed.
const slips = `openapi: 3.1.0
info: {title: Slips, version: "1"}
paths:
  /slips:
    post:
      operationId: addSlip
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewSlip'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Slip'}}}}
  /slips/{slipId}:
    parameters: [{name: slipId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readSlip
      responses:
        '200': {description: The slip, content: {application/json: {schema: {$ref: '#/components/schemas/Slip'}}}}
        '404': {description: There is none}
    put:
      operationId: replaceSlip
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewSlip'}}}}
      responses:
        '200': {description: The slip, content: {application/json: {schema: {$ref: '#/components/schemas/Slip'}}}}
        '404': {description: There is none}
components:
  schemas:
    NewSlip: {type: object, required: [text], properties: {text: {type: string, minLength: 1, maxLength: 80}}}
    Slip: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
`

// slipping serves slips in a variant.
func slipping(variant string) http.Handler {
	var mu sync.Mutex
	all := map[int]string{}
	show := func(w http.ResponseWriter, status, id int, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": id, "text": text})
	}
	mux := http.NewServeMux()
	serve := func(pattern string, serve func(w http.ResponseWriter, id int, text string)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			id, _ := strconv.Atoi(r.PathValue("id"))
			var sent struct{ Text string }
			if r.Method != http.MethodGet {
				_ = json.NewDecoder(r.Body).Decode(&sent)
			}
			if _, there := all[id]; !there && r.Method != http.MethodPost {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			serve(w, id, sent.Text)
		})
	}
	serve("POST /slips", func(w http.ResponseWriter, _ int, text string) {
		id := len(all) + 1
		all[id] = text
		show(w, http.StatusCreated, id, text)
	})
	serve("GET /slips/{id}", func(w http.ResponseWriter, id int, _ string) { show(w, http.StatusOK, id, all[id]) })
	serve("PUT /slips/{id}", func(w http.ResponseWriter, id int, text string) {
		switch variant {
		case "lost":
			show(w, http.StatusOK, id, text)
		case "fixed":
			show(w, http.StatusOK, id, all[id])
		default:
			all[id] = text
			show(w, http.StatusOK, id, text)
		}
	})
	return mux
}

// A change of the only member there is was not done where its response shows it and no read does. Where the response shows the member as
// it was, it may be fixed once it is there.
func TestLostChangesOfOneMember(t *testing.T) {
	t.Parallel()
	for variant, broken := range map[string]bool{"": false, "lost": true, "fixed": false} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(slips), service: inMemory{slipping(variant)}, patience: atOnce}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["replaceSlip.updated.kept"]; is != broken {
				t.Errorf("broken is %v, want %v", is, broken)
			}
			delete(found, "replaceSlip.updated.kept")
			accuse(t, found)
		})
	}
}

// labels is the contract of labels whose names are unique.
const labels = `openapi: 3.1.0
info: {title: Labels, version: "1"}
paths:
  /labels:
    post:
      operationId: addLabel
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewLabel'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
        '400': {description: Wrong}
        '409': {description: The name is there}
  /labels/{labelId}:
    parameters: [{name: labelId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readLabel
      responses:
        '200': {description: The label, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
        '404': {description: There is none}
    put:
      operationId: renameLabel
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewLabel'}}}}
      responses:
        '200': {description: Renamed, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
        '400': {description: Wrong}
        '404': {description: There is none}
        '409': {description: The name is there}
components:
  schemas:
    NewLabel: {type: object, required: [name], properties: {name: {type: string, minLength: 2, maxLength: 30}}}
    Label: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
`

// labelling serves labels, of which others have one of each name that is given.
func labelling(taken ...string) http.Handler {
	var mu sync.Mutex
	names := map[string]string{}
	for i, name := range taken {
		names[fmt.Sprintf("theirs-%d", i)] = name
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		id := strings.TrimPrefix(r.URL.Path, "/labels/")
		was, known := names[id]
		adds, renames := r.Method == http.MethodPost && r.URL.Path == "/labels", r.Method == http.MethodPut && known
		status, show := http.StatusOK, was
		switch {
		case adds || renames:
			var sent struct{ Name *string }
			if text, err := io.ReadAll(r.Body); err != nil || json.Unmarshal(text, &sent) != nil || sent.Name == nil || len([]rune(*sent.Name)) < 2 || len([]rune(*sent.Name)) > 30 {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			for other, name := range names {
				if name == *sent.Name && other != id {
					w.WriteHeader(http.StatusConflict)
					return
				}
			}
			if adds {
				status, id = http.StatusCreated, fmt.Sprintf("label-%d", len(names))
			}
			names[id], show = *sent.Name, *sent.Name
		case r.Method != http.MethodGet && r.Method != http.MethodPut || r.URL.Path == "/labels":
			w.Header().Set("Allow", "GET, PUT")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case !known:
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"id": id, "name": show})
	})
}

// A change whose names are there already is asked for with others, and succeeds.
func TestChangesAreAskedForWithNamesThatAreFree(t *testing.T) {
	t.Parallel()
	rec, catalogue := trial{contract: []byte(labels), service: inMemory{labelling("text", "te", "hallmark")}, created: 200}.judge(t)
	accuse(t, failing(rec, catalogue))
	if got := strings.Join(reached(rec), " "); got != "addLabel readLabel renameLabel" {
		t.Errorf("reached are %s", got)
	}
}
