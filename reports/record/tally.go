package record

import (
	"slices"

	"github.com/hallmark-kit/hallmark/spec"
)

// Tally counts what a run has done so far.
type Tally struct {
	Scenarios, Passed, Failed, Skipped, Errors int
	Exchanges                                  int
	// Areas counts the finished scenarios by the area of their first rule, in order of first appearance.
	Areas []AreaTally
}

// AreaTally counts the ended scenarios of one area.
type AreaTally struct {
	Area         string
	Done, Failed int
}

// Tally returns what the run has done so far.
func (r *Recorder) Tally() Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tally
	t.Areas = slices.Clone(t.Areas)
	return t
}

// count adds a finished scenario. The caller holds the lock.
func (r *Recorder) count(s *Scenario) {
	t := &r.tally
	if s.Preflight() {
		return
	}
	t.Scenarios++
	switch s.Outcome {
	case Passed:
		t.Passed++
	case Failed:
		t.Failed++
	case Skipped:
		t.Skipped++
	case Errored:
		t.Errors++
	}
	if len(s.Rules) == 0 {
		return
	}
	area := spec.Rule{ID: s.Rules[0]}.Area()
	i, known := r.areas[area]
	if !known {
		i = len(t.Areas)
		r.areas[area] = i
		t.Areas = append(t.Areas, AreaTally{Area: area})
	}
	t.Areas[i].Done++
	if s.Outcome == Failed {
		t.Areas[i].Failed++
	}
}
