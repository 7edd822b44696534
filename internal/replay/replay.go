package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Replayer runs failures again.
type Replayer struct {
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Suite     *suite.Suite
	// ReadOnly leaves out scenarios that create something.
	ReadOnly bool
	// Times is the maximum number of attempts to reproduce a failure.
	Times int64
	// Run runs scenarios with the seed and the options of an earlier run, and returns the record.
	Run func(only []string, then record.Options) (*record.Record, error)
}

// Select returns the failures that break one of the rules, or all if no rule is named.
func Select(all []bundle.Failure, rules []string) ([]bundle.Failure, error) {
	if len(rules) == 0 {
		return all, nil
	}
	var wanted []bundle.Failure
	for _, f := range all {
		if slices.ContainsFunc(f.Broken, func(rule string) bool { return slices.Contains(rules, rule) }) {
			wanted = append(wanted, f)
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("it contains no failure of %s", text.Visible(strings.Join(rules, ", ")))
	}
	return wanted, nil
}

// Find returns the failures that an id names: that of the finding as texts show it, or its beginning, that of a rule that they break, or that
// of a scenario that shows them.
func Find(all []bundle.Failure, id string) []bundle.Failure {
	var found []bundle.Failure
	for _, f := range all {
		if isFinding(f, id) || f.Rule == id || slices.Contains(f.Broken, id) || slices.Contains(f.Scenarios, id) {
			found = append(found, f)
		}
	}
	return found
}

// fewestDigits is how much of a finding's id has to be given.
const fewestDigits = 4

func isFinding(f bundle.Failure, id string) bool {
	return len(id) >= fewestDigits && strings.HasPrefix(f.Example.ID(), id)
}

// Replay runs failures again until each has a result.
func (r *Replayer) Replay(failures []bundle.Failure) ([]*Result, error) {
	all := make([]*Result, 0, len(failures))
	for _, f := range failures {
		all = append(all, &Result{Failure: f})
	}
	// Each has the seed and the options of its own run; most bundles come from one run.
	for len(undecided(all)) > 0 {
		if err := r.replayRun(undecided(all)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// replayRun decides the failures of the same run as the first one.
func (r *Replayer) replayRun(all []*Result) error {
	first := all[0].Failure
	all = slices.DeleteFunc(all, func(f *Result) bool {
		return f.Run != first.Run || f.Suite.Other(first.Suite.Contract, first.Suite.Catalogue, first.Suite.Features) != "" || f.Options.Seed != first.Options.Seed
	})
	if what := first.Suite.Other(r.Contract.Digest(), r.Catalogue.Digest(), r.Suite.Digest()); what != "" {
		why := "the run was judged by a different " + what + " from that of this hallmark; use hallmark " + text.Visible(first.Suite.Version) + ", or run the whole suite"
		if len(first.Suite.Foreign) > 0 {
			why = "the run was judged by a different " + what + "; name that of the run, which was “" + text.Visible(first.Options.Rerun) + "”, or run the whole suite"
		}
		decide(all, Inconclusive, why)
		return nil
	}
	for range r.Times {
		open := undecided(all)
		if len(open) == 0 {
			return nil
		}
		only := scenariosOf(open, r.Suite)
		selection := suite.Selection{Only: only, ReadOnly: r.ReadOnly}
		if _, _, err := r.Suite.Selected(selection, r.Catalogue, r.Contract); err != nil {
			why := "it was found before the first scenario, so no scenario shows it; run the whole suite"
			if r.ReadOnly && len(only) > 0 {
				why = "the run is read-only, and the scenarios that show it create resources"
			}
			decide(open, Inconclusive, why)
			return nil
		}
		rec, err := r.Run(only, first.Options)
		if err != nil {
			return err
		}
		for _, f := range open {
			f.search(rec, r.Catalogue)
		}
		if rec.Lost != "" {
			decide(undecided(all), Inconclusive, rec.Lost)
		}
	}
	for _, f := range undecided(all) {
		f.conclude()
	}
	return nil
}

func undecided(all []*Result) []*Result {
	return slices.DeleteFunc(slices.Clone(all), func(f *Result) bool { return f.State != "" })
}

func decide(all []*Result, state State, because string) {
	for _, f := range all {
		f.State, f.Because = state, because
	}
}

// scenariosOf returns the scenarios to run: those that showed the failures, and all about their leading rules, since the stored data has
// changed and may be too little for the former to show anything.
func scenariosOf(all []*Result, loaded *suite.Suite) []string {
	rules := map[string]bool{}
	for _, f := range all {
		rules[f.Rule], rules[f.Broken[0]] = true, true
	}
	only := loaded.Again(verdict.Failed{Rules: rules})
	for _, f := range all {
		for _, id := range f.Scenarios {
			if loaded.Has(id) && !slices.Contains(only, id) {
				only = append(only, id)
			}
		}
	}
	return only
}
