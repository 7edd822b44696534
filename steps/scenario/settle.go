package scenario

import (
	"cmp"
	"sync"
	"time"

	"hallmark/reports/record"
)

// Patience is for how long a run waits where the interface grants no delay, but real deployments have one.
type Patience struct {
	// Wait is how long the target may take to become ready.
	Wait time.Duration
	// Settle is how long what was written may take to be found. Only absence is waited out, wrong content never.
	Settle time.Duration
	// Least is how long is waited for what follows from several requests where Settle is shorter: nothing promises that a write shows
	// at once. 0 stands for one second.
	Least time.Duration
	// Reconnect is how long a connection that cannot be made is tried again, and a target that answers nothing is asked.
	Reconnect time.Duration
}

// Patient returns how long is waited for what a write is to show.
func (p Patience) Patient() time.Duration {
	return max(p.Settle, p.least())
}

// Lag returns how long a list is read before what it does not show is held against it: an index may be some seconds behind.
func (p Patience) Lag() time.Duration {
	const times = 4
	return times * p.least()
}

func (p Patience) least() time.Duration { return cmp.Or(p.Least, time.Second) }

// settling counts how often patience was needed. It is shared by all scenarios.
type settling struct {
	mu   sync.Mutex
	seen record.Settling
}

// note counts one use of patience.
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

// all is what was counted so far.
func (s *settling) all() record.Settling {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// leastSettling is the first pause before something that was not found is asked for once more.
const leastSettling = 20 * time.Millisecond

// MostSettle is the longest of these pauses.
const MostSettle = 500 * time.Millisecond
