package client

import (
	"context"
	"slices"
)

// alone is the context key for exclusive requests.
type alone struct{}

// loner is an exclusive holder of the gate, or waits to become one: it is one once ready is closed.
type loner struct {
	ready  chan struct{}
	closed bool
}

// lonerOf returns the exclusive holder that a context belongs to, or nil.
func lonerOf(ctx context.Context) *loner {
	l, _ := ctx.Value(alone{}).(*loner)
	return l
}

// Alone keeps new requests from being sent, waits until none is in flight, and returns a context whose requests
// are sent exclusively until it is released, so the target has nothing else of the run to do. A context that is
// exclusive already is returned as is. Alone returns the error of the context if that ends first.
func (g *Gate) Alone(ctx context.Context) (context.Context, func(), error) {
	if lonerOf(ctx) != nil {
		return ctx, func() {}, nil
	}
	l := &loner{ready: make(chan struct{})}
	release := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		q := &g.requests
		q.alone = slices.DeleteFunc(q.alone, func(other *loner) bool { return other == l })
		q.advance()
	}
	g.mu.Lock()
	g.requests.alone = append(g.requests.alone, l)
	g.requests.leaveAlone()
	g.mu.Unlock()
	select {
	case <-l.ready:
		return context.WithValue(ctx, alone{}, l), release, nil
	case <-ctx.Done():
		release()
		return ctx, func() {}, ctx.Err()
	}
}

// leaveAlone starts the first waiting exclusive holder once no request is in flight.
func (q *queue) leaveAlone() {
	if len(q.alone) == 0 || q.inside > 0 || q.alone[0].closed {
		return
	}
	q.alone[0].closed = true
	close(q.alone[0].ready)
}
