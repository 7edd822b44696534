package wholerun_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/suggested"
	"github.com/hallmark-kit/hallmark/reports/view"
)

// unknowing is a contract that leaves out what its service wants to know.
const unknowing = `openapi: 3.1.0
info: {title: Plots, version: 1.0.0}
paths:
  /tenants/{tenant}/plots:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
    get: {operationId: listPlots, responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Plot'}}}}}, '404': {description: None}}}
    post:
      operationId: addPlot
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name, place], properties: {name: {type: string}, place: {type: object, required: [region], properties: {region: {type: string}}}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Plot'}}}}, '404': {description: None}, '422': {description: No}}
  /tenants/{tenant}/plots/{plotId}:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}, {name: plotId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readPlot, responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Plot'}}}}, '404': {description: None}}}
    delete: {operationId: removePlot, responses: {'204': {description: Gone}, '404': {description: None}}}
  /reports:
    get:
      operationId: listReports
      parameters: [{name: year, in: query, required: true, schema: {type: integer}}]
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: string}}}}}, '400': {description: No}}
  /vault:
    get: {operationId: readVault, responses: {'200': {description: It}, '403': {description: No}}}
components:
  schemas: {Plot: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}}
`

// plots serves it for one tenant, in one region, with reports of one year.
func plots() http.Handler {
	var mu sync.Mutex
	all, made := map[string]any{}, 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch rest, of := strings.CutPrefix(r.URL.Path, "/tenants/acme/plots"); {
		case r.URL.Path == "/vault":
			respond(w, http.StatusForbidden, map[string]any{"message": "for auditors only"})
		case r.URL.Path == "/reports":
			if r.URL.Query().Get("year") != "2024" {
				respond(w, http.StatusBadRequest, map[string]any{"message": "there are no reports of that year", "param": "year"})
				return
			}
			respond(w, http.StatusOK, []string{"a"})
		case of && rest == "" && r.Method == http.MethodGet:
			list := []any{}
			for _, one := range all {
				list = append(list, one)
			}
			respond(w, http.StatusOK, list)
		case of && rest == "" && r.Method == http.MethodPost:
			var body struct {
				Name  *string
				Place *struct{ Region *string }
			}
			if json.NewDecoder(r.Body).Decode(&body) != nil || body.Name == nil || body.Place == nil || body.Place.Region == nil || *body.Place.Region != "north" {
				respond(w, http.StatusUnprocessableEntity, map[string]any{"errors": []any{map[string]any{"pointer": "/place/region", "detail": "unknown region"}}})
				return
			}
			made++
			plot := map[string]any{"id": made, "name": *body.Name}
			all["/"+strconv.Itoa(made)] = plot
			respond(w, http.StatusCreated, plot)
		case of && all[rest] != nil && r.Method == http.MethodGet:
			respond(w, http.StatusOK, all[rest])
		case of && all[rest] != nil && r.Method == http.MethodDelete:
			delete(all, rest)
			respond(w, http.StatusNoContent, nil)
		default:
			respond(w, http.StatusNotFound, map[string]any{"message": "not found"})
		}
	})
}

// What a run suggests, filled in as a person would, makes the operations succeed. A line names what the service said, and an operation that only
// waits for another one is listed behind it.
func TestSuggestedValues(t *testing.T) {
	t.Parallel()
	fill := strings.NewReplacer(`tenant: "…"`, "tenant: acme", `region: "`, `region: north # "`, "year: ", "year: 2024 # ")
	file := ""
	for _, want := range [][]string{nil, {"listPlots", "listReports"}, {"addPlot", "listPlots", "listReports", "readPlot", "removePlot"}} {
		rec, catalogue := trial{contract: []byte(unknowing), service: inMemory{plots()}, values: file, confirm: 1}.judge(t)
		accuse(t, failing(rec, catalogue))
		if got := reached(rec); !slices.Equal(got, want) {
			t.Errorf("with %q %v are reached, want %v", file, got, want)
		}
		var out strings.Builder
		if err := suggested.Format().Write(&out, view.New(&rec, view.Sources{Catalogue: catalogue})); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if rest, is := strings.CutPrefix(line, "# "); is && strings.Contains(rest, ": ") && strings.Contains(rest, "  # ") {
				file += fill.Replace(rest)
			}
		}
		if !strings.Contains(out.String(), "## readVault: 403 for auditors only; another credential or role may be let in\n") {
			t.Error("what another credential may open is not said")
		}
		if strings.Contains(out.String(), "plotId:") {
			t.Error("an identifier is suggested of what the run creates")
		}
	}
}
