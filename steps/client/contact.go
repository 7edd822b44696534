package client

import (
	"context"
	"sync"
	"time"
)

const (
	// MaxLost is how many exchanges in a row are lost at least before the target is given up. Those that were under way
	// at the same time count once: one restart loses them all.
	MaxLost = 5
	// minRetry and maxRetry are the first and the longest pause between tries to reach a target.
	minRetry, maxRetry = 20 * time.Millisecond, time.Second
	// maxReplaysInAll is how often what was lost is played again in a run.
	maxReplaysInAll = 200
)

// Interruptions counts what happened on the way to a target.
type Interruptions struct {
	// Lost is how many exchanges were lost, Refused how many requests found no connection at first, Longest how long one of
	// them looked for it, and Replayed how often what was lost was played again.
	Lost, Refused, Replayed int
	Longest                 time.Duration
}

// Contact knows whether the target can be reached, and counts what was lost on the way. Safe for concurrent use.
type Contact struct {
	// patience is how long a target that was reached may stay away.
	patience time.Duration
	// turn is held by the one request that is under way while it is in doubt whether the target answers.
	turn chan struct{}

	mu sync.Mutex
	// row counts the losses since the last response, last is when the latest was noted, since when the first was.
	row         int
	last, since time.Time
	replays     int
	seen        Interruptions
}

// NewContact returns a Contact with a target that may stay away for so long.
func NewContact(patience time.Duration) *Contact {
	return &Contact{patience: patience, turn: make(chan struct{}, 1)}
}

// Admit waits until a request may be sent. While the target is in doubt requests go one at a time, and wait longer after
// each loss, so that an outage costs few of them. release is called when the exchange has ended.
func (c *Contact) Admit(ctx context.Context) (release func(), err error) {
	if c.doubts() == 0 {
		return func() {}, nil
	}
	if lonerOf(ctx) != nil { // who has the turn may wait for this one to be released
		return func() {}, nil
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-c.turn }
	if row := c.doubts(); row > 1 {
		if err := Sleep(ctx, min(minRetry<<min(row-2, 10), maxRetry)); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// Doubtful reports whether several exchanges in a row were lost.
func (c *Contact) Doubtful() bool { return c.doubts() > 1 }

// doubts counts the losses since the last response.
func (c *Contact) doubts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.row
}

// Answered notes that something came.
func (c *Contact) Answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.row, c.since = 0, time.Time{}
}

// Lost notes a loss of an exchange that was begun at that time and looked for a connection for so long. It reports
// whether the target is to be given up.
func (c *Contact) Lost(started time.Time, refused time.Duration) bool {
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
		return c.row >= MaxLost
	}
	return now.Sub(c.since) >= c.patience && (c.row >= MaxLost || refused > 0)
}

// Count counts a loss that says nothing of the connection.
func (c *Contact) Count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Lost++
}

// found notes that a connection was made after some time in which there was none.
func (c *Contact) found(waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Refused++
	c.seen.Longest = max(c.seen.Longest, waited)
}

// Replay reports whether one more replay is within the bounds of the run, and counts it.
func (c *Contact) Replay() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.replays >= maxReplaysInAll {
		return false
	}
	c.replays++
	c.seen.Replayed++
	return true
}

// Interruptions returns what happened so far.
func (c *Contact) Interruptions() Interruptions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}
