package view

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Finding is all findings of a run with the same id.
type Finding struct {
	ID string
	// Example is the one that leads its cause, or else the first.
	Example spec.Finding
	// Scenario is the scenario that made the example, or nil if the record lacks it.
	Scenario *record.Scenario
	// Count is the number of findings.
	Count int
	// Cause is the defect that it is a part of, or nil if it is a known violation. Leads reports whether it is the example of the cause.
	Cause *verdict.Cause
	Leads bool
	// Rerun is the command that tests it again, or "".
	Rerun string
}

// Standing is what a finding means for the run.
type Standing string

// The standings.
const (
	// Failing findings fail the run.
	Failing Standing = "fails"
	// Warning findings violate should rules, or are excused as intermittent or undecided.
	Warning Standing = "warns"
	// Known findings are known violations.
	Known Standing = "known"
)

// Standing returns what the finding means for the run.
func (v *View) Standing(f Finding) Standing {
	switch {
	case f.Cause == nil:
		return Known
	case v.Fails(*f.Cause):
		return Failing
	}
	return Warning
}

// Findings returns the findings of the run by id: first those that lead a cause, those that fail the run before warnings; then the others, by
// cause; then known violations. A finding with several causes belongs to the first.
func (v *View) Findings() []Finding {
	g := findingGroups{view: v, at: map[string]int{}, scenarios: map[string]*record.Scenario{}}
	for i := range v.Record.Scenarios {
		if sc := &v.Record.Scenarios[i]; g.scenarios[sc.ID] == nil {
			g.scenarios[sc.ID] = sc
		}
	}
	var causes []*verdict.Cause
	for _, fails := range []bool{true, false} {
		for i := range v.Result.Causes {
			if c := &v.Result.Causes[i]; v.Fails(*c) == fails {
				causes = append(causes, c)
			}
		}
	}
	for _, c := range causes {
		if i, first := g.group(c.Lead); first {
			one := &g.all[i]
			one.Scenario, one.Cause, one.Leads, one.Rerun = g.scenarios[c.Scenario], c, true, c.Rerun
		}
	}
	for _, c := range causes {
		for _, shown := range c.Showing {
			for _, f := range shown.Findings {
				g.countFinding(f, c, g.scenarios[shown.Scenario])
			}
		}
	}
	if len(v.Record.Deviations) == 0 {
		return g.all
	}
	for i := range v.Record.Scenarios {
		sc := &v.Record.Scenarios[i]
		for _, f := range v.Sort(sc).Known {
			g.countFinding(f, nil, sc)
		}
	}
	return g.all
}

// findingGroups groups findings by id.
type findingGroups struct {
	view      *View
	all       []Finding
	at        map[string]int
	scenarios map[string]*record.Scenario
}

// group returns the index of the group of a finding; first reports whether it was made for it.
func (g *findingGroups) group(f spec.Finding) (at int, first bool) {
	id := f.ID()
	at, known := g.at[id]
	if !known {
		at = len(g.all)
		g.at[id] = at
		g.all = append(g.all, Finding{ID: id, Example: f})
	}
	return at, !known
}

// countFinding counts a finding of a scenario, which is nil if the record lacks it.
func (g *findingGroups) countFinding(f spec.Finding, c *verdict.Cause, sc *record.Scenario) {
	at, first := g.group(f)
	one := &g.all[at]
	one.Count++
	if first {
		one.Cause, one.Scenario = c, sc
		if sc != nil {
			one.Rerun = g.view.RerunOf(sc, f)
		}
	}
}

// WithID returns the findings whose ids begin with a text, which is what a person types of an id.
func WithID(all []Finding, start string) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool { return !strings.HasPrefix(f.ID, start) })
}
