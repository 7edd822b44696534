package wholerun_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/spec"
)

const explainedRules = `
- {id: note.there, section: Notes, level: must, says: A note that exists can be read., covers: [readNote.success]}
- {id: note.let-in, section: Notes, level: must, says: The right key is let in., covers: ['*.success credential-right']}
- {id: note.own, section: Notes, level: must, says: A note is one's own.}
- {id: note.text, section: Notes, level: must, says: A note shows its text.}
- {id: note.range, section: Notes, level: must, says: A note of any number is none or itself., covers: ['readNote.success /paths/~1notes~1{noteId}/get/parameters/0']}
`

const explainedFeature = `Feature: Notes

  @rule:note.there
  Scenario: read again and again
    Given a created "note"
    When readNote is called 2 times
    Then each response is 200

  @rule:note.there
  Scenario: read at once
    Given a created "note"
    When it is read at once
    Then the response is 200

  @rule:note.own
  Scenario: read once
    Given a created "note"
    When it is read
    Then the response is 200

  @rule:note.text
  Scenario: what was sent
    Given "A {new}" is remembered as "title"
    And a created "note" with {"text": "{title}"}
    When it is read
    Then in the response, text is "{title}"

  @rule:note.text
  Scenario: what was shown
    Given a created "note" called "mine"
    And listNotes is called
    And in the response, /0/text is remembered as "title"
    When readNote is called with noteId 1
    Then in the response, text is "{title}"

  @rule:note.range
  Scenario: nobody made it
    When readNote is called with noteId 4294967296
    Then the response is 404 or 200
`

// cabinet is a service that keeps notes, with one thing wrong about it.
type cabinet struct {
	odd string
	mu  sync.Mutex
	all []map[string]any
}

func (c *cabinet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer := func(status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	id, one := strings.CutPrefix(r.URL.Path, "/notes/")
	switch {
	case one && c.odd == "locks":
		answer(http.StatusUnauthorized, map[string]any{})
	case one:
		i, err := strconv.Atoi(id)
		stored := err == nil && i >= 1 && i <= len(c.all) && c.all[i-1] != nil
		switch {
		case !stored && c.odd == "empty":
			w.WriteHeader(http.StatusNoContent)
		case !stored || c.odd == "hides":
			answer(http.StatusNotFound, map[string]any{})
		case c.odd == "shouts":
			answer(http.StatusOK, map[string]any{"id": i, "text": strings.ToUpper(fmt.Sprint(c.all[i-1]["text"]))})
		default:
			answer(http.StatusOK, c.all[i-1])
		}
	case r.Method == http.MethodPost:
		note := map[string]any{}
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil || note["text"] == nil {
			answer(http.StatusBadRequest, map[string]any{})
			return
		}
		note["id"] = len(c.all) + 1
		if c.all = append(c.all, note); c.odd == "drops" {
			c.all[len(c.all)-1] = nil
		}
		answer(http.StatusCreated, note)
	default:
		stored := slices.DeleteFunc(slices.Clone(c.all), func(note map[string]any) bool { return note == nil })
		answer(http.StatusOK, append([]map[string]any{}, stored...))
	}
}

// A finding of a written scenario names the rule that explains it, and cites the exchanges that its values come from.
func TestWrittenFindingsAreExplained(t *testing.T) {
	secured := strings.Replace(pagesContract, "components:\n", "security: [{key: []}]\ncomponents:\n  securitySchemes: {key: {type: http, scheme: bearer}}\n", 1)
	const unreadable = "createNote.created.readable"
	for odd, want := range map[string]map[string]string{
		"":      {},
		"drops": {"read again and again": "note.there after " + unreadable, "read at once": "note.there after " + unreadable, "read once": "note.own after " + unreadable},
		// What is listed was stored: that nobody can read it is the fault of reading. At once it may be a matter of time.
		"hides":  {"read again and again": "note.there", "read at once": "note.there after " + unreadable, "read once": "note.own after " + unreadable},
		"locks":  {"read again and again": "note.there after note.let-in", "read at once": "note.there after note.let-in", "read once": "note.own after note.let-in", "nobody made it": "note.range after note.let-in"},
		"shouts": {"what was sent": "note.text", "what was shown": "note.text"},
		"empty":  {"nobody made it": "note.range"},
	} {
		t.Run(odd, func(t *testing.T) {
			t.Parallel()
			one := trial{
				contract: []byte(secured), service: inMemory{&cabinet{odd: odd}}, rules: explainedRules,
				features: fstest.MapFS{"notes.feature": {Data: []byte(explainedFeature)}},
			}
			rec, _ := one.judge(t)
			operations := map[int]string{}
			for _, ex := range rec.Exchanges {
				operations[ex.Seq] = ex.Operation
			}
			got := map[string]string{}
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					if strings.HasPrefix(f.Rule, "note.") && f.Status != 0 || f.Kind == spec.KindDiffers {
						got[s.Name] = explained(f)
					}
					var cited []string
					for _, seq := range f.Exchanges {
						cited = append(cited, operations[seq])
					}
					shown := map[string]string{"what was sent": "createNote readNote", "what was shown": "listNotes readNote"}[s.Name]
					if got := strings.Join(cited, " "); f.Rule == "note.text" && odd == "shouts" && got != shown {
						t.Errorf("%s cites %q, want %q", s.Name, got, shown)
					}
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("found\n%v, want\n%v", got, want)
			}
		})
	}
}

// explained returns the rule of a finding, and the rule that explains it, if there is one.
func explained(f spec.Finding) string {
	if f.After == "" || f.After == f.Rule {
		return f.Rule
	}
	return f.Rule + " after " + f.After
}
