package record

import (
	"strings"
	"time"

	"hallmark/reports/prose"
	"hallmark/spec"
)

// Deviation is a known violation: it has a reason, and is accepted until a day. It covers findings of one rule.
type Deviation struct {
	// Rule is the id of the rule that is broken, Message the start of the findings' message, see [Message].
	Rule    string `json:"rule"`
	Message string `json:"message"`
	// Reason says why it is accepted; Link leads to the discussion.
	Reason string `json:"reason"`
	Link   string `json:"link"`
	// Expires is the last day on which it counts (UTC), as in 2027-01-31.
	Expires string `json:"expires"`
}

// Message is a finding in one line, as every report writes it and as deviations are compared with it.
func Message(f spec.Finding) string {
	return "expected " + prose.Cut(prose.Visible(f.Expected), 120) + ", actual " + prose.Cut(prose.Visible(f.Actual), 120)
}

// Covers reports whether a finding is of the deviation's rule and its message begins as the deviation's.
func (d Deviation) Covers(f spec.Finding) bool {
	return d.Rule == f.Rule && d.Message != "" && strings.HasPrefix(Message(f), d.Message)
}

// Over reports whether the last day is over. A day that cannot be read has passed: the file's reader refuses it.
func (d Deviation) Over(now time.Time) bool {
	day, err := time.Parse(time.DateOnly, d.Expires)
	return err != nil || !now.Before(day.AddDate(0, 0, 1))
}
