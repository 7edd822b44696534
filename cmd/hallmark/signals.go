package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string {
	if i.signal == syscall.SIGTERM {
		return "it was asked to end (SIGTERM)"
	}
	return "it was interrupted"
}

// Is makes it one of the ways in which a context is cancelled: requests that it cuts off are nobody's fault.
func (i interrupted) Is(target error) bool { return target == context.Canceled }

// exitCode is what shells give for a process that the signal ended.
func (i interrupted) exitCode() int { return 128 + int(i.signal) }

// sameSignal is how soon after the first a second signal is the same one: what starts hallmark, as timeout does, may send it
// to the process and to its group. Nobody presses Ctrl-C twice that fast.
const sameSignal = 100 * time.Millisecond

// interruptible returns a context that the first SIGINT or SIGTERM ends, so that what is under way can end politely. A
// second one ends the process at once. A pipe whose reader went away is an error of the writing and no signal: reports
// have to be finished all the same.
func interruptible(parent context.Context, exit func(int)) (ctx context.Context, stop func()) {
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
				why := interrupted{syscall.SIGINT}
				if s == syscall.SIGTERM {
					why.signal = syscall.SIGTERM
				}
				switch {
				case first.IsZero():
					first = time.Now()
					cancel(why)
				case time.Since(first) > sameSignal:
					exit(why.exitCode())
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

// interruption reports whether a signal ended the context.
func interruption(ctx context.Context) (interrupted, bool) {
	return errors.AsType[interrupted](context.Cause(ctx))
}
