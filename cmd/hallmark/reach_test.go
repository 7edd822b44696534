package main

import (
	"encoding/pem"
	"net/http/httptest"
	"net/url"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"hallmark/reference/petstore"
)

// secured starts the reference service behind TLS, with a certificate that nobody knows; ca.pem is it.
func secured(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: secured")
	}
	service, err := petstore.New(petstore.Options{Keys: []string{ts.Getenv("HALLMARK_API_KEY")}})
	ts.Check(err)
	server := httptest.NewTLSServer(service.Handler())
	ts.Defer(server.Close)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs("ca.pem"), text, 0o600))
	ts.Setenv("HALLMARK_BASE_URL", server.URL+"/v1")
}

// hostport VARIABLE URL puts the host and port of a URL into the environment.
func hostPort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hostport VARIABLE URL")
	}
	u, err := url.Parse(args[1])
	ts.Check(err)
	ts.Setenv(args[0], u.Host)
}
