package cli

import (
	"context"
	"errors"
	"syscall"
	"testing"
)

func TestHeed(t *testing.T) {
	if got, err := Heed(t.Context(), func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	wrong := errors.New("wrong")
	if _, err := Heed(t.Context(), func() (int, error) { return 0, wrong }); !errors.Is(err, wrong) {
		t.Errorf("got %v", err)
	}
	defer func() {
		if p := recover(); p != "failed" {
			t.Errorf("recovered %v", p)
		}
	}()
	_, _ = Heed(t.Context(), func() (int, error) { panic("failed") })
}

// What never ends is left as soon as the context ends, with the exit code of the signal.
func TestHeedLeavesWhatNeverEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	begun, end := make(chan bool), make(chan bool)
	defer close(end)
	go func() {
		<-begun
		cancel(Interruption{syscall.SIGINT})
	}()
	_, err := Heed(ctx, func() (int, error) {
		close(begun)
		<-end
		return 0, nil
	})
	if ExitCode(err) != 130 {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
	if _, err := Heed(ctx, func() (int, error) { t.Error("it was called"); return 0, nil }); ExitCode(err) != 130 {
		t.Errorf("got %v", err)
	}
}
