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

// maxHeaders is how much of a response's headers is read, in bytes.
const maxHeaders = 128 << 10

// Transport carries the requests of a run. It keeps connections open between requests until the target has closed one
// after a response, which it may do at any time. From then on each creation gets a connection of its own: a creation that
// meets the closing of a connection is lost, and must not be repeated, since nobody knows what became of it.
type Transport struct {
	*http.Transport

	// closes reports whether the target has closed a connection after a response.
	closes *atomic.Bool
	once   sync.Once
	fresh  *http.Transport
}

// NewTransport returns a transport for runs of that many requests at a time. Its settings are final with the first request.
func NewTransport(concurrency int) *Transport {
	t := &Transport{closes: new(atomic.Bool)}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	t.Transport = &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
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
		// A few 1xx answers, and the headers of the last: Go counts them together.
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
		t.fresh.MaxIdleConnsPerHost = -1 // keeps none, and says nothing of it to the target
	})
	return t.fresh.RoundTrip(r)
}

// Unwrap returns the transport that does the work.
func (t *Transport) Unwrap() http.RoundTripper { return t.Transport }

// CloseIdleConnections closes the connections that no request uses.
func (t *Transport) CloseIdleConnections() { t.Transport.CloseIdleConnections() }

// watchedConn is a connection that notes when the other side closes it while no response is due.
type watchedConn struct {
	net.Conn

	closes *atomic.Bool
	// answered reports whether something was read since the last writing, ended whether reading has failed for good.
	answered, ended atomic.Bool
}

func (c *watchedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.answered.Store(true)
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.ended.Store(true)
	}
	if err != nil && c.answered.Load() && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)) {
		c.closes.Store(true)
	}
	return n, err
}

func (c *watchedConn) Write(p []byte) (int, error) {
	c.answered.Store(false)
	return c.Conn.Write(p)
}

// HasCertificate reports whether the client shows a certificate.
func (t *Transport) HasCertificate() bool {
	return t.TLSClientConfig != nil && len(t.TLSClientConfig.Certificates) > 0
}
