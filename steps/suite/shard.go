package suite

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Shard is one of several equal parts of a selection. The zero Shard is the whole.
type Shard struct {
	// Index counts from 1.
	Index, Of int
}

// String formats a shard as in "2/5"; the whole is "".
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// deal keeps a shard's part of the chosen scenarios. Those that need an empty or small store all go to the first shard: if all shards test
// one service, at most one of them finds such a store. The rest is dealt out, each scenario to the shard that has fewest, so that the parts
// are equal. The order follows the digests of the ids: it is the same on every machine, whatever the file order, and neighbours, which cost
// about the same, go to different shards.
func (c *Chosen) deal(s Shard) {
	if s.Of == 0 {
		return
	}
	var early, rest []*Scenario
	for _, p := range c.Run {
		if phase := p.Phase(); phase == PhaseFirst || phase == PhaseSmall {
			early = append(early, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		early, rest = nil, early // nothing else is left to divide
	}
	loads := make([]int, s.Of)
	loads[0] = len(early)
	give := func() (mine bool) {
		least := slices.Index(loads, slices.Min(loads))
		loads[least]++
		return least == s.Index-1
	}
	for _, p := range early {
		if s.Index != 1 {
			delete(c.Run, p.ID())
		}
	}
	for _, p := range shuffled(rest) {
		if !give() {
			delete(c.Run, p.ID())
		}
	}
	left := shuffled(c.Skipped)
	c.Skipped = nil
	for _, p := range left {
		if give() {
			c.Skipped = append(c.Skipped, p)
		} else {
			delete(c.Reasons, p.ID())
		}
	}
}

// shuffled orders scenarios by phase, then by the digest of their ids.
func shuffled(pickles []*Scenario) []*Scenario {
	digest := map[*Scenario]string{}
	for _, p := range pickles {
		sum := sha256.Sum256([]byte(p.ID()))
		digest[p] = string(sum[:])
	}
	return slices.SortedFunc(slices.Values(pickles), func(x, y *Scenario) int {
		return cmp.Or(cmp.Compare(x.Phase(), y.Phase()), cmp.Compare(digest[x], digest[y]))
	})
}

// Selected counts and identifies what a selection chooses before it is divided among shards. part is the number of these scenarios in the
// selection's own shard, including those left out for a reason.
func (s *Suite) Selected(sel Selection, catalogue *spec.Catalogue, contract *spec.Contract) (all record.Selected, part int, err error) {
	whole := sel
	whole.Shard = Shard{}
	every, err := s.Select(whole, catalogue, contract)
	if err != nil {
		return all, 0, err
	}
	some := every
	if sel.Shard != whole.Shard {
		if some, err = s.Select(sel, catalogue, contract); err != nil {
			return all, 0, err
		}
	}
	ids := append(slices.Collect(maps.Keys(every.Run)), slices.Collect(maps.Keys(every.Reasons))...)
	return record.NewSelected(ids), len(some.Run) + len(some.Reasons), nil
}

// Again lists the scenarios that show whether the failures of an earlier run are fixed: those that failed or could not be judged, all that
// test the same rules, and, if that run ended early, those that it did not reach.
func (s *Suite) Again(failed verdict.Failed) []string {
	var ids []string
	for _, f := range s.Features {
		for _, p := range f.Scenarios {
			asks := slices.ContainsFunc(p.Rules, func(rule string) bool { return failed.Rules[rule] })
			if asks || failed.Scenarios[p.ID()] || failed.Early && !failed.Ended[p.ID()] {
				ids = append(ids, p.ID())
			}
		}
	}
	return ids
}
