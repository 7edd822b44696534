package mutate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// maxAnswer bounds the body of a response that middleware sees, in bytes.
const maxAnswer = 64 << 20

// LostError is the panic value of a [Forward] handler that got no complete response from its service. [Transport]
// returns its cause as the error of the round trip, and [Gateway] answers 502: no middleware may take it for a
// response of the service.
type LostError struct{ Cause error }

func (e LostError) Error() string { return fmt.Sprintf("the service cannot be reached: %v", e.Cause) }

func (e LostError) Unwrap() error { return e.Cause }

// Forward returns a handler that passes requests to the service at an address, through a transport. Paths and
// queries are not changed. It panics with a [LostError] if it gets no complete response.
func Forward(to *url.URL, transport http.RoundTripper) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		r := in.Clone(in.Context())
		r.RequestURI, r.Host = "", to.Host
		r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
		for _, name := range hopByHop(in.Header) {
			r.Header.Del(name)
		}
		r.Header.Del("Accept-Encoding") // an encoded response cannot be changed
		if r.Header.Get("User-Agent") == "" {
			r.Header.Set("User-Agent", "") // or net/http would name itself
		}
		if in.ContentLength == 0 {
			r.Body = nil
		}
		resp, err := transport.RoundTrip(r)
		if err != nil {
			panic(LostError{err}) //nolint:forbidigo // a handler has no other way to answer nothing
		}
		defer resp.Body.Close()
		for _, name := range hopByHop(resp.Header) {
			resp.Header.Del(name)
		}
		maps.Copy(w.Header(), resp.Header)
		w.WriteHeader(resp.StatusCode)
		// A body shorter than its Content-Length is the service's fault, and is passed on as far as it came.
		if _, err := io.Copy(w, io.LimitReader(resp.Body, maxAnswer)); err != nil && resp.ContentLength < 0 {
			panic(LostError{err}) //nolint:forbidigo // as above
		}
	})
}

// Gateway returns a handler for network clients: if the service behind next could not be reached, or next itself
// failed, it answers 502, and says with Proxy-Status (RFC 9209) that the response is its own.
func Gateway(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			own := func(reason, says string) {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				w.Header().Set("Proxy-Status", "hallmark; error="+reason)
				w.WriteHeader(http.StatusBadGateway)
				fmt.Fprintln(w, says)
			}
			p := recover()
			err, _ := p.(error)
			lost, is := p.(LostError)
			switch {
			case is:
				own(proxyError(lost.Cause), lost.Error())
			case errors.Is(err, http.ErrAbortHandler):
				panic(p) //nolint:forbidigo // how a handler cuts a connection
			case p != nil: // a defect of hallmark
				own("proxy_internal_error", fmt.Sprintf("the proxy itself failed: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// proxyError returns the type of an error of a transport, as RFC 9209 names it.
func proxyError(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return "connection_refused"
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return "connection_timeout"
	}
	return "connection_terminated"
}

// hopByHop returns the names of the headers that are for the next hop only (RFC 9110, section 7.6.1).
func hopByHop(h http.Header) []string {
	all := []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}
	for _, value := range h.Values("Connection") {
		for name := range strings.SplitSeq(value, ",") {
			all = append(all, strings.TrimSpace(name))
		}
	}
	return all
}

// Readdress returns middleware that replaces a service's own address in its responses by that of a proxy in front
// of it.
func Readdress(service, proxy string) Middleware {
	return func(x *Exchange, next func()) {
		next()
		for _, name := range []string{"Location", "Content-Location", "Link"} {
			for i, value := range x.Header.Values(name) {
				x.Header[http.CanonicalHeaderKey(name)][i] = strings.ReplaceAll(value, service, proxy)
			}
		}
	}
}

// Transport passes requests to a handler, without using the network itself: to the service behind it, with the
// address that the client uses.
type Transport struct{ Handler http.Handler }

// RoundTrip implements [http.RoundTripper].
func (t Transport) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			if lost, is := p.(LostError); is {
				resp, err = nil, lost.Cause
				return
			}
			cut, is := p.(error)
			if !is || !errors.Is(cut, http.ErrAbortHandler) {
				cut = fmt.Errorf("the service failed: %v", p)
			}
			resp, err = nil, cut
		}
	}()
	in := r.Clone(r.Context())
	in.RequestURI, in.Host = r.URL.RequestURI(), r.URL.Host
	if in.Body == nil {
		in.Body = http.NoBody
	} else {
		defer r.Body.Close()
	}
	w := recorder{header: http.Header{}}
	t.Handler.ServeHTTP(&w, in)
	w.WriteHeader(http.StatusOK)
	for name, values := range w.header {
		if values == nil {
			delete(w.header, name) // how a handler says that it wants none
		}
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(bytes.NewReader(w.body.Bytes())), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}
