package client_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/steps/client"
)

func TestUnusableReaches(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, reach := range map[string]client.Network{
		`none.pem" cannot be read: no such file`:           {CAFile: filepath.Join(dir, "none.pem")},
		`text" holds no certificate in PEM form`:           {CAFile: text},
		"--client-key is given without --client-cert":      {ClientKey: text},
		"cannot be used: tls: failed to find any PEM data": {ClientCert: text, ClientKey: text},
		"cannot be used: no such file":                     {ClientCert: filepath.Join(dir, "none"), ClientKey: text},
		`none" cannot be used: no such file`:               {ClientCert: filepath.Join(dir, "none")},
		`text" cannot be used: tls: failed`:                {ClientCert: text},
		`none": there is no such socket; start`:            {UnixSocket: filepath.Join(dir, "none")},
		`text" is not a socket`:                            {UnixSocket: text},
		"--proxy and --unix-socket exclude each other":     {UnixSocket: text, Proxy: "http://h:1"},
		"the URL must begin with http://":                  {Proxy: "ftp://user:hush@h"},
		"the URL names no host":                            {Proxy: "http://user:hush@"},
		"this is not a URL":                                {Proxy: "http://user:hu sh@h"},
	} {
		_, err := reach.Transport(1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one that says %s", err, want)
		}
		if err != nil && reach.ClientKey == "" && strings.Contains(err.Error(), "--client-key") {
			t.Errorf("the error names --client-key, which was not given: %v", err)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

func TestServicesWithoutTLSAreTold(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	defer service.Close()
	transport := client.NewTransport(1)
	defer transport.CloseIdleConnections()
	c := client.New(client.Options{Transport: transport, BaseURL: strings.Replace(service.URL, "http:", "https:", 1), Timeout: time.Minute})
	ex, err := c.Do(t.Context(), aList)
	if err != nil || !strings.Contains(ex.Lost, "server gave HTTP response to HTTPS client") {
		t.Errorf("%+v, %v", ex, err)
	}
}
