package variants

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"hallmark/reference/petstore"
)

// The operations, as middleware tells them apart.
const (
	listPets  = "listPets"
	createPet = "createPet"
	getPet    = "getPet"
)

// exchange is a request and its response, between the client and the service.
type exchange struct {
	// request may be changed before it is handled, by the methods below.
	request *http.Request
	// path is relative to the base path; operation is empty when it is none of the three.
	path, operation string
	body            []byte
	// nth counts the requests, from 1; key is the key that is let in.
	nth int64
	key string

	status int
	header http.Header
	answer []byte
	// discard keeps creations from being stored; cut breaks the connection off in place of a response.
	discard, cut bool
	// limitTaken is a limit that the interface does not allow, as it was understood; 0 when there is none.
	limitTaken int
}

// interceptor stands before a service's handler and hands its exchanges to middleware.
type interceptor struct {
	next        http.Handler
	base        string
	key         string
	middlewares []middleware
	count       atomic.Int64
}

func newInterceptor(s *petstore.Service, p *plan) *interceptor {
	i := &interceptor{next: s.Handler(), base: s.BasePath(), middlewares: p.middlewares}
	if len(p.options.Keys) > 0 {
		i.key = p.options.Keys[0]
	}
	return i
}

// maxBody bounds the body of a request that middleware sees; the service itself refuses smaller ones.
const maxBody = 8 << 20

func (i *interceptor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{request: r, nth: i.count.Add(1), key: i.key, path: strings.TrimPrefix(r.URL.Path, i.base)}
	x.operation = operationOf(r.Method, x.path)
	x.body, _ = io.ReadAll(io.LimitReader(r.Body, maxBody)) // one that breaks off is refused for what is missing
	i.handle(x, len(i.middlewares))
	if x.cut {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http has no other way to cut a connection
	}
	x.write(w)
}

// handle lets the first n pieces of middleware handle the exchange, the outermost first.
func (i *interceptor) handle(x *exchange, n int) {
	if n > 0 {
		i.middlewares[n-1](x, func() { i.handle(x, n-1) })
		return
	}
	r := x.request.WithContext(context.WithValue(x.request.Context(), exchangeKey{}, x))
	r.Body = io.NopCloser(bytes.NewReader(x.body))
	r.ContentLength = int64(len(x.body))
	var rec recorder
	rec.header = http.Header{}
	i.next.ServeHTTP(&rec, r)
	x.status, x.header, x.answer = max(rec.status, http.StatusOK), rec.header, rec.body.Bytes()
	x.header.Del("Content-Length") // recomputed once all middleware has run
}

func (x *exchange) write(w http.ResponseWriter) {
	header := w.Header()
	maps.Copy(header, x.header)
	if _, there := header["Content-Type"]; !there {
		header["Content-Type"] = nil // or net/http would guess one
	}
	if x.status != http.StatusNoContent && header.Get("Transfer-Encoding") == "" {
		header.Set("Content-Length", strconv.Itoa(len(x.answer)))
	}
	w.WriteHeader(x.status)
	if x.status != http.StatusNoContent {
		_, _ = w.Write(x.answer) // a client that is gone takes no response and no error either
	}
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

type exchangeKey struct{}

// exchangeOf finds the exchange that a call of the store serves; nil when a chore calls.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

func operationOf(method, path string) string {
	id, below := strings.CutPrefix(path, "/pets/")
	switch {
	case path == "/pets" && method == http.MethodGet:
		return listPets
	case path == "/pets" && method == http.MethodPost:
		return createPet
	case below && id != "" && !strings.Contains(id, "/") && method == http.MethodGet:
		return getPet
	}
	return ""
}

// is reports whether the exchange is of one of the operations.
func (x *exchange) is(operations ...string) bool { return slices.Contains(operations, x.operation) }

// petID is the last segment of getPet's path.
func (x *exchange) petID() string { return x.path[strings.LastIndexByte(x.path, '/')+1:] }

// moveTo changes the path of the request.
func (x *exchange) moveTo(path string) {
	u := *x.request.URL
	u.Path = strings.TrimSuffix(u.Path, x.path) + path
	u.RawPath = ""
	x.request.URL, x.path = &u, path
}

// query is the request's query; setQuery replaces it.
func (x *exchange) query() url.Values { return x.request.URL.Query() }

func (x *exchange) setQuery(q url.Values) {
	u := *x.request.URL
	u.RawQuery = q.Encode()
	x.request.URL = &u
}

// limit is the limit that was asked for, if it is one that the interface allows.
func (x *exchange) limit() (n int, ok bool) {
	all := x.query()["limit"]
	if len(all) != 1 {
		return 0, false
	}
	n, err := strconv.Atoi(all[0])
	return n, err == nil && n >= petstore.MinLimit && n <= petstore.MaxLimit
}

// credential splits the Authorization header.
func (x *exchange) credential() (scheme, token string, present bool) {
	values := x.request.Header.Values("Authorization")
	if len(values) == 0 {
		return "", "", false
	}
	scheme, token, _ = strings.Cut(values[0], " ")
	return scheme, token, true
}

// authorised reports whether the request carries the right key.
func (x *exchange) authorised() bool {
	token, ok := petstore.BearerToken(x.request.Header)
	return ok && token == x.key
}

// letIn returns the request the right key, shutOut a wrong one.
func (x *exchange) letIn()   { x.authorise("Bearer " + x.key) }
func (x *exchange) shutOut() { x.authorise("Bearer ") }

func (x *exchange) authorise(value string) {
	header := x.request.Header.Clone()
	header.Set("Authorization", value)
	x.request = x.request.WithContext(x.request.Context())
	x.request.Header = header
}

// fail answers with an Error body.
func (x *exchange) fail(status int, code, message string) {
	x.respond(status, map[string]any{"code": code, "message": message, "status": number(int64(status))})
}

// respond answers with a JSON body.
func (x *exchange) respond(status int, body any) {
	x.status, x.header = status, http.Header{"Content-Type": {"application/json"}}
	x.setJSON(body)
}

// discarding is a store whose Create stores nothing for an exchange that says so.
type discarding struct{ petstore.Store }

func (p discarding) Create(ctx context.Context, pet petstore.NewPet) (petstore.Pet, error) {
	if x := exchangeOf(ctx); x != nil && x.discard {
		return petstore.Pet{ID: 1, NewPet: pet}, nil
	}
	return p.Store.Create(ctx, pet)
}
