package steps

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
)

// Patience is for how long a run waits where the interface grants no delay, but real deployments have one.
type Patience struct {
	// Wait is how long the target may take to become ready.
	Wait time.Duration
	// Settle is how long what was written may take to be found. Only absence is waited out, wrong content never.
	Settle time.Duration
	// Reconnect is how long a connection that cannot be made is tried again, and a target that answers nothing is asked.
	Reconnect time.Duration
}

// The pauses between tries: short at first, for what takes a moment, then longer, for what takes its time.
const (
	leastPause, mostPause     = 200 * time.Millisecond, 2 * time.Second
	leastSettling, mostSettle = 20 * time.Millisecond, 500 * time.Millisecond
)

// await asks a cheap question until the target answers like one that is up.
func (r *run) await(ctx context.Context) error {
	if r.Patience.Wait <= 0 {
		return nil
	}
	began := time.Now()
	seen := &record.Readiness{}
	for next := leastPause; ; next = min(2*next, mostPause) {
		left := r.Patience.Wait - time.Since(began)
		why, err := r.ready(ctx, seen.Tries+1, left)
		if err != nil {
			return err
		}
		seen.Tries++
		seen.Took = time.Since(began)
		if why == "" {
			r.patience.Ready = seen
			return nil
		}
		seen.Last = why
		if time.Since(began)+next >= r.Patience.Wait {
			r.patience.Ready = seen
			return Unreachable{Reason: fmt.Sprintf("%s was not ready within %v (--wait), asked %s: %s",
				r.target.BaseURL, r.Patience.Wait, timesWords(seen.Tries), why)}
		}
		if err := client.Sleep(ctx, next); err != nil {
			return err
		}
	}
}

func timesWords(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// ready tells why the target is not ready; empty when it is. Whatever else is wrong with it is the suite's to find.
func (r *run) ready(ctx context.Context, try int, left time.Duration) (string, error) {
	if err := r.client.Limiter.Wait(ctx); err != nil {
		return "", err
	}
	ex := &spec.Exchange{Started: time.Now()}
	if r.client.Correlation != "" {
		ex.Correlation = fmt.Sprintf("%s-wait-%d", r.client.Run, try)
	}
	what := client.Call{
		Scenario: "waiting", Method: http.MethodGet, Path: "/pets", Query: r.terms.Shortest(),
		Credential: credentials.Right(r.target.Key).Client(), Timeout: max(left, time.Second), Loss: new(client.Loss),
	}
	if _, err := r.client.Send(ctx, what, ex); err != nil {
		return "", err
	}
	if ex.Response == nil {
		return ex.Lost, nil
	}
	switch status := ex.Response.Status; status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "status " + strconv.Itoa(status), nil
	}
	return "", nil
}

// settling counts how often patience was needed. It is shared by all scenarios.
type settling struct {
	mu   sync.Mutex
	seen record.Settling
}

// note counts one use of patience.
func (s *settling) note(took time.Duration, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !found {
		s.seen.Never++
		return
	}
	s.seen.Times++
	s.seen.Total += took
	s.seen.Most = max(s.seen.Most, took)
}

// settled is what the report says of it; nil when nobody asked for patience.
func (r *run) settled() *record.Settling {
	if r.Patience.Settle <= 0 {
		return nil
	}
	r.settling.mu.Lock()
	defer r.settling.mu.Unlock()
	seen := r.settling.seen
	seen.Allowed = r.Patience.Settle
	return &seen
}

// askUntil repeats what a store may not know yet, until it does or its time has passed. absent tells of a response whether
// something is missing, and until when it may be.
func (s *scenario) askUntil(ctx context.Context, a *answer, absent func(*answer) time.Time, again func() (*answer, error)) (*answer, error) {
	if s.run.Patience.Settle <= 0 {
		return a, nil
	}
	began := time.Now()
	asked := false
	for next := leastSettling; ; next = min(2*next, mostSettle) {
		until := absent(a)
		left := time.Until(until)
		switch {
		case until.IsZero() && asked:
			s.run.settling.note(time.Since(began), true)
			return a, nil
		case until.IsZero():
			return a, nil
		case left <= 0:
			if asked {
				s.run.settling.note(time.Since(began), false)
			}
			return a, nil
		}
		if err := client.Sleep(ctx, min(next, left)); err != nil {
			return a, err
		}
		asked = true
		b, err := again()
		if err != nil {
			return b, err
		}
		a = b
	}
}

// mayBeAbsent is the moment until which an animal that is known may still be missing; zero for one that nobody knows.
func (r *run) mayBeAbsent(id string) time.Time {
	if at, known := r.memory.SeenAt(id); known {
		return at.Add(r.Patience.Settle)
	}
	return time.Time{}
}

// tooYoung reports whether a response came too early for the absence of an animal to mean something.
func (r *run) tooYoung(id string, asked time.Time) bool {
	until := r.mayBeAbsent(id)
	return r.Patience.Settle > 0 && !until.IsZero() && asked.Before(until)
}

// unread reports whether a response says that a known animal is not there.
func (r *run) unread(a *answer) time.Time {
	if a.ex.Operation != "getPet" || !a.right || a.status() != http.StatusNotFound {
		return time.Time{}
	}
	until := r.mayBeAbsent(a.path["petId"])
	if until.Add(-r.Patience.Settle).After(a.ex.Started) {
		return time.Time{} // it was created meanwhile
	}
	return until
}

// unlisted reports whether a list that would hold the whole store lacks an animal that this run had created by a moment.
func (r *run) unlisted(a *answer, status string, by time.Time) time.Time {
	l := listingOf(r.terms, a)
	_, below := r.terms.Whole()
	if all, _ := r.memory.Known(); l.length < 0 || l.length >= below || status != "" && all >= below {
		return time.Time{}
	}
	listed := make(map[string]bool, len(l.animals))
	for _, x := range l.animals {
		listed[x.ID] = true
	}
	last := r.memory.LastMissing(listed, status, by)
	if last.IsZero() {
		return time.Time{}
	}
	return last.Add(r.Patience.Settle)
}
