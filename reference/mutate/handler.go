package mutate

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// Middleware handles an exchange: it may change the request, calls next to have it answered, and may change the response.
type Middleware func(x *Exchange, next func())

// Handler stands before the handler of a service and hands its exchanges to middleware.
type Handler struct {
	// Next is the service.
	Next http.Handler
	// Base is the path below which it answers, Key the bearer token that it accepts.
	Base, Key string
	// Middleware handles the exchanges; the last one is the outermost.
	Middleware []Middleware
	// Refusal returns the JSON body with which a [Mutation] refuses a request; nil stands for an empty object.
	Refusal func(status int) any
	// Restate brings the body of a response up to date when a [Mutation] has changed its status; nil leaves it as it is.
	Restate func(x *Exchange)

	count atomic.Int64
}

// maxBody bounds the body of a request that middleware sees; a service itself refuses smaller ones.
const maxBody = 8 << 20

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &Exchange{Request: r, Nth: h.count.Add(1), Key: h.Key, Path: strings.TrimPrefix(r.URL.Path, h.Base), handler: h}
	x.Body, _ = io.ReadAll(io.LimitReader(r.Body, maxBody)) // one that breaks off is refused for what is missing
	h.handle(x, len(h.Middleware))
	if x.Cut {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http has no other way to cut a connection
	}
	x.write(w)
}

// handle lets the first n pieces of middleware handle the exchange, the outermost first.
func (h *Handler) handle(x *Exchange, n int) {
	if n > 0 {
		h.Middleware[n-1](x, func() { h.handle(x, n-1) })
		return
	}
	r := x.Request.WithContext(x.Request.Context())
	r.Body = io.NopCloser(bytes.NewReader(x.Body))
	r.ContentLength = int64(len(x.Body))
	rec := recorder{header: http.Header{}}
	h.Next.ServeHTTP(&rec, r)
	x.Status, x.Header, x.Answer = max(rec.status, http.StatusOK), rec.header, rec.body.Bytes()
	x.Header.Del("Content-Length") // recomputed once all middleware has run
}

// recorder keeps a response instead of sending it.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}
