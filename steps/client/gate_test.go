package client

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// passing sends n concurrent requests of a scenario through a gate, a second each, and returns how many were
// inside at most and when the last one ended.
func passing(ctx context.Context, g *Gate, n int, scenario string) (most int, took time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	began, now := time.Now(), 0
	for range n {
		all.Go(func() {
			ticket, err := g.enter(ctx, scenario)
			if err != nil {
				return
			}
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			<-time.After(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			g.leave(ticket, &sample{operation: "a", took: time.Second})
		})
	}
	all.Wait()
	return most, time.Since(began)
}

func TestGate(t *testing.T) {
	for _, test := range []struct {
		name              string
		concurrency, n    int
		together          bool
		most, atLeast, at int // maximum at a time, and total seconds
	}{
		{"zero stands for one", 0, 3, false, 1, 3, 3},
		{"a number is kept to", 4, 12, false, 4, 3, 3},
		{"what is to meet meets", 1, 7, true, 7, 1, 1},
		{"auto grows", Auto, 1000, false, MostWidth, 17, 25},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if test.together {
					ctx = Together(ctx)
				}
				most, took := passing(ctx, NewGate(test.concurrency), test.n, "s")
				if seconds := int(took.Seconds()); most != test.most || seconds < test.atLeast || seconds > test.at {
					t.Errorf("%d at a time, in %v", most, took)
				}
			})
		})
	}
}

// A scenario with sequential requests is not held up by one with many.
func TestGateIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(2)
		var many sync.WaitGroup
		defer many.Wait()
		many.Go(func() { passing(t.Context(), g, 100, "many") })
		synctest.Wait()
		began := time.Now()
		for range 5 {
			passing(t.Context(), g, 1, "one by one")
		}
		// Each waits for at most one of the others' requests, not for all that are waiting.
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("five requests took %v", took)
		}
	})
}

// A waiter that gives up takes nobody's place.
func TestGateGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1)
		ctx, cancel := context.WithCancel(t.Context())
		end := g.Begin(ctx)
		go func() {
			<-time.After(time.Second)
			cancel()
		}()
		g.Begin(ctx)() // returns only after the wait is given up
		if ctx.Err() == nil {
			t.Error("two scenarios passed a gate of one")
		}
		end()
		g.Begin(t.Context())()
		if g.scenarios.inside != 0 || len(g.scenarios.waiting) != 0 {
			t.Errorf("the gate holds %+v", g.scenarios)
		}
	})
}

// What goes beside the rest lets it go first, and leaves room for it.
func TestGateLetsOthersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(8)
		var beside sync.WaitGroup
		defer beside.Wait()
		beside.Go(func() {
			if most, _ := passing(Beside(t.Context()), g, 100, "beside"); most != 7 {
				t.Errorf("%d of 8 went beside, and left no room", most)
			}
		})
		synctest.Wait()
		began := time.Now()
		for range 5 {
			passing(t.Context(), g, 1, "one by one")
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("five requests took %v: they waited for what goes beside them", took)
		}
		if _, took := passing(t.Context(), g, 16, "many"); took > 3*time.Second {
			t.Errorf("16 requests took %v: they waited for what goes beside them", took)
		}
	})
}

// An exclusive holder waits for requests in flight, and then has the target to itself; what waited goes on
// afterwards.
func TestGateAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(8)
		var others sync.WaitGroup
		defer others.Wait()
		others.Go(func() { passing(t.Context(), g, 8, "under way") })
		synctest.Wait()
		began := time.Now()
		ctx, release, err := g.Alone(t.Context())
		if took := time.Since(began); err != nil || took != time.Second {
			t.Errorf("it was alone after %v, error %v", took, err)
		}
		for _, later := range []context.Context{t.Context(), Together(t.Context())} {
			others.Go(func() {
				began := time.Now()
				if passing(later, g, 2, "later"); time.Since(began) != 4*time.Second {
					t.Errorf("others were asked %v after, where three seconds were somebody's alone", time.Since(began))
				}
			})
		}
		synctest.Wait()
		again, done, err := g.Alone(ctx) // it is exclusive already
		if err != nil || again != ctx {
			t.Errorf("who is alone waits to be so: %v", err)
		}
		done()
		if most, took := passing(ctx, g, 16, "alone"); most != 8 || took != 2*time.Second {
			t.Errorf("%d at a time, in %v", most, took)
		}
		if most, _ := passing(Together(ctx), g, 16, "alone"); most != 16 {
			t.Errorf("%d of 16 met", most)
		}
		release()
		others.Wait()
		if g.requests.inside != 0 || len(g.requests.waiting) != 0 || len(g.requests.alone) != 0 {
			t.Errorf("the gate holds %+v", g.requests)
		}
	})
}

// Exclusive holders take turns, and one that gives up waiting holds up nobody.
func TestGateAloneInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(8)
		_, release, err := g.Alone(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := g.Alone(short); err == nil {
			t.Error("two are alone")
		}
		var next sync.WaitGroup
		next.Go(func() {
			_, release, err := g.Alone(t.Context())
			if err != nil {
				t.Error(err)
			}
			release()
		})
		synctest.Wait()
		release()
		next.Wait()
		if most, _ := passing(t.Context(), g, 8, "all"); most != 8 {
			t.Errorf("%d of 8 at a time afterwards", most)
		}
	})
}

// While connections fail, one exchange at a time is tried. The one whose turn it is may wait for the exclusive
// holder, who does not wait for it.
func TestAloneWhileConnectionsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, c := NewGate(8), NewContact(time.Minute)
		ctx, release, err := g.Alone(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.Lost(time.Now(), 0)
		send := func(ctx context.Context) {
			done, err := c.Admit(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			passing(ctx, g, 1, "s")
		}
		var other sync.WaitGroup
		other.Go(func() { send(t.Context()) })
		synctest.Wait()
		send(ctx)
		release()
		other.Wait()
	})
}
