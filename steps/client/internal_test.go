package client

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	const none = time.Duration(-1)
	for _, test := range []struct {
		status int
		value  string
		delays int
		want   time.Duration
	}{
		{429, "2", 0, 2 * time.Second},
		{503, "2", 0, 2 * time.Second},
		{503, " 2 ", 0, 2 * time.Second},
		{429, "0", 0, 5 * time.Millisecond},
		{503, "0", 9, 5 * time.Millisecond},
		{429, date(3 * time.Second), 0, 3 * time.Second},
		{503, date(3 * time.Second), 0, 3 * time.Second},
		{503, date(-time.Hour), 0, 5 * time.Millisecond},
		{429, "", 0, 20 * time.Millisecond},
		{429, "", 1, 40 * time.Millisecond},
		{429, "", 5, 640 * time.Millisecond},
		{429, "", 6, none},
		{429, "soon", 0, 20 * time.Millisecond},
		{429, "-1", 0, 20 * time.Millisecond},
		{503, "", 0, none},
		{503, "soon", 0, none},
		{503, "-1", 0, none},
		{503, "1.5", 0, none},
		{200, "1", 0, none},
		{500, "1", 0, none},
		{502, "1", 0, none},
		{401, "1", 0, none},
		{301, "1", 0, none},
	} {
		resp := &http.Response{StatusCode: test.status, Header: http.Header{}}
		if test.value != "" {
			resp.Header.Set("Retry-After", test.value)
		}
		got, ok := retryAfter(resp, test.delays, now)
		if ok != (test.want != none) || ok && got != test.want {
			t.Errorf("%d, %q, after %d: %v, %v; want %v", test.status, test.value, test.delays, got, ok, test.want)
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

func TestContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewContact(time.Second)
		at := time.Now()
		<-time.After(time.Millisecond)
		for range 8 { // one restart breaks all connections
			if c.Lost(at, 0) {
				t.Fatal("given up after one restart")
			}
		}
		if c.lossesInARow != 1 || c.seen.Lost != 8 {
			t.Errorf("%d in a row, %d lost", c.lossesInARow, c.seen.Lost)
		}
		tries := 0
		for {
			<-time.After(time.Millisecond)
			release, err := c.Admit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			tries++
			began := time.Now()
			<-time.After(time.Millisecond) // what an exchange takes
			over := c.Lost(began, 0)
			release()
			if over {
				break
			}
		}
		if took := time.Since(at); took < time.Second || tries < MaxLost-1 || tries > 10 {
			t.Errorf("given up after %v and %d tries", took, tries)
		}
		c.Answered()
		if c.Lost(time.Now(), 0) {
			t.Error("given up although it had answered")
		}
		if c.Answered(); !c.Lost(time.Now(), time.Second) {
			t.Error("not given up when no connection was made for the whole patience")
		}
	})
}

func TestLatencies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 10 * time.Second
		l := NewLatencies()
		wait := func(operation string, want time.Duration) {
			t.Helper()
			if got := l.Wait(operation, timeout); got != want {
				t.Errorf("%s has %v, want %v", operation, got, want)
			}
		}
		wait("a", timeout)
		l.Answered("b", 9*time.Second) // the operation has its full time after a late response
		wait("b", timeout)
		l = NewLatencies()
		l.Answered("b", 400*time.Millisecond)
		at := time.Now()
		<-time.After(timeout)
		for range 8 { // all that were in flight
			if l.TimedOut("a", at, timeout) {
				t.Error("it hangs after one time")
			}
		}
		wait("a", 4*time.Second)
		wait("b", timeout)
		l.Answered("a", time.Second)
		wait("a", timeout)
		l = NewLatencies()
		for i := range maxSilences {
			at := time.Now()
			<-time.After(time.Second)
			if l.TimedOut("a", at, time.Second) != (i == maxSilences-1) {
				t.Errorf("after %d times: %q", i+1, l.Hanging("a"))
			}
		}
		wait("b", minWait) // nothing answers at all
		if l.Hanging("b") != "" || l.Hanging("a") == "" || len(l.Operations()) != 1 {
			t.Errorf("%q hang", l.Operations())
		}
	})
}

var _ net.Conn = (*watchedConn)(nil)

// Clean-up requests are sent although the run has reached its limits.
func TestBeyondLimits(t *testing.T) {
	for name, limits := range map[string]Limits{"requests": {MaxRequests: 1}, "time": {MaxTime: time.Nanosecond}} {
		l := NewLimiter(limits, time.Now().Add(-time.Second))
		for range 2 {
			_ = l.Wait(t.Context())
		}
		if l.Reached() == "" {
			t.Fatalf("%s: no limit is reached", name)
		}
		if err := l.Wait(BeyondLimits(t.Context())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := l.Wait(t.Context()); !IsLimit(err) {
			t.Errorf("%s: other requests are sent: %v", name, err)
		}
	}
}
