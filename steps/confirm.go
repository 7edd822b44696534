package steps

import (
	"context"
	"slices"

	"hallmark/reports"
	"hallmark/spec"
)

// maxRepeated bounds how many scenarios are repeated in a run: a service with more defects than that needs no
// second opinion on each.
const maxRepeated = 30

// confirm repeats what was found: for each cause the scenario that shows it with the simplest exchange, by itself, after
// all others. What does not show again stays a finding, and is told as one that comes and goes. Repeating creates no
// animal beyond the limit of the run, and adds no finding: what was found is confirmed or not, no more.
func (r *run) confirm(ctx context.Context, v *vocabulary) error {
	if r.Confirm < 1 {
		return nil
	}
	record := r.Recorder.Snapshot()
	causes := reports.Judge(&record, r.catalogue.Rules).Causes
	open := map[string][]*reports.Confirmation{} // by scenario
	var all []*reports.Confirmation
	for _, c := range causes {
		one := &reports.Confirmation{Scenario: c.Scenario, Rule: c.Lead.Rule}
		all = append(all, one)
		switch {
		case r.chosen.run[c.Scenario] == nil:
			one.Reason = "it was found before the first scenario"
		case len(open[c.Scenario]) == 0 && len(open) >= maxRepeated:
			one.Reason = "too much was found to repeat all of it"
		default:
			open[c.Scenario] = append(open[c.Scenario], one)
		}
	}
	done := func(ctx context.Context, err error) {
		if s := from(ctx); s != nil {
			r.confirmed(s.ended(err), s, open[s.pickle.id()])
		}
	}
	for range r.Confirm {
		if len(open) == 0 || ctx.Err() != nil {
			break
		}
		if err := r.playWhole(ctx, v, func(p *pickle) bool { return len(open[p.id()]) > 0 }, true, done); err != nil {
			return err
		}
	}
	for _, one := range all {
		if one.Tries == 0 && one.Reason == "" {
			one.Reason = "the run ended before it was repeated"
		}
		r.Recorder.AddConfirmation(*one)
	}
	return nil
}

// confirmed notes what a repeated scenario showed.
func (r *run) confirmed(again reports.Scenario, s *scenario, open []*reports.Confirmation) {
	s.recordExchanges()
	for _, one := range open {
		shown := slices.ContainsFunc(again.Findings, func(f spec.Finding) bool { return f.Rule == one.Rule })
		if !shown && (again.Outcome == reports.Skipped || again.Outcome == reports.Errored) {
			one.Reason = again.Reason // a store that is no longer empty, a limit that is reached, a lost connection
			continue
		}
		one.Tries++
		one.Exchanges = append(one.Exchanges, again.Exchanges...)
		if shown {
			one.Shown++
		}
	}
}
