package wholerun_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

const neededContract = `openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
        - {name: colour, in: query, schema: {type: string, enum: [red, blue]}}
      responses:
        "200": {description: Notes., content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}
        "400": {description: No list.}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewNote"}}}}
      responses:
        "201": {description: A note., content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "400": {description: No note.}
components:
  schemas:
    NewNote: {type: object, required: [text], properties: {text: {type: string}}}
    Note: {type: object, required: [id, text], properties: {id: {type: integer}, text: {type: string}}}
`

const neededRules = `
- {id: note.limit, section: Notes, level: must, says: Every limit is accepted., covers: ['listNotes.accepted /paths/~1notes/get/parameters/0', 'listNotes.documented /paths/~1notes/get/parameters/0']}
- {id: note.limit.optional, section: Notes, level: must, says: The limit may be left out., covers: ['listNotes.accepted left-out /paths/~1notes/get/parameters/0']}
- {id: note.colour, section: Notes, level: must, says: Every colour is accepted., covers: ['listNotes.accepted /paths/~1notes/get/parameters/1', 'listNotes.documented /paths/~1notes/get/parameters/1']}
- {id: note.colour.optional, section: Notes, level: must, says: The colour may be left out., covers: ['listNotes.accepted left-out /paths/~1notes/get/parameters/1']}
- {id: note.status, section: Notes, level: must, says: A creation gets a documented status., covers: [createNote.documented]}
- {id: note.text, section: Notes, level: must, says: An unusual text is accepted or refused with 400., covers: ['createNote.documented /components/schemas/NewNote/properties/text']}
`

// A parameter that is needed beside another one is told as such, and not as a value that is refused. A conflict with what is stored is no
// matter of the value that is sent.
func TestWhatAnAllowedValueIsRefusedFor(t *testing.T) {
	for odd, want := range map[string][]string{
		"":                            nil,
		"colour needs limit":          {"note.limit.optional"},
		"limit needs colour":          {"note.colour.optional"},
		"blue is refused":             {"note.colour"},
		"texts are taken":             {"note.status"},
		"texts with blanks are taken": {"note.status"},
		"texts with blanks are bad":   {"note.text"},
	} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			seen := map[string]bool{}
			one := trial{contract: []byte(neededContract), rules: neededRules, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				answer := func(status int, v any) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(status)
					_ = json.NewEncoder(w).Encode(v)
				}
				limit, colour := r.URL.Query().Has("limit"), r.URL.Query().Get("colour")
				var note map[string]any
				switch r.Method {
				case http.MethodPost:
					text, is := "", false
					if err := json.NewDecoder(r.Body).Decode(&note); err == nil {
						text, is = note["text"].(string)
					}
					blank := strings.Contains(text, " ")
					switch {
					case !is:
						answer(http.StatusBadRequest, map[string]any{})
					case odd == "texts are taken" && seen[text], odd == "texts with blanks are taken" && blank:
						answer(http.StatusConflict, map[string]any{})
					case odd == "texts with blanks are bad" && blank:
						answer(http.StatusTeapot, map[string]any{})
					default:
						seen[text] = true
						answer(http.StatusCreated, map[string]any{"id": len(seen), "text": text})
					}
				case http.MethodGet:
					refused := odd == "colour needs limit" && colour != "" && !limit || odd == "limit needs colour" && limit && colour == "" || odd == "blue is refused" && colour == "blue"
					if refused {
						answer(http.StatusBadRequest, map[string]any{})
						return
					}
					answer(http.StatusOK, []any{})
				default:
					w.Header().Set("Allow", "GET, POST")
					answer(http.StatusMethodNotAllowed, map[string]any{})
				}
			})}}
			rec, catalogue := one.judge(t)
			var got []string
			for rule := range failing(rec, catalogue) {
				if strings.HasPrefix(rule, "note.") {
					got = append(got, rule)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("broken are %q, want %q", got, want)
			}
		})
	}
}
