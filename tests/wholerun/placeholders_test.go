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

// memos is a contract whose members do not say what they refer to.
const memos = `openapi: 3.1.0
info: {title: Memos, version: 1.0.0}
paths:
  /orders:
    post:
      operationId: addOrder
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}, '400': {description: No}}
  /orders/{orderId}:
    delete: {operationId: removeOrder, parameters: [{name: orderId, in: path, required: true, schema: {type: integer}}], responses: {'204': {description: Gone}, '404': {description: None}}}
  /memos:
    post:
      operationId: addMemo
      parameters: [{name: X-About, in: header, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [what, tags, text]
              properties: {what: {type: object, required: [thing], properties: {thing: {type: integer}}}, tags: {type: array, items: {type: string}}, text: {type: string}}
      responses: {'201': {description: Made}, '400': {description: No}, '409': {description: Taken}}
`

// Placeholders stand for values anywhere in a value of the file: in the texts of lists and objects, in parts of texts, and alone for an
// identifier that is a number.
func TestPlaceholdersAnywhereInValues(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"members":   "/what: {thing: '{created order}'}\n/tags: [fixed, '{new}']\n/text: see {created order}, {new}\nX-About: order-{created order}\n",
		"the whole": "addMemo.body: {what: {thing: '{created order}'}, tags: [fixed, '{new}'], text: 'see {created order}, {new}'}\nX-About: order-{created order}\n",
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			orders, tags, made := map[string]bool{}, map[string]bool{}, 0
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				var body struct {
					Title *string
					What  *struct{ Thing *int }
					Tags  []*string
					Text  *string
				}
				bad := r.Method == http.MethodPost && json.NewDecoder(r.Body).Decode(&body) != nil
				id, _ := strings.CutPrefix(r.URL.Path, "/orders/")
				switch {
				case bad || r.URL.Path == "/orders" && body.Title == nil:
					respond(w, http.StatusBadRequest, nil)
				case r.URL.Path == "/orders":
					made++
					orders[strconv.Itoa(made)] = true
					respond(w, http.StatusCreated, map[string]any{"id": made})
				case r.Method == http.MethodDelete && orders[id]:
					delete(orders, id)
					respond(w, http.StatusNoContent, nil)
				case r.URL.Path == "/memos":
					if body.What == nil || body.What.Thing == nil || len(body.Tags) != 2 || slices.Contains(body.Tags, nil) || body.Text == nil {
						respond(w, http.StatusBadRequest, nil)
						return
					}
					order := strconv.Itoa(*body.What.Thing)
					switch {
					case !orders[order] || r.Header.Get("X-About") != "order-"+order || !strings.HasPrefix(*body.Text, "see "+order+", hallmark-"):
						respond(w, http.StatusBadRequest, nil)
					case tags[*body.Tags[1]]:
						respond(w, http.StatusConflict, nil)
					default:
						tags[*body.Tags[1]] = true
						respond(w, http.StatusCreated, nil)
					}
				default:
					respond(w, http.StatusNotFound, nil)
				}
			})
			rec, catalogue := trial{contract: []byte(memos), service: inMemory{service}, values: file, confirm: 1}.judge(t)
			accuse(t, failing(rec, catalogue))
			if got, want := reached(rec), []string{"addMemo", "addOrder", "removeOrder"}; !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
			if len(tags) < 3 {
				t.Errorf("%d memos were made; each should have a tag of its own", len(tags))
			}
		})
	}
}
