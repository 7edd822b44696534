package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Limits bounds the requests of a run. Zero values set no bound.
type Limits struct {
	// Rate is the maximum number of requests per second, evenly spread.
	Rate float64
	// MaxRequests is the maximum number of requests in total, including repeated ones.
	MaxRequests int
	// MaxTime is how long requests are sent; one in flight by then may still finish.
	MaxTime time.Duration
	// MaxTimeFrom names what set MaxTime; "" is the flag.
	MaxTimeFrom string
}

// LimitError says that a limit of the run keeps a request from being sent. It is not a defect of the target.
type LimitError struct{ Limit string }

func (e LimitError) Error() string { return "the run reached its limit of " + e.Limit }

// Limiter decides when the next request of a run may be sent. It is safe for concurrent use.
type Limiter struct {
	limits Limits
	pace   *rate.Limiter // nil without a rate
	end    time.Time     // zero without a time limit
	sent   atomic.Int64
	// reached is the first limit that kept a request from being sent.
	reached atomic.Pointer[LimitError]

	mu sync.Mutex
	// quiet is the end of the pause that the target asked for.
	quiet time.Time
}

// NewLimiter returns a Limiter for a run that starts at the given time.
func NewLimiter(limits Limits, start time.Time) *Limiter {
	l := &Limiter{limits: limits}
	if limits.Rate > 0 {
		l.pace = rate.NewLimiter(rate.Limit(limits.Rate), 1)
	}
	if limits.MaxTime > 0 {
		l.end = start.Add(limits.MaxTime)
	}
	return l
}

// Wait blocks until a request may be sent. It returns a LimitError if a limit forbids it.
func (l *Limiter) Wait(ctx context.Context) error {
	if l.limits == (Limits{}) {
		return l.wait(ctx)
	}
	if ctx.Value(beyondLimits{}) != nil {
		err := l.wait(ctx)
		if err == nil && l.pace != nil {
			err = l.pace.Wait(ctx)
		}
		return err
	}
	if err := l.exceeded(); err != nil {
		return err
	}
	waiting := ctx
	if !l.end.IsZero() {
		var cancel context.CancelFunc
		waiting, cancel = context.WithDeadline(ctx, l.end)
		defer cancel()
	}
	err := l.wait(waiting)
	if err == nil && l.pace != nil {
		err = l.pace.Wait(waiting)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // the time is up, or will be before this request's turn
		return l.Stop(timeLimit(l.limits))
	}
	if n := l.sent.Add(1); l.limits.MaxRequests > 0 && n > int64(l.limits.MaxRequests) {
		return l.Stop(requestLimit(l.limits))
	}
	return nil
}

// beyondLimits is the context key for requests that ignore the limits.
type beyondLimits struct{}

// BeyondLimits returns a context whose requests are sent at the pace of the run even if its limits are exceeded,
// for cleaning up.
func BeyondLimits(ctx context.Context) context.Context {
	return context.WithValue(ctx, beyondLimits{}, true)
}

// exceeded returns the limit that is reached already, or nil.
func (l *Limiter) exceeded() error {
	if limit := l.reached.Load(); limit != nil {
		return *limit
	}
	if !l.end.IsZero() && !time.Now().Before(l.end) {
		return l.Stop(timeLimit(l.limits))
	}
	return nil
}

// Reached returns the text of the first limit that was reached, or "".
func (l *Limiter) Reached() string {
	if limit := l.reached.Load(); limit != nil {
		return limit.Error()
	}
	return ""
}

// Stop records limit as the one that was reached, unless another one was before, and returns the recorded one.
func (l *Limiter) Stop(limit LimitError) error {
	l.reached.CompareAndSwap(nil, &limit)
	return *l.reached.Load()
}

func timeLimit(l Limits) LimitError {
	return LimitError{fmt.Sprintf("%v (%s)", l.MaxTime, cmp.Or(l.MaxTimeFrom, "--max-time"))}
}

func requestLimit(l Limits) LimitError {
	if l.MaxRequests == 1 {
		return LimitError{"one request (--max-requests)"}
	}
	return LimitError{fmt.Sprintf("%d requests (--max-requests)", l.MaxRequests)}
}

// pauseFor delays all requests: a request to slow down applies to the whole run.
func (l *Limiter) pauseFor(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(d); until.After(l.quiet) {
		l.quiet = until
	}
}

// wait blocks until the pause requested by Retry-After ends.
func (l *Limiter) wait(ctx context.Context) error {
	for {
		l.mu.Lock()
		quiet := l.quiet
		l.mu.Unlock()
		if quiet.IsZero() {
			return nil
		}
		left := time.Until(quiet)
		if left <= 0 {
			return nil
		}
		if err := Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// Sleep blocks for a duration. It returns the error of the context if that ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// agentOf returns the User-Agent for a scenario's requests, which tells the target's operators who is calling and
// why: "hallmark/1.2 (run k3j9x2; features/list.feature:14)".
func agentOf(tool, run, scenario string) string {
	if run == "" {
		return tool
	}
	comment := "run " + run
	if scenario != "" {
		comment += "; " + scenario
	}
	return tool + " (" + strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`()\`, r) {
			return '_' // RFC 9110 would have these escaped, which log parsers do not expect
		}
		return r
	}, comment[:min(len(comment), maxComment)]) + ")"
}

// maxComment bounds the comment in a User-Agent, in bytes.
const maxComment = 160

// IsLimit reports whether err is a LimitError, or wraps one.
func IsLimit(err error) bool { return errors.As(err, new(LimitError)) }
