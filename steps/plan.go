package steps

import (
	"cmp"
	"maps"
	"slices"

	"hallmark/spec"
	"hallmark/steps/suite"
)

// Plan says what a run is going to do, before it sends anything.
type Plan struct {
	// Scenarios is how many scenarios are to be played, Writing how many of them may create something.
	Scenarios int `json:"scenarios"`
	Writing   int `json:"writing"`
	// LeftOut holds the reasons for leaving out selected scenarios, with the number of scenarios for each.
	LeftOut map[string]int `json:"leftOut,omitempty"`
	// MustRules is how many must rules the scenarios name; rules that hold for every response are not counted.
	MustRules int `json:"mustRules"`
	// Created is the maximum number of resources created.
	Created int `json:"created"`
}

// NewPlan returns the plan of a run. It returns the same error as Run if nothing is selected.
func NewPlan(cfg Config) (Plan, error) {
	c, err := cfg.Suite.Select(cfg.Selection, cfg.Catalogue, cfg.Contract)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Scenarios: len(c.Run), LeftOut: map[string]int{}}
	rules := map[string]bool{}
	for _, scenario := range c.Run {
		if !scenario.Has(suite.ReadOnly) {
			p.Writing++
		}
		for _, id := range scenario.Rules {
			if rule, known := cfg.Catalogue.Rule(id); known && rule.Level == spec.Must {
				rules[id] = true
			}
		}
	}
	for _, reason := range c.Reasons {
		p.LeftOut[reason]++
	}
	p.MustRules = len(rules)
	if p.Writing > 0 {
		p.Created = cfg.Target.MaxCreated
	}
	return p, nil
}

// Reasons returns the keys of LeftOut, most frequent first.
func (p Plan) Reasons() []string {
	return slices.SortedFunc(maps.Keys(p.LeftOut), func(x, y string) int {
		return cmp.Or(cmp.Compare(p.LeftOut[y], p.LeftOut[x]), cmp.Compare(x, y))
	})
}
