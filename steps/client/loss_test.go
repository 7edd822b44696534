package client_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/client"
)

// A connection is closed in order only where the other side had read the request; one with unread bytes is reset.
func TestLossTellsWhatWasRead(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	end := make(chan func(net.Conn))
	go func() {
		for read := range end {
			conn, err := listener.Accept()
			if err != nil {
				t.Error(err)
				return
			}
			read(conn)
			_ = conn.Close()
		}
	}()
	defer close(end)
	whole := func(c net.Conn) {
		if req, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
	}
	for name, test := range map[string]struct {
		read func(net.Conn)
		want bool
	}{
		"read":   {whole, true},
		"begun":  {func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }, false},
		"headed": {func(c net.Conn) { whole(c); _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[") }, true},
	} {
		transport := client.NewTransport(1)
		call := client.Call{Method: http.MethodPost, Path: "/pets", Body: []byte(`{"name":"x"}`), Loss: new(client.Loss)}
		end <- test.read
		ex, err := newClient(transport, "http://"+listener.Addr().String()).Do(t.Context(), call)
		if err != nil || ex.Lost == "" || call.Loss.Read != test.want || call.Loss.Closed || call.Loss.Unsent {
			t.Errorf("%s: lost %q, %+v (%v)", name, ex.Lost, *call.Loss, err)
		}
		transport.CloseIdleConnections()
	}
}

// Go's transport repeats a read whose kept connection breaks. The exchange succeeds then, and only the loss tells of it.
func TestLossTellsWhatWasSentAgain(t *testing.T) {
	var requests atomic.Int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) != 2 {
			_, _ = io.WriteString(w, "[]")
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}))
	defer service.Close()
	transport := client.NewTransport(1)
	defer transport.CloseIdleConnections()
	c := newClient(transport, service.URL)
	for i, again := range []bool{false, true, false} {
		call := aList
		call.Loss = new(client.Loss)
		ex, err := c.Do(t.Context(), call)
		if err != nil || ex.Lost != "" || call.Loss.Again != again {
			t.Errorf("read %d: lost %q, sent again %t, want %t (%v)", i+1, ex.Lost, call.Loss.Again, again, err)
		}
	}
	if n := requests.Load(); n != 4 {
		t.Errorf("%d requests arrived, want 4: one of them is sent again", n)
	}
}
