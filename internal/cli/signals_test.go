package cli

import (
	"context"
	"syscall"
	"testing"
)

func TestInterruptionIsACancellation(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	if _, was := Interrupted(ctx); was {
		t.Error("a context that goes on was interrupted")
	}
	cancel(Interruption{syscall.SIGTERM})
	if got, was := Interrupted(ctx); !was || got.ExitCode() != 143 {
		t.Errorf("got %v, %v", got, was)
	}
}
