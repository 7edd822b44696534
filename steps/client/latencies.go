package client

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// minWait is how long is waited at least for an operation that did not answer in time before, and slowFactor how
	// many times longer than for the slowest answer of the run.
	minWait, slowFactor = 3 * time.Second, 10
	// maxSilences is how often an operation may stay silent, one time after the other, before nobody asks it any more.
	maxSilences = 3
	// maxSilencesInAll is the same for an operation that answers in between.
	maxSilencesInAll = 8
)

// Latencies knows how fast a target answers, and which of its operations hang. An operation has the whole --timeout for
// each response until it exceeds that once. From then on it has ten times as long as the slowest answer of the run took,
// and three seconds at least: what is known to hang must not hold up the rest. Safe for concurrent use.
type Latencies struct {
	mu      sync.Mutex
	slowest time.Duration
	silent  map[string]*silence
	// quiet are the operations whose streams sent nothing, with how long was waited.
	quiet map[string]time.Duration
}

// silence is what is known of an operation that did not answer in time.
type silence struct {
	// row counts the silences since the last response, last is when the latest ended.
	row, all int
	last     time.Time
	// waited is how long the first lasted.
	waited time.Duration
	// hangs reports whether the operation is not asked any more.
	hangs bool
}

// NewLatencies returns what is known of a target that was asked nothing yet.
func NewLatencies() *Latencies {
	return &Latencies{silent: map[string]*silence{}, quiet: map[string]time.Duration{}}
}

// Wait returns how long the operation has for its next response, where it has the given time by right.
func (l *Latencies) Wait(operation string, timeout time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Before anything was answered, an operation that did not speaks for the others: the target itself may hang.
	// What the interface does not define has less to say than what it does.
	if l.silent[operation] == nil && (l.slowest > 0 && operation != "" || len(l.silent) == 0) {
		return timeout
	}
	return min(timeout, max(minWait, slowFactor*l.slowest))
}

// Answered notes how long a response took.
func (l *Latencies) Answered(operation string, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, took)
	if s := l.silent[operation]; s != nil {
		s.row = 0
	}
}

// TimedOut notes that no response came to a request that was begun at that time. It reports whether the operation is found
// to hang by it. Requests that were under way at the same time count once.
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
	s.row++
	s.all++
	s.last = time.Now()
	if s.row < maxSilences && s.all < maxSilencesInAll || s.hangs {
		return false
	}
	s.hangs = true
	return true
}

// Hanging returns a sentence that says that an operation hangs; empty when it does not.
func (l *Latencies) Hanging(operation string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.silent[operation]; s != nil && s.hangs {
		return fmt.Sprintf("%s hangs: no whole response within %v (--timeout), and %d times more than %v after that", operation, s.waited, s.all-1, minWait)
	}
	return ""
}

// Operations returns those that hang.
func (l *Latencies) Operations() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(l.silent)), func(op string) bool { return op == "" || !l.silent[op].hangs })
}

// StaysQuiet notes that an operation whose success is a stream sent no response for so long. It does not hang by that: many services send
// the head of a stream with its first item, and there may be nothing to send.
func (l *Latencies) StaysQuiet(operation string, waited time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet[operation] = waited
}

// Quiet returns a sentence that says that the stream of an operation sent nothing; empty for others.
func (l *Latencies) Quiet(operation string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if waited, is := l.quiet[operation]; is {
		return fmt.Sprintf("the stream of %s sent nothing within %v, so it was not judged", operation, waited)
	}
	return ""
}
