package wholerun_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/tests/shop"
)

// writtenTrial is the desk, judged by features that people wrote.
func writtenTrial(t *testing.T, variant string) trial {
	t.Helper()
	feature, err := os.ReadFile("testdata/written/desk.feature")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile("testdata/written/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return trial{contract: shop.DeskContract(), service: inMemory{shop.NewDesk(variant)}, features: fstest.MapFS{"desk.feature": {Data: feature}}, rules: string(rules)}
}

// What services do that keep the rules is not held against them.
func TestWrittenFeaturesAcceptFreedoms(t *testing.T) {
	t.Parallel()
	for _, variant := range []string{"", "shows-late", "tells-the-time", "gone-410", "deletes-late", "unlists-late", "lists-late", "stocked", "pages-of-10", "deletes-quietly"} {
		t.Run("freedom "+variant, func(t *testing.T) {
			t.Parallel()
			one := writtenTrial(t, variant)
			rec, catalogue := one.judge(t)
			all := failing(rec, catalogue)
			if variant == "tells-the-time" { // ten reads are to show the same, which this one says it does not
				delete(all, "desk.ticket.steady")
			}
			accuse(t, all)
			for _, s := range rec.Scenarios {
				if s.Outcome == record.Errored || s.Outcome == record.Skipped && variant == "" {
					t.Errorf("%s: %s: %s", s.Name, s.Outcome, s.Reason)
				}
			}
			for _, r := range catalogue.Rules {
				if r.Area() == "desk" && rec.Exercised[r.ID] == 0 && variant == "" {
					t.Errorf("%s was not exercised", r.ID)
				}
			}
		})
	}
}

// Each fault breaks the rule that a feature states, and no other one of its own.
func TestWrittenFeaturesFindFaults(t *testing.T) {
	t.Parallel()
	for variant, rule := range map[string]string{
		"lost": "desk.ticket.own", "title-cut": "desk.ticket.kept", "green-is-blue": "desk.ticket.kept", "id-by-length": "desk.ticket.own", "id-off": "desk.ticket.kept",
		"reading-renames": "desk.ticket.steady", "delete-kept": "desk.ticket.removed", "deleted-listed": "desk.ticket.removed", "filter-ignored": "desk.list.filter",
		"limit-ignored": "desk.list.limit", "limit-one-more": "desk.list.limit", "listed-twice": "desk.list.once",
	} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			rec, catalogue := writtenTrial(t, variant).judge(t)
			all := failing(rec, catalogue)
			f, found := all[rule]
			if !found {
				t.Fatalf("broken are %v, want %s", all, rule)
			}
			if f.Kind == "" || f.Cause == "" || f.Expected.IsZero() || f.Actual.IsZero() || len(f.Exchanges) == 0 || f.Operation == "" {
				t.Errorf("the finding says too little: %+v", f)
			}
			t.Logf("%s: expected %s, actual %s", f.Where, f.Expected, f.Actual)
		})
	}
}

// An open rule is observed, and never broken.
func TestWrittenFeaturesObserveOpenRules(t *testing.T) {
	t.Parallel()
	rec, catalogue := writtenTrial(t, "stocked").judge(t)
	for _, s := range rec.Scenarios {
		for _, o := range s.Observations {
			if r, _ := catalogue.Rule(o.Rule); r.Level == spec.Open && o.Rule == "desk.order" {
				return
			}
		}
	}
	t.Error("what the open rule asks is not observed")
}

// The feature that docs/contracts.md shows finds what it is about, and accepts a desk that keeps its rule.
func TestWrittenFeatureOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/contracts.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(first string) string {
		_, rest, found := strings.Cut(string(page), first+"\n")
		text, _, ended := strings.Cut(rest, "```")
		if !found || !ended {
			t.Fatalf("the page has no block that begins with %q", first)
		}
		return text
	}
	feature, rules := block("```gherkin\n# features/desk.feature"), block("```yaml\n# rules.yaml")
	for variant, broken := range map[string]bool{"": false, "unlists-late": false, "deleted-listed": true, "delete-kept": true} {
		one := trial{contract: shop.DeskContract(), service: inMemory{shop.NewDesk(variant)}, features: fstest.MapFS{"desk.feature": {Data: []byte(feature)}}, rules: rules}
		rec, catalogue := one.judge(t)
		if _, is := failing(rec, catalogue)["desk.ticket.removed"]; is != broken || rec.Exercised["desk.ticket.removed"] == 0 {
			t.Errorf("%q: broken %v, want %v", variant, is, broken)
		}
	}
}

// A written scenario that passes counts all derived rules as judged that it names, and the status of each call is judged by what the
// contract promises of every response.
func TestWrittenScenariosJudgeDerivedRules(t *testing.T) {
	t.Parallel()
	const feature = `Feature: The desk

  @rule:openTicket.created.kept @rule:readTicket.read.itself
  Scenario: a ticket is read
    Given a created "ticket" with {"colour": "red"}
    When it is read
    Then in the response, colour is "red"
    When it is deleted
    Then it can no longer be read

  @rule:listTickets.list.limit @rule:listTickets.list.filter
  Scenario: a list of red tickets
    Given a created "ticket" with {"colour": "red"}
    When listTickets is called
    Then in each item, colour is "red"
`
	judge := func(status int, method string) (record.Record, map[string]spec.Finding) {
		desk := shop.NewDesk("")
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == method && status != 0 {
				w.WriteHeader(status)
				return
			}
			desk.ServeHTTP(w, r)
		})
		one := trial{contract: shop.DeskContract(), service: inMemory{service}, features: fstest.MapFS{"desk.feature": {Data: []byte(feature)}}}
		rec, catalogue := one.judge(t)
		return rec, failing(rec, catalogue)
	}
	rec, _ := judge(0, "")
	for rule, exercised := range map[string]bool{
		"openTicket.created.kept": true, "readTicket.read.itself": true, "openTicket.success": true, "deleteTicket.no-server-error": true, "readTicket.no-server-error": true,
		"listTickets.list.limit": true, "listTickets.list.filter": true, "putTicket.success": false,
	} {
		if (rec.Exercised[rule] > 0) != exercised {
			t.Errorf("%s was judged %d times", rule, rec.Exercised[rule])
		}
	}
	for rule, of := range map[string]struct {
		status int
		method string
	}{"deleteTicket.success": {http.StatusMultiStatus, http.MethodDelete}, "deleteTicket.no-server-error": {http.StatusInternalServerError, http.MethodDelete}} {
		if _, found := judge(of.status, of.method); found[rule].Status != of.status {
			t.Errorf("broken are %v, want %s", found, rule)
		}
	}
}

// What is no JSON is compared byte by byte.
func TestWrittenFeaturesCompareBytes(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /note:
    get: {operationId: readNote, responses: {"200": {description: A note., content: {text/plain: {schema: {type: string}}}}}}
`
	const rules = "- {id: note.steady, section: Notes, level: must, says: A note stays as it is.}\n- {id: note.new, section: Notes, level: must, says: A note is another one each time.}\n"
	const feature = `Feature: Notes

  @rule:note.steady
  Scenario: read twice
    When readNote is called
    And readNote is called
    Then the response is as before

  @rule:note.steady
  Scenario: read many times
    When readNote is called 3 times
    Then each response shows the same

  @rule:note.new
  Scenario: another one
    When readNote is called
    And readNote is called
    Then the response is not as before
`
	for _, changes := range []bool{false, true} {
		var reads atomic.Int64
		service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			n := int64(0)
			if changes {
				n = reads.Add(1)
			}
			_, _ = fmt.Fprintf(w, "Note %d", n)
		})
		one := trial{contract: []byte(contract), service: inMemory{service}, features: fstest.MapFS{"notes.feature": {Data: []byte(feature)}}, rules: rules}
		rec, catalogue := one.judge(t)
		found := failing(rec, catalogue)
		if _, is := found["note.steady"]; is != changes {
			t.Errorf("changes %v: note.steady is broken: %v", changes, is)
		}
		if _, is := found["note.new"]; is == changes {
			t.Errorf("changes %v: note.new is broken: %v", changes, is)
		}
	}
}

// Rows and cells of CSV, bytes that came back, and two pages are judged by steps of their own.
func TestWrittenFeaturesJudgeTablesBytesAndPages(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Files, version: "1"}
paths:
  /table:
    get: {operationId: readTable, responses: {"200": {description: A table., content: {text/csv: {schema: {type: string}}}}}}
  /file:
    put:
      operationId: storeFile
      requestBody: {required: true, content: {application/octet-stream: {}}}
      responses: {"204": {description: Stored.}}
    get: {operationId: readFile, responses: {"200": {description: The file., content: {application/octet-stream: {}}}}}
  /things:
    get:
      operationId: listThings
      parameters: [{name: page, in: query, schema: {type: integer, minimum: 1}}]
      responses: {"200": {description: A page., content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}}
`
	const rules = `- {id: table.rows, section: Files, level: must, says: The table has two rows.}
- {id: table.cells, section: Files, level: must, says: The table names things and where they are.}
- {id: file.same, section: Files, level: must, says: A file comes back.}
- {id: pages.apart, section: Files, level: must, says: Pages differ.}
`
	const feature = `Feature: Files

  @rule:table.rows
  Scenario: its rows
    When readTable is called
    Then the response has exactly 2 rows

  @rule:table.cells
  Scenario: its cells
    When readTable is called
    Then in row 2, name is the text "tea, black"
    And in each row, place is the text "shelf"

  @rule:file.same
  Scenario: comes back
    Given the body is "tea"
    When storeFile is called
    And 0 seconds pass
    And readFile is called
    Then the response is the bytes that were sent

  @rule:pages.apart
  Scenario: two pages
    When listThings is called with page 1
    And listThings is called with page 2
    Then no item has the id of one in the response before
`
	for _, broken := range []bool{false, true} {
		var mu sync.Mutex
		var file []byte
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			switch r.Method + " " + r.URL.Path {
			case "GET /table":
				w.Header().Set("Content-Type", "text/csv")
				table := "name;place\ncoffee;shelf\n\"tea, black\";shelf\n"
				if broken {
					table = "name;place\ncoffee;shelf\ntea;shelf\nmilk;fridge\n"
				}
				_, _ = io.WriteString(w, table)
			case "PUT /file":
				file, _ = io.ReadAll(r.Body)
				w.WriteHeader(http.StatusNoContent)
			case "GET /file":
				w.Header().Set("Content-Type", "application/octet-stream")
				if broken {
					file = append(file, '\n')
				}
				_, _ = w.Write(file)
			default:
				page := r.URL.Query().Get("page")
				if broken {
					page = "1"
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `[{"id": %s0}, {"id": %s1}]`, page, page)
			}
		})
		one := trial{contract: []byte(contract), service: inMemory{service}, features: fstest.MapFS{"files.feature": {Data: []byte(feature)}}, rules: rules, allowed: []string{"storeFile"}}
		rec, catalogue := one.judge(t)
		found := failing(rec, catalogue)
		for _, rule := range []string{"table.rows", "table.cells", "file.same", "pages.apart"} {
			if _, is := found[rule]; is != broken || rec.Exercised[rule] == 0 {
				t.Errorf("broken %v: %s is found broken: %v, judged %d times", broken, rule, is, rec.Exercised[rule])
				for _, one := range rec.Scenarios {
					t.Logf("%s: %s %s", one.Name, one.Outcome, one.Reason)
				}
			}
		}
	}
}
