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

// zones is a contract of what stands below servers that nobody can create.
const zones = `openapi: 3.1.0
info: {title: Zones, version: 1.0.0}
paths:
  /servers/{server_id}:
    parameters: [{name: server_id, in: path, required: true, schema: {type: string}}]
    delete: {operationId: stopServer, responses: {'204': {description: Gone}, '404': {description: None}}}
  /servers/{server_id}/zones:
    parameters: [{name: server_id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: createZone
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [name, region], properties: {name: {type: string, minLength: 1}, region: {type: string}}}, example: {name: a, region: nowhere}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Zone'}}}}, '400': {description: No}, '404': {description: None}}
  /servers/{server_id}/zones/{zone_id}:
    parameters:
      - {name: server_id, in: path, required: true, schema: {type: string}}
      - {name: zone_id, in: path, required: true, schema: {type: string}}
    delete: {operationId: deleteZone, responses: {'204': {description: Gone}, '404': {description: None}}}
components:
  schemas: {Zone: {type: object, required: [id], properties: {id: {type: string}}}}
`

// zoneServer serves it: one server, localhost, and one region, north.
type zoneServer struct {
	mu      sync.Mutex
	zones   map[string]bool
	made    int
	stopped int
}

func (z *zoneServer) RoundTrip(req *http.Request) (*http.Response, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	w := httptest.NewRecorder()
	w.Header().Set("Location", "zones/z")
	rest, here := strings.CutPrefix(req.URL.Path, "/servers/localhost")
	var sent map[string]any
	switch {
	case !here:
		w.WriteHeader(http.StatusNotFound)
	case rest == "" && req.Method == http.MethodDelete:
		z.stopped++
		w.WriteHeader(http.StatusNoContent)
	case rest == "/zones" && req.Method == http.MethodPost:
		text, _ := io.ReadAll(req.Body)
		bad := json.Unmarshal(text, &sent) != nil
		name, _ := sent["name"].(string)
		if bad || name == "" || sent["region"] != "north" {
			w.WriteHeader(http.StatusBadRequest)
			break
		}
		z.made++
		id := "z" + strings.Repeat("i", z.made)
		z.zones[id] = true
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = w.WriteString(`{"id":"` + id + `"}`)
	case z.zones[strings.TrimPrefix(rest, "/zones/")]:
		delete(z.zones, strings.TrimPrefix(rest, "/zones/"))
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	return w.Result(), nil
}

// A file of values unlocks what stands below something that nobody can create. What its name alone tells is not changed itself.
func TestValuesUnlockOperations(t *testing.T) {
	t.Parallel()
	for file, want := range map[string][]string{
		"":                                     nil,
		"server_id: localhost\n/region: north": {"createZone", "deleteZone"},
		"server_id: localhost":                 nil,
		"createZone.server_id: localhost\n/region: north\nstopServer.server_id: localhost": {"createZone", "deleteZone", "stopServer"},
	} {
		t.Run(file, func(t *testing.T) {
			service := &zoneServer{zones: map[string]bool{}}
			rec, _ := trial{contract: []byte(zones), service: service, values: file, confirm: 1}.judge(t)
			if got := reached(rec); !slices.Equal(got, want) {
				t.Errorf("reached are %q, want %q", got, want)
			}
			if service.stopped > 0 && !slices.Contains(want, "stopServer") {
				t.Error("the server was stopped by its name alone")
			}
			if len(service.zones) > 0 {
				t.Errorf("left are %v", service.zones)
			}
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
				}
			}
		})
	}
}

// A service may want an address of e-mail where only the name of a member says so, as documents do that are made of validation tags.
func TestAddressesThatOnlyANameTellsOf(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Users, version: 1.0.0}
paths:
  /users:
    post:
      operationId: createUser
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [email], properties: {email: {type: string}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: No}}
  /users/{userId}:
    get:
      operationId: getUser
      parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '404': {description: None}}
components: {schemas: {User: {type: object, required: [id, email], properties: {id: {type: string}, email: {type: string}}}}}
`
	var mu sync.Mutex
	users := map[string]string{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		id := strings.TrimPrefix(r.URL.Path, "/users/")
		switch email, known := users[id]; {
		case r.URL.Path == "/users" && r.Method == http.MethodPost:
			body, _ := io.ReadAll(r.Body)
			var user struct{ Email string }
			if json.Unmarshal(body, &user) != nil || !strings.Contains(user.Email, "@") {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			id = fmt.Sprintf("u%d", len(users))
			users[id] = user.Email
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, `{"id": %q, "email": %q}`, id, user.Email)
		case known && r.Method == http.MethodGet:
			_, _ = fmt.Fprintf(w, `{"id": %q, "email": %q}`, id, email)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}}.judge(t)
	accuse(t, failing(rec, catalogue))
	if got := reached(rec); !slices.Equal(got, []string{"createUser", "getUser"}) {
		t.Errorf("reached are %v", got)
	}
}
