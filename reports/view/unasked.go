package view

import (
	"hallmark/reports/verdict"
)

// Unasked are rules that have the same verdict for the same reason.
type Unasked struct {
	Reason string
	// Rules are in the catalogue's order, the must rules first.
	Rules []verdict.RuleVerdict
	// Beside reports whether the run was asked for a part of the suite, and these rules are no part of it.
	Beside bool
}
