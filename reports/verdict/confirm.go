package verdict

import (
	"slices"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Mark returns UNDECIDED if the second judge doubts the cause, INTERMITTENT if no repetition showed it, and "" otherwise.
func (c *Cause) Mark() string {
	if c.Undecided {
		return UndecidedMark
	}
	if c.Environment || c.Confirmation.Intermittent() {
		return record.IntermittentMark
	}
	return ""
}

// ScenarioFindings holds the findings of one scenario that belong to a cause.
type ScenarioFindings struct {
	Scenario string
	Findings []spec.Finding
}

// showing groups the findings of a defect by scenario: the example's scenario first, the others by file and line.
func showing(d *defect, example *item, rec *record.Record) []ScenarioFindings {
	at := map[string]int{}
	all := []ScenarioFindings{{rec.Scenarios[example.scenario].ID, []spec.Finding{example.Finding}}}
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
			all = append(all, ScenarioFindings{Scenario: id})
		}
		all[i].Findings = append(all[i].Findings, it.Finding)
	}
	slices.SortStableFunc(all[1:], func(x, y ScenarioFindings) int { return record.ScenarioOrder(x.Scenario, y.Scenario) })
	return all
}

// confirm combines the results of repeating the cause's scenarios. sum is nil if none was repeated and no reason is recorded. gone reports
// whether all of them were repeated and none showed the cause again.
func confirm(rec *record.Record, c *Cause) (sum *record.Confirmation, gone bool) {
	tried := map[string]bool{}
	gone = true
	for i := range rec.Confirmations {
		one := &rec.Confirmations[i]
		shown := slices.IndexFunc(c.Showing, func(s ScenarioFindings) bool {
			return s.Scenario == one.Scenario && slices.ContainsFunc(s.Findings, func(f spec.Finding) bool { return f.Rule == one.Rule })
		})
		if shown < 0 {
			continue
		}
		if sum != nil && one.Scenario == sum.Scenario && slices.Equal(one.Exchanges, sum.Exchanges) {
			continue // the same repetition, done for another cause of that scenario
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
