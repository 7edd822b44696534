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

// accounts is a contract with accounts that nobody can create, and keys below them.
const accounts = `openapi: 3.1.0
info: {title: Accounts, version: 1.0.0}
paths:
  /accounts:
    get:
      operationId: listAccounts
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: string}}}}}}}}
  /accounts/{accountId}/close:
    parameters: [{name: accountId, in: path, required: true, schema: {type: string}}]
    post:
      operationId: closeAccount
      responses: {'204': {description: Closed}, '404': {description: None}}
  /accounts/{accountId}/keys:
    parameters: [{name: accountId, in: path, required: true, schema: {type: string}}]
    post:
      operationId: createKey
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [label], properties: {label: {type: string, minLength: 1}}}}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Key'}}}}, '400': {description: No}, '404': {description: None}}
  /accounts/{accountId}/keys/{keyId}:
    parameters:
      - {name: accountId, in: path, required: true, schema: {type: string}}
      - {name: keyId, in: path, required: true, schema: {type: string}}
    get:
      operationId: getKey
      responses: {'200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Key'}}}}, '404': {description: None}}
    delete:
      operationId: deleteKey
      responses: {'204': {description: Gone}, '404': {description: None}}
components:
  schemas:
    Key: {type: object, required: [id, label], properties: {id: {type: string}, label: {type: string}}}
`

// bank serves it.
type bank struct {
	mu       sync.Mutex
	accounts []string
	keys     map[string]string // labels by account and id
	made     int
	closed   bool
}

// RoundTrip implements [http.RoundTripper].
func (b *bank) RoundTrip(req *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := httptest.NewRecorder()
	mux := http.NewServeMux()
	known := func(f func(account string, w http.ResponseWriter, req *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, req *http.Request) {
			if account := req.PathValue("account"); slices.Contains(b.accounts, account) {
				f(account, w, req)
				return
			}
			w.WriteHeader(http.StatusNotFound)
		}
	}
	reply := func(w http.ResponseWriter, status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	mux.HandleFunc("GET /accounts", func(w http.ResponseWriter, _ *http.Request) {
		all := []map[string]string{}
		for _, id := range b.accounts {
			all = append(all, map[string]string{"id": id})
		}
		reply(w, http.StatusOK, all)
	})
	mux.HandleFunc("POST /accounts/{account}/close", known(func(_ string, w http.ResponseWriter, _ *http.Request) {
		b.closed = true
		w.WriteHeader(http.StatusNoContent)
	}))
	mux.HandleFunc("POST /accounts/{account}/keys", known(func(account string, w http.ResponseWriter, req *http.Request) {
		var sent struct{ Label string }
		text, _ := io.ReadAll(req.Body)
		if json.Unmarshal(text, &sent) != nil || sent.Label == "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.made++
		id := fmt.Sprintf("k%d", b.made)
		b.keys[account+"/"+id] = sent.Label
		w.Header().Set("Location", "/accounts/"+account+"/keys/"+id)
		reply(w, http.StatusCreated, map[string]string{"id": id, "label": sent.Label})
	}))
	mux.HandleFunc("/accounts/{account}/keys/{key}", known(func(account string, w http.ResponseWriter, req *http.Request) {
		key := account + "/" + req.PathValue("key")
		label, there := b.keys[key]
		switch {
		case !there:
			w.WriteHeader(http.StatusNotFound)
		case req.Method == http.MethodDelete:
			delete(b.keys, key)
			w.WriteHeader(http.StatusNoContent)
		case req.Method == http.MethodGet:
			reply(w, http.StatusOK, map[string]string{"id": req.PathValue("key"), "label": label})
		default:
			w.Header().Set("Allow", "DELETE, GET")
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	mux.ServeHTTP(w, req)
	return w.Result(), nil
}

// Below the only account there is the run creates what it judges, for nobody could create another; where there are several it is not
// known whose they are. The account itself is left as it is.
func TestTheOnlyScopeIsCreatedBelow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		accounts, want []string
	}{
		"one":  {[]string{"a1"}, []string{"createKey", "deleteKey", "getKey", "listAccounts"}},
		"two":  {[]string{"a1", "a2"}, []string{"listAccounts"}},
		"none": {nil, []string{"listAccounts"}},
	} {
		t.Run(name, func(t *testing.T) {
			service := &bank{accounts: test.accounts, keys: map[string]string{}}
			rec := confirmed(t, []byte(accounts), service, 0)
			if got := reached(rec); !slices.Equal(got, test.want) {
				t.Errorf("reached are %q, want %q", got, test.want)
			}
			if service.closed || len(service.keys) > 0 {
				t.Errorf("closed: %v, left: %v", service.closed, service.keys)
			}
			said := false
			for _, s := range rec.Scenarios {
				for _, f := range s.Findings {
					t.Errorf("%s: %s, expected %s, actual %s", f.Rule, f.Where, f.Expected, f.Actual)
				}
				said = said || slices.Contains(s.Operations, "createKey") && strings.Contains(s.Reason, "there are several of unknown ownership")
			}
			if said != (name == "two") {
				t.Errorf("it is said that several are there: %v", said)
			}
		})
	}
}
