package client

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// minWait is the minimum time given to an operation that timed out before, and slowFactor the multiple of the
	// run's slowest response that it gets otherwise.
	minWait, slowFactor = 3 * time.Second, 10
	// maxSilences is how often in a row an operation may time out before it is not called any more.
	maxSilences = 3
	// maxSilencesInAll is the same for an operation that answers in between.
	maxSilencesInAll = 8
)

// Latencies tracks how fast a target answers, and which of its operations hang. An operation has the whole
// --timeout for each response until it exceeds that once. From then on it has ten times as long as the slowest
// response of the run took, and at least three seconds: hanging operations must not hold up the rest. It is safe
// for concurrent use.
type Latencies struct {
	mu      sync.Mutex
	slowest time.Duration
	silent  map[string]*silence
	// quiet holds the operations whose streams sent nothing, with the time waited.
	quiet map[string]time.Duration
}

// silence is what is known about an operation that timed out.
type silence struct {
	// row counts the timeouts since the last response, all the timeouts in total; last is when the latest ended.
	inARow, all int
	last        time.Time
	// waited is how long the first timeout lasted.
	waited time.Duration
	// hangs reports whether the operation is not called any more.
	hangs bool
}

// NewLatencies returns the Latencies of a target that was not called yet.
func NewLatencies() *Latencies {
	return &Latencies{silent: map[string]*silence{}, quiet: map[string]time.Duration{}}
}

// Wait returns the timeout for the next call of an operation, given its regular timeout.
func (l *Latencies) Wait(operation string, timeout time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Before anything was answered, a timeout of one operation counts for the others: the target itself may hang.
	// Requests outside the interface get the shorter time, too.
	if l.silent[operation] == nil && (l.slowest > 0 && operation != "" || len(l.silent) == 0) {
		return timeout
	}
	return min(timeout, max(minWait, slowFactor*l.slowest))
}

// Answered records how long a response took.
func (l *Latencies) Answered(operation string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, took)
	if s := l.silent[operation]; s != nil {
		s.inARow = 0
	}
}

// TimedOut records that a request that began at started got no response in time. It reports whether the operation
// is now found to hang. Concurrent requests count once.
func (l *Latencies) TimedOut(operation string, started time.Time, waited time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.silent[operation]
	if s == nil {
		s = &silence{waited: waited}
		l.silent[operation] = s
	}
	if started.Before(s.last) {
		return false
	}
	s.inARow++
	s.all++
	s.last = time.Now()
	if s.inARow < maxSilences && s.all < maxSilencesInAll || s.hangs {
		return false
	}
	s.hangs = true
	return true
}

// Hanging returns a sentence saying that an operation hangs, or "".
func (l *Latencies) Hanging(operation string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.silent[operation]; s != nil && s.hangs {
		return fmt.Sprintf("%s hangs: no whole response within %v (--timeout), and %d times more than %v after that", operation, s.waited, s.all-1, minWait)
	}
	return ""
}

// Operations returns the hanging operations.
func (l *Latencies) Operations() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.silent)), func(op string) bool { return op == "" || !l.silent[op].hangs })
}

// StaysQuiet records that a streaming operation sent no response for a time. It does not count as hanging: many
// services send the head of a stream with its first item, and there may be nothing to send.
func (l *Latencies) StaysQuiet(operation string, waited time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet[operation] = waited
}

// Quiet returns a sentence saying that the stream of an operation sent nothing, or "".
func (l *Latencies) Quiet(operation string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if waited, is := l.quiet[operation]; is {
		return fmt.Sprintf("the stream of %s sent nothing within %v, so it was not judged", operation, waited)
	}
	return ""
}
