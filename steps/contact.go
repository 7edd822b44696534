package steps

import (
	"context"
	"sync"
	"time"

	"hallmark/reports/record"
)

const (
	// maxLost is how many exchanges in a row are lost at least before the target is given up. Those that were under way
	// at the same time count once: one restart loses them all.
	maxLost = 5
	// leastRetry and mostRetry are the first and the longest pause between tries to reach a target.
	leastRetry, mostRetry = 20 * time.Millisecond, time.Second
	// maxReplays is how often a scenario, or a part of one, is played again, maxSilentReplays the same where a response took
	// too long; maxReplaysInAll bounds all of it.
	maxReplays, maxSilentReplays, maxReplaysInAll = 6, 1, 200
)

// contact knows whether the target can be reached, and counts what was lost on the way. Safe for concurrent use.
type contact struct {
	// patience is how long a target that was reached may stay away.
	patience time.Duration
	// turn is held by the one request that is under way while it is in doubt whether the target answers.
	turn chan struct{}

	mu sync.Mutex
	// row counts the losses since the last response, last is when the latest was noted, since when the first was.
	row         int
	last, since time.Time
	replays     int
	seen        record.Interruptions
}

func newContact(patience time.Duration) *contact {
	return &contact{patience: patience, turn: make(chan struct{}, 1)}
}

// admit waits until a request may be sent. While the target is in doubt requests go one at a time, and wait longer after
// each loss, so that an outage costs few of them. release is called when the exchange has ended.
func (c *contact) admit(ctx context.Context) (release func(), err error) {
	if c.doubts() == 0 {
		return func() {}, nil
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-c.turn }
	if row := c.doubts(); row > 1 {
		if err := pause(ctx, min(leastRetry<<min(row-2, 10), mostRetry)); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// doubts counts the losses since the last response.
func (c *contact) doubts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.row
}

// answered notes that something came.
func (c *contact) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.row, c.since = 0, time.Time{}
}

// lost notes a loss of an exchange that was begun at that time and looked for a connection for so long. It reports
// whether the target is to be given up.
func (c *contact) lost(started time.Time, refused time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.seen.Lost++
	if c.since.IsZero() {
		c.since = now.Add(-refused)
	}
	if refused == 0 && !started.After(c.last) {
		return false // it was under way when the loss before it was noted
	}
	c.row++
	c.last = now
	if c.patience <= 0 {
		return c.row >= maxLost
	}
	return now.Sub(c.since) >= c.patience && (c.row >= maxLost || refused > 0)
}

// count counts a loss that says nothing of the connection.
func (c *contact) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Lost++
}

// found notes that a connection was made after some time in which there was none.
func (c *contact) found(waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Refused++
	c.seen.Longest = max(c.seen.Longest, waited)
}

// replay reports whether one more replay is within the bounds of the run, and counts it.
func (c *contact) replay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replays >= maxReplaysInAll {
		return false
	}
	c.replays++
	c.seen.Replayed++
	return true
}

// interruptions are for the record; nil where there were none.
func (c *contact) interruptions(hanging []string) *record.Interruptions {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen.Lost == 0 && c.seen.Refused == 0 && len(hanging) == 0 {
		return nil
	}
	seen := c.seen
	seen.Allowed, seen.Hanging = c.patience, hanging
	return &seen
}
