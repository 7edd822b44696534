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

// Handler wraps the handler of a service and passes its exchanges to middleware.
type Handler struct {
	// Next is the service.
	Next http.Handler
	// Base is the path below which the service answers, Key the bearer token that it accepts.
	Base, Key string
	// Middleware handles the exchanges; the last one is the outermost.
	Middleware []Middleware
	// Refusal returns the JSON body with which a [Mutation] refuses a request; nil means an empty object.
	Refusal func(status int) any
	// Restate updates the body of a response after a [Mutation] has changed its status; nil leaves it as it is.
	Restate func(x *Exchange)
	// Operation returns the name of a request's operation, by its method and its escaped path below the base; nil if
	// mutations use methods and templates.
	Operation func(method, path string) string
	// Breaks reports whether a response breaks something that the one before the change did not; nil if every change
	// does.
	Breaks func(x *Exchange, was Response) bool
	// Keeps reports whether a request keeps the contract, and has a credential if it needs one; nil if every request
	// does.
	Keeps func(x *Exchange) bool
	// Done is called with each exchange after its response; may be nil.
	Done func(x *Exchange)
	// Credentials are those that were seen to be accepted; nil records none.
	Credentials *Credentials

	count atomic.Int64
}

// maxBody bounds the body of a request that middleware sees; a service itself refuses smaller ones.
const maxBody = 8 << 20

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &Exchange{Request: r, Nth: h.count.Add(1), Key: h.Key, Path: strings.TrimPrefix(r.URL.Path, h.Base), handler: h}
	if h.Operation != nil {
		x.Operation = h.Operation(r.Method, strings.TrimPrefix(r.URL.EscapedPath(), h.Base))
	}
	x.Body, _ = io.ReadAll(io.LimitReader(r.Body, maxBody)) // a body that breaks off is refused for what is missing
	h.handle(x, len(h.Middleware))
	if h.Done != nil {
		h.Done(x)
	}
	x.write(w)
}

// handle lets the first n pieces of middleware handle the exchange, the outermost first.
func (h *Handler) handle(x *Exchange, n int) {
	if n > 0 {
		h.Middleware[n-1](x, func() { h.handle(x, n-1) })
		return
	}
	x.reply(h.ask(x.Request, x.Body))
	if h.Credentials != nil {
		h.Credentials.note(x)
	}
}

// ask has the service answer.
func (h *Handler) ask(request *http.Request, body []byte) Response {
	r := request.WithContext(request.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	rec := recorder{header: http.Header{}}
	h.Next.ServeHTTP(&rec, r)
	rec.header.Del("Content-Length") // recomputed once all middleware has run
	return Response{Status: max(rec.status, http.StatusOK), Header: rec.header, Body: rec.body.Bytes()}
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
