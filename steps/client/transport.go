package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// maxHeaders is how many bytes of a response's headers are read.
const maxHeaders = 128 << 10

// Transport carries the requests of a run. It keeps connections open between requests until the target has closed
// one after a response, as it may at any time. From then on each creation gets a new connection: a creation that
// is sent while the connection is closed is lost, and must not be repeated, since its outcome is unknown.
type Transport struct {
	*http.Transport

	// dial opens the connections.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
	// closes reports whether the target has closed a connection after a response.
	closes *atomic.Bool
	once   sync.Once
	fresh  *http.Transport
}

// NewTransport returns a transport for runs with the given concurrency. Its settings must not change after the
// first request.
func NewTransport(concurrency int) *Transport {
	t := &Transport{closes: new(atomic.Bool)}
	t.dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.Transport = &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := t.dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &watchedConn{Conn: conn, closes: t.closes}, nil
		},
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          4 * concurrency,
		MaxIdleConnsPerHost:   4 * concurrency,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		// A few 1xx responses, and the headers of the last response: Go counts them together.
		MaxResponseHeaderBytes: maxHeaders,
	}
	return t
}

// RoundTrip sends a request.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost || !t.closes.Load() {
		return t.Transport.RoundTrip(r)
	}
	t.once.Do(func() {
		t.fresh = t.Clone()
		t.fresh.MaxIdleConnsPerHost = -1 // keeps no connections, without telling the target
	})
	return t.fresh.RoundTrip(r)
}

// Unwrap returns the underlying transport.
func (t *Transport) Unwrap() http.RoundTripper { return t.Transport }

// CloseIdleConnections closes the connections that no request uses.
func (t *Transport) CloseIdleConnections() { t.Transport.CloseIdleConnections() }

// watchedConn is a connection that records when the other side closes it while no response is due.
type watchedConn struct {
	net.Conn

	closes *atomic.Bool
	// answered reports whether something was read since the last write, ended whether reading has failed for good.
	answered, ended atomic.Bool
	// eof reports whether the other side closed the connection in order, late whether something was written after reading had failed.
	eof, late atomic.Bool
}

func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.answered.Store(true)
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.ended.Store(true)
		c.eof.Store(errors.Is(err, io.EOF))
	}
	if err != nil && c.answered.Load() && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)) {
		c.closes.Store(true)
	}
	return n, err
}

func (c *watchedConn) Write(p []byte) (int, error) {
	c.answered.Store(false)
	if c.ended.Load() {
		c.late.Store(true)
	}
	return c.Conn.Write(p)
}

// HasCertificate reports whether the client has a certificate.
func (t *Transport) HasCertificate() bool {
	return t.TLSClientConfig != nil && len(t.TLSClientConfig.Certificates) > 0
}
