package scenario

import (
	"cmp"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
)

// Patience says how long a run waits where the interface grants no delay but real deployments have one.
type Patience struct {
	// Wait is how long the target may take to become ready.
	Wait time.Duration
	// Settle is how long a write may take to become visible. Only absence is waited out, never wrong content.
	Settle time.Duration
	// Least is the minimum wait, even if Settle is shorter, for what follows from several requests: nothing promises
	// that a write is visible at once. 0 means one second.
	Least time.Duration
	// Reconnect is how long to retry a connection that cannot be made, or a target that answers nothing.
	Reconnect time.Duration
}

// Patient returns how long to wait for a write to become visible.
func (p Patience) Patient() time.Duration {
	return max(p.Settle, p.least())
}

// Lag returns how long to read a list before a missing item counts as a violation: an index may be some seconds
// behind.
func (p Patience) Lag() time.Duration {
	const times = 4
	return times * p.least()
}

func (p Patience) least() time.Duration { return cmp.Or(p.Least, time.Second) }

// settling counts how often patience was needed. All scenarios share it.
type settling struct {
	mu   sync.Mutex
	seen record.Settling
}

// note counts one wait.
func (s *settling) note(took time.Duration, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !found {
		s.seen.Never++
		return
	}
	s.seen.Times++
	s.seen.Total += took
	s.seen.Most = max(s.seen.Most, took)
}

// all returns the counts so far.
func (s *settling) all() record.Settling {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// leastSettling is the first pause before a read is repeated.
const leastSettling = 20 * time.Millisecond

// MostSettle is the longest of these pauses.
const MostSettle = 500 * time.Millisecond
