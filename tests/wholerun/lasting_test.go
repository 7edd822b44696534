package wholerun_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/reports/record"
)

const pagesContract = `openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}]
      responses: {"200": {description: Notes., content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewNote"}}}}
      responses:
        "201": {description: A note., content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "400": {description: No note.}
  /notes/{noteId}:
    get:
      operationId: readNote
      parameters: [{name: noteId, in: path, required: true, schema: {type: integer, format: int64}}]
      responses:
        "200": {description: A note., content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "404": {description: None.}
components:
  schemas:
    NewNote: {type: object, required: [text], properties: {text: {type: string}, size: {type: integer, format: int64}}}
    Note: {type: object, required: [id, text], properties: {id: {type: integer, format: int64}, text: {type: string}, size: {type: integer, format: int64}}}
`

const pagesRules = `
- {id: note.at-once, section: Notes, level: must, says: A note can be read at once and is as it was answered.}
- {id: note.lasts, section: Notes, level: must, says: A note can be read at the end of the run.}
- {id: note.list, section: Notes, level: must, says: A list is an array.}
- {id: note.alive, section: Notes, level: must, says: An odd list is no server error.}
- {id: note.error, section: Notes, level: must, says: An error has a message.}
- {id: note.echo, section: Notes, level: must, says: A note that is taken is answered as it was sent.}
`

const pagesFeature = `Feature: Notes

  @rule:note.at-once
  Scenario: read at once
    Given a created "note" with {"text": "A {new}", "size": 7}
    When it is read at once
    Then the response is 200
    And it is shown as its creation showed it

  @rule:note.lasts @phase:end
  Scenario: all that were created
    Then everything that "createNote" created can still be read with the same text and size

  @rule:note.list
  Scenario: a list
    When listNotes is called
    Then the response is a list

  @rule:note.list
  Scenario: what a list holds
    When listNotes is called
    Then in each item, id is an integer

  @rule:note.alive
  Scenario: an odd list
    When listNotes is called with limit 0
    Then the response is no server error

  @rule:note.error
  Scenario: an odd list that is refused
    When listNotes is called with limit 0
    Then the scenario goes on where the response is an error
    And in the response, message is a string

  @rule:note.echo
  Scenario Outline: a note of <text>
    Given a plain body where text is <text>
    When createNote is called
    Then its text is what was sent, if it was accepted

    Examples:
      | text          |
      | "{digits}"    |
      | "refused"     |

  @rule:note.at-once
  Scenario: read by a step although its creation was refused
    Given a plain body where text is "refused"
    When createNote is called
    And it is read at once
    Then the response is 200

  @rule:note.at-once
  Scenario: named by a call although its creation was refused
    Given a plain body where text is "refused"
    When createNote is called
    And readNote is called with noteId {note}
    Then the response is 200
`

// pages is a service that keeps notes, with one thing wrong about it or unusual.
type pages struct {
	odd  string
	mu   sync.Mutex
	all  []map[string]any
	read map[int]bool
}

func (n *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answer := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	refuse := func(status int) { answer(status, map[string]any{"message": "no"}) }
	id, one := strings.CutPrefix(r.URL.Path, "/notes/")
	switch {
	case one:
		i, err := strconv.Atoi(id)
		before := n.read[i]
		lost := n.odd == "forgets" && before || n.odd == "reads-late" && !before
		if n.read[i] = true; err != nil || i < 1 || i > len(n.all) || lost {
			refuse(http.StatusNotFound)
			return
		}
		shown := maps.Clone(n.all[i-1])
		if n.odd == "shouts" {
			shown["text"] = strings.ToUpper(fmt.Sprint(shown["text"]))
		}
		if n.odd == "shrinks" && before {
			shown["text"] = "A"
		}
		answer(http.StatusOK, shown)
	case r.Method == http.MethodPost:
		var sent map[string]any
		d := json.NewDecoder(r.Body)
		d.UseNumber()
		if err := d.Decode(&sent); err != nil || sent["text"] == nil || sent["text"] == "refused" {
			refuse(http.StatusBadRequest)
			return
		}
		note := map[string]any{"id": len(n.all) + 1, "text": sent["text"]}
		if sent["size"] != nil {
			note["size"] = sent["size"]
		}
		n.all = append(n.all, note)
		if n.odd == "pads" {
			note = map[string]any{"id": note["id"], "text": fmt.Sprint(note["text"]) + " "}
		}
		answer(http.StatusCreated, note)
	case r.URL.Query().Get("limit") == "0" && n.odd == "fails":
		refuse(http.StatusInternalServerError)
	case r.URL.Query().Get("limit") == "0" && n.odd == "silent":
		answer(http.StatusBadRequest, map[string]any{})
	case r.URL.Query().Get("limit") == "0" && n.odd != "lenient":
		refuse(http.StatusBadRequest)
	case n.odd == "wraps-two":
		answer(http.StatusOK, map[string]any{"items": n.all, "others": n.all})
	case n.odd == "wraps":
		answer(http.StatusOK, map[string]any{"items": n.all})
	default:
		answer(http.StatusOK, append([]map[string]any{}, n.all...))
	}
}

// What lasts to the end of a run, what is read at once, and what only some responses have to show.
func TestWrittenFeaturesLookBack(t *testing.T) {
	for odd, rules := range map[string][]string{
		"": nil, "lenient": nil, "forgets": {"note.lasts"}, "shrinks": {"note.lasts"}, "reads-late": {"note.at-once"}, "shouts": {"note.at-once", "note.lasts"},
		"pads": {"note.at-once", "note.echo"}, "fails": {"note.alive"}, "silent": {"note.error"}, "wraps": {"note.list"}, "wraps-two": {"note.list"},
	} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			one := trial{
				contract: []byte(pagesContract), service: inMemory{&pages{odd: odd, read: map[int]bool{}}}, rules: pagesRules,
				features: fstest.MapFS{"notes.feature": {Data: []byte(pagesFeature)}},
			}
			rec, catalogue := one.judge(t)
			var own []string
			for rule := range failing(rec, catalogue) {
				if strings.HasPrefix(rule, "note.") {
					own = append(own, rule)
				}
			}
			if slices.Sort(own); !slices.Equal(own, rules) {
				t.Errorf("broken are %q, want %q", own, rules)
			}
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Errored {
					t.Errorf("%s: %s", s.Name, s.Reason)
				}
				if refused := "createNote did not create what the scenario is about: status 400"; strings.HasSuffix(s.Name, "its creation was refused") && s.Reason != refused {
					t.Errorf("%s ended with %q, want %q", s.Name, s.Reason, refused)
				}
			}
		})
	}
}
