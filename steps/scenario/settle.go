package scenario

import (
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
	// Reconnect is how long a connection that cannot be made is tried again, and a target that answers nothing is asked.
	Reconnect time.Duration
}

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
