package inprocess_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/hallmark-kit/hallmark/internal/inprocess"
)

// A handler is seen as a server shows it, and knows an address of its client.
func TestServe(t *testing.T) {
	server := inprocess.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic(http.ErrAbortHandler)
		}
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, "<p>"+host)
	}))
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }}}
	answer, err := client.Get("http://anything/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || string(body) != "<p>127.0.0.1" || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("%q, %v, %v", body, answer.Header, err)
	}
	_ = answer.Body.Close()
	if answer, err := client.Get("http://anything/panic"); err == nil {
		_ = answer.Body.Close()
		t.Error("a panic ends no connection")
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := server.Dial(t.Context()); err == nil {
		t.Error("a closed server takes a connection")
	}
}
