package client

import (
	"context"
	"slices"
	"sync"
)

// Gate bounds how many requests of a run are under way at a time, and how many of its scenarios: both by the same number, its width. It
// is fixed, or follows how the target bears it ([Auto]). Safe for concurrent use.
type Gate struct {
	mu      sync.Mutex
	control *control // nil where the width is fixed
	// requests and scenarios are those under way.
	requests, scenarios queue
}

// queue lets as many in as the width allows: first whose scenario has the fewest inside, then in the order in which they came. So a
// scenario whose requests wait for each other is not kept up by others that have many to send.
type queue struct {
	width, inside int
	of            map[string]int // how many are inside, by scenario
	waiting       []waiting
	// alone are who would be alone, in the order in which they came: see [Gate.Alone].
	alone []*loner
}

// waiting is who waits for their turn.
type waiting struct {
	scenario string
	turn     chan struct{}
	// after says how many kinds of others go first, and together whether the width is not minded: see [Later], [Beside] and [Together].
	after    precedence
	together bool
	// of is who is alone with what waits; nil for what belongs to nobody who is.
	of *loner
}

// Auto is the concurrency of a run that finds out by itself how many requests at a time the target bears.
const Auto = -1

// NewGate returns a gate of that width, where 0 stands for 1. With [Auto] it begins with [StartWidth], and grows to [MostWidth] at most
// while the target bears it.
func NewGate(concurrency int) *Gate {
	width := max(concurrency, 1)
	if concurrency == Auto {
		width = StartWidth
	}
	g := &Gate{requests: queue{width: width, of: map[string]int{}}, scenarios: queue{width: width, of: map[string]int{}}}
	if concurrency == Auto {
		g.control = newControl()
	}
	return g
}

// together is the key of the contexts whose requests are to meet in the target.
type together struct{}

// Together returns a context whose requests are sent at once, however many are under way: they are there to meet in the target.
func Together(ctx context.Context) context.Context { return context.WithValue(ctx, together{}, true) }

// precedence says who goes first: what has less of it.
type precedence int

const (
	first precedence = iota
	later
	beside
)

// precedenceKey is the key of the precedence of what is asked with a context.
type precedenceKey struct{}

// Later returns a context whose requests let others go first, so that they fill the gaps that those leave.
func Later(ctx context.Context) context.Context {
	return context.WithValue(ctx, precedenceKey{}, max(later, precedenceOf(ctx)))
}

// Beside returns a context for what is played beside what counts more: its scenarios and requests let all others go first, and leave
// some room for them, so that they are not kept up.
func Beside(ctx context.Context) context.Context {
	return context.WithValue(ctx, precedenceKey{}, beside)
}

func precedenceOf(ctx context.Context) precedence {
	p, _ := ctx.Value(precedenceKey{}).(precedence)
	return p
}

// roomFor is the part of the width that is left to others by what goes beside them: one in so many.
const roomFor = 8

// ticket is what a request got at the gate.
type ticket struct {
	scenario string
	// change counts the changes of the width before it.
	change int
	// full reports whether no more might be let in beside it, but for the room that is left to others.
	full bool
}

// enter waits until one more request of a scenario may be under way.
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

// leave ends what entered, with what it tells of the target; nil for nothing.
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

// Begin waits until one more scenario may be played, or the run is ended, and returns what ends it.
func (g *Gate) Begin(ctx context.Context) (end func()) {
	if g.pass(ctx, &g.scenarios, "") != nil {
		return func() {} // it plays nothing, and says so
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.scenarios.leave("")
	}
}

// Most returns how many scenarios may ever be played at a time.
func (g *Gate) Most() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.control != nil {
		return MostWidth
	}
	return g.scenarios.width
}

// Adapted returns how wide an adaptive gate became, and why no wider. It is false of a gate of fixed width.
func (g *Gate) Adapted() (widest, last int, why string, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.control == nil {
		return 0, 0, "", false
	}
	return g.control.widest, g.control.width, g.control.why, true
}

// pass waits for the turn in a queue.
func (g *Gate) pass(ctx context.Context, q *queue, scenario string) error {
	who := waiting{
		scenario: scenario, turn: make(chan struct{}), after: precedenceOf(ctx), together: ctx.Value(together{}) != nil,
		of: lonerOf(ctx),
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
		q.leave(scenario) // it was let in meanwhile
	}
	return ctx.Err()
}

// leave makes room for another.
func (q *queue) leave(scenario string) {
	q.inside--
	if q.of[scenario]--; q.of[scenario] == 0 {
		delete(q.of, scenario)
	}
	q.advance()
}

// full reports whether as many are inside as the width allows, but for the room that is left to what counts more.
func (q *queue) full() bool { return q.inside >= q.width-q.width/roomFor }

// advance lets in whom the width allows, and nobody else while somebody is alone.
func (q *queue) advance() {
	q.leaveAlone()
	for next := q.next(); next >= 0; next = q.next() {
		who := q.waiting[next]
		q.inside++
		q.of[who.scenario]++
		close(who.turn)
		q.waiting = slices.Delete(q.waiting, next, next+1)
	}
}

// next returns the index of who is let in next; -1 for nobody.
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
			q.waiting[next].after == w.after && q.of[w.scenario] < q.of[q.waiting[next].scenario] {
			next = i
		}
	}
	return next
}

// admits reports whether one who waits may be let in now.
func (q *queue) admits(w waiting) bool {
	if len(q.alone) > 0 && w.of != q.alone[0] {
		return false
	}
	return w.together || q.inside < q.width && (w.after < beside || !q.full())
}
