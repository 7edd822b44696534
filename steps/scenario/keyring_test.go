package scenario_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/scenario"
)

// Records contain no secret of a security scheme, even if the service echoes it: neither as it was given, nor as
// it was sent, nor a token that was fetched.
func TestRecordsHoldNoSecretOfASecurityScheme(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			fmt.Fprint(w, `{"access_token": "Fetched-Token-1", "expires_in": 60}`)
			return
		}
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, password, _ := r.BasicAuth()
		fmt.Fprintf(w, "%s %v %q", r.RequestURI, r.Header, password)
	}))
	defer service.Close()
	flows := []spec.Flow{{Kind: "clientCredentials", TokenURL: "/token"}}
	schemes := []spec.Security{
		{Name: "header", Type: "apiKey", In: "header", Key: "X-Key"}, {Name: "query", Type: "apiKey", In: "query", Key: "key"},
		{Name: "cookie", Type: "apiKey", In: "cookie", Key: "sid"}, {Name: "basic", Type: "http", Scheme: "basic"},
		{Name: "bearer", Type: "http", Scheme: "bearer"}, {Name: "other", Type: "http", Scheme: "hmac"}, {Name: "oauth", Type: "oauth2", Flows: flows},
	}
	secrets := map[string]string{
		"header": "Header-Secret/1", "query": "Query Secret&2", "cookie": "Cookie-Secret-3", "basic": "ann:Basic-Secret-4",
		"bearer": "Bearer-Secret-5", "other": "Other-Secret-6", "oauth": "id:OAuth-Secret-7",
	}
	lookup := func(name string) (string, bool) {
		secret, ok := secrets[strings.ToLower(strings.TrimPrefix(name, scheme.VariablePrefix))]
		return secret, ok
	}
	role, err := scheme.Read(schemes, scheme.Sources{Lookup: lookup})
	if err != nil {
		t.Fatal(err)
	}
	target := scenario.Target{BaseURL: service.URL, Keyring: scheme.New(scheme.Config{
		Schemes: schemes, Roles: map[string]scheme.Role{"": role}, BaseURL: service.URL, Client: service.Client(),
	})}
	redactor := target.Redactor()
	sender := client.New(client.Options{Transport: service.Client().Transport, BaseURL: service.URL, Redactor: redactor, Timeout: time.Minute, Agent: "test"})
	known := []string{"Fetched-Token-1", "Basic-Secret-4", "OAuth-Secret-7"}
	for _, s := range secrets {
		known = append(known, s)
	}
	sent := 0
	for _, s := range schemes {
		op := &spec.Operation{ID: "list", Security: []spec.Requirement{{s}}}
		words := []string{"right"}
		for _, c := range scheme.Words(op) {
			words = append(words, c.Words)
		}
		for _, with := range words {
			c, err := target.Keyring.Make(t.Context(), op, "", with)
			if err != nil {
				continue
			}
			ex, err := sender.Do(t.Context(), client.Call{Scenario: "s", Operation: "list", Method: http.MethodGet, Path: "/books", Credential: c.Carried().Client()})
			if err != nil || ex.Response == nil {
				t.Fatalf("%s: %v, %s", with, err, ex.Lost)
			}
			if with == "right" {
				sent++
				if got := string(ex.Response.Body); !strings.Contains(got, c.Parts[0].Value) && s.Name != "query" {
					t.Errorf("%s: the service did not see the secret: %s", s.Name, got)
				}
			}
			request, err := json.Marshal(ex.Request)
			if err != nil {
				t.Fatal(err)
			}
			record := fmt.Sprint(string(request), ex.Request, redactor.Header(ex.Response.Header), redactor.Text(string(ex.Response.Body)))
			for _, secret := range known {
				for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)), strings.ReplaceAll(secret, " ", "%20")} {
					if strings.Contains(strings.ToLower(record), strings.ToLower(form)) {
						t.Errorf("%s, %s: the record holds %q:\n%s", s.Name, with, form, record)
					}
				}
			}
		}
	}
	if sent != len(schemes) {
		t.Errorf("%d schemes were tried", sent)
	}
}
