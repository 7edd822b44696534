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
	// Room, if set, bounds what the copies of exchanges under way take together. One for which there is no room is not submitted.
	Room *Room
}

// Handler returns a handler that does what h does.
func (t *Tap) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		if t.Wants != nil && !t.Wants() {
			h.ServeHTTP(to, r)
			return
		}
		x, request := t.request(r)
		if x == nil {
			h.ServeHTTP(to, r)
			return
		}
		defer request.give()
		taken := &response{ResponseWriter: to, body: copied{most: t.Most, room: t.Room}}
		defer taken.body.give()
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
		if x == nil {
			return rt.RoundTrip(r)
		}
		if request.from != nil {
			r = r.WithContext(r.Context()) // the caller's request must not change
			r.Body = request
		}
		answer, err := rt.RoundTrip(r)
		if err != nil || answer.StatusCode == http.StatusSwitchingProtocols {
			request.give()
			return answer, err
		}
		status, header := answer.StatusCode, answer.Header.Clone()
		if answer.Body == http.NoBody || answer.ContentLength == 0 { // nobody reads it to its end
			t.submit(x, request, status, header, new(copied), true)
			request.give()
			return answer, nil
		}
		answer.Body = &body{ReadCloser: answer.Body, read: copied{most: t.Most, room: t.Room}, ended: func(read *copied, whole bool) {
			t.submit(x, request, status, header, read, whole)
			request.give()
			read.give()
		}}
		return answer, nil
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// request returns what is known of a request before a handler or a transport has it, which may change it, and the copy of its body. It
// returns nil if there is no room for that.
func (t *Tap) request(r *http.Request) (*Exchange, *requestBody) {
	body := &requestBody{read: copied{most: t.Most, room: t.Room}}
	if !body.read.take(2*(headerBytes(r.Header)+len(r.URL.Path)+len(r.URL.RawQuery)) + exchangeBytes) {
		t.Room.drop()
		return nil, nil
	}
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
	if t.Requests && r.Body != nil && r.Body != http.NoBody {
		body.from = r.Body
	}
	return x, body
}

// submit completes an exchange. whole reports whether the response came to its end.
func (t *Tap) submit(x *Exchange, request *requestBody, status int, header http.Header, read *copied, whole bool) {
	x.Elapsed = time.Since(x.Started)
	var there bool
	if x.Request.Body, x.RequestBodyUnknown, there = request.copy(); !there || read.refused {
		t.Room.drop()
		return
	}
	x.Response = spec.Response{Status: status, Header: header, Body: read.bytes.Bytes(), Size: read.size}
	x.BodyUnknown = !whole
	t.Submit(x)
}

// copied holds what was read or written of a body, up to a limit, while there is room for it.
type copied struct {
	bytes bytes.Buffer
	most  int
	size  int

	room *Room
	// taken is how much room it takes. refused reports whether there was too little, given whether the copy was passed on: nothing is added any
	// more.
	taken          int
	refused, given bool
}

// leastCopied is the capacity of the smallest copy, in bytes.
const leastCopied = 512

func (c *copied) addBytes(p []byte) {
	c.size += len(p)
	wanted := min(len(p), c.most-c.bytes.Len())
	if wanted <= 0 || c.refused || c.given {
		return
	}
	if length := c.bytes.Len() + wanted; length > c.bytes.Cap() {
		capacity := min(max(2*c.bytes.Cap(), length, leastCopied), max(c.most, length))
		if !c.take(capacity - c.bytes.Cap()) {
			c.refused, c.bytes = true, bytes.Buffer{}
			return
		}
		larger := bytes.NewBuffer(make([]byte, 0, capacity))
		larger.Write(c.bytes.Bytes())
		c.bytes = *larger
	}
	c.bytes.Write(p[:wanted])
}

// take takes room for some bytes, and reports whether there was any.
func (c *copied) take(size int) bool {
	if !c.room.take(size) {
		return false
	}
	c.taken += size
	return true
}

// give gives the room back. What is read or written later is not copied.
func (c *copied) give() {
	c.room.take(-c.taken)
	c.taken, c.given = 0, true
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
	b.read.addBytes(p[:n])
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *requestBody) Close() error { return b.from.Close() }

// copy returns what was read so far, after which nothing is copied any more, and whether there is more; there is false if there was no room
// for it.
func (b *requestBody) copy() (read spec.Bytes, more, there bool) {
	if b.from == nil {
		return nil, false, true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	more = !b.ended || b.read.size > b.read.bytes.Len()
	b.read.given = true // the buffer belongs to the exchange now
	return b.read.bytes.Bytes(), more, !b.read.refused
}

// give gives the room of the copy back.
func (b *requestBody) give() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read.give()
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
		b.read.addBytes(p[:n])
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
