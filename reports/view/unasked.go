package view

import (
	"cmp"
	"maps"
	"slices"

	"hallmark/reports/prose"
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

// Unasked gathers the rules of a verdict by the reason for it. Of a run of a part, those that were not selected are
// gathered too.
func (v *View) Unasked(of verdict.Verdict) []Unasked {
	by := map[string][]verdict.RuleVerdict{}
	for _, r := range v.Result.Rules {
		if r.Verdict == of {
			by[r.Reason] = append(by[r.Reason], r)
		}
	}
	var all []Unasked
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		slices.SortStableFunc(by[reason], func(x, y verdict.RuleVerdict) int {
			return cmp.Compare(verdict.LevelRank(x.Level), verdict.LevelRank(y.Level))
		})
		all = append(all, Unasked{prose.Phrase(reason), by[reason], reason == verdict.NotSelected && v.Record.Filtered()})
	}
	return all
}
