package client

import (
	"context"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/steps/turn"
)

const (
	// MaxLost is the minimum number of consecutive lost exchanges before the target is given up. Concurrent ones
	// count once, since one restart loses them all.
	MaxLost = 5
	// minRetry and maxRetry are the first and the longest pause between attempts to connect.
	minRetry, maxRetry = 20 * time.Millisecond, time.Second
	// maxReplaysInAll is how many replays of lost scenarios a run may make.
	maxReplaysInAll = 200
)

// Interruptions counts connection problems.
type Interruptions struct {
	// Lost is the number of lost exchanges, Refused that of requests without a connection at first, Longest the
	// longest of their waits, and Replayed the number of replays.
	Lost, Refused, Replayed int
	Longest                 time.Duration
}

// Contact tracks whether the target can be reached, and counts losses. It is safe for concurrent use.
type Contact struct {
	// patience is how long a target that was reached may be unreachable.
	patience time.Duration
	// turn is held by the only request in flight while it is doubtful whether the target answers.
	turn turn.Turn

	mu sync.Mutex
	// row counts the losses since the last response, last is when the latest was recorded, since when the first was.
	lossesInARow int
	last, since  time.Time
	replays      int
	seen         Interruptions
}

// NewContact returns a Contact for a target that may be unreachable for the given time.
func NewContact(patience time.Duration) *Contact {
	return &Contact{patience: patience, turn: turn.New()}
}

// Admit waits until a request may be sent. While the target is in doubt, requests go one at a time, after pauses
// that grow with each loss, so an outage affects few of them. Call release when the exchange has ended.
func (c *Contact) Admit(ctx context.Context) (release func(), err error) {
	if c.doubts() == 0 {
		return func() {}, nil
	}
	if lonerOf(ctx) != nil { // the holder of turn may wait for this one to be released
		return func() {}, nil
	}
	if release, err = c.turn.Take(ctx); err != nil {
		return nil, err
	}
	if row := c.doubts(); row > 1 {
		if err := Sleep(ctx, min(minRetry<<min(row-2, 10), maxRetry)); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// Doubtful reports whether several consecutive exchanges were lost.
func (c *Contact) Doubtful() bool { return c.doubts() > 1 }

// doubts returns the number of losses since the last response.
func (c *Contact) doubts() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lossesInARow
}

// Answered records a response.
func (c *Contact) Answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lossesInARow, c.since = 0, time.Time{}
}

// Lost records the loss of an exchange that began at started, and waited for a connection for refused. It reports
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
		return false // it was in flight when the loss before it was recorded
	}
	c.lossesInARow++
	c.last = now
	if c.patience <= 0 {
		return c.lossesInARow >= MaxLost
	}
	return now.Sub(c.since) >= c.patience && (c.lossesInARow >= MaxLost || refused > 0)
}

// Count counts a loss that says nothing about the connection.
func (c *Contact) Count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Lost++
}

// found records that a connection was made after waiting for one.
func (c *Contact) found(waited time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.Refused++
	c.seen.Longest = max(c.seen.Longest, waited)
}

// Replay counts one more replay, and reports whether it is within the bounds of the run.
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

// Interruptions returns the counts so far.
func (c *Contact) Interruptions() Interruptions {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}
