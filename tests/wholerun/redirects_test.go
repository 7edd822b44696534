package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hallmark-kit/hallmark/spec"
)

// exports is a contract whose only successes of a creation are redirects.
const exports = `openapi: 3.0.3
info: {title: Exports, version: 1.0.0}
paths:
  /exports:
    post:
      operationId: startExport
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 20}}}}}}
      responses:
        '303': {description: Begun, headers: {Location: {required: true, schema: {type: string}}}}
        '400': {description: Wrong}
  /exports/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: readExport
      responses:
        '200': {description: It, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}}}
        '404': {description: None}
    delete:
      operationId: deleteExport
      responses: {'303': {description: Gone, see what is left}, '404': {description: None}}
`

// A documented redirect is a success, and its Location says what was created.
func TestRedirectsThatAreSuccesses(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`^/exports/([1-9][0-9]{0,17})$`)
	for name, test := range map[string]struct {
		// location is the Location of what was created, by its number.
		location string
		broken   string
		want     []string
	}{
		"an absolute address":      {location: "http://service.test/exports/%d"},
		"a path":                   {location: "/exports/%d"},
		"a relative reference":     {location: "exports/%d"},
		"what is wrong is taken":   {location: "/exports/%d", broken: "takes all", want: []string{"startExport.refused.body-type", "startExport.refused.property", "startExport.refused.property-missing"}},
		"what is deleted stays":    {location: "/exports/%d", broken: "deletes nothing", want: []string{"deleteExport.deleted.gone"}},
		"a read shows another one": {location: "/exports/%d", broken: "shows another", want: []string{"readExport.read.itself"}},
		"errors are redirects too": {location: "/exports/%d", broken: "error"},
		"a member is missing":      {location: "/exports/%d", broken: "no name", want: []string{"readExport.body"}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			all, made := map[int]string{}, 0
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				match := id.FindStringSubmatch(r.URL.Path)
				switch {
				case r.URL.Path == "/exports" && r.Method == http.MethodPost:
					var sent struct{ Name *string }
					text, _ := io.ReadAll(r.Body)
					err := json.Unmarshal(text, &sent)
					wrong := err != nil || sent.Name == nil || *sent.Name == "" || len([]rune(*sent.Name)) > 20 || !strings.Contains(string(text), `"name"`)
					if wrong && test.broken == "error" {
						w.Header().Set("Location", "/form?error=invalid")
						w.WriteHeader(http.StatusSeeOther)
						return
					}
					if wrong && (test.broken != "takes all" || !json.Valid(text)) {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					made++
					all[made*37] = ""
					if sent.Name != nil {
						all[made*37] = *sent.Name
					}
					w.Header().Set("Location", fmt.Sprintf(test.location, made*37))
					w.WriteHeader(http.StatusSeeOther)
				case match == nil:
					w.WriteHeader(http.StatusNotFound)
				case r.Method == http.MethodGet || r.Method == http.MethodDelete:
					n, _ := strconv.Atoi(match[1])
					text, there := all[n]
					switch {
					case !there:
						w.WriteHeader(http.StatusNotFound)
						return
					case r.Method == http.MethodDelete:
						if test.broken != "deletes nothing" {
							delete(all, n)
						}
						w.Header().Set("Location", "/exports")
						w.WriteHeader(http.StatusSeeOther)
						return
					}
					shown := map[string]any{"id": n, "name": text}
					if test.broken == "shows another" {
						shown["id"] = n + 37
					}
					if test.broken == "no name" {
						delete(shown, "name")
					}
					w.Header().Set("Content-Type", "application/json")
					_ = json.NewEncoder(w).Encode(shown)
				default:
					w.Header().Set("Allow", "GET, DELETE")
					w.WriteHeader(http.StatusMethodNotAllowed)
				}
			})
			rec, catalogue := trial{contract: []byte(exports), service: inMemory{service}, confirm: 1, patience: 1}.judge(t)
			if diff := cmp.Diff(test.want, slices.Sorted(maps.Keys(failing(rec, catalogue)))); diff != "" {
				t.Error(diff)
			}
			if name := test.broken; name == "" && (rec.Exercised["startExport.created.readable"] == 0 || rec.Exercised["deleteExport.deleted.gone"] == 0) {
				t.Errorf("not exercised: %v", rec.Exercised)
			}
		})
	}
}

// A request by a method that a path lacks, and a HEAD, go to the server of the path.
func TestMethodsAreSentToTheServerOfThePath(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Two servers, version: '1'}
servers: [{url: 'https://api.example.com/v1'}]
paths:
  /here:
    get: {operationId: readHere, responses: {'204': {description: None}}}
  /there:
    servers: [{url: 'https://api.example.com/v2'}]
    get: {operationId: readThere, responses: {'204': {description: None}}}
  /done:
    servers: [{url: 'https://api.example.com/v2'}]
    post: {operationId: createDone, responses: {'204': {description: None}}}
`
	var mu sync.Mutex
	seen := map[string]int{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen[r.Method+" "+r.URL.Path]++
		if r.Method == http.MethodGet && r.URL.Path == "/v2/done" {
			w.Header().Set("Allow", "POST")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, baseURL: "http://service.test/v1"}.judge(t)
	accuse(t, broken(rec, catalogue, func(spec.Level) bool { return true }))
	for request := range seen {
		if slices.Contains([]string{"/v1/there", "/v1/done", "/v2/here"}, strings.Fields(request)[1]) {
			t.Errorf("%s was sent to another server", request)
		}
	}
	for _, request := range []string{"HEAD /v1/here", "HEAD /v2/there", "GET /v2/done"} {
		if seen[request] == 0 {
			t.Errorf("%s was not sent", request)
		}
	}
}
