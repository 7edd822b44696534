package client_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"hallmark/steps/client"
	"hallmark/steps/petstore/rehearse"
	"hallmark/steps/scenario"
)

func TestHeadersOfGateways(t *testing.T) {
	lookup := func(name string) (string, bool) { return "gateway-secret", name == "GATEWAY_TOKEN" }
	l := &listener{}
	server := httptest.NewServer(l)
	defer server.Close()
	target := scenario.Target{BaseURL: server.URL + "/v1"}
	for _, text := range []string{"x-api-key: gateway-secret", "X-Route: it's $HOME", "X-Mixed: a ${GATEWAY_TOKEN} b", "Host: pets.example.com"} {
		h, err := client.ParseHeader(text, false, lookup)
		if err != nil {
			t.Fatal(err)
		}
		target.Headers = append(target.Headers, h)
	}
	ex := reached(t, client.Network{}, target)
	seen := l.last(t)
	want := map[string]string{"X-Api-Key": "gateway-secret", "X-Route": "it's $HOME", "X-Mixed": "a gateway-secret b", "Authorization": "Bearer " + rehearse.Key}
	for name, value := range want {
		if got := seen.header.Get(name); got != value {
			t.Errorf("%s was sent as %q", name, got)
		}
	}
	if ex.status != 200 || seen.host != "pets.example.com" {
		t.Errorf("%+v, for the host %s", ex, seen.host)
	}
	if !strings.Contains(ex.curl, `"${HALLMARK_HEADER_X_API_KEY}"`) {
		t.Errorf("the line does not say where the secret belongs: %s", ex.curl)
	}
	repeat(t, ex.curl, l)
}

func TestParseHeader(t *testing.T) {
	lookup := func(name string) (string, bool) { return "v-" + name, name == "SET" || name == "LINE" }
	for text, want := range map[string]struct {
		shown  string
		secret bool
	}{
		"X-Route: blue":            {"blue", false},
		"x-route:blue":             {"blue", false},
		"X-Tenant-Token: t":        {"${HALLMARK_HEADER_X_TENANT_TOKEN}", true},
		"Cookie: a=b":              {"${HALLMARK_HEADER_COOKIE}", true},
		"X-Functions-Key: k":       {"${HALLMARK_HEADER_X_FUNCTIONS_KEY}", true},
		"Proxy-Authorization: B x": {"${HALLMARK_HEADER_PROXY_AUTHORIZATION}", true},
		"X-A: x${SET}y":            {"x${SET}y", true},
		"X-Keyboard: qwerty":       {"qwerty", false},
	} {
		h, err := client.ParseHeader(text, false, lookup)
		if err != nil || h.ForRecords() != want.shown || h.Secret != want.secret {
			t.Errorf("%s: %+v, %v", text, h, err)
		}
		if shown := client.ShowHeader(text, false); !strings.HasSuffix(shown, ": "+want.shown) {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
	if h, err := client.ParseHeader("X-Route: hush", true, lookup); err != nil || !h.Secret || h.ForRecords() == "hush" {
		t.Errorf("%+v, %v", h, err)
	}
	for text, want := range map[string]string{
		"X-Hush":                "with a colon",
		": hush":                "a header's name is made of",
		"X Y: hush":             "a header's name is made of",
		"X-A:":                  "has no value",
		"Authorization: hush":   "set HALLMARK_API_KEY",
		"authorization : hush":  "set HALLMARK_API_KEY",
		"Content-Length: 7hush": "cannot be given",
		"X-A: ${NONE}hush":      "the environment variable NONE, which is not set",
		"X-A: hush\r\nX-B: 1":   "control character",
	} {
		_, err := client.ParseHeader(text, false, lookup)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v, want one that says %s", text, err, want)
		}
	}
}

// Headers of the target are sent in addition to those of every request.
func TestHeadersStandBesideOthers(t *testing.T) {
	service := &script{replies: []reply{fine}}
	c := client.New(client.Options{Transport: service, BaseURL: "http://127.0.0.1", Timeout: time.Minute, Headers: []client.Header{{Name: "Accept", Value: "text/plain"}, {Name: "X-Tenant", Value: "a"}}})
	ex, err := c.Do(t.Context(), aCreation)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"Accept": {"application/json", "text/plain"}, "Content-Type": {"application/json"}, "X-Tenant": {"a"}}
	for name, values := range want {
		if got := service.asked[0].header[name]; !slices.Equal(got, values) || !slices.Equal(ex.Request.Header[name], values) {
			t.Errorf("%s: %q was sent, %q is recorded", name, got, ex.Request.Header[name])
		}
	}
	if agents := service.asked[0].header["User-Agent"]; len(agents) != 1 || strings.Contains(agents[0], "text/plain") {
		t.Errorf("the User-Agent is %q", agents)
	}
}
