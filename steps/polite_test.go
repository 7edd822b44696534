package steps

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hallmark/reports"
	"hallmark/reports/record"
)

// governed is a client with limits.
func governed(transport http.RoundTripper, limits Limits) *client {
	c := testClient(transport)
	c.governor = newGovernor(limits, time.Now())
	return c
}

// Requests of all goroutines together keep the rate, at even distances.
func TestTheRateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var at []time.Duration
		began := time.Now()
		c := governed(trip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(began))
			return fine.response(r), nil
		}), Limits{Rate: 2.5})
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				for range 4 {
					if _, err := c.do(t.Context(), aList); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		for i, d := range at {
			if want := time.Duration(i) * 400 * time.Millisecond; d < want-time.Millisecond || d > want+time.Millisecond {
				t.Fatalf("request %d went out after %v, want %v", i+1, d, want)
			}
		}
	})
}

// Who was told to come back later speaks for all.
func TestOthersHoldBackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var early, late atomic.Int64
		c := governed(trip(func(r *http.Request) (*http.Response, error) {
			a := fine
			switch since := time.Since(began); {
			case since == 0:
				a = after(429, "3")
			case since < 3*time.Second:
				early.Add(1)
			default:
				late.Add(1)
			}
			if a.header == nil {
				a.header = http.Header{}
			}
			return a.response(r), nil
		}), Limits{})
		var wg sync.WaitGroup
		wg.Go(func() {
			if ex, err := c.do(t.Context(), aList); err != nil || ex.Response == nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if err := pause(t.Context(), time.Second); err != nil { // in the bubble's time
			t.Fatal(err)
		}
		for range 6 {
			wg.Go(func() {
				ex, err := c.do(t.Context(), aList)
				if err != nil || ex.Delays != 0 || ex.Started.Sub(began) < 3*time.Second {
					t.Errorf("%v, started %v after the beginning", err, ex.Started.Sub(began))
				}
			})
		}
		wg.Wait()
		if early.Load() != 0 || late.Load() != 7 {
			t.Errorf("%d requests before the service wanted any, %d after", early.Load(), late.Load())
		}
	})
}

func TestLimitsOfRequestsAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &script{replies: []reply{fine}}
		c := governed(service, Limits{MaxRequests: 3})
		for range 3 {
			if _, err := c.do(t.Context(), aList); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			_, err := c.do(t.Context(), aList)
			if !limited(err) || err.Error() != "the run reached its limit of 3 requests (--max-requests)" || len(service.asked) != 3 {
				t.Errorf("%v, %d requests", err, len(service.asked))
			}
		}
		// Repeated requests count too.
		service = &script{replies: []reply{after(429, "1"), fine}}
		if _, err := governed(service, Limits{MaxRequests: 1}).do(t.Context(), aList); !limited(err) || len(service.asked) != 1 {
			t.Errorf("%v, %d requests", err, len(service.asked))
		}
		// Neither a slow rate nor a service that is busy makes it wait beyond its time.
		for name, c := range map[string]*client{
			"slow": governed(&script{replies: []reply{fine}}, Limits{MaxTime: 5 * time.Second, Rate: 0.1}),
			"busy": governed(&script{replies: []reply{after(503, "60")}}, Limits{MaxTime: 5 * time.Second}),
		} {
			began := time.Now()
			var err error
			for range 2 {
				_, err = c.do(t.Context(), aList)
			}
			if !limited(err) || !strings.Contains(err.Error(), "5s (--max-time)") || time.Since(began) > 5*time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(began))
			}
		}
		// A run that ends meanwhile is no matter of limits.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c = governed(&script{replies: []reply{after(503, "60")}}, Limits{MaxTime: time.Hour})
		if _, err := c.do(ctx, aList); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// A run that reaches a limit keeps what it has, says what it did not ask, and is never green.
func TestRunsThatReachALimit(t *testing.T) {
	for _, n := range []int{1, 2, 40, 400} {
		service := newShop()
		p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests = n })
		if p.err != nil || len(service.asked) != n || p.rec.Complete || p.rec.Stopped == "" {
			t.Errorf("%d: %v, %d requests, stopped: %q", n, p.err, len(service.asked), p.rec.Stopped)
		}
		if p.res.ExitCode != reports.ExitUnjudged || !strings.Contains(p.res.Because, "(--max-requests), and ") ||
			!strings.Contains(p.res.Because, "not asked to the end") || p.res.Verdict != reports.Partial {
			t.Errorf("%d: %s, exit code %d: %s", n, p.res.Verdict, p.res.ExitCode, p.res.Because)
		}
		done := 0
		for _, s := range p.rec.Scenarios {
			switch {
			case s.Outcome == record.Passed:
				done++
			case s.Outcome == record.Skipped && s.Reason != "":
			default:
				t.Errorf("%d: %s %s: %s", n, s.ID, s.Outcome, s.Reason)
			}
		}
		if n == 400 && done < 20 || len(p.musts(t)) > 0 {
			t.Errorf("%d: %d passed\n%s", n, done, findingLines(p.musts(t)))
		}
	}
	// What was found until then counts.
	service := newShop()
	service.change = func(_ *http.Request, a *reply) { a.header.Set("Content-Type", "text/plain") }
	p := playRun(t, t.Context(), service, func(c *Config) { c.Limits.MaxRequests = 30 })
	if p.res.ExitCode != reports.ExitViolated || !strings.Contains(p.res.Because, "there may be more") {
		t.Errorf("exit code %d: %s", p.res.ExitCode, p.res.Because)
	}
}

func TestRequestsTellWhoAsks(t *testing.T) {
	service := newShop()
	p := playRun(t, t.Context(), service, func(c *Config) {
		c.ID, c.Correlation = "k3j9x2", "X-Correlation-Id"
		c.Selection.Tags = "@phase:first"
	})
	seen := map[string]bool{}
	for _, a := range service.asked {
		agent, id := a.header.Get("User-Agent"), a.header.Get("X-Correlation-Id")
		if !strings.HasPrefix(agent, "hallmark/test (run k3j9x2; ") || !strings.HasSuffix(agent, ")") {
			t.Fatalf("User-Agent: %s", agent)
		}
		if seen[id] || !strings.HasPrefix(id, "k3j9x2-") {
			t.Fatalf("correlation %q", id)
		}
		seen[id] = true
	}
	for _, ex := range p.rec.Exchanges {
		if !seen[ex.Correlation] || ex.Correlation != ex.Request.Header.Get("X-Correlation-Id") {
			t.Errorf("exchange %d is recorded as %q", ex.Seq, ex.Correlation)
		}
		if line := record.Curl(ex); strings.Contains(line, ex.Correlation) {
			t.Errorf("the line says it again: %s", line)
		}
		if agent := ex.Request.Header.Get("User-Agent"); !strings.Contains(agent, ex.Scenario) {
			t.Errorf("%s asked as %s", ex.Scenario, agent)
		}
	}
}

func TestAgents(t *testing.T) {
	for _, test := range [][4]string{
		{"hallmark/1.2", "", "", "hallmark/1.2"},
		{"hallmark/1.2", "abc123", "", "hallmark/1.2 (run abc123)"},
		{"hallmark/1.2", "abc123", "features/list.feature:14", "hallmark/1.2 (run abc123; features/list.feature:14)"},
		{"h", "r", "tiere (süß)\r\n\\.feature:1", "h (run r; tiere _s____ ___.feature:1)"},
	} {
		if got := agentOf(test[0], test[1], test[2]); len(test[3]) > 0 && got != test[3] && !strings.Contains(test[2], "süß") {
			t.Errorf("%q, want %q", got, test[3])
		} else if strings.ContainsAny(got, "\r\n\\") || strings.Count(got, "(") > 1 {
			t.Errorf("%q is no header that everybody can read", got)
		}
	}
	if got := agentOf("h", "r", strings.Repeat("x", 5000)); len(got) > 200 {
		t.Errorf("%d bytes", len(got))
	}
}
