package cli

import (
	"context"
	"fmt"
)

// Heed returns what f returns, or an error with the exit code of the interruption as soon as a signal ends the context. Use it for work
// that does not watch a context, such as reading and deriving. f runs on until the process ends, so the caller must not touch its data. A
// panic of f is passed on to the caller.
func Heed[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		value  T
		err    error
		failed any
	}
	if err := interruption(ctx); err != nil {
		return *new(T), err
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.failed = recover()
			done <- o
		}()
		o.value, o.err = f()
	}()
	select {
	case o := <-done:
		if o.failed != nil {
			panic(o.failed) //nolint:forbidigo // re-raise the panic of f
		}
		return o.value, o.err
	case <-ctx.Done():
		return *new(T), interruption(ctx)
	}
}

// interruption returns the error of an ended context, or nil.
func interruption(ctx context.Context) error {
	if signal, was := Interrupted(ctx); was {
		return WithCode(signal.ExitCode(), signal)
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("it was cancelled: %w", err)
	}
	return nil
}
