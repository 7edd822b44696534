package scenario

import (
	"errors"
	"sync"
)

// Lanes is how many requests of one scenario are under way at a time, where none needs the response to another.
const Lanes = 10

// InLanes does n things, numbered from 0, at the same time: neighbours one after the other, as one client would, and several such
// lanes side by side. A lane ends at its first error; all errors are returned together.
func InLanes(n int, do func(i int) error) error {
	width := min(Lanes, n)
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
