package view

import (
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// Unasked is a group of rules with the same verdict for the same reason.
type Unasked struct {
	Reason string
	// Rules are in catalogue order, must rules first.
	Rules []verdict.RuleVerdict
	// Beside reports whether these rules are outside the selected part of the suite.
	Beside bool
}
