package instance

// Work bounds the work of deriving cases for several subjects, in steps of about one for each schema that is
// visited or applied to part of a value. A nil Work has no bound. It is not safe for concurrent use.
type Work struct {
	left       int
	incomplete bool
}

// NewWork returns work for a number of steps.
func NewWork(steps int) *Work { return &Work{left: steps} }

// Left returns how many steps are left.
func (w *Work) Left() int {
	if w == nil {
		return unbounded
	}
	return max(w.left, 0)
}

// unbounded is more than any derivation takes.
const unbounded = 1 << 40

// Spend takes steps, and reports whether any remain.
func (w *Work) Spend(steps int) bool {
	if w == nil {
		return true
	}
	if w.left > 0 {
		w.left -= steps
	}
	if w.left <= 0 {
		w.incomplete = true
	}
	return w.left > 0
}

// leaveOut records that something is skipped, although steps remain.
func (w *Work) leaveOut() {
	if w != nil {
		w.incomplete = true
	}
}

// Incomplete reports whether something was left out: the steps were used up, or a schema has too many members or branches.
func (w *Work) Incomplete() bool { return w != nil && w.incomplete }
