package steps

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"hallmark/reports"
	"hallmark/spec"
)

// Shard is one of several equal parts of what is selected. The zero Shard is the whole.
type Shard struct {
	// Index counts from 1.
	Index, Of int
}

// String is how a shard is written: "2/5"; empty for the whole.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// deal keeps a shard's part of what was chosen. Scenarios are dealt out like cards, one to each shard in turn, phase by
// phase, so that the parts differ by one at most, in each phase too. Their order is that of their ids' digests: it is the
// same on every machine, whatever the order of the files, and neighbours, which cost alike, come to different shards.
func (c *chosen) deal(s Shard) {
	if s.Of == 0 {
		return
	}
	var run, left []*pickle
	for _, p := range c.run {
		run = append(run, p)
	}
	left = append(left, c.leftList...)
	c.leftList = nil
	mine := func(i int) bool { return i%s.Of == s.Index-1 }
	for i, p := range shuffled(run) {
		if !mine(i) {
			delete(c.run, p.id())
		}
	}
	for i, p := range shuffled(left) {
		if mine(i + len(run)) {
			c.leftList = append(c.leftList, p)
		} else {
			delete(c.leftOut, p.id())
		}
	}
}

// shuffled orders scenarios by phase, then by the digest of their ids.
func shuffled(pickles []*pickle) []*pickle {
	digest := map[*pickle]string{}
	for _, p := range pickles {
		sum := sha256.Sum256([]byte(p.id()))
		digest[p] = string(sum[:])
	}
	slices.SortFunc(pickles, func(x, y *pickle) int {
		return cmp.Or(cmp.Compare(phaseOf(x), phaseOf(y)), cmp.Compare(digest[x], digest[y]))
	})
	return pickles
}

// Selected counts what a selection chooses, before it is divided among shards, and identifies it; part is how many
// scenarios of these the selection's own shard has, those that are left out for a reason included.
func (s *Suite) Selected(sel Selection, catalogue *spec.Catalogue, contract *spec.Contract) (all reports.Selected, part int, err error) {
	whole := sel
	whole.Shard = Shard{}
	every, err := s.choose(whole, catalogue, contract)
	if err != nil {
		return all, 0, err
	}
	some, err := s.choose(sel, catalogue, contract)
	if err != nil {
		return all, 0, err
	}
	ids := append(slices.Collect(maps.Keys(every.run)), slices.Collect(maps.Keys(every.leftOut))...)
	return reports.NewSelected(ids), len(some.run) + len(some.leftOut), nil
}

// Again lists the scenarios that show whether what failed in a run before is mended: those that failed or could not be
// judged, all that ask about the same rules, and, where that run was ended early, those that it did not come to.
func (s *Suite) Again(failed reports.Again) []string {
	var ids []string
	for _, f := range s.files {
		for _, p := range f.pickles {
			asks := slices.ContainsFunc(p.rules, func(rule string) bool { return failed.Rules[rule] })
			if asks || failed.Scenarios[p.id()] || failed.Early && !failed.Ended[p.id()] {
				ids = append(ids, p.id())
			}
		}
	}
	return ids
}
