package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// zoneNames is a contract whose names have a form and an order in which no schema binds them, as domain names have.
const zoneNames = `openapi: 3.1.0
info: {title: Zones, version: 1.0.0}
paths:
  /zones:
    get:
      operationId: listZones
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Zone'}}}}}}
    post:
      operationId: createZone
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}
      responses:
        '201': {description: Made, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}
        '409': {description: Taken}
        '422': {description: No}
components:
  schemas:
    Zone:
      type: object
      required: [name]
      properties:
        name: {type: string}
        records: {type: array, items: {type: object, required: [host], properties: {host: {type: string}, off: {type: boolean}}}}
`

// registry serves it. Names end with ".example.", those of hosts with the name of their zone.
type registry struct {
	mu    sync.Mutex
	names []string
	// unchecked takes records whose off is no boolean.
	unchecked bool
}

func (g *registry) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	g.serve(w, req)
	return w.Result(), nil
}

func (g *registry) serve(w http.ResponseWriter, req *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	reply := func(status int, body any) { respond(w, status, body) }
	switch {
	case req.URL.Path != "/zones":
		w.WriteHeader(http.StatusNotFound)
		return
	case req.Method == http.MethodGet:
		all := []any{}
		for _, name := range g.names {
			all = append(all, map[string]any{"name": name})
		}
		reply(http.StatusOK, all)
		return
	case req.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	text, _ := io.ReadAll(req.Body)
	var zone struct {
		Name    *string `json:"name"`
		Records []struct {
			Host *string         `json:"host"`
			Off  json.RawMessage `json:"off"`
		} `json:"records"`
	}
	if json.Unmarshal(text, &zone) != nil || zone.Name == nil || !strings.HasSuffix(*zone.Name, ".example.") || strings.Contains(string(text), `"records":null`) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	for _, r := range zone.Records {
		off := string(r.Off)
		if r.Host == nil || !strings.HasSuffix(*r.Host, ".example.") || !g.unchecked && off != "" && off != "true" && off != "false" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
	}
	if slices.Contains(g.names, *zone.Name) {
		w.WriteHeader(http.StatusConflict)
		return
	}
	g.names = append(g.names, *zone.Name)
	w.Header().Set("Location", "/zones/"+*zone.Name)
	reply(http.StatusCreated, map[string]any{"name": *zone.Name})
}

// A line of the values asks for new names of a form; what else a part brings that the service has no sense for is not held against it.
func TestNamesOfAForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		unchecked bool
		values    string
		broken    string
	}{
		{values: `createZone./name: "{new}.example."`},
		{values: "createZone./name: \"{new}.example.\"\ncreateZone./records/0/host: a.example."},
		{unchecked: true, values: "createZone./name: \"{new}.example.\"\ncreateZone./records/0/host: a.example.", broken: "createZone.refused.property"},
	} {
		t.Run(fmt.Sprint(test.unchecked, " ", strings.Count(test.values, "\n")), func(t *testing.T) {
			service := &registry{unchecked: test.unchecked}
			rec, _ := trial{contract: []byte(zoneNames), service: service, values: test.values, confirm: 1}.judge(t)
			if len(service.names) < 2 {
				t.Errorf("created are %q", service.names)
			}
			found := false
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					if found = found || f.Rule == test.broken; f.Rule != test.broken {
						t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
					}
				}
			}
			if found != (test.broken != "") {
				t.Errorf("%q is found broken: %v", test.broken, found)
			}
		})
	}
}
