package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what a run asks of its target. Zero values set no bound.
type Limits struct {
	// Rate is how many requests a second are sent at most, evenly spread.
	Rate float64
	// MaxRequests is how many requests are sent in all, repeated ones too.
	MaxRequests int
	// MaxTime is how long requests are sent; one that is under way then has its own time to end.
	MaxTime time.Duration
}

// errLimit says that a limit of the run keeps a request from being sent. It is nobody's fault.
type errLimit struct{ text string }

func (e errLimit) Error() string { return "the run reached its limit of " + e.text }

// governor decides when the next request of a run may be sent, whichever goroutine it comes from.
type governor struct {
	limits Limits
	pace   *rate.Limiter // nil when there is no rate
	end    time.Time     // zero when there is none
	sent   atomic.Int64
	// reached is the first limit that kept a request from being sent.
	reached atomic.Pointer[errLimit]

	mu sync.Mutex
	// quiet is the moment before which the target does not want to be asked.
	quiet time.Time
}

func newGovernor(limits Limits, start time.Time) *governor {
	g := &governor{limits: limits}
	if limits.Rate > 0 {
		g.pace = rate.NewLimiter(rate.Limit(limits.Rate), 1)
	}
	if limits.MaxTime > 0 {
		g.end = start.Add(limits.MaxTime)
	}
	return g
}

// admit waits until a request may be sent, or says which limit forbids it.
func (g *governor) admit(ctx context.Context) error {
	if g.limits == (Limits{}) {
		return g.hush(ctx)
	}
	if err := g.over(); err != nil {
		return err
	}
	waiting := ctx
	if !g.end.IsZero() {
		var cancel context.CancelFunc
		waiting, cancel = context.WithDeadline(ctx, g.end)
		defer cancel()
	}
	err := g.hush(waiting)
	if err == nil && g.pace != nil {
		err = g.pace.Wait(waiting)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // the time is up, or will be before it is this request's turn
		return g.stop(timeLimit(g.limits))
	}
	if n := g.sent.Add(1); g.limits.MaxRequests > 0 && n > int64(g.limits.MaxRequests) {
		return g.stop(requestLimit(g.limits))
	}
	return nil
}

// over says which limit is reached already.
func (g *governor) over() error {
	if limit := g.reached.Load(); limit != nil {
		return *limit
	}
	if !g.end.IsZero() && !time.Now().Before(g.end) {
		return g.stop(timeLimit(g.limits))
	}
	return nil
}

// ended is the limit that ended the run, as a reason; empty for none.
func (g *governor) ended() string {
	if limit := g.reached.Load(); limit != nil {
		return limit.Error()
	}
	return ""
}

func (g *governor) stop(limit errLimit) error {
	g.reached.CompareAndSwap(nil, &limit)
	return *g.reached.Load()
}

func timeLimit(l Limits) errLimit { return errLimit{fmt.Sprintf("%v (--max-time)", l.MaxTime)} }

func requestLimit(l Limits) errLimit {
	if l.MaxRequests == 1 {
		return errLimit{"one request (--max-requests)"}
	}
	return errLimit{fmt.Sprintf("%d requests (--max-requests)", l.MaxRequests)}
}

// hold keeps all requests back for a while: who was told to come back later speaks for everybody.
func (g *governor) hold(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := time.Now().Add(d); until.After(g.quiet) {
		g.quiet = until
	}
}

// hush waits until the target wants to be asked again.
func (g *governor) hush(ctx context.Context) error {
	for {
		g.mu.Lock()
		quiet := g.quiet
		g.mu.Unlock()
		if quiet.IsZero() {
			return nil
		}
		left := time.Until(quiet)
		if left <= 0 {
			return nil
		}
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// agentOf is the User-Agent of a scenario's requests, by which the target's people find out who asks and why:
// "hallmark/1.2 (run k3j9x2; features/list.feature:14)".
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
			return '_' // RFC 9110 would have these escaped, which log readers are no match for
		}
		return r
	}, comment[:min(len(comment), maxComment)]) + ")"
}

// maxComment bounds the comment in a User-Agent, in bytes.
const maxComment = 160

// limited reports whether a limit of the run is the reason of an error.
func limited(err error) bool { return errors.As(err, new(errLimit)) }
