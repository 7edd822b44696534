package lanes

import (
	"errors"
	"sync"
)

// Most is the maximum number of concurrent calls in [Lanes.Do].
const Most = 32

// Lanes limits how many things each scenario of a run may do concurrently. The total number of requests in flight is limited elsewhere.
type Lanes struct{ width int }

// New returns the lanes of a run with that many concurrent requests.
func New(concurrency int) *Lanes { return &Lanes{min(max(concurrency, 1), Most)} }

// Do calls do with the numbers from 0 to n-1, in several concurrent lanes: adjacent numbers are handled one after the other, as by one
// client. A lane ends at its first error; all errors are returned together.
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
