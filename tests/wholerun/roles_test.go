package wholerun_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
)

const loansContract = `
openapi: 3.1.0
info: {title: Loans, version: '1'}
paths:
  /loans:
    post:
      operationId: openLoan
      security: [{oauth: ['loans:write']}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses:
        '201': {description: opened, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}
        '401': {description: unknown}
        '403': {description: not allowed}
  /loans/{loanId}:
    get:
      operationId: readLoan
      parameters: [{name: loanId, in: path, required: true, schema: {type: integer}}]
      security: [{oauth: ['loans:read']}]
      responses:
        '200': {description: the loan, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}
        '401': {description: unknown}
        '403': {description: not allowed}
        '404': {description: none}
components:
  schemas:
    Loan: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}}}
  securitySchemes:
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {'loans:read': read, 'loans:write': write}}}}
`

// loans keeps who opened a loan to itself.
type loans struct {
	variant string
	mu      sync.Mutex
	titles  []string
	owners  []string
}

// The tokens of the loans: both may read, one may write.
const (
	writersToken = "loans-writer-5cV-x91"
	readersToken = "loans-reader-8bQ-k27"
)

func (l *loans) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	who := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	answer := func(status int, body any) {
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		if body != nil {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(status)
		if body != nil {
			_ = json.NewEncoder(w).Encode(body)
		}
	}
	loan := func(n int) any { return map[string]any{"id": n, "title": l.titles[n-1]} }
	if who != writersToken && who != readersToken {
		answer(http.StatusUnauthorized, nil)
		return
	}
	if r.Method == http.MethodPost {
		var sent struct{ Title *string }
		text, _ := io.ReadAll(r.Body)
		switch err := json.Unmarshal(text, &sent); {
		case who == readersToken && l.variant == "hidden":
			answer(http.StatusNotFound, nil)
		case who == readersToken && l.variant != "scope-unchecked":
			answer(http.StatusForbidden, nil)
		case err != nil || sent.Title == nil:
			answer(http.StatusBadRequest, nil)
		default:
			l.titles, l.owners = append(l.titles, *sent.Title), append(l.owners, who)
			answer(http.StatusCreated, loan(len(l.titles)))
		}
		return
	}
	n := 0
	_, err := fmt.Sscanf(strings.TrimPrefix(r.URL.Path, "/loans/"), "%d", &n)
	if err != nil || n < 1 || n > len(l.titles) || l.owners[n-1] != who && l.variant != "shown-to-all" {
		answer(http.StatusNotFound, nil)
		return
	}
	answer(http.StatusOK, loan(n))
}

// judgeLoans judges a variant of the loans as a writer, beside a role with other scopes.
func judgeLoans(t *testing.T, variant string, scopes []string, features fstest.MapFS) (record.Record, map[string]bool) {
	t.Helper()
	rec, catalogue := trial{
		contract: []byte(loansContract), service: inMemory{&loans{variant: variant}}, features: features,
		secrets: map[string]scheme.Secret{"oauth": {Text: writersToken, Scopes: []string{"loans:read", "loans:write"}}},
		roles:   map[string]scheme.Role{"reader": {Secrets: map[string]scheme.Secret{"oauth": {Text: readersToken, Scopes: scopes}}}},
	}.judge(t)
	found := map[string]bool{}
	for rule := range failing(rec, catalogue) {
		found[rule] = true
	}
	return rec, found
}

// A role whose declared scopes lack one that an operation asks for is not let in. Where they may include it, or none are declared,
// nothing is tried.
func TestScopes(t *testing.T) {
	t.Parallel()
	const rule = "openLoan.credential.scope"
	for _, c := range []struct {
		variant       string
		scopes        []string
		broken, tried bool
	}{
		{"", []string{"loans:read"}, false, true},
		{"hidden", []string{"loans:read"}, false, true},
		{"scope-unchecked", []string{"loans:read"}, true, true},
		{"scope-unchecked", nil, false, false},
		{"scope-unchecked", []string{"loans"}, false, false},
		{"scope-unchecked", []string{"admin"}, false, false},
		{"scope-unchecked", []string{"loans:read", "loans:write"}, false, false},
	} {
		t.Run(fmt.Sprint(c.variant, c.scopes), func(t *testing.T) {
			t.Parallel()
			rec, found := judgeLoans(t, c.variant, c.scopes, nil)
			if found[rule] != c.broken || rec.Exercised[rule] > 0 != c.tried {
				t.Errorf("it is broken: %v, want %v; tried: %d times, want that: %v", found[rule], c.broken, rec.Exercised[rule], c.tried)
			}
			if delete(found, rule); len(found) > 0 {
				t.Errorf("broken are %v, too", found)
			}
		})
	}
}

// What one role may do with what another one created is a rule that teams write.
func TestRolesInWrittenFeatures(t *testing.T) {
	t.Parallel()
	features := fstest.MapFS{"roles.feature": {Data: []byte(`Feature: roles
  @rule:readLoan.success
  Rule: Nobody reads the loan of somebody else

    Scenario: a reader reads what a writer has opened
      Given a created "loan" called "theirs"
      And the credential is that of the role "reader"
      When readLoan is called with loanId {theirs}
      Then the response is 403 or 404

    Scenario: who opened it reads it afterwards
      Given a created "loan" called "mine"
      When readLoan is called with loanId {mine}
      Then the response is 200
`)}}
	for variant, want := range map[string]bool{"": false, "shown-to-all": true} {
		rec, found := judgeLoans(t, variant, nil, features)
		if found["readLoan.success"] != want {
			t.Errorf("%q: it is found: %v, want %v", variant, found, want)
		}
		if i := slices.IndexFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Outcome != record.Passed && s.Outcome != record.Failed }); i >= 0 {
			t.Errorf("%q: %s: %s", variant, rec.Scenarios[i].Name, rec.Scenarios[i].Reason)
		}
	}
}

// A read that refuses the credentials of the run is called as another role from then on, and nothing is written so. A run that was told which role
// to be only says which reads another one would open.
func TestRolesThatOpenOperations(t *testing.T) {
	t.Parallel()
	const contract = `openapi: 3.1.0
info: {title: Audits, version: '1'}
security: [{key: []}]
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths:
  /news: {get: {operationId: readNews, responses: {'200': {description: ok}, '401': {description: no}}}}
  /audits:
    get: {operationId: readAudits, responses: {'200': {description: ok}, '401': {description: no}, '403': {description: no}}}
    post: {operationId: addAudit, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}, responses: {'201': {description: made}, '401': {description: no}, '403': {description: no}, '422': {description: no}}}
`
	var mu sync.Mutex
	made := 0
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := r.Header.Get("Authorization")
		w.Header().Set("WWW-Authenticate", "Bearer")
		switch {
		case who != "Bearer "+readersToken && who != "Bearer "+writersToken:
			respond(w, http.StatusUnauthorized, nil)
		case r.URL.Path == "/news" && r.Method == http.MethodGet:
			respond(w, http.StatusOK, nil)
		case who != "Bearer "+writersToken:
			respond(w, http.StatusForbidden, nil)
		case r.URL.Path == "/audits" && r.Method == http.MethodGet:
			respond(w, http.StatusOK, nil)
		case r.URL.Path == "/audits" && r.Method == http.MethodPost:
			var body struct{ Title *string }
			if json.NewDecoder(r.Body).Decode(&body) != nil || body.Title == nil {
				respond(w, http.StatusUnprocessableEntity, nil)
				return
			}
			mu.Lock()
			made++
			mu.Unlock()
			respond(w, http.StatusCreated, nil)
		default:
			respond(w, http.StatusMethodNotAllowed, nil)
		}
	})
	reader := map[string]scheme.Secret{"key": {Text: readersToken}}
	roles := map[string]scheme.Role{"auditor": {Secrets: map[string]scheme.Secret{"key": {Text: writersToken}}}, "reader": {Secrets: reader}}
	for role, want := range map[string]struct {
		reached []string
		roles   []record.RoleUse
	}{
		"":       {[]string{"readAudits", "readNews"}, []record.RoleUse{{Operation: "readAudits", Role: "auditor", Used: true}}},
		"reader": {[]string{"readAudits", "readNews"}, []record.RoleUse{{Operation: "readAudits", Role: "auditor"}}},
	} {
		made = 0
		rec, catalogue := trial{contract: []byte(contract), service: inMemory{service}, secrets: reader, roles: roles, role: role}.judge(t)
		accuse(t, failing(rec, catalogue))
		if got := reached(rec); !slices.Equal(got, want.reached) {
			t.Errorf("as %q %v are reached, want %v", role, got, want.reached)
		}
		if !slices.Equal(rec.Roles, want.roles) {
			t.Errorf("as %q: got %+v, want %+v", role, rec.Roles, want.roles)
		}
		if made > 0 {
			t.Error("something was created as another role than that of the run")
		}
	}
}
