package wholerun_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Two identifiers in a row name a resource that is created and listed at other paths, whose representations hold both. What the run did not create is
// read only.
func TestIdentifiersThatBelongTogether(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Repositories, version: 1.0.0}
paths:
  /search: {get: {operationId: search, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Repository'}}}}}}}}}}
  /user/repos:
    post:
      operationId: createRepo
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 60}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Repository'}}}}, '409': {description: taken}, '422': {description: no}}
  /repos/{owner}/{repo}:
    parameters: [{name: owner, in: path, required: true, schema: {type: string}}, {name: repo, in: path, required: true, schema: {type: string}}]
    get: {operationId: readRepo, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Repository'}}}}, '404': {description: none}}}
    delete: {operationId: removeRepo, responses: {'204': {description: gone}, '404': {description: none}}}
  /repos/{owner}/{repo}/topics:
    parameters: [{name: owner, in: path, required: true, schema: {type: string}}, {name: repo, in: path, required: true, schema: {type: string}}]
    put:
      operationId: setTopics
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [topics], properties: {topics: {type: array, items: {type: string}}}}}}}
      responses: {'204': {description: set}, '404': {description: none}, '422': {description: no}}
components:
  schemas:
    User: {type: object, properties: {id: {type: integer}, login: {type: string}}}
    Repository: {type: object, properties: {id: {type: integer}, name: {type: string}, owner: {$ref: '#/components/schemas/User'}}}
`
	for creatable, want := range map[bool][]string{true: {"createRepo", "readRepo", "removeRepo", "search", "setTopics"}, false: {"readRepo", "search"}} {
		var mu sync.Mutex
		repos, foreign := map[string]int{}, 0
		shown := func(name string, id int) any {
			return map[string]any{"id": id, "name": name, "owner": map[string]any{"id": 7, "login": "ann"}}
		}
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			var body struct {
				Name   *string
				Topics *[]*string
			}
			bad := (r.Method == http.MethodPost || r.Method == http.MethodPut) && json.NewDecoder(r.Body).Decode(&body) != nil
			rest, _ := strings.CutPrefix(r.URL.Path, "/repos/ann/")
			name, topics := strings.CutSuffix(rest, "/topics")
			id, there := repos[name]
			switch {
			case r.URL.Path == "/search" && r.Method == http.MethodGet:
				respond(w, http.StatusOK, map[string]any{"data": []any{shown("theirs", 1)}})
			case r.URL.Path == "/user/repos" && r.Method == http.MethodPost && creatable:
				switch {
				case bad || body.Name == nil || *body.Name == "" || utf8.RuneCountInString(*body.Name) > 60:
					respond(w, http.StatusUnprocessableEntity, nil)
				case repos[*body.Name] > 0:
					respond(w, http.StatusConflict, nil)
				default:
					repos[*body.Name] = len(repos) + 2
					respond(w, http.StatusCreated, shown(*body.Name, repos[*body.Name]))
				}
			case name == "theirs":
				if r.Method != http.MethodGet && r.Method != http.MethodHead {
					foreign++
				}
				respond(w, http.StatusOK, shown(name, 1))
			case !there:
				respond(w, http.StatusNotFound, nil)
			case topics && (bad || body.Topics == nil || slices.Contains(*body.Topics, nil)):
				respond(w, http.StatusUnprocessableEntity, nil)
			case topics && r.Method == http.MethodPut:
				respond(w, http.StatusNoContent, nil)
			case r.Method == http.MethodDelete:
				delete(repos, name)
				respond(w, http.StatusNoContent, nil)
			default:
				respond(w, http.StatusOK, shown(name, id))
			}
		})
		rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
		accuse(t, failing(rec, catalogue))
		if got := reached(rec); !slices.Equal(got, want) {
			t.Errorf("reached are %q, want %q", got, want)
		}
		if foreign > 0 || len(repos) > 0 {
			t.Errorf("%d requests changed what the run did not create, and %q are left", foreign, slices.Collect(maps.Keys(repos)))
		}
	}
}
