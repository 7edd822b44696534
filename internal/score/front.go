package score

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/internal/fault"
	"github.com/hallmark-kit/hallmark/reference/mutate"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
)

// front puts faults and freedoms in front of services that keep a contract. The handlers that one front makes
// share the credentials that services were seen to accept.
type front struct {
	contract    *spec.Contract
	promises    *promise.Promises
	credentials *mutate.Credentials
}

// newFront returns a front for services of a contract.
func newFront(c *spec.Contract, p *promise.Promises) *front {
	return &front{contract: c, promises: p, credentials: &mutate.Credentials{Places: fault.Places(c)}}
}

// watch counts what went through a front.
type watch struct {
	mu sync.Mutex
	// used counts the requests by operation, seen the responses by operation and status.
	used map[string]int
	seen map[string]map[int]int
	// applied is the number of responses that a mutation made wrong, equivalent the number that it changed without breaking a rule.
	applied, equivalent int
	// Changed, if set, is called with each response that a mutation made wrong.
	Changed func(x *mutate.Exchange)
}

// newWatch returns a watch that has counted nothing.
func newWatch() *watch { return &watch{used: map[string]int{}, seen: map[string]map[int]int{}} }

func (w *watch) note(x *mutate.Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used[x.Operation]++
	if w.seen[x.Operation] == nil {
		w.seen[x.Operation] = map[int]int{}
	}
	w.seen[x.Operation][x.Status]++
	if x.Equivalent && !x.Applied {
		w.equivalent++
	}
	if x.Applied {
		w.applied++
		if w.Changed != nil {
			w.Changed(x)
		}
	}
}

// appliedCount returns the number of responses that a mutation made wrong.
func (w *watch) appliedCount() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.applied
}

// wasUsed reports whether an operation was called.
func (w *watch) wasUsed(operation string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.used[operation] > 0
}

// plain returns a handler in front of a service, below a base path, that changes nothing.
func (f *front) plain(next http.Handler, base string, w *watch) *mutate.Handler {
	return &mutate.Handler{
		Next: next, Base: base, Credentials: f.credentials, Done: w.note,
		Operation: func(method, path string) string {
			if op, ok := f.contract.Match(method, path); ok {
				return op.ID
			}
			return ""
		},
	}
}

// faulty returns a handler that puts a fault in front of a service.
func (f *front) faulty(next http.Handler, base string, w *watch, x fault.Fault) (*mutate.Handler, error) {
	m, err := x.Mutation.Middleware()
	if err != nil {
		return nil, err
	}
	h := f.plain(next, base, w)
	h.Middleware = []mutate.Middleware{m}
	h.Keeps = f.keeps
	if x.Judged {
		h.Breaks = func(e *mutate.Exchange, was mutate.Response) bool {
			before := f.broken(e, was)
			return slices.ContainsFunc(f.broken(e, e.Response()), func(rule string) bool {
				return slices.Contains(x.Rules, rule) && !slices.Contains(before, rule)
			})
		}
	}
	return h, nil
}

// free returns a handler that makes a service respond in an unusual but legal way.
func (f *front) free(next http.Handler, base string, w *watch, x mutate.Freedom) *mutate.Handler {
	h := f.plain(next, base, w)
	h.Middleware = []mutate.Middleware{x.Middleware}
	h.Breaks = func(e *mutate.Exchange, was mutate.Response) bool {
		before := f.broken(e, was)
		return slices.ContainsFunc(f.broken(e, e.Response()), func(rule string) bool { return !slices.Contains(before, rule) })
	}
	return h
}

// broken returns the rules that a response breaks on its own.
func (f *front) broken(e *mutate.Exchange, a mutate.Response) []string {
	ex := &spec.Exchange{
		Seq: 1, Operation: e.Operation, Request: spec.Request{Method: e.Request.Method, URL: e.Request.URL.String()},
		Response: &spec.Response{Status: a.Status, Header: a.Header, Body: a.Body, Size: len(a.Body)},
	}
	var all []string
	for _, found := range f.promises.Response(ex).Findings {
		all = append(all, found.Rule)
	}
	return all
}

// keeps reports whether a request carries a credential if it needs one, and has a body that matches its schema.
func (f *front) keeps(e *mutate.Exchange) bool {
	op, ok := f.contract.Operation(e.Operation)
	if !ok {
		return false
	}
	if !op.Anonymous() && !f.credentials.Carried(e.Operation, e.Request) {
		return false
	}
	if op.Body == nil || op.Body.JSON() == nil || op.Body.JSON().Schema == nil {
		return true
	}
	tree, readable := mutate.ReadJSON(e.Body)
	return readable && f.promises.Valid(op.Body.JSON().Schema, tree)
}

// showsIn reports whether a fault would show in a recorded exchange: in a response that it makes wrong, or in the rejection of a request that
// it would accept. It does not cover faults that need several exchanges.
func (f *front) showsIn(x fault.Fault, ex *spec.Exchange, base string) bool {
	w := newWatch()
	f.replay(x, ex, base, w)
	return w.appliedCount() > 0
}

// replay plays a recorded exchange behind a front with a fault.
func (f *front) replay(x fault.Fault, ex *spec.Exchange, base string, w *watch) {
	asked := 0
	recorded := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked > 1 {
			return // the repaired request is accepted
		}
		for name, values := range ex.Response.Header {
			w.Header()[name] = slices.Clone(values)
		}
		w.WriteHeader(ex.Response.Status)
		_, _ = w.Write(ex.Response.Body)
	})
	h, err := f.faulty(recorded, base, w, x)
	if err != nil {
		return
	}
	r, err := http.NewRequestWithContext(context.Background(), ex.Request.Method, ex.Request.URL, bytes.NewReader(ex.Request.Body))
	if err != nil {
		return
	}
	r.Header = ex.Request.Header.Clone()
	resp, err := mutate.Transport{Handler: h}.RoundTrip(r)
	if err == nil {
		_ = resp.Body.Close()
	}
}
