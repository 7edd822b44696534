package client

import (
	"context"
	"slices"
	"sync"
)

// Gate bounds how many requests of a run, and how many of its scenarios, are active at a time: both by the same
// number, its width. The width is fixed, or adapts to the target ([Auto]). It is safe for concurrent use.
type Gate struct {
	mu      sync.Mutex
	control *control // nil where the width is fixed
	// requests and scenarios are the active ones, and those waiting.
	requests, scenarios queue
}

// queue admits as many as the width allows: first those whose scenario has the fewest inside, then in the order of
// arrival. So a scenario with sequential requests is not held up by others that have many to send.
type queue struct {
	width, inside int
	insideOf      map[string]int // how many are inside, by scenario
	waiting       []waiting
	// alone holds the exclusive holders in the order of arrival: see [Gate.Alone].
	alone []*loner
}

// waiting is a waiter in a queue.
type waiting struct {
	scenario string
	turn     chan struct{}
	// after is its precedence, and together reports whether it ignores the width: see [Later], [Beside] and
	// [Together].
	after    precedence
	together bool
	// of is the exclusive holder that this waiter belongs to, or nil.
	loner *loner
}

// Auto is the concurrency of a run that determines it by how many concurrent requests the target bears.
const Auto = -1

// NewGate returns a gate of the given width; 0 means 1. With [Auto] it begins with [StartWidth], and grows to at
// most [MostWidth] while the target bears it.
func NewGate(concurrency int) *Gate {
	width := max(concurrency, 1)
	if concurrency == Auto {
		width = StartWidth
	}
	g := &Gate{requests: queue{width: width, insideOf: map[string]int{}}, scenarios: queue{width: width, insideOf: map[string]int{}}}
	if concurrency == Auto {
		g.control = newControl()
	}
	return g
}

// together is the context key for requests that are meant to meet in the target.
type together struct{}

// Together returns a context whose requests are sent at once, regardless of the width, so that they meet in the
// target.
func Together(ctx context.Context) context.Context { return context.WithValue(ctx, together{}, true) }

// precedence determines who goes first: the lower value.
type precedence int

const (
	first precedence = iota
	later
	beside
)

// precedenceKey is the context key for a precedence.
type precedenceKey struct{}

// Later returns a context whose requests let others go first, and fill the gaps that those leave.
func Later(ctx context.Context) context.Context {
	return context.WithValue(ctx, precedenceKey{}, max(later, precedenceOf(ctx)))
}

// Beside returns a context for scenarios and requests that let all others go first, and leave some room for them.
func Beside(ctx context.Context) context.Context {
	return context.WithValue(ctx, precedenceKey{}, beside)
}

func precedenceOf(ctx context.Context) precedence {
	p, _ := ctx.Value(precedenceKey{}).(precedence)
	return p
}

// roomFor is the share of the width left to others by what goes beside them: one in so many.
const roomFor = 8

// ticket is what a request gets at the gate.
type ticket struct {
	scenario string
	// change is the number of width changes before it.
	change int
	// full reports whether the gate was full, except for the room left to others.
	full bool
}

// enter waits until a scenario may send one more request.
func (g *Gate) enter(ctx context.Context, scenario string) (ticket, error) {
	if err := g.pass(ctx, &g.requests, scenario); err != nil {
		return ticket{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := ticket{scenario: scenario, full: g.requests.full()}
	if g.control != nil {
		t.change = g.control.changes
	}
	return t, nil
}

// leave returns a ticket, with a sample of the target's load, or nil.
func (g *Gate) leave(t ticket, seen *sample) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.control != nil && seen != nil {
		seen.change, seen.full = t.change, t.full || g.requests.full()
		g.control.observe(*seen)
		g.requests.width, g.scenarios.width = g.control.width, g.control.width
		g.scenarios.advance()
	}
	g.requests.leave(t.scenario)
}

// Begin waits until one more scenario may be played, or the run has ended, and returns the function that ends it.
func (g *Gate) Begin(ctx context.Context) (end func()) {
	if g.pass(ctx, &g.scenarios, "") != nil {
		return func() {} // it plays nothing, and reports that
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.scenarios.leave("")
	}
}

// Most returns the maximum number of concurrent scenarios.
func (g *Gate) Most() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.control != nil {
		return MostWidth
	}
	return g.scenarios.width
}

// Adapted returns the widest and the last width of an adaptive gate, and why it was no wider; ok is false for a
// fixed width.
func (g *Gate) Adapted() (widest, last int, why string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.control == nil {
		return 0, 0, "", false
	}
	return g.control.widest, g.control.width, g.control.why, true
}

// pass waits for its turn in a queue.
func (g *Gate) pass(ctx context.Context, q *queue, scenario string) error {
	who := waiting{
		scenario: scenario, turn: make(chan struct{}), after: precedenceOf(ctx), together: ctx.Value(together{}) != nil,
		loner: lonerOf(ctx),
	}
	g.mu.Lock()
	q.waiting = append(q.waiting, who)
	q.advance()
	g.mu.Unlock()
	select {
	case <-who.turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.IndexFunc(q.waiting, func(w waiting) bool { return w.turn == who.turn }); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	} else {
		q.leave(scenario) // it was admitted meanwhile
	}
	return ctx.Err()
}

// leave makes room for the next waiter.
func (q *queue) leave(scenario string) {
	q.inside--
	if q.insideOf[scenario]--; q.insideOf[scenario] == 0 {
		delete(q.insideOf, scenario)
	}
	q.advance()
}

// full reports whether as many are inside as the width allows, except for the room left to others.
func (q *queue) full() bool { return q.inside >= q.width-q.width/roomFor }

// advance admits as many waiters as the width allows; while somebody is exclusive, only theirs.
func (q *queue) advance() {
	q.leaveAlone()
	for next := q.next(); next >= 0; next = q.next() {
		who := q.waiting[next]
		q.inside++
		q.insideOf[who.scenario]++
		close(who.turn)
		q.waiting = slices.Delete(q.waiting, next, next+1)
	}
}

// next returns the index of the next waiter to admit, or -1.
func (q *queue) next() int {
	next := -1
	for i, w := range q.waiting {
		if !q.admits(w) {
			continue
		}
		if w.together {
			return i
		}
		if next < 0 || w.after < q.waiting[next].after ||
			q.waiting[next].after == w.after && q.insideOf[w.scenario] < q.insideOf[q.waiting[next].scenario] {
			next = i
		}
	}
	return next
}

// admits reports whether a waiter may be admitted now.
func (q *queue) admits(w waiting) bool {
	if len(q.alone) > 0 && w.loner != q.alone[0] {
		return false
	}
	return w.together || q.inside < q.width && (w.after < beside || !q.full())
}
