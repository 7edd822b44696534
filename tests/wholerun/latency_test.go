package wholerun_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// behind is a service that takes a while for each response, and answers 429 while more requests than that are in flight; 0 is no bound.
type behind struct {
	http.RoundTripper
	latency time.Duration
	bears   int64
	now     atomic.Int64
	refused atomic.Int64
}

func (b *behind) RoundTrip(r *http.Request) (*http.Response, error) {
	defer b.now.Add(-1)
	if n := b.now.Add(1); b.bears > 0 && n > b.bears {
		b.refused.Add(1)
		return &http.Response{StatusCode: http.StatusTooManyRequests, Body: http.NoBody, Header: http.Header{"Retry-After": {"1"}}, Request: r}, nil
	}
	<-time.After(b.latency)
	return b.RoundTripper.RoundTrip(r)
}

// newBehind returns the reference service behind latency.
func newBehind(t testing.TB, latency time.Duration, bears int64) *behind {
	t.Helper()
	s, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	return &behind{RoundTripper: inMemory{s.Handler()}, latency: latency, bears: bears}
}

// A run that finds out by itself how many requests at a time the service bears finds nothing else by it. The clock is that of a bubble.
func TestAutoConcurrency(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		bears int64
		is    func(w *record.Width, refused int64) bool
	}{
		{"the service bears all", 0, func(w *record.Width, _ int64) bool { return w.Widest == client.MostWidth && w.Last == w.Widest }},
		{"the service bears 20", 20, func(w *record.Width, refused int64) bool {
			return w.Widest < client.MostWidth && w.Last < w.Widest && refused < 100 && strings.Contains(w.Why, "429")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			skip.UnderRace(t)
			synctest.Test(t, func(t *testing.T) {
				service := newBehind(t, 20*time.Millisecond, test.bears)
				rec, result := runtest.New(t).Run(t, "http://pets.example.com/v1", referenceKey, func(c *steps.Config) {
					c.Transport, c.Concurrency = service, client.Auto
				})
				if result.Verdict != verdict.Conformant || rec.Width == nil || !test.is(rec.Width, service.refused.Load()) {
					t.Errorf("%s: %+v; %d were refused", result.Because, rec.Width, service.refused.Load())
				}
				t.Logf("%v, %s", rec.Ended.Sub(rec.Scenarios[0].Started), rec.Width.Sentence())
			})
		})
	}
}
