package record

import "github.com/hallmark-kit/hallmark/internal/text"

// Confirmation is the result of repeating the scenario that shows a cause.
type Confirmation struct {
	// Scenario is the id of the scenario that showed a violation of Rule. It was repeated, unless Repeated names the scenario that
	// requested a repetition first.
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	Repeated string `json:"repeated,omitempty"`
	// Tries is the number of repetitions, Shown the number that showed the violation again.
	Tries int `json:"tries"`
	Shown int `json:"shown"`
	// Reason says why it was not repeated, or not as often as requested.
	Reason string `json:"reason,omitempty"`
	// Exchanges are the numbers of the exchanges of all repetitions.
	Exchanges []int `json:"exchanges,omitempty"`
}

// Intermittent reports whether a repetition did not show the violation.
func (c *Confirmation) Intermittent() bool { return c != nil && c.Shown < c.Tries }

// IntermittentMark marks, in every report, findings that did not show in every repetition.
const IntermittentMark = "INTERMITTENT"

// Sentence describes the result for readers, or is empty if there were no repetitions and no reason.
func (c *Confirmation) Sentence() string {
	switch {
	case c == nil || c.Tries == 0 && c.Reason == "":
		return ""
	case c.Tries == 0:
		return "not repeated: " + c.Reason
	case c.Shown == c.Tries && c.Tries == 1:
		return "confirmed: failed again when repeated"
	case c.Shown == c.Tries:
		return "confirmed: failed again each of " + text.Number(c.Tries) + " times when repeated"
	case c.Shown == 0 && c.Tries == 1:
		return IntermittentMark + ": did not fail again when repeated"
	}
	return IntermittentMark + ": failed again in " + text.Number(c.Shown) + " of " + text.Count(c.Tries, "repetition")
}

// IntermittentWarn is the value of Options.Intermittent that only warns about findings that no repetition shows.
const IntermittentWarn = "warn"

// Gone reports whether there were repetitions and none showed the violation.
func (c *Confirmation) Gone() bool { return c != nil && c.Tries > 0 && c.Shown == 0 }
