package verdict

import (
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// UndecidedMark marks, in every report, causes that the second judge doubts.
const UndecidedMark = "UNDECIDED"

// weightOf ranks opinions by how well they support their finding.
func weightOf(o spec.Opinion) int {
	switch {
	case o.Says == spec.Agreed:
		return 3
	case o.Known != "":
		return 2
	case o.Says == spec.Unsettled:
		return 1
	}
	return 0
}

// opinionOf returns the opinion that supports a finding best, or nil.
func opinionOf(rec *record.Record, f *spec.Finding) *spec.Opinion {
	var best *spec.Opinion
	for i := range rec.Opinions {
		if o := &rec.Opinions[i]; o.Of(f) && (best == nil || weightOf(o.Opinion) > weightOf(*best)) {
			best = &o.Opinion
		}
	}
	return best
}

// consult sets the second judge's opinion of a cause: the best supporting of the opinions on all its findings, that on the example before
// others. The cause is undecided if each of its findings is in doubt; if it fails the run, each of those that do.
func (c *Cause) consult(rec *record.Record, b *Index) {
	if len(rec.Opinions) == 0 {
		return
	}
	known := map[string]*spec.Opinion{}
	c.Undecided = true
	for i := range c.Showing {
		for j := range c.Showing[i].Findings {
			f := &c.Showing[i].Findings[j]
			key := f.Rule + "\x00" + f.Cause
			o, asked := known[key]
			if !asked {
				o = opinionOf(rec, f)
				known[key] = o
			}
			if r, _ := b.Rule(f.Rule); r.Level.Fails() || !c.Level.Fails() {
				c.Undecided = c.Undecided && o != nil && o.Doubts()
			}
			if o != nil && (c.Opinion == nil || weightOf(*o) > weightOf(*c.Opinion)) {
				c.Opinion = o
			}
		}
	}
}
