package view

import (
	"slices"

	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Area counts the verdicts of the rules whose ids share the first part.
type Area struct {
	// Name is the first part of the ids, such as "list".
	Name   string
	Counts map[verdict.Verdict]int
	// Rules is their number, without untestable ones.
	Rules int
}

// Areas counts the verdicts by area, in catalogue order. It omits areas that cannot be tested, and those that a partial run did not touch.
func (v *View) Areas() []Area {
	var all []Area
	at := map[string]int{}
	for _, r := range v.Result.Rules {
		name := spec.Rule{ID: r.Rule}.Area()
		i, known := at[name]
		if !known {
			i = len(all)
			at[name] = i
			all = append(all, Area{Name: name, Counts: map[verdict.Verdict]int{}})
		}
		all[i].Counts[r.Verdict]++
		if r.Verdict != verdict.Untestable {
			all[i].Rules++
		}
	}
	return slices.DeleteFunc(all, func(a Area) bool {
		return a.Rules == 0 || v.Record.Filtered() && a.Counts[verdict.NotExercised] == a.Rules
	})
}

// Columns returns the verdicts to show in a table of areas: those that occur, and the two that readers look for.
func (v *View) Columns() []verdict.Verdict {
	var shown []verdict.Verdict
	for _, of := range []verdict.Verdict{verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates, verdict.Observed, verdict.NotExercised, verdict.NotApplicable} {
		if of == verdict.Conforms || of == verdict.Violated || v.Result.Count(of, "") > 0 {
			shown = append(shown, of)
		}
	}
	return shown
}
