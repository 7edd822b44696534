package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"hallmark/spec"
	"hallmark/steps/check"
)

// StatusFinding says that a status is not one of those that keep the contract. The right key refused is a matter of its
// own, whatever was asked.
func StatusFinding(r *Run, a *Answer, rule string, statuses []int) spec.Finding {
	if a.Right && a.Status() == 401 && !slices.Contains(statuses, 401) {
		rule = "auth.accepted"
	}
	where := check.Place(a.Exchange)
	if a.Exchange.About != "" {
		where += ", " + a.Exchange.About
	}
	cause := fmt.Sprintf("%s: status %d", rule, a.Status())
	if !a.Right && slices.Equal(statuses, []int{401}) && letIn(a.Status()) {
		// Whether a request that was let in then got 200, 400 or 404 is the request's matter, not the credential's.
		cause = rule + ": let in"
	}
	f := spec.Finding{
		Rule: rule, Operation: a.Exchange.Operation, Kind: spec.KindStatus, Expected: statusWords(statuses), Actual: "status " + strconv.Itoa(a.Status()), Status: a.Status(), Where: where, Cause: cause,
		About: r.Extension.About(a),
	}
	return f
}

// letIn reports whether a status is what a right credential could have got.
func letIn(status int) bool { return status/100 == 2 || status == 400 || status == 404 }

func statusWords(statuses []int) string {
	text := "status "
	for i, st := range statuses {
		if i > 0 {
			text += " or "
		}
		text += strconv.Itoa(st)
	}
	return text
}
