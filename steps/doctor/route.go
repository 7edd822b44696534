package doctor

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"
)

// Route is what could be seen of the way of one request to the target.
type Route struct {
	mu        sync.Mutex
	lookedUp  bool
	addresses []string
	lookupErr error
	lookup    time.Duration

	connected  string // the address at the other end
	local      bool   // it is a socket of this machine
	connectErr error
	connect    time.Duration

	encrypted    bool
	tls          tls.ConnectionState
	handshakeErr error
	handshake    time.Duration

	dnsBegan, connectBegan, tlsBegan time.Time
}

// Trace notes what happens. Several attempts (IPv6, then IPv4) count as good as soon as one is.
func (r *Route) Trace() *httptrace.ClientTrace {
	note := func(f func()) {
		r.mu.Lock()
		defer r.mu.Unlock()
		f()
	}
	return &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { note(func() { r.dnsBegan = time.Now() }) },
		DNSDone: func(info httptrace.DNSDoneInfo) {
			note(func() {
				r.lookedUp, r.lookup, r.lookupErr = true, time.Since(r.dnsBegan), info.Err
				for _, a := range info.Addrs {
					r.addresses = append(r.addresses, a.String())
				}
			})
		},
		ConnectStart: func(_, _ string) { note(func() { r.connectBegan = time.Now() }) },
		ConnectDone: func(network, address string, err error) {
			note(func() {
				if r.connected != "" {
					return
				}
				r.connect, r.connectErr = time.Since(r.connectBegan), err
				if err == nil {
					r.connected, r.local = address, network == "unix"
				}
			})
		},
		TLSHandshakeStart: func() { note(func() { r.tlsBegan = time.Now() }) },
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			note(func() { r.encrypted, r.tls, r.handshakeErr, r.handshake = true, state, err, time.Since(r.tlsBegan) })
		},
	}
}

// ProxyOf is the proxy that a transport uses for an address; nil when it goes there directly.
func ProxyOf(transport http.RoundTripper, address string) *url.URL {
	for {
		outer, ok := transport.(interface{ Unwrap() http.RoundTripper })
		if !ok {
			break
		}
		transport = outer.Unwrap()
	}
	t, ok := transport.(*http.Transport)
	if !ok || t.Proxy == nil {
		return nil
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil
	}
	proxy, err := t.Proxy(req)
	if err != nil {
		return nil
	}
	return proxy
}
