package wholerun_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

const devices = `openapi: 3.0.3
info: {title: Devices, version: '1'}
components:
  schemas: {Device: {type: object,REQUIRED properties: {deviceId: {type: TYPE}, label: {type: string}}}}
paths:
  /devices:
    get: {operationId: listDevices, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Device'}}}}}}}
    post:
      operationId: addDevice
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}, '400': {description: bad}, '409': {description: there}}
  /devices/{deviceId}:
    parameters: [{name: deviceId, in: path, required: true, schema: {type: TYPE}}]
    get: {operationId: getDevice, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}, '404': {description: none}}}
    delete: {operationId: dropDevice, responses: {'204': {description: gone}, '404': {description: none}}}
`

// registering serves it. What a device is called is chosen by who creates it, by the service, or by either.
type registering struct {
	typed, by string
	required  bool
	mu        sync.Mutex
	all       map[string]map[string]any
	keys      []string
	next      int64
	// exists reports whether what a creation refers to exists; nil means that it refers to nothing.
	exists func(key string) bool
}

func (g *registering) has(key string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, there := g.all[key]
	return there
}

func (g *registering) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, id, one := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/")
	device, there := g.all[id]
	switch {
	case !one && req.Method == http.MethodGet:
		list := []any{}
		for _, key := range g.keys {
			if device, there := g.all[key]; there {
				list = append(list, device)
			}
		}
		respond(w, http.StatusOK, list)
	case !one && req.Method == http.MethodPost:
		g.create(w, req)
	case !one:
		w.Header().Set("Allow", "GET, POST")
		respond(w, http.StatusMethodNotAllowed, nil)
	case !there:
		respond(w, http.StatusNotFound, nil)
	case req.Method == http.MethodDelete:
		delete(g.all, id)
		g.keys = slices.DeleteFunc(g.keys, func(key string) bool { return key == id })
		respond(w, http.StatusNoContent, nil)
	case req.Method == http.MethodGet:
		respond(w, http.StatusOK, device)
	default:
		w.Header().Set("Allow", "GET, DELETE")
		respond(w, http.StatusMethodNotAllowed, nil)
	}
}

func (g *registering) create(w http.ResponseWriter, req *http.Request) {
	text, _ := io.ReadAll(req.Body)
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(text, &sent); err != nil || sent == nil {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	device := map[string]any{}
	if label, is := sent["label"]; is {
		var text *string
		if json.Unmarshal(label, &text) != nil || text == nil {
			respond(w, http.StatusBadRequest, nil)
			return
		}
		device["label"] = *text
	}
	key := ""
	if raw, is := sent["deviceId"]; is {
		var number *int64
		var text *string
		switch {
		case g.typed == "integer" && json.Unmarshal(raw, &number) == nil && number != nil:
			key = string(raw)
		case g.typed == "string" && json.Unmarshal(raw, &text) == nil && text != nil && *text != "" && !strings.ContainsAny(*text, "/?#% "):
			key = *text
		default:
			respond(w, http.StatusBadRequest, nil)
			return
		}
	}
	if g.required && key == "" {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	if g.by == "service" {
		key = ""
	}
	if key == "" && g.by == "client" {
		respond(w, http.StatusBadRequest, nil)
		return
	}
	for key == "" {
		g.next++
		raw, _ := json.Marshal(g.next)
		if _, taken := g.all[string(raw)]; !taken {
			key = string(raw)
		}
	}
	if g.exists != nil && !g.exists(key) {
		respond(w, http.StatusNotFound, nil)
		return
	}
	if _, taken := g.all[key]; taken && g.exists == nil {
		respond(w, http.StatusConflict, nil)
		return
	}
	device["deviceId"] = any(key)
	if g.typed == "integer" {
		device["deviceId"] = json.Number(key)
	}
	g.all[key], g.keys = device, append(g.keys, key)
	respond(w, http.StatusCreated, device)
}

// A member that is called exactly as the parameter of the path is an identifier that the client may choose: each creation has a new one. A
// service that chooses it instead is not accused, and all devices are removed.
func TestAMemberCalledAsThePathIsNewForEach(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"string", "integer"} {
		for _, by := range []string{"client", "service", "either", "client, required", "service, required"} {
			t.Run(typed+" by "+by, func(t *testing.T) {
				t.Parallel()
				by, required, _ := strings.Cut(by, ", ")
				if required != "" {
					required = " required: [deviceId],"
				}
				service := &registering{typed: typed, by: by, required: required != "", all: map[string]map[string]any{}}
				contract := strings.NewReplacer("TYPE", typed, "REQUIRED", required).Replace(devices)
				rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
				if got, want := reached(rec), []string{"addDevice", "dropDevice", "getDevice", "listDevices"}; !slices.Equal(got, want) {
					t.Errorf("reached are %q, want %q", got, want)
				}
				accuse(t, failing(rec, catalogue))
				for _, rule := range []string{"addDevice.success", "addDevice.accepted", "getDevice.success", "dropDevice.success"} {
					if rec.Exercised[rule] == 0 {
						t.Errorf("%s was not exercised", rule)
					}
				}
				if len(service.all) > 0 {
					t.Errorf("%v are left", service.all)
				}
			})
		}
	}
}

// A member that is called as the parameter of the path and refers to another resource gets the identifier of one, not a made-up one.
func TestAReferenceCalledAsThePathIsNotMadeUp(t *testing.T) {
	t.Parallel()
	contract := strings.NewReplacer("TYPE", "string", "REQUIRED", " required: [deviceId],").Replace(devices) + `  /watches:
    post:
      operationId: addWatch
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}, '404': {description: none}, '400': {description: bad}}
  /watches/{deviceId}:
    parameters: [{name: deviceId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getWatch, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Device'}}}}, '404': {description: none}}}
    delete: {operationId: dropWatch, responses: {'204': {description: gone}, '404': {description: none}}}
`
	devices := &registering{typed: "string", by: "client", required: true, all: map[string]map[string]any{}}
	watches := &registering{typed: "string", by: "client", required: true, all: map[string]map[string]any{}, exists: devices.has}
	mux := http.NewServeMux()
	mux.Handle("/devices", devices)
	mux.Handle("/devices/", devices)
	mux.Handle("/watches", watches)
	mux.Handle("/watches/", watches)
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{mux}, confirm: 1}.judge(t)
	if got, want := reached(rec), []string{"addDevice", "addWatch", "dropDevice", "getDevice", "getWatch", "listDevices"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want) // a second creation may be of the same one, so none is deleted
	}
	accuse(t, failing(rec, catalogue))
	if rec.Exercised["addWatch.accepted"] == 0 {
		t.Error("addWatch.accepted was not exercised")
	}
}
