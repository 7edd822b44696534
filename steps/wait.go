package steps

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Pauses between tries: short at first, then longer.
const leastPause, mostPause = 200 * time.Millisecond, 2 * time.Second

// awaitReady repeats a cheap request until the target is up.
func awaitReady(ctx context.Context, r *engine) error {
	if r.Patience.Wait <= 0 {
		return nil
	}
	began := time.Now()
	seen := &record.Readiness{}
	for next := leastPause; ; next = min(2*next, mostPause) {
		left := r.Patience.Wait - time.Since(began)
		why, err := askReady(ctx, r, seen.Tries+1, left)
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
				r.Target.BaseURL, r.Patience.Wait, timesWords(seen.Tries), why)}
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

// askReady returns why the target is not ready, or "". Other problems are left to the suite.
func askReady(ctx context.Context, r *engine, try int, left time.Duration) (string, error) {
	if err := r.Client.Limiter.Wait(ctx); err != nil {
		return "", err
	}
	ex := &spec.Exchange{Started: time.Now()}
	if r.Client.Correlation != "" {
		ex.Correlation = fmt.Sprintf("%s-wait-%d", r.Client.Run, try)
	}
	path, beside, with := "/", "", credentials.Credential{}
	if op, ok := plainRead(r); ok {
		path, beside = op.Path, op.ID
		with, _ = r.Entitled(ctx, &op) // without one the response says as much about whether the target is ready
	}
	what := client.Call{
		Scenario: "waiting", Beside: beside, Method: http.MethodGet, Path: path,
		Credential: with.Client(), Timeout: max(left, time.Second), Loss: new(client.Loss),
	}
	if _, err := r.Client.Send(ctx, &what, ex); err != nil {
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

// plainRead returns the first operation that reads and needs no identifier.
func plainRead(r *engine) (spec.Operation, bool) {
	for _, op := range r.Contract.Operations() {
		if _, gone := r.Removed[op.ID]; op.Method == http.MethodGet && !gone && !strings.Contains(op.Path, "{") {
			return op, true
		}
	}
	return spec.Operation{}, false
}
