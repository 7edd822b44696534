package reports

import "slices"

// Confirmation tells what came of repeating the scenario that shows a cause.
type Confirmation struct {
	// Scenario is the id of the scenario that was repeated, Rule the rule whose breach it had shown.
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	// Tries counts the repetitions, Shown those that showed the breach again.
	Tries int `json:"tries"`
	Shown int `json:"shown"`
	// Reason says why it was not repeated, or not as often as asked.
	Reason string `json:"reason,omitempty"`
	// Exchanges are the numbers of the exchanges of all repetitions.
	Exchanges []int `json:"exchanges,omitempty"`
}

// Intermittent tells that a repetition did not show the breach.
func (c *Confirmation) Intermittent() bool { return c != nil && c.Shown < c.Tries }

// sentence says it for a person; empty when nothing was tried, and there is no reason to be given.
func (c *Confirmation) sentence() string {
	switch {
	case c == nil || c.Tries == 0 && c.Reason == "":
		return ""
	case c.Tries == 0:
		return "not repeated: " + c.Reason
	case c.Shown == c.Tries && c.Tries == 1:
		return "confirmed: repeated by itself, it shows again"
	case c.Shown == c.Tries:
		return "confirmed: repeated by itself, it shows again each of " + itoa(c.Tries) + " times"
	case c.Shown == 0 && c.Tries == 1:
		return "INTERMITTENT: repeated by itself, it did not show again"
	}
	return "INTERMITTENT: repeated by itself, it shows again in " + itoa(c.Shown) + " of " + plural(c.Tries, "repetition")
}

// confirmationOf finds what came of repeating a cause; nil when nothing was recorded.
func confirmationOf(rec *Record, c *Cause) *Confirmation {
	for i := range rec.Confirmations {
		known := &rec.Confirmations[i]
		if known.Rule == c.Lead.Rule && slices.Contains(c.Scenarios, known.Scenario) {
			return known
		}
	}
	return nil
}
