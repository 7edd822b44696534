// Package inprocess serves an http.Handler to a client of the same process, without a port: real HTTP over connections in memory, so that a
// handler is seen as a server shows it.
package inprocess

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server serves a handler on connections in memory.
type Server struct {
	server http.Server
	conns  listener
	ended  chan struct{}
}

// Serve starts a server. The caller must close it.
func Serve(h http.Handler) *Server {
	s := &Server{
		server: http.Server{Handler: h, ReadHeaderTimeout: time.Minute},
		conns:  listener{offered: make(chan net.Conn), closed: make(chan struct{})},
		ended:  make(chan struct{}),
	}
	go func() {
		defer close(s.ended)
		_ = s.server.Serve(&s.conns) // always ends with an error: that of Close
	}()
	return s
}

// Dial opens a connection to the server.
func (s *Server) Dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case s.conns.offered <- named{far}:
		return named{near}, nil
	case <-s.conns.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close closes the server and all its connections.
func (s *Server) Close() error {
	err := s.server.Close()
	<-s.ended
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// listener hands connections from Dial to the server.
type listener struct {
	offered chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.offered:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return loopback() }

// named is a connection in memory with the addresses of one on this machine: handlers read the address of their client.
type named struct{ net.Conn }

func (named) LocalAddr() net.Addr  { return loopback() }
func (named) RemoteAddr() net.Addr { return loopback() }

func loopback() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1024} }
