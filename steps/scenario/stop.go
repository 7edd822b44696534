package scenario

import (
	"fmt"
)

// Stop ends a scenario early: not as a failure, but with a reason.
type Stop struct {
	Reason string
	// Excused reports whether nothing was left unasked by it.
	Excused bool
	// Tried says how many generated cases of how many were tried before the run could create no more: "3 of 10 generated valid
	// bodies".
	Tried string
}

func (s Stop) Error() string { return s.Reason }

// Stopf ends a scenario that could not be asked to its end here: its rules are judged in part at most.
func Stopf(format string, args ...any) error { return Stop{Reason: fmt.Sprintf(format, args...)} }

// Excusef ends a scenario whose case does not exist for this target, so that its rules lack nothing.
func Excusef(format string, args ...any) error {
	return Stop{Reason: fmt.Sprintf(format, args...), Excused: true}
}

// ErrLost ends a scenario whose connection was lost.
var ErrLost = fmt.Errorf("the connection was lost")

// ErrUnreadable ends a scenario whose response was none by HTTP.
var ErrUnreadable = fmt.Errorf("the response cannot be read")
