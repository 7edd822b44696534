package wholerun_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// Some operations succeed only for a resource in a state that actions of the document bring about. Actions that may do harm, or move money, are not
// called for that.
func TestStatesThatActionsBringAbout(t *testing.T) {
	t.Parallel()
	path := func(action, id string) string {
		return "\n  /claims/{claimId}/" + action + ":\n    parameters: [{name: claimId, in: path, required: true, schema: {type: integer}}]\n    post: {operationId: " + id +
			", responses: {'200': {description: ok}, '404': {description: none}, '409': {description: conflict}}}"
	}
	contract := `openapi: 3.1.0
info: {title: Claims, version: 1.0.0}
components:
  schemas: {Claim: {type: object, properties: {id: {type: integer, readOnly: true}, title: {type: string}}}}
paths:
  /claims:
    post:
      operationId: addClaim
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Claim'}}}}, '422': {description: no}}
  /claims/{claimId}:
    parameters: [{name: claimId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: readClaim, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Claim'}}}}, '404': {description: none}}}
    delete: {operationId: removeClaim, responses: {'204': {description: gone}, '404': {description: none}}}
  /claims/{claimId}/notes:
    parameters: [{name: claimId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: addNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}}
      responses: {'201': {description: made}, '404': {description: none}, '409': {description: conflict}, '422': {description: no}}` +
		path("approve", "approveClaim") + path("close", "closeClaim") + path("pay", "payClaim") + path("restore", "restoreClaim") + path("archive", "archiveClaim") + "\n"
	var mu sync.Mutex
	states, made, called := map[string]string{}, 0, map[string]int{}
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var body struct{ Title, Text *string }
		bad := r.Method == http.MethodPost && r.ContentLength != 0 && json.NewDecoder(r.Body).Decode(&body) != nil
		all := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		if r.URL.Path == "/claims" && r.Method == http.MethodPost {
			if bad || body.Title == nil {
				respond(w, http.StatusUnprocessableEntity, nil)
				return
			}
			made++
			states[strconv.Itoa(made)] = "open"
			respond(w, http.StatusCreated, map[string]any{"id": made, "title": *body.Title})
			return
		}
		if len(all) < 2 || states[all[1]] == "" {
			respond(w, http.StatusNotFound, nil)
			return
		}
		move := func(from, to, why string) {
			if states[all[1]] != from {
				respond(w, http.StatusConflict, map[string]any{"message": why})
				return
			}
			states[all[1]] = to
			respond(w, http.StatusOK, nil)
		}
		switch action := strings.Join(all[2:], "/"); r.Method + " " + action {
		case "GET ":
			respond(w, http.StatusOK, map[string]any{"id": json.Number(all[1]), "title": "x"})
		case "DELETE ":
			delete(states, all[1])
			respond(w, http.StatusNoContent, nil)
		case "POST approve":
			move("open", "approved", "only open claims can be approved")
		case "POST close":
			move("approved", "closed", "the claim has to be approved first")
		case "POST pay", "POST restore":
			called[action]++
			move("never", "", "the claim must be closed, and its state is another one")
		case "POST archive":
			move("archivable", "", "this is a claim of the wrong kind")
		case "POST notes":
			switch {
			case bad || body.Text == nil:
				respond(w, http.StatusUnprocessableEntity, nil)
			case states[all[1]] != "closed":
				respond(w, http.StatusConflict, map[string]any{"message": "notes are possible once the claim is closed, paid or restored"})
			default:
				respond(w, http.StatusCreated, nil)
			}
		default:
			respond(w, http.StatusMethodNotAllowed, nil)
		}
	})
	rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, confirm: 1}.judge(t)
	accuse(t, failing(rec, catalogue))
	if got, want := reached(rec), []string{"addClaim", "addNote", "approveClaim", "closeClaim", "readClaim", "removeClaim"}; !slices.Equal(got, want) {
		t.Errorf("reached are %q, want %q", got, want)
	}
	if called["restore"] > 0 {
		t.Error("a restoration was called")
	}
	for _, ex := range rec.Exchanges {
		if ex.Operation == "payClaim" && strings.Contains(ex.About, "state") {
			t.Error("a payment was made to bring a resource into a state")
		}
	}
	i := slices.IndexFunc(rec.Bodies, func(b record.BodySearch) bool { return b.Operation == "addNote" })
	if i < 0 || rec.Bodies[i].Sentence() != "addNote succeeds only after approveClaim and closeClaim" {
		t.Errorf("what was learned is %+v", rec.Bodies)
	}
	if made > 120 {
		t.Errorf("%d claims were made", made)
	}
}
