package wholerun_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const hosted = `openapi: 3.0.3
info: {title: Sites, version: '1'}
components:
  schemas:
    Site: {type: object, required: [title], properties: {id: {type: integer, readOnly: true}, title: {type: string, maxLength: 60}, region: {type: string}}}
paths:
  /sites:
    post:
      operationId: addSite
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}, '400': {description: bad}}
  /sites/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readSite, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}, '404': {description: none}}}
    put:
      operationId: replaceSite
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}, '400': {description: bad}, '404': {description: none}}
    delete: {operationId: removeSite, responses: {'204': {description: gone}, '404': {description: none}}}
`

// hosting serves it: it chooses the region of a site, which no request may change or leave out.
type hosting struct {
	mu   sync.Mutex
	next int
	all  map[string]map[string]any
}

func (h *hosting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, one := strings.CutPrefix(r.URL.Path, "/sites/")
	site, there := h.all[id]
	switch {
	case !one && r.Method != http.MethodPost:
		w.Header().Set("Allow", "POST")
		respond(w, http.StatusMethodNotAllowed, nil)
		return
	case one && !slices.Contains([]string{http.MethodGet, http.MethodPut, http.MethodDelete}, r.Method):
		w.Header().Set("Allow", "GET, PUT, DELETE")
		respond(w, http.StatusMethodNotAllowed, nil)
		return
	case one && !there:
		respond(w, http.StatusNotFound, nil)
		return
	case r.Method == http.MethodGet:
		respond(w, http.StatusOK, site)
		return
	case r.Method == http.MethodDelete:
		delete(h.all, id)
		respond(w, http.StatusNoContent, nil)
		return
	}
	var body map[string]any
	data, _ := io.ReadAll(r.Body)
	if json.Unmarshal(data, &body) != nil || !shortText(body["title"]) {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	if region, sent := body["region"]; sent {
		if _, text := region.(string); !text {
			respond(w, http.StatusBadRequest, nil)
			return
		}
	}
	const region = "eu-4"
	switch {
	case one && body["region"] != region:
		respond(w, http.StatusBadRequest, nil)
		return
	case one:
		h.all[id] = map[string]any{"id": site["id"], "title": body["title"], "region": region}
		respond(w, http.StatusOK, h.all[id])
		return
	}
	h.next++
	key := strconv.Itoa(h.next)
	h.all[key] = map[string]any{"id": json.Number(key), "title": body["title"], "region": region}
	respond(w, http.StatusCreated, h.all[key])
}

// A PUT that is refused with each plain body is sent with what a GET shows, which tells values that the service has chosen.
func TestAPutIsSentAsAGetShows(t *testing.T) {
	t.Parallel()
	service := &hosting{all: map[string]map[string]any{}}
	rec, catalogue := trial{contract: []byte(hosted), service: inMemory{service}, confirm: 1}.judge(t)
	if got, want := reached(rec), []string{"addSite", "readSite", "removeSite", "replaceSite"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	accuse(t, failing(rec, catalogue))
	if rec.Exercised["replaceSite.refused.property"] == 0 {
		t.Error("replaceSite.refused.property was not exercised")
	}
	if len(service.all) > 0 {
		t.Errorf("%v are left", service.all)
	}
}
