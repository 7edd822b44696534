package client_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
)

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
		"accept : hush":         "hallmark sets it",
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
