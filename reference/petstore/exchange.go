package petstore

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
)

// The operations, as decorators tell them apart.
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
	// pretend keeps creations from being stored; cut breaks the connection off in place of a response.
	pretend, cut bool
	// limitTaken is a limit that the interface does not allow, as it was understood; 0 when there is none.
	limitTaken int
}

// front stands before a service's handler and hands its exchanges to the decorators.
type front struct {
	next    http.Handler
	base    string
	key     string
	arounds []around
	count   atomic.Int64
}

func newFront(s *Service, p *plan) *front {
	f := &front{next: s.Handler(), base: s.basePath, arounds: p.arounds}
	if len(p.options.Keys) > 0 {
		f.key = p.options.Keys[0]
	}
	return f
}

// maxFront bounds the body of a request that decorators see; the service itself refuses smaller ones.
const maxFront = 8 << 20

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{request: r, nth: f.count.Add(1), key: f.key, path: strings.TrimPrefix(r.URL.Path, f.base)}
	x.operation = operationOf(r.Method, x.path)
	x.body, _ = io.ReadAll(io.LimitReader(r.Body, maxFront)) // one that breaks off is refused for what is missing
	f.handle(x, len(f.arounds))
	if x.cut {
		panic(http.ErrAbortHandler) //nolint:forbidigo // net/http has no other way to cut a connection
	}
	x.write(w)
}

// handle lets the first n decorators handle the exchange, the outermost first.
func (f *front) handle(x *exchange, n int) {
	if n > 0 {
		f.arounds[n-1](x, func() { f.handle(x, n-1) })
		return
	}
	r := x.request.WithContext(context.WithValue(x.request.Context(), exchangeKey{}, x))
	r.Body = io.NopCloser(bytes.NewReader(x.body))
	r.ContentLength = int64(len(x.body))
	var k keeper
	k.header = http.Header{}
	f.next.ServeHTTP(&k, r)
	x.status, x.header, x.answer = max(k.status, http.StatusOK), k.header, k.body.Bytes()
	x.header.Del("Content-Length") // it is counted again when all have had their say
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

// keeper keeps a response in place of sending it.
type keeper struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *keeper) Header() http.Header { return k.header }

func (k *keeper) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

func (k *keeper) Write(b []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	return k.body.Write(b)
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
	return n, err == nil && n >= minLimit && n <= maxLimit
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
	token, ok := bearerToken(x.request.Header)
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

// pretending is a store that only pretends to create when the exchange says so.
type pretending struct{ Store }

func (p pretending) Create(ctx context.Context, pet NewPet) (Pet, error) {
	if x := exchangeOf(ctx); x != nil && x.pretend {
		return Pet{ID: 1, NewPet: pet}, nil
	}
	return p.Store.Create(ctx, pet)
}
