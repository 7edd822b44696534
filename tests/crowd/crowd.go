// Package crowd lets a faulty service wait for requests that are made at the same time, so that what it breaks then shows every time, on a
// busy machine too.
package crowd

import (
	"net/http"
	"runtime"
	"sync"
	"time"
)

// Many is how many requests make a crowd that a service may be crowded by, whatever they are about.
const Many = 5

// A request waits by ticks: one where nobody else comes, and at least some of them where others did and no crowd is there yet.
const (
	tick = 4 * time.Millisecond
	some = 10
)

// Patience is how long a change waits alone where a fault must show every time: a machine that is busy sends requests of one moment some
// time apart.
const Patience = 25 * tick

// Crowd counts the requests that are under way at the same time, by method and path. It is safe for concurrent use.
type Crowd struct {
	mu    sync.Mutex
	there map[string]int
	// newest is closed when the newest request of a kind has left.
	newest map[string]chan struct{}
	alone  int
}

// New returns a crowd of nobody, in which a change waits alone for that long, and at least a tick.
func New(alone time.Duration) *Crowd {
	return &Crowd{there: map[string]int{}, newest: map[string]chan struct{}{}, alone: int(alone / tick)}
}

// Company is who else asks the same while a request waits.
type Company struct {
	// Place is the place of the request among those of its kind, 1 for the first.
	Place int
	// Most is how many requests of its kind there were at the most, with itself.
	Most int
	// Readers is how many read what it is about.
	Readers int
}

// Enter notes a request and waits for others, and until all of its kind that came before have left; leave ends it. So what requests of one
// moment do to a resource comes about in the order of their places.
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

// queue puts a request behind the one of its kind that came before it, and tells how many of its kind there are now.
func (c *Crowd) queue(key string) (before, left chan struct{}, place int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, left = c.newest[key], make(chan struct{})
	c.newest[key] = left
	c.there[key]++
	return before, left, c.there[key]
}

// pause lets a tick go by, and lets everything run that is ready to.
func pause() {
	<-time.After(tick)
	for range 8 {
		runtime.Gosched()
	}
}
