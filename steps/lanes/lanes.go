package lanes

import (
	"errors"
	"sync"
)

// Most is how many things one caller of [Lanes.Do] does at the same time at most.
const Most = 32

// Lanes are how many things each scenario of a run may do at the same time. How many requests are under way in all is bounded elsewhere.
type Lanes struct{ width int }

// New returns the lanes of a run that has so many requests under way at a time.
func New(concurrency int) *Lanes { return &Lanes{min(max(concurrency, 1), Most)} }

// Do does n things, numbered from 0, at the same time: neighbours one after the other, as one client would, and several such lanes
// side by side. A lane ends at its first error; all errors are returned together.
func (l *Lanes) Do(n int, do func(i int) error) error {
	width := min(l.width, n)
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
