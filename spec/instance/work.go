package instance

// Work bounds what is done to derive the cases of several subjects, in steps of about one for each schema that is looked at, or that is asked
// about some part of a value. A nil Work has no bound. It must not be used by several goroutines at a time.
type Work struct {
	left       int
	incomplete bool
}

// NewWork returns work of so many steps.
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

// Spend takes steps, and reports whether any are left.
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

// leaveOut notes that something is not looked at, though steps are left.
func (w *Work) leaveOut() {
	if w != nil {
		w.incomplete = true
	}
}

// Incomplete reports whether something was left out: the steps were used up, or a schema has more members or branches than are looked at.
func (w *Work) Incomplete() bool { return w != nil && w.incomplete }
