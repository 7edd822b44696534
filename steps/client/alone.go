package client

import (
	"context"
	"slices"
)

// alone is the key of the contexts of who is alone.
type alone struct{}

// loner is who is alone, or waits for it: it is when ready is closed.
type loner struct {
	ready  chan struct{}
	closed bool
}

// lonerOf returns who is alone with a context; nil for nobody.
func lonerOf(ctx context.Context) *loner {
	l, _ := ctx.Value(alone{}).(*loner)
	return l
}

// Alone keeps new requests from being sent, waits until none is under way, and returns a context whose requests are sent while no
// others are, until it is released. So what is asked with it is answered by a target that has nothing else of the run to do. Who is
// alone already stays so. It returns the error of the context when that ends before.
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

// leaveAlone lets the first of who would be alone begin, when nobody is inside any more.
func (q *queue) leaveAlone() {
	if len(q.alone) == 0 || q.inside > 0 || q.alone[0].closed {
		return
	}
	q.alone[0].closed = true
	close(q.alone[0].ready)
}
