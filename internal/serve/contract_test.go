package serve_test

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/serve"
	"github.com/hallmark-kit/hallmark/spec/openapi"
)

const shelves = `
openapi: 3.1.0
info: {title: Shelves, version: "1"}
servers: [{url: "https://shelves.example.com/v3"}]
security: [{app key: []}, {login: []}]
paths:
  /pets:
    get:
      responses:
        '200': {description: All, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}
        '401': {description: Who}
components: {securitySchemes: {app key: {type: http, scheme: bearer}, login: {type: http, scheme: basic}}}
`

func startContract(t *testing.T, key string) *running {
	t.Helper()
	contract, err := openapi.Load([]byte(shelves))
	if err != nil {
		t.Fatal(err)
	}
	o := serve.Contract{
		Contract: contract, File: "shelves.yaml", Addr: "127.0.0.1:0", URLFile: filepath.Join(t.TempDir(), "url"), Data: filepath.Join(t.TempDir(), "data"),
		Schemes: []serve.Scheme{{Name: "app key", Variable: "HALLMARK_CREDENTIAL_APP_KEY"}, {Name: "login", Variable: "HALLMARK_CREDENTIAL_LOGIN", Pair: true}},
	}
	return run(t, o.URLFile, func(ctx context.Context, out io.Writer) error { return serve.RunContract(ctx, env(key, out), o) })
}

func TestContractIsServed(t *testing.T) {
	r := startContract(t, "general-key")
	for key, want := range map[string]int{"general-key": http.StatusOK, "other": http.StatusUnauthorized} {
		if status, body := r.ask(t, http.MethodGet, "/pets", key, ""); status != want {
			t.Errorf("%s: %d %s", key, status, body)
		}
	}
	r.stop()
	if !strings.HasSuffix(r.url, "/v3") {
		t.Errorf("the address is %s", r.url)
	}
	out := r.stdout.String()
	for _, part := range []string{"hallmark run --contract shelves.yaml --base-url " + r.url, "export HALLMARK_CREDENTIAL_LOGIN=hallmark:"} {
		if !strings.Contains(out, part) {
			t.Errorf("it does not say %q:\n%s", part, out)
		}
	}
	if strings.Contains(out, "general-key") || strings.Contains(out, "APP_KEY") {
		t.Errorf("the key is shown:\n%s", out)
	}
}

// Secrets that nobody gave are made, and shown.
func TestSecretsAreMade(t *testing.T) {
	r := startContract(t, "")
	r.stop()
	_, rest, _ := strings.Cut(r.stdout.String(), "export HALLMARK_CREDENTIAL_APP_KEY=")
	key, _, _ := strings.Cut(rest, "\n")
	if len(key) < 20 {
		t.Errorf("no secret was made:\n%s", r.stdout)
	}
}
