package verdict

import (
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Failed holds what failed in a run, for running it again.
type Failed struct {
	// Scenarios holds the ids of the scenarios that failed or could not be judged. Rules holds the ids of the rules they exercise and of
	// the rules found broken.
	Scenarios, Rules map[string]bool
	// Ended holds the ids of all scenarios that ran to their end. Early reports whether the run stopped early.
	Ended map[string]bool
	Early bool
}

// FailedIn returns what failed in a run. Known violations are not failures; broken should rules count only under --strict.
func FailedIn(rec *record.Record, rules []spec.Rule) Failed {
	f := Failed{Scenarios: map[string]bool{}, Rules: map[string]bool{}, Ended: map[string]bool{}, Early: !rec.Complete}
	b, k := NewIndex(rules), NewKnown(rec)
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		f.Ended[s.ID] = s.Outcome != record.Errored && (rec.Complete || s.Outcome != record.Skipped)
		broken := s.Outcome == record.Errored
		for _, finding := range s.Findings {
			r, _ := b.Rule(finding.Rule)
			if k.Covers(finding) || r.Level == spec.Should && !rec.Options.Strict {
				continue
			}
			broken = true
			f.Rules[finding.Rule] = true
		}
		if broken {
			f.Scenarios[s.ID] = true
			for _, rule := range s.Rules {
				f.Rules[rule] = true
			}
		}
	}
	return f
}
