package scenario_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/scenario"
)

func TestParseBaseURL(t *testing.T) {
	for text, want := range map[string]string{
		"https://pets.example.com/v1": "https://pets.example.com/v1",
		"http://127.0.0.1:8080/v1/":   "http://127.0.0.1:8080/v1",
		"https://[::1]:443/v1":        "https://[::1]:443/v1",
		"https://h/a/b/v1//":          "https://h/a/b/v1",
		"https://h/v1/v1":             "https://h/v1/v1",
		"https://h/caf%C3%A9/v1":      "https://h/caf%C3%A9/v1",
		"https://h/a%2Fb/v1":          "https://h/a%2Fb/v1",
		"HTTPS://h/v1":                "https://h/v1",
		"":                            "! no base URL is given",
		"  ":                          "! no base URL is given",
		"pets.example.com/v1":         "! does not begin with http:// or https://",
		" https://h/v1\n":             "https://h/v1",
		"pets.example.com/shop/v1":    "! add https:// in front: https://pets.example.com/shop/v1",
		"pets.example.com:443/v1":     "! add https:// in front",
		"pets.example.com:8080/v1":    "! add http:// in front: http://pets.example.com:8080/v1",
		"127.0.0.1:8080/v1":           "! add http:// in front: http://127.0.0.1:8080/v1",
		"127.0.0.1/v1":                "! add http:// in front",
		"localhost/v1":                "! add http:// in front",
		"[::1]:8080/v1":               "! add http:// in front: http://[::1]:8080/v1",
		"me:secret@h/v1":              "! holds a user name",
		"https://h:99999/v1":          "! names the port 99999; ports are numbers from 1 to 65535",
		"https://h:0/v1":              "! names the port 0;",
		"https://h:65535/v1":          "https://h:65535/v1",
		"https://h:/v1":               "https://h:/v1",
		"ftp://h/v1":                  "! does not begin with http:// or https://",
		"https:///v1":                 "! names no host",
		"https://:8080/v1":            "! names no host",
		"https://h/v1?x=1":            "! holds a query or a fragment",
		"https://h/v1?":               "! holds a query or a fragment",
		"https://h/v1#x":              "! holds a query or a fragment",
		"https://me:secret@h/v1":      "! holds a user name",
		"https://h:port/v1":           "! cannot be read",
		"https://h/\x7f/v1":           "! cannot be read",
		"https://h/%zz/v1":            "! cannot be read",
	} {
		got, err := scenario.ParseBaseURL(text)
		reason, refused := strings.CutPrefix(want, "! ")
		switch {
		case refused && (err == nil || !strings.Contains(err.Error(), reason)):
			t.Errorf("%q: %q, %v; want an error that says it %s", text, got, err, reason)
		case refused && strings.Contains(err.Error(), "secret"):
			t.Errorf("%q: the error shows a password: %v", text, err)
		case !refused && (err != nil || got != want):
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestZonesOfAddresses(t *testing.T) {
	base, err := scenario.ParseBaseURL("http://[fe80::1%25eth0]:8080/v1")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(base + "/pets"); err != nil || u.Hostname() != "fe80::1%eth0" {
		t.Errorf("%s reads as %v, %v", base, u, err)
	}
}

func TestCheckBasePath(t *testing.T) {
	for _, text := range []string{"https://h/v2", "https://h", "https://h/v1/pets", "https://h/xv1", "https://h/V1", "https://pets.example.com/v1 --dry-run"} {
		base, err := scenario.ParseBaseURL(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := scenario.CheckBasePath(base, "/v1"); err == nil || !strings.Contains(err.Error(), "does not end in the path segment v1") {
			t.Errorf("%q: %v", text, err)
		}
		if err := scenario.CheckBasePath(base, ""); err != nil {
			t.Errorf("%q: where no path is asked for: %v", text, err)
		}
	}
	if err := scenario.CheckBasePath("https://h/a/v1", "/v1"); err != nil {
		t.Error(err)
	}
}
