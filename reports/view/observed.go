package view

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Answered is an answer to an open rule, and the requests that led to it.
type Answered struct {
	Answer string
	Asked  []string
}

// Observed returns the answers to each open rule by rule id. Equal answers are combined, the most frequent first.
func (v *View) Observed() map[string][]Answered {
	rec := v.Record
	by := map[string]map[string]map[string]bool{} // rule → answer → asked
	for i := range rec.Scenarios {
		for _, o := range rec.Scenarios[i].Observations {
			if by[o.Rule] == nil {
				by[o.Rule] = map[string]map[string]bool{}
			}
			if by[o.Rule][o.Answer] == nil {
				by[o.Rule][o.Answer] = map[string]bool{}
			}
			by[o.Rule][o.Answer][o.Asked] = true
		}
	}
	all := make(map[string][]Answered, len(by))
	for rule, answers := range by {
		for answer, asked := range answers {
			all[rule] = append(all[rule], Answered{answer, slices.Sorted(maps.Keys(asked))})
		}
		slices.SortFunc(all[rule], func(x, y Answered) int {
			return cmp.Or(cmp.Compare(len(y.Asked), len(x.Asked)), cmp.Compare(x.Answer, y.Answer))
		})
	}
	return all
}

// Asked returns the open rules with answers, in catalogue order; see Observed.
func (v *View) Asked() []spec.Rule {
	ids := slices.SortedFunc(maps.Keys(v.Observed()), func(x, y string) int {
		return cmp.Or(cmp.Compare(v.index.Order(x), v.index.Order(y)), cmp.Compare(x, y))
	})
	rules := make([]spec.Rule, len(ids))
	for i, id := range ids {
		rules[i] = v.Rule(id)
	}
	return rules
}

// Unasked groups the rules of a verdict by reason, regardless of the number of affected scenarios. For a partial run, unselected rules
// form a group, too.
func (v *View) Unasked(of verdict.Verdict) []Unasked {
	by := map[string][]verdict.RuleVerdict{}
	for _, r := range v.Result.Rules {
		if r.Verdict == of {
			by[r.Root] = append(by[r.Root], r)
		}
	}
	var all []Unasked
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		slices.SortStableFunc(by[reason], func(x, y verdict.RuleVerdict) int {
			return cmp.Compare(verdict.LevelRank(x.Level), verdict.LevelRank(y.Level))
		})
		all = append(all, Unasked{text.Short(reason), by[reason], reason == verdict.NotSelected && v.Record.Filtered()})
	}
	return all
}
