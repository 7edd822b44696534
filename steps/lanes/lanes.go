package lanes

import (
	"errors"
	"sync"
)

// Most is how many things one caller of [Lanes.Do] does at the same time at most.
const Most = 10

// each is how many lanes there are in all beside the scenarios themselves, for each scenario that may run at the same time as others.
const each = 2

// Lanes are those of a run, shared by its scenarios.
type Lanes struct {
	mu   sync.Mutex
	free int
}

// New returns the lanes of a run that plays so many scenarios at a time. There is none beside a single scenario: such a run sends one
// request at a time.
func New(concurrency int) *Lanes { return &Lanes{free: each * max(concurrency-1, 0)} }

// Do does n things, numbered from 0, at the same time: neighbours one after the other, as one client would, and several such lanes
// side by side, as far as some are free. A lane ends at its first error; all errors are returned together.
func (l *Lanes) Do(n int, do func(i int) error) error {
	spare := l.take(min(Most, n) - 1)
	defer l.give(spare)
	width := spare + 1
	errs := make([]error, width)
	var wg sync.WaitGroup
	for lane := range width {
		wg.Go(func() {
			for i := lane * n / width; i < (lane+1)*n/width && errs[lane] == nil; i++ {
				errs[lane] = do(i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// take takes at most n lanes, and returns how many.
func (l *Lanes) take(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = max(min(n, l.free), 0)
	l.free -= n
	return n
}

// give gives lanes back.
func (l *Lanes) give(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free += n
}
