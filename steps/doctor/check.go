package doctor

import (
	"errors"
	"net"
	"time"
)

// State is what came of a check.
type State string

// The states of a check. A warning keeps no run from judging.
const (
	Good    State = "ok"
	Warned  State = "warning"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Check is one thing that a run needs of its target.
type Check struct {
	// Name says what was looked at: "DNS", "key".
	Name  string `json:"name"`
	State State  `json:"state"`
	// Says is what was seen, in words; Remedy what to do when that is not as it should be.
	Says   string `json:"says"`
	Remedy string `json:"remedy,omitempty"`
}

const (
	// soonExpired is when a certificate's end is worth a warning.
	soonExpired = 21 * 24 * time.Hour
	// clockOff is how far the clocks may be apart. Removal dates are days, and a Date header is rounded and travels.
	clockOff = 5 * time.Minute
)

// AnyFailed reports whether a run could not judge at all.
func AnyFailed(all []Check) bool {
	for _, c := range all {
		if c.State == Failed {
			return true
		}
	}
	return false
}

// SkippedAll returns checks of these names that were not made, since the service cannot be reached.
func SkippedAll(names ...string) []Check {
	all := make([]Check, 0, len(names))
	for _, name := range names {
		all = append(all, Check{Name: name, State: Skipped, Says: "not checked, because the service cannot be reached", Remedy: ""})
	}
	return all
}

// Rounded returns a duration as people want to read it.
func Rounded(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// brief is an error without the addresses and operations that Go puts before it.
func brief(err error) string {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
