package view

import (
	"slices"

	"hallmark/reports/verdict"
	"hallmark/spec"
)

// Area counts the verdicts of the rules whose ids begin alike.
type Area struct {
	// Name is the first part of the ids: list.
	Name   string
	Counts map[verdict.Verdict]int
	// Rules is how many there are, without those that cannot be tested.
	Rules int
}

// Areas counts the verdicts by area, in the catalogue's order. Areas that cannot be tested are left out, and so are those
// that a run of a part of the suite did not touch.
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

// Columns are the verdicts that a table of areas shows: those that occur, and the two that a reader looks for.
func (v *View) Columns() []verdict.Verdict {
	var shown []verdict.Verdict
	for _, of := range []verdict.Verdict{verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates, verdict.Observed, verdict.NotExercised, verdict.NotApplicable} {
		if of == verdict.Conforms || of == verdict.Violated || v.Result.Count(of, "") > 0 {
			shown = append(shown, of)
		}
	}
	return shown
}
