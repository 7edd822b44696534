package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

const (
	// longestLinks is how many parts of a critical path are named.
	longestLinks = 3
	// worthSaying is how many exchanges a run has at least of which the path is told: that of a few is no news.
	worthSaying = 10
)

// Path is the critical path of a run: what it sent one after another, whatever might have been under way at the same time.
type Path struct {
	// Links are its parts, in the order in which they were played; Whole is their sum. Both are empty where the record does not tell.
	Links []Link
	Whole Chain
	// Of counts the exchanges of the run, and Wall is how long it took.
	Of   int
	Wall time.Duration
}

// Link is the longest chain of one round: that of one scenario.
type Link struct {
	// Scenario is the one that made it; empty for what was asked beside the scenarios.
	Scenario string
	Chain
}

// Chain is exchanges of which each was begun after the one before it had ended.
type Chain struct {
	Exchanges int
	Took      time.Duration
}

// plus returns two chains, one after the other.
func (c Chain) plus(other Chain) Chain {
	return Chain{c.Exchanges + other.Exchanges, c.Took + other.Took}
}

// CriticalPath returns a run's: of each round the scenario whose exchanges took longest one after another, and what was repeated or asked
// beside the scenarios. It is empty where the rounds are not known: in records made before they were, and of several shards.
func CriticalPath(rec *record.Record) Path {
	if len(rec.Shards) > 0 || !slices.ContainsFunc(rec.Scenarios, func(s record.Scenario) bool { return s.Round > 0 }) {
		return Path{}
	}
	var others []*spec.Exchange // those of no scenario: what asked first, repeated what was found, or cleaned up
	bySeq := make(map[int]*spec.Exchange, len(rec.Exchanges))
	for i := range rec.Exchanges {
		bySeq[rec.Exchanges[i].Seq] = &rec.Exchanges[i]
	}
	longest, used := map[int]Link{}, map[int]bool{} // of those beside the rounds, too
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		if s.Round == 0 {
			continue
		}
		var own []*spec.Exchange
		for _, seq := range s.Exchanges {
			if ex := bySeq[seq]; ex != nil {
				own, used[seq] = append(own, ex), true
			}
		}
		if l := (Link{s.ID, chainOf(own)}); l.Took > longest[s.Round].Took {
			longest[s.Round] = l
		}
	}
	for i := range rec.Exchanges {
		if ex := &rec.Exchanges[i]; !used[ex.Seq] {
			others = append(others, ex)
		}
	}
	p := Path{Of: len(rec.Exchanges), Wall: rec.Ended.Sub(rec.Started)}
	beside := longest[record.Beside]
	delete(longest, record.Beside)
	for _, l := range append([]Link{{Chain: chainOf(others)}}, inOrder(longest)...) {
		if l.Exchanges > 0 {
			p.Links, p.Whole = append(p.Links, l), p.Whole.plus(l.Chain)
		}
	}
	if beside.Took > p.Whole.Took {
		p.Links, p.Whole = []Link{beside}, beside.Chain
	}
	return p
}

// inOrder returns the links of rounds in the order of the rounds.
func inOrder(of map[int]Link) []Link {
	var out []Link
	for _, round := range slices.Sorted(maps.Keys(of)) {
		out = append(out, of[round])
	}
	return out
}

// chainOf returns the chain of exchanges that took longest.
func chainOf(all []*spec.Exchange) Chain {
	ends := func(ex *spec.Exchange) time.Time { return ex.Started.Add(ex.Elapsed) }
	slices.SortStableFunc(all, func(a, b *spec.Exchange) int { return ends(a).Compare(ends(b)) })
	best := make([]Chain, len(all)+1) // best[i] is that of the first i
	for i, ex := range all {
		before, _ := slices.BinarySearchFunc(all[:i], ex.Started, func(other *spec.Exchange, at time.Time) int {
			if ends(other).After(at) {
				return 1
			}
			return -1
		})
		with := best[before].plus(Chain{1, ex.Elapsed})
		if best[i+1] = best[i]; with.Took > best[i].Took {
			best[i+1] = with
		}
	}
	return best[len(all)]
}

// Sentence says for a person how long the path is, and what makes it long; empty where it is not known, or is no news.
func (p Path) Sentence() string {
	if p.Of < worthSaying {
		return ""
	}
	said := text.Number(p.Whole.Exchanges) + " of " + text.Count(p.Of, "exchange") + " came one after another; they took " +
		text.Duration(p.Whole.Took)
	if p.Wall > 0 {
		said += " of " + text.Duration(p.Wall) + " (" + text.Number(int(min(100*p.Whole.Took/p.Wall, 100))) + " %)"
	}
	links := slices.SortedStableFunc(slices.Values(p.Links), func(a, b Link) int { return cmp.Compare(b.Took, a.Took) })
	var named []string
	for _, l := range links[:min(longestLinks, len(links))] {
		of := "outside the scenarios"
		if l.Scenario != "" {
			of = "in " + text.Visible(l.Scenario)
		}
		named = append(named, text.Number(l.Exchanges)+" "+of)
	}
	return said + ". Most of them: " + strings.Join(named, ", ")
}
