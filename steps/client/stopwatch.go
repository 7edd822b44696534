package client

import (
	"context"
	"time"
)

// stopwatch cancels a context after a time that does not include waiting for ourselves. It must be used by one
// goroutine only.
type stopwatch struct {
	cancel context.CancelCauseFunc

	timer *time.Timer
	until time.Time
	left  time.Duration
}

// newStopwatch returns a context that ends with context.DeadlineExceeded after a time.
func newStopwatch(parent context.Context, timeout time.Duration) (context.Context, *stopwatch) {
	ctx, cancel := context.WithCancelCause(parent)
	w := &stopwatch{cancel: cancel, until: time.Now().Add(timeout)}
	w.timer = time.AfterFunc(timeout, func() { cancel(context.DeadlineExceeded) })
	return ctx, w
}

func (w *stopwatch) stop() {
	w.timer.Stop()
	w.left = time.Until(w.until)
}

func (w *stopwatch) resume() {
	w.until = time.Now().Add(w.left)
	w.timer.Reset(w.left)
}

// end releases the context and its timer.
func (w *stopwatch) end() {
	w.timer.Stop()
	w.cancel(nil)
}
