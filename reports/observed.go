package reports

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

const (
	// askedShown bounds how many questions with one answer are named, answersShown how many answers to one rule.
	askedShown   = 6
	answersShown = 5
)

// Answered is one answer to an open rule, and what was asked to get it.
type Answered struct {
	Answer string
	Asked  []string
}

// Observed returns the answers to each open rule that was asked, by the rule's id: equal answers are told once, the commonest
// first.
func (v *View) Observed() map[string][]Answered { return observed(v.Record) }

func observed(rec *record.Record) map[string][]Answered {
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

// observations writes what the target does where the interface leaves it the choice.
func (s *sheet) observations(rec *record.Record, b *verdict.Index) {
	all := observed(rec)
	s.line(s.paint(bold, "OBSERVED") + "  what the interface leaves to the service")
	for _, r := range orderedRules(all, b) {
		s.paragraph(indent, 2, plain, r.ID+"  "+cmp.Or(r.Asks, r.Says))
		answers := all[r.ID]
		for i, a := range answers {
			if i == answersShown {
				s.paragraph(indent+4, 2, dim, "and "+prose.Plural(len(answers)-i, "other answer"))
				break
			}
			asked := a.Asked
			if len(asked) > askedShown {
				asked = append(slices.Clone(asked[:askedShown]), "and "+prose.Number(len(asked)-askedShown)+" more")
			}
			s.paragraph(indent+4, 2, plain, prose.Phrase(strings.Join(asked, ", "))+" → "+prose.Phrase(a.Answer))
		}
	}
}

func orderedRules(all map[string][]Answered, b *verdict.Index) []spec.Rule {
	ids := slices.SortedFunc(maps.Keys(all), func(x, y string) int {
		return cmp.Or(cmp.Compare(b.Order(x), b.Order(y)), cmp.Compare(x, y))
	})
	rules := make([]spec.Rule, len(ids))
	for i, id := range ids {
		rules[i], _ = b.Rule(id)
	}
	return rules
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// seed names the seed of a run, or those of its shards where they differ.
func seed(rec *record.Record) string {
	if rec.Options.Seed != 0 || len(rec.Shards) == 0 {
		return strconv.FormatInt(rec.Options.Seed, 10)
	}
	var all []string
	for _, p := range rec.Shards {
		all = append(all, strconv.FormatInt(p.Seed, 10))
	}
	return strings.Join(all, ", ")
}
