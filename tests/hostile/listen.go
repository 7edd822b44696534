package hostile

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Listen responds to every request in the given way, each on its own connection, until stop is called. It returns the base URL.
func Listen(a Behaviour) (base string, stop func(), err error) {
	socket, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &server{answer: a, open: map[net.Conn]bool{}}
	s.group.Go(func() { s.accept(socket) })
	return "http://" + socket.Addr().String() + "/v1", func() { s.stop(socket) }, nil
}

type server struct {
	answer Behaviour
	group  sync.WaitGroup

	mu      sync.Mutex
	open    map[net.Conn]bool
	stopped bool
}

func (s *server) accept(socket net.Listener) {
	for {
		conn, err := socket.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open[conn] = true
		stopped := s.stopped
		s.mu.Unlock()
		if stopped {
			_ = conn.Close()
			return
		}
		s.group.Go(func() { s.serve(conn) })
	}
}

func (s *server) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		s.mu.Lock()
		delete(s.open, conn)
		s.mu.Unlock()
	}()
	in := bufio.NewReader(conn)
	r, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	if s.answer.Early {
		s.answer.Write(conn, r)
		// Closing a connection with unread data resets it, and the response is lost.
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.Copy(io.Discard, r.Body)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	s.answer.Write(conn, r)
}

func (s *server) stop(socket net.Listener) {
	s.mu.Lock()
	s.stopped = true
	_ = socket.Close()
	for conn := range s.open {
		_ = conn.Close()
	}
	s.mu.Unlock()
	s.group.Wait()
}

// endlessly writes a text repeatedly until the other end is gone.
func endlessly(head, text string) func(io.Writer, *http.Request) {
	return func(w io.Writer, _ *http.Request) {
		_, err := io.WriteString(w, head)
		for chunk := strings.Repeat(text, 1+(32<<10)/len(text)); err == nil; {
			_, err = io.WriteString(w, chunk)
		}
	}
}

func once(text string) func(io.Writer, *http.Request) {
	return func(w io.Writer, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

// drip sends a byte from time to time until the other end is gone.
func drip(head string) func(io.Writer, *http.Request) {
	return func(w io.Writer, _ *http.Request) {
		if _, err := io.WriteString(w, head); err != nil {
			return
		}
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := io.WriteString(w, " "); err != nil {
				return
			}
		}
	}
}

// silence sends a beginning and then nothing, until the other end is gone.
func silence(head string) func(io.Writer, *http.Request) {
	return func(w io.Writer, _ *http.Request) {
		if _, err := io.WriteString(w, head); err != nil {
			return
		}
		if conn, ok := w.(net.Conn); ok {
			_, _ = io.Copy(io.Discard, conn)
		}
	}
}
