package wholerun_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// counted is the contract of a list that shows a total and has no filter.
const counted = `openapi: 3.1.0
info: {title: Notes, version: "1"}
security: [{key: []}]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, minLength: 1, maxLength: 80}}}}}}
      responses:
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '400': {description: It is none}
    get:
      operationId: listNotes
      summary: List notes
      responses:
        '200': {description: The notes, content: {application/json: {schema: {type: object, required: [items, total], properties: {items: {type: array, items: {$ref: '#/components/schemas/Note'}}, total: {type: integer}}}}}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readNote
      responses:
        '200': {description: The note, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        '404': {description: There is none}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Note: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
`

// noting serves notes in a variant.
func noting(variant string) http.Handler {
	type note struct {
		ID     int    `json:"id"`
		Text   string `json:"text"`
		Status string `json:"status,omitempty"`
		born   time.Time
	}
	all := []note{{ID: 1, Text: "The first"}, {ID: 2, Text: "The second"}, {ID: 3, Text: "The third"}}
	own := len(all)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		text, ok := sentText(w, r, "text")
		if !ok {
			return
		}
		one := note{ID: len(all) + 1, Text: text, born: time.Now()}
		if variant == "in-review" {
			one.Status = "in review"
		}
		all = append(all, one)
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /notes", func(w http.ResponseWriter, _ *http.Request) {
		listed := []note{}
		for i, one := range all {
			hidden := i >= own && variant != "" && (variant != "late" || time.Since(one.born) < 80*time.Millisecond)
			if !hidden {
				listed = append(listed, one)
			}
		}
		total := len(listed)
		if variant == "counted" {
			total = len(all)
		}
		show(w, http.StatusOK, map[string]any{"items": listed, "total": total})
	})
	mux.HandleFunc("GET /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, all[n])
		}
	})
	return behindKey(mux)
}

// A list that shows nothing of what was created has to show it only if it has no filter, counts what it shows, and nothing says that it is selective.
func TestListsThatShowNothingNew(t *testing.T) {
	t.Parallel()
	published := strings.Replace(counted, "summary: List notes", "summary: List published notes", 1)
	filtered := strings.Replace(counted, "summary: List notes", "parameters: [{name: archived, in: query, schema: {type: boolean}}]", 1)
	stateful := strings.Replace(counted, "text: {type: string}}}", "text: {type: string}, status: {type: string}}}", 1)
	uncounted := strings.Replace(counted, "total: {type: integer}", "total: {type: integer, description: An estimated number.}", 1)
	for i, c := range []struct {
		contract, variant string
		broken            bool
	}{
		{counted, "", false}, {counted, "never-listed", true}, {counted, "counted", false}, {counted, "late", false}, {published, "never-listed", false},
		{filtered, "never-listed", false}, {stateful, "never-listed", false}, {counted, "in-review", false}, {uncounted, "never-listed", false},
	} {
		t.Run(fmt.Sprint(i, " ", c.variant), func(t *testing.T) {
			t.Parallel()
			rec, catalogue := trial{contract: []byte(c.contract), service: inMemory{noting(c.variant)}, patience: 60 * time.Millisecond}.judge(t)
			found := failing(rec, catalogue)
			if _, is := found["addNote.created.listed"]; is != c.broken {
				t.Errorf("created.listed is found broken: %t", is)
			}
			if delete(found, "addNote.created.listed"); len(found) > 0 {
				t.Errorf("accused: %v", found)
			}
		})
	}
}
