package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Interruption is the cause of a context that a signal ended.
type Interruption struct{ signal syscall.Signal }

func (i Interruption) Error() string {
	if i.signal == syscall.SIGTERM {
		return "it was asked to end (SIGTERM)"
	}
	return "it was interrupted"
}

// Is makes it one of the ways in which a context is cancelled: requests that it cuts off are nobody's fault.
func (i Interruption) Is(target error) bool { return target == context.Canceled }

// ExitCode is what shells give for a process that the signal ended.
func (i Interruption) ExitCode() int { return 128 + int(i.signal) }

// sameSignal is how soon after the first a second signal is the same one: what starts hallmark, as timeout does, may send it
// to the process and to its group. Nobody presses Ctrl-C twice that fast.
const sameSignal = 100 * time.Millisecond

// Interruptible returns a context that the first SIGINT or SIGTERM ends, so that what is under way can end politely. A
// second one ends the process at once. A pipe whose reader went away is an error of the writing and no signal: reports
// have to be finished all the same.
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
