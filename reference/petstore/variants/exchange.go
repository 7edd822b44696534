package variants

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/reference/petstore"
)

// The operations, as middleware distinguishes them.
const (
	listPets  = "listPets"
	createPet = "createPet"
	getPet    = "getPet"
)

// exchange is a request with its response, and what the petstore's variants note about them.
type exchange struct {
	*mutate.Exchange
	// operation is empty if it is none of the three.
	operation string
	// discard keeps a creation from being stored.
	discard bool
	// limitTaken is the interpretation of a limit that the interface does not allow, or 0.
	limitTaken int
}

// intercept returns a handler before the service that passes exchanges to the plan's middleware.
func intercept(s *petstore.Service, p *plan) http.Handler {
	h := &mutate.Handler{
		Next:       s.Handler(),
		Base:       s.BasePath(),
		Middleware: []mutate.Middleware{p.handle},
		Refusal: func(status int) any {
			return errorBody(status, petstore.CodeInvalidRequest, "This is not accepted.")
		},
		Restate: func(m *mutate.Exchange) { x := exchange{Exchange: m}; restatus(&x, m.Status) },
	}
	if len(p.options.Keys) > 0 {
		h.Key = p.options.Keys[0]
	}
	return h
}

// handle passes an exchange to the plan's middleware, the outermost first.
func (p *plan) handle(m *mutate.Exchange, next func()) {
	x := &exchange{Exchange: m, operation: operationOf(m.Request.Method, m.Path)}
	var handle func(n int)
	handle = func(n int) {
		if n > 0 {
			p.middlewares[n-1](x, func() { handle(n - 1) })
			return
		}
		before := x.Request
		x.Request = before.WithContext(context.WithValue(before.Context(), exchangeKey{}, x))
		next()
		x.Request = before
	}
	handle(len(p.middlewares))
}

type exchangeKey struct{}

// exchangeOf returns the exchange that a call of the store serves, or nil for calls by chores.
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

// petID returns the last segment of getPet's path.
func (x *exchange) petID() string { return x.Path[strings.LastIndexByte(x.Path, '/')+1:] }

// limit returns the requested limit, if the interface allows it.
func (x *exchange) limit() (n int, ok bool) {
	all := x.Query()["limit"]
	if len(all) != 1 {
		return 0, false
	}
	n, err := strconv.Atoi(all[0])
	return n, err == nil && n >= petstore.MinLimit && n <= petstore.MaxLimit
}

// fail responds with an Error body.
func (x *exchange) fail(status int, code, message string) {
	x.Respond(status, errorBody(status, code, message))
}

func errorBody(status int, code, message string) map[string]any {
	return map[string]any{"code": code, "message": message, "status": mutate.Number(int64(status))}
}

// discarding is a store whose Create stores nothing for exchanges with discard set.
type discarding struct{ petstore.Store }

func (d discarding) Create(ctx context.Context, pet petstore.NewPet) (petstore.Pet, error) {
	if x := exchangeOf(ctx); x != nil && x.discard {
		return petstore.Pet{ID: 1, NewPet: pet}, nil
	}
	return d.Store.Create(ctx, pet)
}
