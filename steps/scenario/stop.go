package scenario

import (
	"fmt"
)

// Stop ends a scenario early with a reason. It is not a failure.
type Stop struct {
	Reason string
	// Excused reports whether stopping left nothing untested.
	Excused bool
	// Inapplicable reports whether a credential that the run does not have is all that could show what the scenario is about. It is excused, too.
	Inapplicable bool
	// Tried says how many generated cases were tried before the budget was used up: "3 of 10 generated valid bodies".
	Tried string
}

func (s Stop) Error() string { return s.Reason }

// Stopf ends a scenario that cannot be completed here: its rules are judged partly at most.
func Stopf(format string, args ...any) error { return Stop{Reason: fmt.Sprintf(format, args...)} }

// Excusef ends a scenario that does not apply to this target, so that nothing is left untested.
func Excusef(format string, args ...any) error {
	return Stop{Reason: fmt.Sprintf(format, args...), Excused: true}
}

// Inapplicablef ends a scenario that needs a credential besides those that the operation needs, and that the run does not have.
func Inapplicablef(format string, args ...any) error {
	return Stop{Reason: fmt.Sprintf(format, args...), Excused: true, Inapplicable: true}
}

// ErrLost ends a scenario whose connection was lost.
var ErrLost = fmt.Errorf("the connection was lost")

// ErrUnreadable ends a scenario whose response is not valid HTTP.
var ErrUnreadable = fmt.Errorf("the response cannot be read")
