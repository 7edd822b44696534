package wholerun_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// jobs is a contract whose creations are begun only: the result of a job names what was made. %s is the rest of a job's members, and of the
// responses that show it.
const jobs = `openapi: 3.0.3
info: {title: Jobs, version: 1.0.0}
paths:
  /clusters:
    get:
      operationId: listClusters
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Cluster'}}}}}}
    post:
      operationId: addCluster
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [label], additionalProperties: false, properties: {label: {type: string, minLength: 1, maxLength: 40}}}}}}
      responses:
        '202': {description: Begun, headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '400': {description: Wrong}
  /clusters/{clusterId}:
    parameters: [{name: clusterId, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: readCluster
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Cluster'}}}}, '404': {description: None}}
    delete:
      operationId: deleteCluster
      responses: {'204': {description: Gone}, '404': {description: None}}
  /jobs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
    get:
      operationId: readJob
      responses: {'200': {description: It, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}, %s'404': {description: None}}
components:
  schemas:
    Job: {type: object, required: [id, status], properties: {id: {type: integer}, status: {type: string, enum: [running, done]}, %s}}
    Cluster: {type: object, required: [id, label], properties: {id: {type: integer}, label: {type: string}}}
`

// foundry serves it. A job is done when it was looked at twice.
type foundry struct {
	mu       sync.Mutex
	clusters map[int]string
	jobs     map[int]*job
	// finish adds what a finished job shows; where it is nil the job redirects to what it made.
	finish func(shown map[string]any, cluster int)
	// loses reports whether nothing is made.
	loses bool
}

type job struct {
	cluster, looks int
	label          string
}

func (f *foundry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	reply := func(status int, body any) { respond(w, status, body) }
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	n := 0
	if len(path) == 2 {
		n, _ = strconv.Atoi(path[1])
	}
	_, there := f.clusters[n]
	switch {
	case r.Method+" "+r.URL.Path == "GET /clusters":
		all := []map[string]any{}
		for id, label := range f.clusters {
			all = append(all, map[string]any{"id": id, "label": label})
		}
		reply(http.StatusOK, all)
	case r.Method+" "+r.URL.Path == "POST /clusters":
		sent, ok := seatOf(r)
		if label, is := sent["label"].(string); !ok || !is || len(sent) != 1 {
			w.WriteHeader(http.StatusBadRequest)
		} else {
			id := len(f.jobs) + 1
			f.jobs[id] = &job{cluster: 1000 + id, label: label}
			w.Header().Set("Location", fmt.Sprintf("/jobs/%d", id))
			reply(http.StatusAccepted, map[string]any{"id": id, "status": "running"})
		}
	case path[0] == "jobs" && r.Method == http.MethodGet && f.jobs[n] != nil:
		f.look(w, reply, n)
	case path[0] == "clusters" && r.Method == http.MethodGet && there:
		reply(http.StatusOK, map[string]any{"id": n, "label": f.clusters[n]})
	case path[0] == "clusters" && r.Method == http.MethodDelete && there:
		delete(f.clusters, n)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// look answers with a job.
func (f *foundry) look(w http.ResponseWriter, reply func(int, any), n int) {
	one, shown := f.jobs[n], map[string]any{"id": n, "status": "running"}
	one.looks++
	if one.looks == 2 && !f.loses {
		f.clusters[one.cluster] = one.label
	}
	switch {
	case one.looks < 2:
	case f.finish == nil:
		w.Header().Set("Location", fmt.Sprintf("/clusters/%d", one.cluster))
		w.WriteHeader(http.StatusSeeOther)
		return
	default:
		shown["status"] = "done"
		f.finish(shown, one.cluster)
	}
	reply(http.StatusOK, shown)
}

// What a job names in the end is what the creation made: it is read, and removed after.
func TestJobsThatNameWhatTheyMade(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		member, answer string
		finish         func(shown map[string]any, cluster int)
		loses          bool
	}{
		"its address, and nothing is there": {"resourceLocation: {type: string}", "", func(shown map[string]any, cluster int) {
			shown["resourceLocation"] = fmt.Sprintf("/clusters/%d", cluster)
		}, true},
		"a member of its name": {"clusterId: {type: integer}", "", func(shown map[string]any, cluster int) { shown["clusterId"] = cluster }, false},
		"its representation": {"result: {$ref: '#/components/schemas/Cluster'}", "", func(shown map[string]any, cluster int) {
			shown["result"] = map[string]any{"id": cluster, "label": "a"}
		}, false},
		"its address": {"resourceLocation: {type: string}", "", func(shown map[string]any, cluster int) {
			shown["resourceLocation"] = fmt.Sprintf("/clusters/%d", cluster)
		}, false},
		"a redirect": {"more: {type: string}", "'303': {description: Done, headers: {Location: {schema: {type: string}}}}, ", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &foundry{clusters: map[int]string{}, jobs: map[int]*job{}, finish: test.finish, loses: test.loses}
			rec, catalogue := trial{contract: fmt.Appendf(nil, jobs, test.answer, test.member), service: inMemory{service}, confirm: 1}.judge(t)
			found := failing(rec, catalogue)
			if test.loses {
				if _, broken := found["addCluster.created.readable"]; !broken {
					t.Error("nobody noticed that nothing is made")
				}
				return
			}
			accuse(t, found)
			for _, operation := range []string{"readCluster", "deleteCluster"} {
				if !slices.Contains(reached(rec), operation) {
					t.Errorf("%s was never seen to succeed", operation)
				}
			}
			if rec.Exercised["addCluster.created.readable"] == 0 {
				t.Error("it was not exercised whether what is created can be read")
			}
			for id := range service.clusters { // what may have been there before
				if !slices.ContainsFunc(record.Left(rec.Created), func(c record.Creation) bool { return c.ID == strconv.Itoa(id) }) {
					t.Errorf("%d is left, and not listed", id)
				}
			}
		})
	}
}
