package client_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/client"
)

// TestCutHeads reads responses whose connection breaks within the head: they are lost, which is no defect of the
// service. A complete but wrong line is one, even if the connection is closed after it.
func TestCutHeads(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for sent, want := range map[string]string{
		"":                                   "",
		"HT":                                 "",
		"HTTP/1.1":                           "",
		"HTTP/1.1 2":                         "",
		"HTTP/1.1 200 OK\r\nContent-Le":      "",
		head + "Www-Authenticate":            "",
		head + "Content-Length: 2":           "",
		head + "Content-Length: 2\r\n":       "",
		"HTTP/1.1 2x0 OK\r\n\r\n":            client.MalformedHead,
		head + "Www-Authenticate\r\n\r\n":    client.MalformedHead,
		head + "Content-Length: 2\r\n\r\n[":  client.MalformedLength,
		head + "Content-Length: x\r\n\r\n[]": client.MalformedHead,
		head + "Transfer-Encoding: chunked\r\n\r\nx\r\n":              client.MalformedBody,
		head + "Transfer-Encoding: chunked\r\n\r\n2":                  "",
		head + "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-": "",
	} {
		for name, start := range map[string]func(*httptest.Server){"HTTP": (*httptest.Server).Start, "HTTPS": (*httptest.Server).StartTLS} {
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = conn.Write([]byte(sent))
				if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok {
					conn = wrapped.NetConn() // close without a TLS alert
				}
				_ = conn.Close()
			}))
			start(server)
			transport := client.NewTransport(1)
			if pool := server.Client().Transport.(*http.Transport).TLSClientConfig; pool != nil {
				transport.TLSClientConfig = pool
			}
			transport.ForceAttemptHTTP2 = false
			ex, err := newClient(transport, server.URL).Do(t.Context(), aList)
			if err != nil || ex.Lost == "" || ex.Malformed != want {
				t.Errorf("%s, %q: malformed %q, want %q (%s, %v)", name, sent, ex.Malformed, want, ex.Lost, err)
			}
			transport.CloseIdleConnections()
			server.Close()
		}
	}
}
