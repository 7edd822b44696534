package turn_test

import (
	"context"
	"errors"
	"testing"

	"github.com/hallmark-kit/hallmark/steps/turn"
)

func TestTurn(t *testing.T) {
	t.Parallel()
	one := turn.New()
	leave, err := one.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := one.Try(); ok {
		t.Error("a turn that is held was taken")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the run is over"))
	if _, err := one.Take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ended with %v", err)
	}
	leave()
	if _, ok := one.Try(); !ok {
		t.Error("a turn that was given back cannot be taken")
	}
}
