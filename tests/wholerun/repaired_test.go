package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

const refusing = `openapi: 3.0.3
info: {title: Things that are refused at first, version: '1'}
components:
  schemas:
    Zone: {type: object, required: [name], properties: {name: {type: string}, zone_type: {type: string, enum: [master, slave]}, ttl: {type: integer, minimum: 0}, alias: {type: string}}}
    Job: {type: object, required: [retries], properties: {retries: {type: integer, minimum: 0, example: 1}, note: {type: string}}}
    Plan: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}}
    Probe:
      type: object
      required: [check]
      properties: {check: {oneOf: [{type: object, required: [icmp], properties: {icmp: {type: boolean}}}, {type: object, required: [tcp], properties: {tcp: {type: integer, minimum: 1, maximum: 9}}}]}}
paths:
  /zones:
    post:
      operationId: addZone
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}, '400': {description: bad}, '422': {description: bad}}
  /zones/{id}:
    delete: {operationId: deleteZone, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'204': {description: gone}, '404': {description: none}}}
    get: {operationId: getZone, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}, '404': {description: none}}}
  /jobs: {post: {operationId: addJob, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, responses: {'201': {description: ok}, '400': {description: bad}, '422': {description: bad}}}}
  /plans: {post: {operationId: addPlan, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Plan'}}}}, responses: {'201': {description: ok}, '400': {description: bad}}}}
  /probes: {post: {operationId: addProbe, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Probe'}}}}, responses: {'201': {description: ok}, '400': {description: bad}}}}
  /bonds: {post: {operationId: addBond, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}, responses: {'201': {description: ok}, '422': {description: bad}}}}
  /messages: {post: {operationId: sendMessage, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Plan'}}}}, responses: {'201': {description: ok}, '400': {description: bad}}}}
`

// picky serves it: what it refuses, it refuses for reasons that no schema gives.
type picky struct {
	mu    sync.Mutex
	posts map[string]int
	made  int
	all   map[string]any
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id, ok := strings.CutPrefix(r.URL.Path, "/zones/"); ok {
		zone, there := p.all[id]
		switch {
		case !there:
			respond(w, http.StatusNotFound, nil)
		case r.Method == http.MethodDelete:
			delete(p.all, id)
			respond(w, http.StatusNoContent, nil)
		default:
			respond(w, http.StatusOK, zone)
		}
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		respond(w, http.StatusMethodNotAllowed, nil)
		return
	}
	p.posts[r.URL.Path]++
	data, _ := io.ReadAll(r.Body)
	var body map[string]any
	if json.Unmarshal(data, &body) != nil || body == nil {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	text := func(name string) bool { _, is := body[name].(string); return is }
	optional := func(name string) bool { _, there := body[name]; return !there || text(name) }
	number := func(name string) (float64, bool) {
		n, is := body[name].(float64)
		return n, is && n == float64(int64(n)) && n >= 0
	}
	has := func(name string) bool { _, there := body[name]; return there }
	refuse := func(status int, why any) { respond(w, status, why) }
	switch r.URL.Path {
	case "/zones":
		if _, is := number("ttl"); has("ttl") && !is || !text("name") || !optional("alias") {
			refuse(400, nil)
			return
		}
		switch body["zone_type"] {
		case nil:
			refuse(422, map[string]any{"detail": []any{map[string]any{"loc": []string{"body", "zone_type"}, "msg": "field required", "type": "missing"}}})
			return
		case "master", "slave":
		default:
			refuse(400, nil)
			return
		}
		if has("alias") {
			refuse(400, map[string]any{"error": "'alias' cannot be set here"})
			return
		}
		p.made++
		id := strconv.Itoa(p.made)
		body["id"] = json.Number(id)
		p.all[id] = body
		respond(w, http.StatusCreated, body)
	case "/jobs":
		n, is := number("retries")
		switch {
		case !is || !optional("note"):
			refuse(400, nil)
		case n < 3:
			refuse(422, map[string]any{"errors": map[string]any{"retries": []string{"The retries must be at least 3."}}})
		default:
			respond(w, http.StatusCreated, nil)
		}
	case "/plans": // says nothing
		if !text("a") || !optional("b") || !optional("c") || !optional("d") || !has("b") || has("c") {
			refuse(400, nil)
			return
		}
		respond(w, http.StatusCreated, nil)
	case "/probes":
		check, _ := body["check"].(map[string]any)
		if tcp, is := check["tcp"].(float64); !is || tcp != float64(int64(tcp)) || tcp < 1 || tcp > 9 {
			refuse(400, nil)
			return
		}
		respond(w, http.StatusCreated, nil)
	case "/bonds":
		refuse(422, map[string]any{"errors": map[string]any{"name": []string{"The name is not one of a registered issuer."}}})
	default:
		refuse(400, map[string]any{"error": "'b' is not allowed"})
	}
}

// A body between the smallest and the largest is found by what refusals say, by the branches of the schema, and one member at a time; messages
// are not sent for that. What was learned breaks no rule, what was created is removed, and of what is refused with each body the record says
// which member the refusals name.
func TestRefusedBodiesAreCorrected(t *testing.T) {
	t.Parallel()
	service := &picky{posts: map[string]int{}, all: map[string]any{}}
	rec, catalogue := trial{contract: []byte(refusing), service: inMemory{service}, confirm: 1}.judge(t)
	if got, want := reached(rec), []string{"addJob", "addPlan", "addProbe", "addZone", "deleteZone", "getZone"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	accuse(t, failing(rec, catalogue))
	for _, rule := range []string{"addZone.success", "addZone.refused.property", "addZone.accepted", "addJob.success", "addPlan.success", "addProbe.success"} {
		if rec.Exercised[rule] == 0 {
			t.Errorf("%s was not exercised", rule)
		}
	}
	if n := service.posts["/messages"]; n > 10 {
		t.Errorf("%d messages were sent", n)
	}
	if n := service.posts["/bonds"]; n > 25 {
		t.Errorf("%d bonds were sent", n)
	}
	created := 0
	for _, ex := range rec.Exchanges {
		if ex.Response != nil && ex.Response.Status == http.StatusCreated {
			created++
		}
	}
	if len(service.all) > 0 || len(rec.Created) < created {
		t.Errorf("%v are left of zones; the ledger has %d of %d creations", service.all, len(rec.Created), created)
	}
	var says []string
	for _, one := range rec.Bodies {
		says = append(says, one.Sentence())
	}
	for _, want := range []string{
		"addZone was refused with each plain body, and accepted with /zone_type, without /alias and /ttl; other values of these members are not judged",
		"addJob was refused with each plain body, and accepted without /note, with another value of /retries; other values of these members are not judged",
		"sendMessage never succeeded, and no other bodies are tried, because each call matters; the refusals name /b",
	} {
		if !slices.Contains(says, want) {
			t.Errorf("the record does not say %q, but %q", want, says)
		}
	}
	for operation, want := range map[string]string{
		"addBond":     "addBond never succeeded, not even with one of ",
		"sendMessage": "; the refusals name /b: the last response was 400",
	} {
		skipped := 0
		for _, s := range rec.Scenarios {
			if s.Outcome == record.Skipped && slices.Contains(s.Operations, operation) {
				if skipped++; !strings.Contains(s.Reason, want) || !strings.Contains(s.Reason, "; the refusals name /") {
					t.Errorf("%s: the reason %q lacks %q", s.ID, s.Reason, want)
				}
			}
		}
		if skipped == 0 {
			t.Errorf("no scenario of %s was skipped", operation)
		}
	}
	unreached := verdict.Draw(&rec, catalogue.Rules).Unreached
	if len(unreached) != 2 {
		t.Errorf("%v were not reached", unreached)
	}
	for _, u := range unreached {
		if u.Bodies == nil || !slices.Contains(u.Bodies.Named, map[string]string{"addBond": "/name", "sendMessage": "/b"}[u.Operation]) {
			t.Errorf("%s was not reached because of %+v", u.Operation, u.Bodies)
		}
	}
}

// What a refusal quotes, and what a description gives as an example, leads to a name that is accepted; further names have the same form.
func TestNamesOfAFormThatARefusalTells(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Zones, version: 1.0.0}
paths:
  /zones:
    post:
      operationId: addZone
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}, '409': {description: taken}, '422': {description: no}}
  /zones/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: readZone, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}, '404': {description: none}}}
    patch:
      operationId: changeZone
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}, '404': {description: none}, '422': {description: no}}
    delete: {operationId: dropZone, responses: {'204': {description: gone}, '404': {description: none}}}
components:
  schemas:
    Zone:
      type: object
      properties:
        name: {type: string, DESCRIPTION}
        note: {type: string}
        sets: {type: array, items: {type: object, properties: {name: {type: string}}}}
`
	for name, says := range map[string]string{
		"the refusal says": `DNS Name '%s' is not canonical`, "the description says": `name: '%s' is wrong`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			described := "description: Name of the zone"
			if name == "the description says" {
				described += " (e.g. “example.com.”)"
			}
			var mu sync.Mutex
			zones := map[string]map[string]any{}
			wrong := func(body map[string]any) any {
				all := []any{body["name"]}
				sets, _ := body["sets"].([]any)
				for _, one := range sets {
					set, _ := one.(map[string]any)
					all = append(all, set["name"])
				}
				for _, one := range all {
					if text, is := one.(string); one != nil && (!is || !strings.HasSuffix(text, ".") || strings.Count(text, ".") < 2) {
						return map[string]any{"error": fmt.Sprintf(says, one)}
					}
				}
				return nil
			}
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				var body map[string]any
				if r.Method == http.MethodPost || r.Method == http.MethodPatch {
					if json.NewDecoder(r.Body).Decode(&body) != nil {
						respond(w, http.StatusUnprocessableEntity, nil)
						return
					}
					if bad := wrong(body); bad != nil {
						respond(w, http.StatusUnprocessableEntity, bad)
						return
					}
				}
				id := strings.TrimPrefix(r.URL.Path, "/zones/")
				switch {
				case r.URL.Path == "/zones" && r.Method == http.MethodPost:
					made, is := body["name"].(string)
					switch {
					case !is:
						respond(w, http.StatusUnprocessableEntity, map[string]any{"error": "Key 'name' not present or not a String"})
					case zones[made] != nil:
						respond(w, http.StatusConflict, nil)
					default:
						zones[made] = body
						respond(w, http.StatusCreated, body)
					}
				case zones[id] == nil:
					respond(w, http.StatusNotFound, nil)
				case r.Method == http.MethodGet:
					respond(w, http.StatusOK, zones[id])
				case r.Method == http.MethodPatch && body["sets"] == nil:
					respond(w, http.StatusUnprocessableEntity, map[string]any{"error": "No sets given in update request"})
				case r.Method == http.MethodPatch:
					zones[id]["sets"] = body["sets"]
					respond(w, http.StatusOK, zones[id])
				case r.Method == http.MethodDelete:
					delete(zones, id)
					respond(w, http.StatusNoContent, nil)
				}
			})
			rec, _ := trial{contract: []byte(strings.Replace(contract, "DESCRIPTION", described, 1)), service: inMemory{service}, confirm: 1}.judge(t)
			if got, want := reached(rec), []string{"addZone", "changeZone", "dropZone", "readZone"}; !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
		})
	}
}
