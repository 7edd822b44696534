// Package crowd lets a faulty service wait for concurrent requests, so that a fault that needs them shows every time, even on a busy
// machine.
package crowd

import (
	"net/http"
	"runtime"
	"sync"
	"time"
)

// Many is the number of concurrent requests that make a crowd, whatever they are about.
const Many = 5

// Requests wait in ticks: one if they are alone, and several if others came before and there is no crowd yet.
const (
	tick = 4 * time.Millisecond
	some = 10
)

// Patience is how long a change waits alone if a fault must show every time: a busy machine sends concurrent requests some time apart.
const Patience = 25 * tick

// Crowd counts the requests in flight by method and path. It is safe for concurrent use.
type Crowd struct {
	mu    sync.Mutex
	there map[string]int
	// newest is closed when the newest request of a kind has left.
	newest map[string]chan struct{}
	alone  int
}

// New returns an empty crowd in which a change waits alone for that long, but at least a tick.
func New(alone time.Duration) *Crowd {
	return &Crowd{there: map[string]int{}, newest: map[string]chan struct{}{}, alone: int(alone / tick)}
}

// Company says who else makes the same request while a request waits.
type Company struct {
	// Place is the position of the request among those of its kind, from 1.
	Place int
	// Most is the maximum number of requests of its kind, including itself.
	Most int
	// Readers is the number of requests that read its resource.
	Readers int
}

// Enter registers a request and waits for others, and until all earlier ones of its kind have left; call leave to end it. So concurrent
// requests affect a resource in the order of their positions.
func (c *Crowd) Enter(r *http.Request) (with Company, leave func()) {
	reads := r.Method == http.MethodGet
	key, reading := r.Method+" "+r.URL.Path, http.MethodGet+" "+r.URL.Path
	look := func(more int) int {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.there[key] += more
		with.Most, with.Readers = max(with.Most, c.there[key]), max(with.Readers, c.there[reading])
		return c.there[key]
	}
	before, left, place := c.queue(key)
	with.Place, with.Most = place, place
	for waited := 1; waited <= max(some, 2*c.alone); waited++ {
		pause()
		if n := look(0); n >= Many || reads && (n == 1 || waited >= some) || n == 1 && (waited >= c.alone || with.Readers > 0) {
			break
		}
	}
	if before != nil {
		<-before
	}
	return with, func() {
		look(-1)
		close(left)
	}
}

// queue puts a request behind the previous one of its kind, and returns its position.
func (c *Crowd) queue(key string) (before, left chan struct{}, place int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, left = c.newest[key], make(chan struct{})
	c.newest[key] = left
	c.there[key]++
	return before, left, c.there[key]
}

// pause waits for a tick, and lets runnable goroutines run.
func pause() {
	<-time.After(tick)
	for range 8 {
		runtime.Gosched()
	}
}
