package prove

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hallmark-kit/hallmark/reference"
)

// Freedoms that change different places of a service make one service that is also legal: if it is accepted, each
// of them is. If it has findings, or if it leaves scenarios unplayed that the clean service does not, halves of
// them are judged, down to single ones.

// units divides cases into those judged in one service each, as indices: the freedoms in groups, the longest runs
// first, then every other case separately. The clean service comes first.
func units(p *Prover, cases []Case, hard bool) [][]int {
	var first, groups, single [][]int
	var free []int
	for i, c := range cases {
		switch {
		case c.Kind == Clean:
			first = append(first, []int{i})
		case c.Kind == Freedom && p.Grouped && !hard && len(c.places) > 0:
			free = append(free, i)
		case c.Kind == Freedom:
			groups = append(groups, []int{i})
		default:
			single = append(single, []int{i})
		}
	}
	return slices.Concat(first, divide(cases, free), groups, single)
}

// divide divides freedoms into few groups of about the same size in which no two share a place. Freedoms of the most contested places come
// first, since each of them needs a group of its own.
func divide(cases []Case, free []int) [][]int {
	contested := map[string]int{}
	for _, i := range free {
		for _, place := range cases[i].places {
			contested[place]++
		}
	}
	most := func(i int) (n int) {
		for _, place := range cases[i].places {
			n = max(n, contested[place])
		}
		return n
	}
	free = slices.Clone(free)
	slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(most(b), most(a)) })
	var groups [][]int
	for _, i := range free {
		best := -1
		for g, group := range groups {
			if (best < 0 || len(group) < len(groups[best])) && !slices.ContainsFunc(group, func(k int) bool { return sharePlace(cases[i], cases[k]) }) {
				best = g
			}
		}
		if best < 0 {
			groups, best = append(groups, nil), len(groups)
		}
		groups[best] = append(groups[best], i)
	}
	for _, group := range groups {
		slices.Sort(group)
	}
	return groups
}

// sharePlace reports whether one of two freedoms may hide the other.
func sharePlace(a, b Case) bool {
	return slices.ContainsFunc(a.places, func(place string) bool { return slices.Contains(b.places, place) })
}

// unite returns the case of a service with all of these freedoms. The day is one of their places, so at most one
// of them sets it.
func unite(of reference.Implementation, cases []Case) (Case, error) {
	all := Case{Kind: Freedom, Name: cases[0].Name, Family: cases[0].Family}
	for _, c := range cases {
		all.Now = cmp.Or(all.Now, c.Now)
		all.network, all.tls = all.network || c.network, all.tls || c.tls
	}
	var err error
	if all.variant, err = of.Unite(names(cases)); err != nil {
		return all, fmt.Errorf("the freedoms cannot be judged together: %w", err)
	}
	return all, nil
}

func names(cases []Case) []string {
	all := make([]string, 0, len(cases))
	for _, c := range cases {
		all = append(all, c.Name)
	}
	return all
}

// judgeTogether judges freedoms in one service, and by halves if that has findings or is less informative than the
// clean service, whose outcome clean returns. The outcomes are in the order of the cases.
func judgeTogether(ctx context.Context, p *Prover, cases []Case, clean func() Outcome) []Outcome {
	if len(cases) == 1 {
		return []Outcome{p.repeat(ctx, cases[0], false)}
	}
	var whole Outcome
	all, err := unite(p.Interface.Reference, cases)
	if err != nil {
		whole.Failure = err.Error()
	} else {
		whole = p.repeat(ctx, all, false)
	}
	if whole.OK && !leavesUnplayed(whole, clean()) {
		out := make([]Outcome, 0, len(cases))
		for _, c := range cases {
			one := whole
			one.Case, one.Own, one.Together = c, whole.verdicts[c.Rule], names(cases)
			out = append(out, one)
		}
		return out
	}
	half := len(cases) / 2
	out := append(judgeTogether(ctx, p, cases[:half], clean), judgeTogether(ctx, p, cases[half:], clean)...)
	if whole.OK || slices.ContainsFunc(out, func(o Outcome) bool { return !o.OK }) {
		return out
	}
	for i := range out { // only together
		one := whole
		one.Case, one.Own, one.Together = out[i].Case, whole.verdicts[out[i].Rule], names(cases)
		out[i] = one
	}
	return out
}

// leavesUnplayed reports whether a service left scenarios unplayed that were played with the clean one: they might have
// reported a freedom.
func leavesUnplayed(o, clean Outcome) bool {
	for id, played := range clean.played {
		if played && !o.played[id] {
			return true
		}
	}
	return false
}

// cleanOutcome returns a function that judges the clean service once, for all callers.
func cleanOutcome(ctx context.Context, p *Prover, cases []Case, hard bool) func() Outcome {
	return sync.OnceValue(func() Outcome {
		c := Case{Kind: Clean}
		if i := slices.IndexFunc(cases, func(c Case) bool { return c.Kind == Clean }); i >= 0 {
			c = cases[i]
		}
		return p.repeat(ctx, c, hard)
	})
}

// services returns the number of services in which freedoms were judged, or 0 if each had its own.
func services(outcomes []Outcome) int {
	all, together := map[string]bool{}, false
	for _, o := range outcomes {
		if o.Kind != Freedom {
			continue
		}
		name := o.Name
		if len(o.Together) > 0 {
			name, together = o.Together[0], true
		}
		all[name] = true
	}
	if !together {
		return 0
	}
	return len(all)
}
