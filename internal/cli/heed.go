package cli

import (
	"context"
	"fmt"
)

// Heed returns what f returns, or an error with the exit code of the interruption as soon as a signal ends the context. It is for what hears no
// context, as reading and deriving do. f goes on until the process ends, so the caller must leave alone what f works on. A panic of f becomes one
// of the caller.
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
			panic(o.failed) //nolint:forbidigo // it is the panic of f
		}
		return o.value, o.err
	case <-ctx.Done():
		return *new(T), interruption(ctx)
	}
}

// interruption returns the error of a context that ended; nil while it goes on.
func interruption(ctx context.Context) error {
	if signal, was := Interrupted(ctx); was {
		return WithCode(signal.ExitCode(), signal)
	}
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("it was called off: %w", err)
	}
	return nil
}
