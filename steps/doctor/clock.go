package doctor

import (
	"fmt"
	"net/http"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// Clock compares the clocks, since removal dates are judged by the one here.
func Clock(ex *spec.Exchange, now time.Time) Check {
	const name = "clock"
	theirs, err := http.ParseTime(ex.Response.Header.Get("Date"))
	if err != nil {
		return Check{Name: name, State: Skipped, Says: "the service sends no date", Remedy: ""}
	}
	if apart := theirs.Sub(ex.Started).Abs(); apart > clockOff {
		return Check{
			Name: name, State: Warned, Says: fmt.Sprintf("the clocks of the service and of this machine are %v apart", apart.Round(time.Second)),
			Remedy: "set the clock that is wrong; removal dates are judged by " + now.UTC().Format("2 January 2006") + " (--now changes it)",
		}
	}
	return Check{Name: name, State: Good, Says: "the clocks of the service and of this machine agree", Remedy: ""}
}
