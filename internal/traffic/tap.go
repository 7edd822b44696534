package traffic

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// Tap copies exchanges that pass through handlers and transports, without changing them.
type Tap struct {
	// Most is how many bytes of a body are copied. Requests reports whether the bodies of requests are, too.
	Most     int
	Requests bool
	// Submit gets each exchange once it is over. It must not block for long where traffic should not wait.
	Submit func(*Exchange)
	// Wants, if set, is asked at the beginning of each exchange whether it is to be copied.
	Wants func() bool
}

// Handler returns a handler that does what h does.
func (t *Tap) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if t.Wants != nil && !t.Wants() {
			h.ServeHTTP(to, r)
			return
		}
		x, request := t.request(r)
		taken := &response{ResponseWriter: to, body: copied{most: t.Most}}
		if request.from != nil {
			r.Body = request
		}
		h.ServeHTTP(taken, r)
		if taken.hijacked {
			return
		}
		if taken.status == 0 {
			taken.WriteHeader(http.StatusOK)
		}
		if taken.header.Get("Content-Type") == "" && taken.body.size > 0 && taken.header.Get("Content-Encoding") == "" {
			taken.header.Set("Content-Type", http.DetectContentType(taken.body.bytes.Bytes())) // as a server does
		}
		t.submit(x, request, taken.status, taken.header, &taken.body, true)
	})
}

// Transport returns a transport that does what rt does, or http.DefaultTransport if it is nil. An exchange is over when the body of its
// response was read to the end, or closed.
func (t *Tap) Transport(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		rt = http.DefaultTransport
	}
	return transport(func(r *http.Request) (*http.Response, error) {
		if t.Wants != nil && !t.Wants() {
			return rt.RoundTrip(r)
		}
		x, request := t.request(r)
		if request.from != nil {
			r = r.WithContext(r.Context()) // the caller's request must not change
			r.Body = request
		}
		answer, err := rt.RoundTrip(r)
		if err != nil || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer, err
		}
		status, header := answer.StatusCode, answer.Header.Clone()
		if answer.Body == http.NoBody || answer.ContentLength == 0 { // nobody reads it to its end
			t.submit(x, request, status, header, new(copied), true)
			return answer, nil
		}
		answer.Body = &body{ReadCloser: answer.Body, read: copied{most: t.Most}, ended: func(read *copied, whole bool) {
			t.submit(x, request, status, header, read, whole)
		}}
		return answer, nil
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// request returns what is known of a request before a handler or a transport has it, which may change it, and the copy of its body.
func (t *Tap) request(r *http.Request) (*Exchange, *requestBody) {
	x := &Exchange{Started: time.Now()}
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	u := url.URL{Scheme: r.URL.Scheme, Host: host}
	if u.Scheme == "" {
		u.Scheme = "http"
	}
	x.Request = spec.Request{Method: r.Method, URL: u.String() + r.URL.RequestURI(), Header: r.Header.Clone()}
	if x.Path = r.URL.EscapedPath(); x.Path == "" {
		x.Path = "/"
	}
	if strings.HasPrefix(x.Path, "//") { // RequestURI writes it with the host, lest it look like one
		x.Request.URL = u.String() + x.Path
	}
	body := &requestBody{read: copied{most: t.Most}}
	if t.Requests && r.Body != nil && r.Body != http.NoBody {
		body.from = r.Body
	}
	return x, body
}

// submit completes an exchange. whole reports whether the response came to its end.
func (t *Tap) submit(x *Exchange, request *requestBody, status int, header http.Header, read *copied, whole bool) {
	x.Elapsed = time.Since(x.Started)
	x.Request.Body, x.RequestBodyUnknown = request.copy()
	x.Response = spec.Response{Status: status, Header: header, Body: read.bytes.Bytes(), Size: read.size}
	x.BodyUnknown = !whole
	t.Submit(x)
}

// copied holds what was read or written of a body, up to a limit.
type copied struct {
	bytes bytes.Buffer
	most  int
	size  int
}

func (c *copied) add(p []byte) {
	c.size += len(p)
	if room := c.most - c.bytes.Len(); room > 0 {
		c.bytes.Write(p[:min(len(p), room)])
	}
}

// requestBody is the body of a request. A transport may read it while the response is already there.
type requestBody struct {
	from io.ReadCloser

	mu    sync.Mutex
	read  copied
	ended bool
}

func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read.add(p[:n])
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *requestBody) Close() error { return b.from.Close() }

// copy returns what was read, and whether there is more.
func (b *requestBody) copy() (spec.Bytes, bool) {
	if b.from == nil {
		return nil, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	more := !b.ended || b.read.size > b.read.bytes.Len()
	return bytes.Clone(b.read.bytes.Bytes()), more
}

// body is the body of a response from a client, which may close it while it is read.
type body struct {
	io.ReadCloser

	mu    sync.Mutex
	read  copied
	ended func(read *copied, whole bool)
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	if b.ended != nil {
		b.read.add(p[:n])
	}
	b.mu.Unlock()
	if err != nil {
		b.end(err == io.EOF)
	}
	return n, err
}

func (b *body) Close() error {
	b.end(false)
	return b.ReadCloser.Close()
}

// end passes on what was read, once.
func (b *body) end(whole bool) {
	b.mu.Lock()
	ended := b.ended
	b.ended = nil
	b.mu.Unlock()
	if ended != nil {
		ended(&b.read, whole)
	}
}
