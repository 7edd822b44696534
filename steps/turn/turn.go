// Package turn lets one goroutine at a time do something that takes long, such as several requests.
package turn

import "context"

// Turn is held by one goroutine at a time. Waiting for it ends with a context, which waiting for a mutex does not.
type Turn chan struct{}

// New returns a turn that nobody holds.
func New() Turn { return make(Turn, 1) }

// Take waits for the turn. Call leave to give it back. Take returns the error of the context if that ends first.
func (t Turn) Take(ctx context.Context) (leave func(), err error) {
	select {
	case t <- struct{}{}:
		return t.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Try takes the turn if nobody holds it, and reports whether it did.
func (t Turn) Try() (leave func(), ok bool) {
	select {
	case t <- struct{}{}:
		return t.leave, true
	default:
		return nil, false
	}
}

func (t Turn) leave() { <-t }
