package wholerun_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

const crews = `openapi: 3.0.3
info: {title: Crews, version: '1'}
components:
  schemas: {Crew: {type: object, properties: {crew: {type: string}, motto: {type: string}}}}
paths:
  /crews:
    get: {operationId: listCrews, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Crew'}}}}}}}
    post:
      operationId: addCrew
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}, '400': {description: bad}, '409': {description: there}}
  /crews/{crew}:
    parameters: [{name: crew, in: path, required: true, schema: {type: string}}]
    get: {operationId: getCrew, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}, '404': {description: none}}}
    put:
      operationId: putCrew
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Crew'}}}}, '400': {description: bad}, '404': {description: none}}
    delete: {operationId: dropCrew, responses: {'204': {description: gone}, '404': {description: none}}}
`

// crewing serves it: who creates a crew names it.
type crewing struct {
	mu   sync.Mutex
	all  map[string]map[string]string
	keys []string
}

func (c *crewing) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := httptest.NewRecorder()
	reply := func(status int, body any) (*http.Response, error) {
		if body != nil {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		if body != nil {
			_ = json.NewEncoder(w).Encode(body)
		}
		return w.Result(), nil
	}
	var sent map[string]string
	if req.Method == http.MethodPost || req.Method == http.MethodPut {
		text, _ := io.ReadAll(req.Body)
		var members map[string]*string
		if err := json.Unmarshal(text, &members); err != nil || members == nil {
			return reply(http.StatusBadRequest, nil)
		}
		sent = map[string]string{}
		for name, value := range members {
			if value == nil {
				return reply(http.StatusBadRequest, nil)
			}
			sent[name] = *value
		}
	}
	name, one := strings.CutPrefix(req.URL.Path, "/crews/")
	crew, there := c.all[name]
	switch {
	case !one && req.Method == http.MethodGet:
		list := []any{}
		for _, key := range c.keys {
			if crew, there := c.all[key]; there {
				list = append(list, crew)
			}
		}
		return reply(http.StatusOK, list)
	case !one && req.Method == http.MethodPost && sent["crew"] == "":
		return reply(http.StatusBadRequest, nil)
	case !one && req.Method == http.MethodPost:
		if _, taken := c.all[sent["crew"]]; taken {
			return reply(http.StatusConflict, nil)
		}
		c.all[sent["crew"]], c.keys = sent, append(c.keys, sent["crew"])
		return reply(http.StatusCreated, sent)
	case !one:
		w.Header().Set("Allow", "GET, POST")
		return reply(http.StatusMethodNotAllowed, nil)
	case !there:
		return reply(http.StatusNotFound, nil)
	case req.Method == http.MethodPut:
		sent["crew"] = name
		c.all[name] = sent
		return reply(http.StatusOK, sent)
	case req.Method == http.MethodDelete:
		delete(c.all, name)
		return reply(http.StatusNoContent, nil)
	}
	return reply(http.StatusOK, crew)
}

// A member that is called as the parameter of the path is the name that a client gives: each creation has a new one, though the document
// requires none, and a service that needs it is not accused.
func TestAMemberCalledAsThePathNamesTheResource(t *testing.T) {
	t.Parallel()
	rec := confirmed(t, []byte(crews), &crewing{all: map[string]map[string]string{}}, 0)
	if got, want := reached(rec), []string{"addCrew", "dropCrew", "getCrew", "listCrews", "putCrew"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	for _, s := range rec.Scenarios {
		for _, f := range s.Findings {
			if !strings.HasSuffix(f.Rule, ".location") {
				t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
			}
		}
	}
}
