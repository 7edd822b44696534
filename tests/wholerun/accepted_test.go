package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// clusters is a contract whose creations and deletions are answered 202, and done later.
const clusters = `openapi: 3.0.3
info: {title: Clusters, version: 1.0.0}
paths:
  /clusters:
    post:
      operationId: createCluster
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, pattern: '^[a-z][a-z0-9-]{0,40}$'}}}}}}
      responses:
        '202': {description: Begun, headers: {Operation-Location: {required: true, schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Cluster'}}}}
        '400': {description: Wrong}
  /clusters/{clusterId}:
    parameters: [{name: clusterId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getCluster
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Cluster'}}}}, '404': {description: None}}
    delete:
      operationId: deleteCluster
      responses:
        '202': {description: Begun, content: {application/json: {schema: {$ref: '#/components/schemas/Operation'}}}}
        '404': {description: None}
        '409': {description: It is not there yet}
  /operations/{operationId}:
    get:
      operationId: getOperation
      parameters: [{name: operationId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Operation'}}}}, '404': {description: None}}
components:
  schemas:
    Cluster: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}}}
    Operation: {type: object, required: [operationId, status], properties: {operationId: {type: string}, status: {type: string, enum: [running, done, failed]}}}
`

// lateCluster is a cluster: there once its creation is done, and leaves once its deletion has begun.
type lateCluster struct {
	name          string
	there, leaves bool
}

// What a 202 began is asked after until it is done. Then it is judged as all else.
func TestAcceptedAndDoneLater(t *testing.T) {
	t.Parallel()
	path := regexp.MustCompile(`^/(clusters|operations)/([^/]+)$`)
	for broken, want := range map[string][]string{
		"":                       nil,
		"ends in another status": {"getOperation.body"},
		"creates nothing":        {"createCluster.created.readable"},
		"deletes nothing":        {"deleteCluster.deleted.gone"},
		"fails to delete":        nil,
		"never ends":             nil,
	} {
		t.Run(broken, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			all, left, made := map[string]*lateCluster{}, map[string]int{}, 0
			operations := make(map[string]func())
			begin := func(do func()) string {
				made++
				id := fmt.Sprintf("op-%d", made)
				operations[id], left[id] = do, 2
				return id
			}
			service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				reply := func(status int, body any) { respond(w, status, body) }
				match := path.FindStringSubmatch(r.URL.Path)
				switch {
				case r.URL.Path == "/clusters" && r.Method == http.MethodPost:
					var sent struct{ Name *string }
					text, _ := io.ReadAll(r.Body)
					if json.Unmarshal(text, &sent) != nil || sent.Name == nil || !regexp.MustCompile(`^[a-z][a-z0-9-]{0,40}$`).MatchString(*sent.Name) || !strings.Contains(string(text), `"name"`) {
						w.WriteHeader(http.StatusBadRequest)
						return
					}
					made++
					id := fmt.Sprintf("c-%d", made)
					one := &lateCluster{name: *sent.Name}
					all[id] = one
					op := begin(func() { one.there = broken != "creates nothing" })
					w.Header().Set("Operation-Location", "/operations/"+op)
					reply(http.StatusAccepted, map[string]string{"id": id, "name": one.name})
				case match == nil:
					w.WriteHeader(http.StatusNotFound)
				case match[1] == "operations" && r.Method == http.MethodGet:
					do, known := operations[match[2]]
					if !known {
						w.WriteHeader(http.StatusNotFound)
						return
					}
					left[match[2]]--
					status := "running"
					if left[match[2]] < 0 && broken != "never ends" {
						do()
						status = "done"
						if broken == "ends in another status" {
							status = "gone"
						}
						if broken == "fails to delete" && slices.ContainsFunc(slices.Collect(maps.Values(all)), func(c *lateCluster) bool { return c.leaves }) {
							status = "failed"
						}
					}
					reply(http.StatusOK, map[string]string{"operationId": match[2], "status": status})
				case match[1] == "clusters" && (r.Method == http.MethodGet || r.Method == http.MethodDelete):
					one := all[match[2]]
					switch {
					case one == nil || !one.there && r.Method == http.MethodGet:
						w.WriteHeader(http.StatusNotFound)
					case r.Method == http.MethodGet:
						reply(http.StatusOK, map[string]string{"id": match[2], "name": one.name})
					case !one.there:
						w.WriteHeader(http.StatusConflict)
					default:
						one.leaves = true
						op := begin(func() {
							if broken == "" {
								delete(all, match[2])
							}
						})
						reply(http.StatusAccepted, map[string]string{"operationId": op, "status": "running"})
					}
				default:
					w.Header().Set("Allow", "GET, DELETE")
					w.WriteHeader(http.StatusMethodNotAllowed)
				}
			})
			one := trial{contract: []byte(clusters), service: inMemory{service}, confirm: 1}
			if broken == "never ends" {
				one.patience = time.Millisecond // so that it is not waited for
			}
			rec, catalogue := one.judge(t)
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(failing(rec, catalogue)))); diff != "" {
				t.Error(diff)
			}
			if broken == "" && (rec.Exercised["createCluster.created.readable"] == 0 || rec.Exercised["deleteCluster.deleted.gone"] == 0) {
				t.Errorf("not exercised: %v", rec.Exercised)
			}
		})
	}
}
