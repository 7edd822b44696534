package wholerun_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A service may want back the version of what a request replaces, in its body; it changes with each request.
func TestVersionsInBodies(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Notes, version: 1.0.0}
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '422': {description: no}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readNote, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}}}
    put:
      operationId: replaceNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, lock_version], properties: {title: {type: string}, lock_version: {type: integer, minimum: 100}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}, '409': {description: outdated}, '422': {description: no}}
    delete: {operationId: removeNote, responses: {'204': {description: gone}, '404': {description: none}}}
components:
  schemas: {Note: {type: object, required: [id, title, lock_version], properties: {id: {type: integer}, title: {type: string}, lock_version: {type: integer}}}}
`
	type note struct {
		ID      int    `json:"id"`
		Title   string `json:"title"`
		Version int    `json:"lock_version"`
	}
	for variant, broken := range map[string]bool{"sound": false, "a long title changes nothing": true} {
		t.Run(variant, func(t *testing.T) {
			var mu sync.Mutex
			notes, made := map[string]*note{}, 0
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				var body struct {
					Title   *string
					Version *int `json:"lock_version"`
				}
				id := strings.TrimPrefix(r.URL.Path, "/notes/")
				one := notes[id]
				bad := (r.Method == http.MethodPost || r.Method == http.MethodPut) && (json.NewDecoder(r.Body).Decode(&body) != nil || body.Title == nil)
				switch {
				case r.URL.Path == "/notes" && r.Method == http.MethodPost && bad:
					respond(w, http.StatusUnprocessableEntity, nil)
				case r.URL.Path == "/notes" && r.Method == http.MethodPost:
					made++
					one = &note{made, *body.Title, 4711 + 13*made}
					notes[strconv.Itoa(made)] = one
					respond(w, http.StatusCreated, one)
				case one == nil:
					respond(w, http.StatusNotFound, nil)
				case r.Method == http.MethodGet:
					respond(w, http.StatusOK, one)
				case r.Method == http.MethodDelete:
					delete(notes, id)
					respond(w, http.StatusNoContent, nil)
				case bad || body.Version == nil || *body.Version < 100:
					respond(w, http.StatusUnprocessableEntity, nil)
				case *body.Version != one.Version:
					respond(w, http.StatusConflict, map[string]any{"message": "outdated"})
				default:
					one.Version++
					if !broken || len(*body.Title) < 250 {
						one.Title = *body.Title
					}
					respond(w, http.StatusOK, one)
				}
			})
			rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["replaceNote.updated.kept"]; is != broken {
				t.Errorf("that a title is not changed is found: %v", is)
			}
			delete(found, "replaceNote.updated.kept")
			if !broken {
				accuse(t, found)
			}
			if got, want := reached(rec), []string{"addNote", "readNote", "removeNote", "replaceNote"}; !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
		})
	}
}
