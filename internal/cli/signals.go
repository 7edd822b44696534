package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Interruption is the cause of a context ended by a signal.
type Interruption struct{ signal syscall.Signal }

func (i Interruption) Error() string {
	if i.signal == syscall.SIGTERM {
		return "it was terminated (SIGTERM)"
	}
	return "it was interrupted"
}

// Is makes an Interruption count as a cancellation: requests that it cuts off are not failures of the target.
func (i Interruption) Is(target error) bool { return target == context.Canceled }

// ExitCode returns the exit code that shells use for a process ended by the signal.
func (i Interruption) ExitCode() int { return 128 + int(i.signal) }

// sameSignal is the time within which a second signal counts as the same one: a parent such as timeout may send it to the process and to
// its group. Nobody presses Ctrl-C twice that fast.
const sameSignal = 100 * time.Millisecond

// Interruptible returns a context that the first SIGINT or SIGTERM ends, so that work in progress can end gracefully. A second signal ends
// the process at once. A broken pipe is a write error and not a signal, because reports must still be completed.
func Interruptible(parent context.Context, exit func(int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		var first time.Time
		for {
			select {
			case s := <-signals:
				why := Interruption{syscall.SIGINT}
				if s == syscall.SIGTERM {
					why.signal = syscall.SIGTERM
				}
				switch {
				case first.IsZero():
					first = time.Now()
					cancel(why)
				case time.Since(first) > sameSignal:
					exit(why.ExitCode())
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}

// Interrupted reports whether a signal ended the context.
func Interrupted(ctx context.Context) (Interruption, bool) {
	return errors.AsType[Interruption](context.Cause(ctx))
}
