package reports

import (
	"slices"

	"hallmark/spec"
)

// Confirmation tells what came of repeating the scenario that shows a cause.
type Confirmation struct {
	// Scenario is the id of the scenario that showed a breach of Rule. It was repeated, unless Repeated names the scenario
	// that had asked first.
	Scenario string `json:"scenario"`
	Rule     string `json:"rule"`
	Repeated string `json:"repeated,omitempty"`
	// Tries counts the repetitions, Shown those that showed the breach again.
	Tries int `json:"tries"`
	Shown int `json:"shown"`
	// Reason says why it was not repeated, or not as often as asked.
	Reason string `json:"reason,omitempty"`
	// Exchanges are the numbers of the exchanges of all repetitions.
	Exchanges []int `json:"exchanges,omitempty"`
}

// Intermittent reports whether a repetition did not show the breach.
func (c *Confirmation) Intermittent() bool { return c != nil && c.Shown < c.Tries }

// intermittent is how every report marks what did not show each time that it was repeated.
const intermittent = "INTERMITTENT"

// Mark is INTERMITTENT for a cause that a repetition did not show, else empty.
func (c *Cause) Mark() string {
	if c.Confirmation.Intermittent() {
		return intermittent
	}
	return ""
}

// Sentence says for a person what came of repeating a cause; empty when nothing was tried, and there is no reason to be given.
func (c *Confirmation) Sentence() string {
	switch {
	case c == nil || c.Tries == 0 && c.Reason == "":
		return ""
	case c.Tries == 0:
		return "not repeated: " + c.Reason
	case c.Shown == c.Tries && c.Tries == 1:
		return "confirmed: failed again when repeated"
	case c.Shown == c.Tries:
		return "confirmed: failed again each of " + itoa(c.Tries) + " times when repeated"
	case c.Shown == 0 && c.Tries == 1:
		return intermittent + ": did not fail again when repeated"
	}
	return intermittent + ": failed again in " + itoa(c.Shown) + " of " + plural(c.Tries, "repetition")
}

// IntermittentWarn is the value of Options.Intermittent by which what no repetition shows again is only warned of.
const IntermittentWarn = "warn"

// Gone reports whether it was repeated, and no repetition showed it.
func (c *Confirmation) Gone() bool { return c != nil && c.Tries > 0 && c.Shown == 0 }

// Shown is what a scenario found of a cause.
type Shown struct {
	Scenario string
	Findings []spec.Finding
}

// showing lists what the scenarios of a defect found of it: that of the example first, the others by file and line.
func showing(d *defect, example *item, rec *Record) []Shown {
	at := map[string]int{}
	all := []Shown{{rec.Scenarios[example.scenario].ID, []spec.Finding{example.Finding}}}
	at[all[0].Scenario] = 0
	for _, it := range d.items {
		if it == example {
			continue
		}
		id := rec.Scenarios[it.scenario].ID
		i, known := at[id]
		if !known {
			i = len(all)
			at[id] = i
			all = append(all, Shown{Scenario: id})
		}
		all[i].Findings = append(all[i].Findings, it.Finding)
	}
	slices.SortStableFunc(all[1:], func(x, y Shown) int { return scenarioOrder(x.Scenario, y.Scenario) })
	return all
}

// confirm puts together what came of repeating the scenarios of a cause; nil when none was repeated, and nobody says why. gone
// reports whether all of them were, and none showed it again.
func confirm(rec *Record, c *Cause) (sum *Confirmation, gone bool) {
	tried := map[string]bool{}
	gone = true
	for i := range rec.Confirmations {
		one := &rec.Confirmations[i]
		shown := slices.IndexFunc(c.Showing, func(s Shown) bool {
			return s.Scenario == one.Scenario && slices.ContainsFunc(s.Findings, func(f spec.Finding) bool { return f.Rule == one.Rule })
		})
		if shown < 0 {
			continue
		}
		if sum != nil && one.Scenario == sum.Scenario && slices.Equal(one.Exchanges, sum.Exchanges) {
			continue // the same repetition, for another cause that shows in that scenario
		}
		if one.Gone() {
			tried[one.Scenario] = true
		} else {
			gone = false
		}
		switch {
		case sum == nil:
			first := *one
			sum = &first
		case sum.Tries > 0 && sum.Shown == sum.Tries: // it is confirmed
		case one.Tries > 0 && one.Shown == one.Tries, sum.Tries == 0 && one.Tries > 0:
			other := *one
			sum = &other
		default:
			sum.Tries += one.Tries
			sum.Shown += one.Shown
			sum.Exchanges = append(slices.Clip(sum.Exchanges), one.Exchanges...)
		}
	}
	for _, s := range c.Showing {
		gone = gone && tried[s.Scenario]
	}
	return sum, gone
}
