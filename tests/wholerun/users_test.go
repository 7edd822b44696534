package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// usersContract is that of a service of users with roles and passwords.
const usersContract = `openapi: 3.0.3
info: {title: Users, version: 1.0.0}
paths:
  /users:
    get:
      operationId: listUsers
      responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/User'}}}}}}
    post:
      operationId: createUser
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewUser'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: bad}}
  /users/{userId}:
    parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getUser
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '404': {description: none}}
    put:
      operationId: replaceUser
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewUser'}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}, '400': {description: bad}, '404': {description: none}}
    delete:
      operationId: deleteUser
      responses: {'204': {description: gone}, '404': {description: none}}
components:
  schemas:
    NewUser:
      type: object
      required: [name, password, role]
      properties:
        name: {type: string, minLength: 1, maxLength: 60}
        password: {type: string, format: password, minLength: 8, maxLength: 64, example: correct-horse}
        isAdmin: {type: boolean, example: true}
        role: {type: string, enum: [admin, editor, viewer], example: admin}
    User:
      type: object
      required: [id, name, role]
      properties:
        id: {type: string}
        name: {type: string}
        password: {type: string}
        isAdmin: {type: boolean}
        role: {type: string, enum: [admin, editor, viewer]}
`

// usersContracts are that contract, and one whose names have no bounds, so that more values of them are tried.
func usersContracts() [][]byte {
	return [][]byte{[]byte(usersContract), []byte(strings.Replace(usersContract, "name: {type: string, minLength: 1, maxLength: 60}", "name: {type: string}", 1))}
}

// users is a service that keeps that contract, and shows what was sent to it, passwords too.
type users struct {
	mu  sync.Mutex
	all map[string]map[string]any
	// stored is what creations and changes were to store, and created how many were created.
	stored  []map[string]any
	created int
	// accepts reports whether it creates whatever is an object; onDelete is the status of deletions, 0 for what is right.
	accepts  bool
	onDelete int
}

// RoundTrip implements [http.RoundTripper].
func (u *users) RoundTrip(r *http.Request) (*http.Response, error) { return inMemory{u}.RoundTrip(r) }

func (u *users) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[string]map[string]any{}
	}
	answer := func(status int, body any) { respond(w, status, body) }
	id, one := strings.CutPrefix(r.URL.Path, "/users/")
	var body map[string]any
	if r.Method == http.MethodPost || r.Method == http.MethodPut {
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &body); err != nil || body == nil || !u.accepts && !validUser(body) {
			answer(http.StatusBadRequest, nil)
			return
		}
		maps.DeleteFunc(body, func(name string, _ any) bool {
			return !slices.Contains([]string{"name", "password", "isAdmin", "role"}, name)
		})
	}
	switch {
	case r.URL.Path != "/users" && !one:
		answer(http.StatusNotFound, nil)
	case !one && r.Method == http.MethodGet:
		answer(http.StatusOK, slices.AppendSeq([]map[string]any{}, maps.Values(u.all)))
	case !one && r.Method == http.MethodPost:
		u.created++
		id := fmt.Sprint(u.created)
		body["id"] = id
		u.all[id], u.stored = body, append(u.stored, body)
		answer(http.StatusCreated, body)
	case one && r.Method == http.MethodDelete && u.onDelete != 0:
		answer(u.onDelete, nil)
	case one && slices.Contains([]string{http.MethodGet, http.MethodPut, http.MethodDelete}, r.Method) && u.all[id] == nil:
		answer(http.StatusNotFound, nil)
	case one && r.Method == http.MethodGet:
		answer(http.StatusOK, u.all[id])
	case one && r.Method == http.MethodPut:
		body["id"] = id
		u.all[id], u.stored = body, append(u.stored, body)
		answer(http.StatusOK, body)
	case one && r.Method == http.MethodDelete:
		delete(u.all, id)
		answer(http.StatusNoContent, nil)
	default:
		w.Header().Set("Allow", map[bool]string{false: "GET, POST", true: "GET, PUT, DELETE"}[one])
		answer(http.StatusMethodNotAllowed, nil)
	}
}

// validUser reports whether a body keeps the schema of new users.
func validUser(body map[string]any) bool {
	length := func(name string, least, most int) bool {
		value, is := body[name].(string)
		n := len([]rune(value))
		return is && n >= least && n <= most
	}
	flag, there := body["isAdmin"]
	_, is := flag.(bool)
	role, _ := body["role"].(string)
	return length("name", 1, 60) && length("password", 8, 64) && (is || !there) && slices.Contains([]string{"admin", "editor", "viewer"}, role)
}

// What is created has neither the rights of an administrator nor the password of the document, no record shows its password, and what
// was not tried for that is said.
func TestUsersHaveFewRightsAndOwnPasswords(t *testing.T) {
	t.Parallel()
	service := &users{}
	rec, catalogue := trial{contract: []byte(usersContract), service: service, confirm: 1}.judge(t)
	accuse(t, failing(rec, catalogue))
	if len(service.stored) == 0 {
		t.Fatal("nothing was created")
	}
	passwords := map[string]bool{}
	for _, one := range service.stored {
		password := one["password"].(string)
		passwords[password] = true
		if one["isAdmin"] == true || one["role"] == "admin" || strings.Contains(password, "correct-horse") {
			t.Errorf("stored is %v", one)
		}
	}
	text, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	for password := range passwords {
		if strings.HasSuffix(password, "!") || len(password) == 20 {
			if strings.Contains(string(text), password) {
				t.Errorf("the record holds the password %s", password)
			}
		}
	}
	if !said(rec, "is not sent with the rights of an administrator in /role; --allow createUser sends it") {
		t.Error("nothing says that a role was not tried")
	}
}

// said reports whether a scenario was skipped for a reason with some words.
func said(rec record.Record, words string) bool {
	return slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Outcome == record.Skipped && strings.Contains(s.Reason, words) })
}

// A run creates three users in all, and judges as much as it can by them; what takes more is not exercised.
func TestFewUsersAreCreated(t *testing.T) {
	t.Parallel()
	for _, contract := range usersContracts() {
		fewUsersAreCreated(t, contract)
	}
}

func fewUsersAreCreated(t *testing.T, contract []byte) {
	t.Helper()
	service := &users{}
	rec, catalogue := trial{contract: contract, service: service}.judge(t)
	accuse(t, failing(rec, catalogue))
	if service.created > 3 || len(service.all) > 0 {
		t.Errorf("%d users were created, %d are left", service.created, len(service.all))
	}
	if !said(rec, "no more than 3 users are created (--max-sensitive)") {
		t.Error("nothing says that no more users are created")
	}
	for _, rule := range []string{
		"createUser.success", "createUser.refused.property", "createUser.refused.property-missing", "getUser.success", "getUser.not-found", "replaceUser.success",
		"replaceUser.refused.property", "replaceUser.not-found", "deleteUser.success", "deleteUser.not-found",
	} {
		if rec.Exercised[rule] == 0 {
			t.Errorf("%s was not exercised", rule)
		}
	}
}

// What a service takes that it should refuse counts, too.
func TestFewUsersAreCreatedWhereAnythingIsTaken(t *testing.T) {
	t.Parallel()
	for _, contract := range usersContracts() {
		service := &users{accepts: true}
		rec, _ := trial{contract: contract, service: service}.judge(t)
		const atOnce = 4 // requests that were under way when the first was taken
		if service.created > 3+atOnce {
			t.Errorf("%d users were created", service.created)
		}
		if !slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool {
			return s.Outcome == record.Failed && len(s.Rules) > 0 && strings.HasPrefix(s.Rules[0], "createUser.refused.")
		}) {
			t.Error("nobody saw that anything is taken")
		}
	}
}

// No user is created any more once the deletion of one was refused, and nothing of another kind where each is.
func TestNothingIsCreatedThatCannotBeDeleted(t *testing.T) {
	t.Parallel()
	service := &users{onDelete: http.StatusForbidden}
	rec, catalogue := trial{contract: []byte(usersContract), service: service}.judge(t)
	accuse(t, failing(rec, catalogue))
	if service.created > 3 {
		t.Errorf("%d users were created", service.created)
	}
	if !said(rec, "deleteUser refuses to delete what the run created (status 403), so no more of it is created; --allow createUser goes on") {
		t.Error("nothing says why no more users are created")
	}
	for _, status := range []int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusInternalServerError} {
		other := &notes{onDelete: func(http.ResponseWriter, int) int { return status }}
		rec, catalogue = trial{contract: []byte(notesContract), service: other}.judge(t)
		if status == http.StatusForbidden {
			accuse(t, failing(rec, catalogue))
		}
		if other.last > 3 {
			t.Errorf("%d notes were created where their deletion is answered %d", other.last, status)
		}
		if !said(rec, fmt.Sprintf("deleteNote refuses to delete what the run created (status %d), so no more of it is created; --allow createNote goes on", status)) {
			t.Errorf("nothing says why no more notes are created where their deletion is answered %d", status)
		}
	}
}
