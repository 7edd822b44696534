package wholerun_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// badges is the contract of badges, with a place for a sentence about each of two texts and one about a conflict.
const badges = `openapi: 3.1.0
info: {title: Badges, version: "1"}
paths:
  /badges:
    post:
      operationId: addBadge
      summary: Add a badge
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewBadge'}}}}
      responses:
        '200': {description: It was there, content: {application/json: {schema: {$ref: '#/components/schemas/Badge'}}}}
        '201': {description: Added, content: {application/json: {schema: {$ref: '#/components/schemas/Badge'}}}}
        '400': {description: It is none}
        '409': {description: CONFLICT}
  /badges/{badgeId}:
    parameters: [{name: badgeId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readBadge
      responses:
        '200': {description: The badge, content: {application/json: {schema: {$ref: '#/components/schemas/Badge'}}}}
        '404': {description: There is none}
components:
  schemas:
    NewBadge: {type: object, required: [name, code], properties: {name: {type: string, minLength: 1, maxLength: 80, description: NAME}, code: {type: string, minLength: 4, maxLength: 40, description: What is on it}}}
    Badge: {allOf: [{$ref: '#/components/schemas/NewBadge'}, {type: object, required: [id], properties: {id: {type: integer, readOnly: true}}}]}
`

// pinning serves badges: it refuses a second one with the same member, returns the first in its place ("returned"), or takes it ("any").
func pinning(variant string) http.Handler {
	type badge struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		Code string `json:"code"`
	}
	var all []badge
	mux := http.NewServeMux()
	mux.HandleFunc("POST /badges", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var sent struct{ Name, Code *string }
		decoder := json.NewDecoder(bytes.NewReader(body))
		if err := decoder.Decode(&sent); err != nil || decoder.More() || sent.Name == nil || sent.Code == nil || *sent.Name == "" || len([]rune(*sent.Name)) > 80 || len([]rune(*sent.Code)) < 4 || len([]rune(*sent.Code)) > 40 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		one := badge{len(all) + 1, *sent.Name, *sent.Code}
		twin := slices.IndexFunc(all, func(b badge) bool {
			return b.Name == one.Name && variant != "code" || b.Code == one.Code && variant == "code"
		})
		switch {
		case twin < 0, variant == "any":
		case variant == "returned":
			show(w, http.StatusOK, all[twin])
			return
		default:
			w.WriteHeader(http.StatusConflict)
			return
		}
		all = append(all, one)
		w.Header().Set("Location", "/badges/"+strconv.Itoa(one.ID))
		show(w, http.StatusCreated, one)
	})
	mux.HandleFunc("GET /badges/{id}", func(w http.ResponseWriter, r *http.Request) {
		if n, ok := byNumber(w, r, len(all)); ok {
			show(w, http.StatusOK, all[n])
		}
	})
	return oneAtATime(mux)
}

// Where a sentence says that no two resources have the same value, a second one with it is not created. It may be refused, or the first
// returned.
func TestUniqueValues(t *testing.T) {
	t.Parallel()
	const rule = "addBadge.created.unique"
	for name, c := range map[string]struct {
		conflict, member, variant string
		broken                    bool
	}{
		"a conflict, refused":            {conflict: "A badge with this name already exists."},
		"a conflict, and two":            {conflict: "A badge with this name already exists.", variant: "any", broken: true},
		"a conflict, the first returned": {conflict: "The name is taken.", variant: "returned"},
		"taken, and two":                 {conflict: "The name is taken.", variant: "any", broken: true},
		"a member, refused":              {member: "Must be unique."},
		"a member, and two":              {member: "Must be unique among badges.", variant: "any", broken: true},
		"another member is":              {conflict: "A badge with this code exists already.", variant: "code"},
		"another member is, and is not":  {conflict: "A badge with this code exists already.", broken: true},
		"no word of it":                  {variant: "any"},
		"of something else":              {conflict: "A queue with this name already exists.", variant: "any"},
		"in part":                        {member: "Must be unique, except for guests.", variant: "any"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := strings.NewReplacer("CONFLICT", quoted(c.conflict), "NAME", quoted(c.member)).Replace(badges)
			rec, catalogue := trial{contract: []byte(document), service: inMemory{pinning(c.variant)}, patience: atOnce}.judge(t)
			broken := failing(rec, catalogue)
			if _, is := broken[rule]; is != c.broken {
				t.Errorf("broken: %v", broken)
			}
			delete(broken, rule)
			accuse(t, broken)
		})
	}
}

// quoted returns a text as YAML writes it.
func quoted(text string) string {
	if text == "" {
		text = "One more"
	}
	return strconv.Quote(text)
}

// A refusal shows nothing if the service refuses one with a value of its own just as well.
func TestARefusalForAnotherReasonShowsNoUniqueValue(t *testing.T) {
	t.Parallel()
	const rule = "addBadge.created.unique"
	for name, exhausted := range map[string]bool{"one more is created": false, "no more are created": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			created := map[string]int{}
			service := pinning("")
			document := strings.NewReplacer("CONFLICT", quoted(""), "NAME", quoted("Must be unique.")).Replace(badges)
			rec, catalogue := trial{contract: []byte(document), patience: atOnce, service: inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				if r.Method == http.MethodPost {
					created[r.UserAgent()]++
				}
				full := exhausted && created[r.UserAgent()] > 1
				mu.Unlock()
				if full {
					w.WriteHeader(http.StatusConflict)
					return
				}
				service.ServeHTTP(w, r)
			})}}.judge(t)
			for _, r := range verdict.Draw(&rec, catalogue.Rules).Rules {
				if r.Rule == rule && (r.Verdict == verdict.Conforms) == exhausted {
					t.Errorf("%s: %s", r.Rule, r.Verdict)
				}
			}
		})
	}
}
