package wholerun_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hallmark-kit/hallmark/reference/petstore"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps"
	"github.com/hallmark-kit/hallmark/tests/runtest"
	"github.com/hallmark-kit/hallmark/tests/skip"
)

// action is what a faulty server does with a request.
type action int

const (
	answer      action = iota
	resetBefore        // resets the connection, and the service never sees the request
	resetAfter         // lets the service answer, and resets the connection in place of the response
	closeAfter         // answers, and closes the connection without a word about it
	hang               // never answers
)

// faultyServer serves HTTP/1.1 by itself, so that it can treat connections as no server of a library would.
type faultyServer struct {
	handler http.Handler
	// decide is asked for each request; n counts the requests of its connection, from 1.
	decide func(r *http.Request, n int) action
	// idle is how long a connection may be idle before it is closed; 0 for ever.
	idle    time.Duration
	address string

	mu    sync.Mutex
	ln    net.Listener
	conns map[net.Conn]bool
	stop  chan struct{}
}

// faultyServers counts those that were started.
var faultyServers atomic.Uint32

// ownAddress is an address of this machine that nothing else listens at, where it has many: the port of a server that is away could
// be given to another test.
func ownAddress() string {
	n := faultyServers.Add(1)
	own := fmt.Sprintf("127.77.%d.%d:0", n/250%250, 1+n%250)
	if ln, err := net.Listen("tcp", own); err == nil {
		_ = ln.Close()
		return own
	}
	return "127.0.0.1:0"
}

func startFaulty(t *testing.T, u *faultyServer) *faultyServer {
	t.Helper()
	u.conns, u.stop, u.address = map[net.Conn]bool{}, make(chan struct{}), ownAddress()
	u.listen(t)
	t.Cleanup(func() {
		close(u.stop)
		u.shut()
	})
	return u
}

// listen begins to accept connections, at the same port as before.
func (u *faultyServer) listen(t *testing.T) {
	ln, err := net.Listen("tcp", u.address)
	if err != nil {
		t.Error(err)
		return
	}
	u.mu.Lock()
	if u.ln == nil { // it stays the same from then on
		u.address = ln.Addr().String()
	}
	u.ln = ln
	u.mu.Unlock()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			u.mu.Lock()
			u.conns[conn] = true
			u.mu.Unlock()
			go u.serve(conn)
		}
	}()
}

// shut refuses connections, and resets those that there are.
func (u *faultyServer) shut() {
	u.mu.Lock()
	defer u.mu.Unlock()
	_ = u.ln.Close()
	for conn := range u.conns {
		reset(conn)
	}
	clear(u.conns)
}

func reset(conn net.Conn) {
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

func (u *faultyServer) serve(conn net.Conn) {
	defer conn.Close()
	defer func() {
		u.mu.Lock()
		delete(u.conns, conn)
		u.mu.Unlock()
	}()
	in := bufio.NewReader(conn)
	for n := 1; ; n++ {
		if u.idle > 0 && n > 1 {
			_ = conn.SetReadDeadline(time.Now().Add(u.idle))
			if _, err := in.Peek(1); err != nil {
				return
			}
			_ = conn.SetReadDeadline(time.Time{})
		}
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		what := answer
		if u.decide != nil {
			what = u.decide(r, n)
		}
		switch what {
		case resetBefore:
			reset(conn)
			return
		case hang:
			<-u.stop
			return
		case answer, resetAfter, closeAfter:
		}
		w := httptest.NewRecorder()
		u.handler.ServeHTTP(w, r)
		_, _ = io.Copy(io.Discard, r.Body)
		if what == resetAfter {
			reset(conn)
			return
		}
		resp := w.Result()
		resp.ContentLength, resp.Request = int64(w.Body.Len()), r
		if resp.Write(conn) != nil || what == closeAfter {
			return
		}
	}
}

func newReference(t *testing.T) http.Handler {
	t.Helper()
	service, err := petstore.New(petstore.Options{Keys: []string{referenceKey}, BasePath: "/v1", Store: petstore.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	return service.Handler()
}

// runFaulty judges a faulty server as the program does by default.
func runFaulty(t *testing.T, k runtest.Kit, u *faultyServer, seed int64, changes ...func(*steps.Config)) (record.Record, verdict.Result) {
	t.Helper()
	return k.Run(t, "http://"+u.address+"/v1", referenceKey, func(c *steps.Config) {
		c.Seed, c.Patience.Reconnect, c.Timeout, c.Confirm = seed, 10*time.Second, 10*time.Second, 1
		c.Target.MaxCreated = 1000 // what is played again creates again
		for _, change := range changes {
			change(c)
		}
	})
}

// isConformant fails the test unless the verdict is the same as on a calm day.
func isConformant(t *testing.T, rec record.Record, res verdict.Result) {
	t.Helper()
	if res.Verdict == verdict.Conformant && len(res.Causes) == 0 && rec.Lost == "" {
		return
	}
	var why strings.Builder
	for _, s := range rec.Scenarios {
		if s.Outcome == record.Errored || s.Outcome == record.Failed {
			fmt.Fprintf(&why, "\n  %s %s: %s (played again %d times)", s.ID, s.Outcome, s.Reason, s.Replays)
			for _, f := range s.Findings {
				fmt.Fprintf(&why, "\n    %s: expected %s, actual %s (%s)", f.Rule, f.Expected, f.Actual, f.Where)
			}
		}
	}
	for _, r := range res.Rules {
		if r.Level == spec.Must && r.Verdict == verdict.NotExercised {
			fmt.Fprintf(&why, "\n  %s is not exercised: %s", r.Rule, r.Reason)
		}
	}
	t.Errorf("judged %s: %s; lost %q, %+v%s", res.Verdict, res.Because, rec.Lost, rec.Patience.Interrupted, why.String())
}

// manySeeds judges unruly connections with ten times as many seeds.
var manySeeds = flag.Bool("chaos.many", false, "judge services behind unruly connections with ten times as many seeds")

// seeds are few with every test, and many when somebody wants to know.
func seeds(few int) int64 {
	if *manySeeds {
		return 10 * int64(few)
	}
	return int64(few)
}

// Connections that break now and then change no verdict.
func TestConnectionsThatBreak(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for i, share := range []float64{0.01, 0.002, 0.03} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			skip.Sampled(t, i, 3)
			var lost, replayed int
			for seed := range seeds(3) {
				chance := rand.New(rand.NewPCG(uint64(seed), 7))
				var mu sync.Mutex
				u := startFaulty(t, &faultyServer{handler: newReference(t), decide: func(*http.Request, int) action {
					mu.Lock()
					defer mu.Unlock()
					switch x := chance.Float64(); {
					case x < share/2:
						return resetBefore
					case x < share:
						return resetAfter
					}
					return answer
				}})
				rec, res := runFaulty(t, k, u, seed+1)
				isConformant(t, rec, res)
				if i := rec.Patience.Interrupted; i != nil {
					lost += i.Lost
					replayed += i.Replayed
				}
			}
			t.Logf("%d exchanges lost, %d times played again", lost, replayed)
			if lost == 0 {
				t.Error("nothing was lost")
			}
		})
	}
}

// A server may close a connection whenever no response is due.
func TestConnectionsThatAreClosedAfterAnAnswer(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for name, u := range map[string]*faultyServer{
		"each":       {decide: func(*http.Request, int) action { return closeAfter }},
		"after 7":    {decide: func(_ *http.Request, n int) action { return map[bool]action{true: closeAfter}[n == 7] }},
		"after 5 ms": {idle: 5 * time.Millisecond},
		"after 100":  {decide: func(_ *http.Request, n int) action { return map[bool]action{true: closeAfter}[n == 100] }},
		"creations too": {decide: func(r *http.Request, _ int) action {
			return map[bool]action{true: closeAfter}[r.Method == http.MethodPost]
		}},
	} {
		t.Run(name, func(t *testing.T) {
			skip.SampledByName(t, 3)
			lost := 0
			for seed := range seeds(2) {
				server := startFaulty(t, &faultyServer{handler: newReference(t), decide: u.decide, idle: u.idle})
				rec, res := runFaulty(t, k, server, seed+1)
				isConformant(t, rec, res)
				if i := rec.Patience.Interrupted; i != nil {
					lost += i.Lost
				}
			}
			t.Logf("%d exchanges lost", lost)
		})
	}
}

// A restart that keeps the data changes no verdict, however many requests were under way.
func TestRestarts(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for name, away := range map[string]time.Duration{"50 ms": 50 * time.Millisecond, "2 s": 2 * time.Second} {
		for _, after := range []int64{0, 20, 400, 900} {
			t.Run(fmt.Sprintf("%s after %d", name, after), func(t *testing.T) {
				skip.SampledByName(t, 8)
				t.Parallel()
				var n atomic.Int64
				u := &faultyServer{handler: newReference(t)}
				restart := func() {
					u.shut()
					<-time.After(away)
					u.listen(t)
				}
				u.decide = func(*http.Request, int) action {
					if n.Add(1) == after {
						go restart()
					}
					return answer
				}
				startFaulty(t, u)
				if after == 0 {
					u.shut()
					time.AfterFunc(away, func() { u.listen(t) })
				}
				rec, res := runFaulty(t, k, u, 1)
				isConformant(t, rec, res)
				if i := rec.Patience.Interrupted; i == nil && away < time.Second {
					t.Log("it was back before the next request") // on a busy machine
				} else if i == nil || i.Longest > i.Allowed { // how long it takes to be noted is the machine's affair
					t.Errorf("noted as %+v", i)
				} else if i.Refused == 0 && (i.Lost == 0 || away > time.Second) {
					// Within 50 ms a busy machine may send nothing that could be refused.
					t.Errorf("noted as %+v", i)
				}
			})
		}
	}
}

// A service that has gone for good ends the run when the patience is over.
func TestGoneForGood(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for _, after := range []int64{0, 300} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			u := &faultyServer{handler: newReference(t)}
			u.decide = func(*http.Request, int) action {
				if n.Add(1) == after {
					go u.shut()
				}
				return answer
			}
			startFaulty(t, u)
			if after == 0 {
				u.shut()
			}
			rec, res := runFaulty(t, k, u, 1, func(c *steps.Config) { c.Patience.Reconnect = time.Second })
			if res.Verdict != verdict.Inconclusive || res.ExitCode != verdict.ExitUnjudged || !strings.Contains(rec.Lost, "refused") {
				t.Errorf("judged %s: %s", res.Verdict, res.Because)
			}
		})
	}
}

// An operation that hangs is named, and does not hold up the others.
func TestAnOperationThatHangs(t *testing.T) {
	t.Parallel()
	k := runtest.New(t)
	for operation, is := range map[string]func(r *http.Request) bool{
		"listPets":  func(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.Path == "/v1/pets" },
		"getPet":    func(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.Path != "/v1/pets" },
		"createPet": func(r *http.Request) bool { return r.Method == http.MethodPost },
	} {
		t.Run(operation, func(t *testing.T) {
			skip.SampledByName(t, 2)
			t.Parallel()
			var hung atomic.Int64
			u := startFaulty(t, &faultyServer{handler: newReference(t), decide: func(r *http.Request, _ int) action {
				if !is(r) {
					return answer
				}
				hung.Add(1)
				return hang
			}})
			_, res := runFaulty(t, k, u, 1, func(c *steps.Config) { c.Timeout = 4 * time.Second })
			// Each round of waiting holds up as many requests as are under way at once.
			t.Logf("%d requests waited in vain", hung.Load())
			if n := hung.Load(); n > 8*8 {
				t.Errorf("%d requests waited in vain", n)
			}
			if res.Verdict != verdict.Inconclusive || res.ExitCode != verdict.ExitUnjudged ||
				!strings.Contains(res.Because, operation+" hangs: no whole response within 4s (--timeout)") {
				t.Errorf("judged %s, exit code %d: %s", res.Verdict, res.ExitCode, res.Because)
			}
			conform := 0
			for _, r := range res.Rules {
				if r.Verdict == verdict.Conforms && r.Level == spec.Must {
					conform++
				}
			}
			if conform < 12 {
				t.Errorf("%d must rules were judged by the other operations", conform)
			}
		})
	}
}

// One of three connections is reset: such a run ends, and accuses nobody.
func TestConnectionsThatBreakAllTheTime(t *testing.T) {
	t.Parallel()
	skip.InShort(t)
	k := runtest.New(t)
	var n atomic.Int64
	u := startFaulty(t, &faultyServer{handler: newReference(t), decide: func(*http.Request, int) action {
		return map[bool]action{true: resetAfter}[n.Add(1)%3 == 0]
	}})
	rec, res := runFaulty(t, k, u, 1)
	if len(res.Causes) > 0 || res.ExitCode != verdict.ExitUnjudged && res.ExitCode != verdict.ExitOK {
		isConformant(t, rec, res)
	}
}
