package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// errands is the contract of a list with two filters, an order, and a parameter that turns filters round.
const errands = `openapi: 3.1.0
info: {title: Errands, version: "1"}
security: [{key: []}]
paths:
  /errands:
    get:
      operationId: listErrands
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/State'}}
        - {name: kind, in: query, schema: {$ref: '#/components/schemas/Kind'}}
        - {name: sort, in: query, schema: {type: string, enum: [id, -id]}}
        - {name: match, in: query, schema: {type: string, enum: [none, all]}}
      responses:
        '200': {description: Errands, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Errand'}}}}}
    post:
      operationId: addErrand
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewErrand'}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Errand'}}}}
        '400': {description: It is none}
  /errands/{errandId}:
    parameters: [{name: errandId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readErrand
      responses:
        '200': {description: The errand, content: {application/json: {schema: {$ref: '#/components/schemas/Errand'}}}}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    State: {type: string, enum: [open, late, closed]}
    Kind: {type: string, enum: [book, map]}
    NewErrand: {type: object, required: [state, kind], properties: {state: {$ref: '#/components/schemas/State'}, kind: {$ref: '#/components/schemas/Kind'}}}
    Errand: {type: object, required: [id, state, kind], properties: {id: {type: integer}, state: {$ref: '#/components/schemas/State'}, kind: {$ref: '#/components/schemas/Kind'}}}
`

// errand is what the contract calls so.
type errand struct {
	ID    int    `json:"id"`
	State string `json:"state"`
	Kind  string `json:"kind"`
}

// running serves errands in a variant.
func running(variant string) http.Handler {
	var all []errand
	mux := http.NewServeMux()
	mux.HandleFunc("POST /errands", func(w http.ResponseWriter, r *http.Request) {
		var sent map[string]any
		body, _ := io.ReadAll(r.Body)
		err := json.Unmarshal(body, &sent)
		one := errand{ID: len(all) + 1}
		one.State, _ = sent["state"].(string)
		one.Kind, _ = sent["kind"].(string)
		if err != nil || !slices.Contains([]string{"open", "late", "closed"}, one.State) || !slices.Contains([]string{"book", "map"}, one.Kind) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		all = append(all, one)
		w.Header().Set("Location", fmt.Sprintf("/errands/%d", one.ID))
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /errands/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, all[n])
		}
	})
	mux.HandleFunc("GET /errands", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		state, kind, sort := q.Get("state"), q.Get("kind"), q.Get("sort")
		if variant == "kind-ignored-with-state" && state != "" || variant == "kind-ignored-when-sorted" && sort != "" {
			kind = ""
		}
		if variant == "state-ignored-with-kind" && kind != "" {
			state = ""
		}
		shown := []errand{}
		for _, one := range all {
			like := (state == "" || one.State == state) && (kind == "" || one.Kind == kind)
			if variant == "any" && state != "" && kind != "" {
				like = one.State == state || one.Kind == kind
			}
			if q.Get("match") == "none" && state+kind != "" {
				like = !like
			}
			if like {
				shown = append(shown, one)
			}
		}
		if strings.HasPrefix(sort, "-") {
			slices.Reverse(shown)
		}
		show(w, http.StatusOK, shown)
	})
	return behindKey(mux)
}

// A filter is judged beside an order and another filter: not where the two ask for what has either value, nor beside what may turn it round.
func TestFiltersBesideOthers(t *testing.T) {
	t.Parallel()
	for variant, fault := range map[string]bool{
		"": false, "any": false, "kind-ignored-with-state": true, "state-ignored-with-kind": true, "kind-ignored-when-sorted": true,
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(errands), service: inMemory{running(variant)}, patience: atOnce}.judge(t)
			broken := failing(rec, catalogue)
			_, found := broken["listErrands.list.filter"]
			if delete(broken, "listErrands.list.filter"); found != fault || len(broken) > 0 {
				t.Errorf("the filter is found broken: %t; beside it %v", found, broken)
			}
		})
	}
}
