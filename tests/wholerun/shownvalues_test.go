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

// A body may have to name something that no operation creates and that is visible only within another resource. It is read there; but nothing is
// sent to persons that the run did not create.
func TestValuesThatOtherResponsesShow(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Tasks, version: 1.0.0}
paths:
  /catalog:
    get: {operationId: readCatalog, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {groups: {type: array, items: {type: object, properties: {categories: {type: array, items: {type: object, properties: {id: {type: integer}}}}, customers: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}}}}}}}}
  /tasks:
    post:
      operationId: addTask
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, categoryId], properties: {title: {type: string}, categoryId: {type: integer}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '422': {description: no}}
  /tasks/{taskId}:
    parameters: [{name: taskId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readTask, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '404': {description: none}}}
    delete: {operationId: removeTask, responses: {'204': {description: gone}, '404': {description: none}}}
  /visits:
    post:
      operationId: addVisit
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [note, customerId], properties: {note: {type: string}, customerId: {type: integer}}}}}}
      responses: {'201': {description: made}, '422': {description: no}}
components:
  schemas: {Task: {type: object, properties: {id: {type: integer, readOnly: true}, title: {type: string}, categoryId: {type: integer}}}}
`
	var mu sync.Mutex
	tasks, made, visits := map[string]any{}, 0, 0
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var body struct {
			Title, Note            *string
			CategoryID, CustomerID *int
		}
		bad := r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&body) != nil
		id := strings.TrimPrefix(r.URL.Path, "/tasks/")
		switch {
		case bad:
			respond(w, http.StatusUnprocessableEntity, nil)
		case r.URL.Path == "/catalog" && r.Method == http.MethodGet:
			respond(w, http.StatusOK, json.RawMessage(`{"groups":[{"categories":[{"id":50133},{"id":50134}],"customers":[{"id":77123}]}]}`))
		case r.URL.Path == "/tasks" && r.Method == http.MethodPost:
			if body.Title == nil || body.CategoryID == nil || *body.CategoryID != 50133 && *body.CategoryID != 50134 {
				respond(w, http.StatusUnprocessableEntity, map[string]any{"errors": map[string]any{"categoryId": []string{"there is no such category"}}})
				return
			}
			made++
			task := map[string]any{"id": made, "title": *body.Title, "categoryId": *body.CategoryID}
			tasks[strconv.Itoa(made)] = task
			respond(w, http.StatusCreated, task)
		case r.URL.Path == "/visits" && r.Method == http.MethodPost:
			if body.Note == nil || body.CustomerID == nil || *body.CustomerID != 77123 {
				respond(w, http.StatusUnprocessableEntity, nil)
				return
			}
			visits++
			respond(w, http.StatusCreated, nil)
		case tasks[id] != nil && r.Method == http.MethodGet:
			respond(w, http.StatusOK, tasks[id])
		case tasks[id] != nil && r.Method == http.MethodDelete:
			delete(tasks, id)
			respond(w, http.StatusNoContent, nil)
		default:
			respond(w, http.StatusNotFound, nil)
		}
	})
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
	accuse(t, failing(rec, catalogue))
	if got, want := reached(rec), []string{"addTask", "readCatalog", "readTask", "removeTask"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	if visits > 0 {
		t.Error("a customer was visited whom the run did not create")
	}
}

// What a list shows is named by the path even where it needs escapes; where the service does not route an escaped slash, another item serves.
func TestListedTextsInPaths(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Tags, version: 1.0.0}
paths:
  /tags:
    get: {operationId: listTags, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Tag'}}}}}}}
  /tags/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: readTag, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}, '404': {description: none}}}
components:
  schemas: {Tag: {type: object, required: [name], properties: {name: {type: string}}}}
`
	for name, listed := range map[string][]string{
		"blank": {"a b"}, "beyond ASCII": {"ünï cödé"}, "signs": {"50%?#;+"}, "slash": {"c/d"}, "a slash that is not routed": {"e/f", "g h"}, "dots": {"..", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				tag, below := strings.CutPrefix(r.URL.Path, "/tags/")
				routed := listed[0] != "e/f" || !strings.Contains(tag, "/")
				switch {
				case r.Method == http.MethodGet && r.URL.Path == "/tags":
					var all []map[string]any
					for _, one := range listed {
						all = append(all, map[string]any{"name": one})
					}
					respond(w, http.StatusOK, all)
				case r.Method == http.MethodGet && below && routed && slices.Contains(listed, tag):
					respond(w, http.StatusOK, map[string]any{"name": tag})
				default:
					respond(w, http.StatusNotFound, nil)
				}
			})
			rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
			accuse(t, failing(rec, catalogue))
			if got, want := reached(rec), []string{"listTags", "readTag"}; !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
		})
	}
}
