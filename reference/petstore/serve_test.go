package petstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// running is a service under Serve.
type running struct {
	address string
	stop    context.CancelFunc
	stopped <-chan error
}

func run(t *testing.T, options petstore.Options, timeouts petstore.Timeouts) *running {
	t.Helper()
	options.Keys = []string{key}
	service, err := petstore.New(options)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- petstore.Serve(ctx, l, service.Handler(), timeouts, options.Log) }()
	t.Cleanup(cancel)
	return &running{l.Addr().String(), cancel, stopped}
}

// dial opens a connection and writes the text to it.
func (r *running) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil { // so that no test hangs
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// readAnswer reads one response off a connection.
func readAnswer(t *testing.T, conn net.Conn) answer {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(body)}
}

// post is the head of a request with a body of n bytes.
func post(n int) string {
	return fmt.Sprintf("POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", key, n)
}

const rex = `{"name":"Rex","categoryId":1}`

// gate is a store whose Create says that it was entered and waits until it is let go.
type gate struct {
	petstore.Store
	entered, leave chan struct{}
}

func newGate() gate {
	return gate{petstore.NewMemory(), make(chan struct{}), make(chan struct{})}
}

func (g gate) Create(ctx context.Context, pet petstore.NewPet) (petstore.Pet, error) {
	g.entered <- struct{}{}
	<-g.leave
	return g.Store.Create(ctx, pet)
}

// The end lets a request under way finish and takes no new one.
func TestGracefulEnd(t *testing.T) {
	store := newGate()
	r := run(t, petstore.Options{Store: store}, petstore.Timeouts{})
	idle := r.dial(t, "")
	busy := r.dial(t, post(len(rex))+rex)
	<-store.entered
	r.stop()
	for { // the listener closes first
		conn, err := net.Dial("tcp", r.address)
		if err != nil {
			break
		}
		conn.Close()
	}
	select {
	case err := <-r.stopped:
		t.Fatalf("Serve returned %v with a request under way", err)
	default:
	}
	close(store.leave)
	readAnswer(t, busy).wantPet(t, http.StatusCreated)
	idle.Close()
	if err := <-r.stopped; err != nil {
		t.Error(err)
	}
}

// A request that does not come to its end is cut off after the shutdown timeout, and Serve says so.
func TestEndWithAStuckRequest(t *testing.T) {
	store := newGate()
	r := run(t, petstore.Options{Store: store}, petstore.Timeouts{Shutdown: time.Millisecond})
	busy := r.dial(t, post(len(rex))+rex)
	<-store.entered
	r.stop()
	if err := <-r.stopped; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Serve returned %v", err)
	}
	if rest, err := io.ReadAll(busy); len(rest) != 0 {
		t.Errorf("answered %q, %v", rest, err)
	}
	close(store.leave)
}

func TestEndBeforeTheStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := petstore.Serve(ctx, l, http.NotFoundHandler(), petstore.Timeouts{}, nil); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("the listener is open")
	}
}

func TestListenerFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	err = petstore.Serve(t.Context(), l, http.NotFoundHandler(), petstore.Timeouts{}, nil)
	if !errors.Is(err, net.ErrClosed) || !strings.Contains(err.Error(), l.Addr().String()) {
		t.Errorf("Serve returned %v", err)
	}
}

// A client that is slow with its headers, or with its next request, loses its connection; one that is slow with its
// body gets a response first.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	const short = 50 * time.Millisecond
	cases := []struct {
		name     string
		timeouts petstore.Timeouts
		text     string
		status   int // of the response before the connection is closed, 0 for none
	}{
		{"headers", petstore.Timeouts{ReadHeader: short}, "GET /v1/pets HTTP/1.1\r\nHost:", 0},
		{"body", petstore.Timeouts{Read: short}, post(len(rex)) + rex[:10], http.StatusRequestTimeout},
		{"idle", petstore.Timeouts{Idle: short}, post(len(rex)) + rex, http.StatusCreated},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, petstore.Options{}, c.timeouts)
			conn := r.dial(t, c.text)
			if c.status != 0 {
				got := readAnswer(t, conn)
				if got.status != c.status {
					t.Errorf("status %d %s", got.status, got.body)
				}
				if c.status >= 400 {
					got.wantError(t, c.status)
				}
			}
			if rest, err := io.ReadAll(conn); err != nil || len(rest) != 0 {
				t.Errorf("the connection was not closed in silence: %q, %v", rest, err)
			}
			r.stop()
			if err := <-r.stopped; err != nil {
				t.Error(err)
			}
		})
	}
}

// Over a raw connection: what ordinary clients would not send.
func TestRawRequests(t *testing.T) {
	r := run(t, petstore.Options{}, petstore.Timeouts{})
	auth := "Host: x\r\nAuthorization: Bearer " + key + "\r\n"
	cases := []struct {
		name, text string
		status     int
	}{
		{"a body beyond the limit, announced and never sent",
			"POST /v1/pets HTTP/1.1\r\n" + auth + "Content-Length: 999999999\r\n\r\n" + strings.Repeat(" ", petstore.MaxBody+1), 413},
		{"a body beyond the limit in chunks",
			"POST /v1/pets HTTP/1.1\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\n200001\r\n" + strings.Repeat(" ", petstore.MaxBody+1) +
				"\r\n", 413},
		{"broken chunks", "POST /v1/pets HTTP/1.1\r\n" + auth + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
		{"a bad escape in the query", "GET /v1/pets?limit=%zz HTTP/1.1\r\n" + auth + "\r\n", 400},
		{"a header name in lower case", "GET /v1/pets HTTP/1.1\r\nhost: x\r\nauthorization: bearer " + key + "\r\n\r\n", 200},
		{"an absolute address", "GET http://x/v1/pets HTTP/1.1\r\n" + auth + "\r\n", 200},
		{"HTTP/1.0", "GET /v1/pets HTTP/1.0\r\nAuthorization: Bearer " + key + "\r\n\r\n", 200},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			conn := r.dial(t, c.text)
			got := readAnswer(t, conn)
			if c.status >= 400 {
				got.wantError(t, c.status)
			} else if got.status != c.status {
				t.Errorf("status %d %s", got.status, got.body)
			}
			conn.Close()
		})
	}
	r.stop()
	if err := <-r.stopped; err != nil {
		t.Error(err)
	}
}
