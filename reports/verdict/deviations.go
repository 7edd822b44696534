package verdict

import (
	"slices"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// State is the state of a known violation after a run.
type State string

// The states. Expired, Fixed and Changed make a run fail, because the file is out of date.
const (
	// Deviating: it covers findings.
	Deviating State = "deviating"
	// Expired: its last day has passed.
	Expired State = "expired"
	// Fixed: its rule was exercised, and nothing was found.
	Fixed State = "fixed"
	// Changed: its rule is broken, but in another way.
	Changed State = "changed"
	// Undecided: the run did not exercise enough to decide.
	Undecided State = "undecided"
)

// DeviationVerdict is the state of one known violation after a run.
type DeviationVerdict struct {
	record.Deviation
	State State `json:"state"`
	// Says describes the state in a sentence and says what to do.
	Says string `json:"says"`
	// Findings is the number of covered findings, Scenarios the scenarios that produced them.
	Findings  int      `json:"findings,omitempty"`
	Scenarios []string `json:"scenarios,omitempty"`
	// Fails reports whether this state makes the run fail.
	Fails bool `json:"fails,omitempty"`
}

// moment returns the day on which a record's deviations are judged.
func moment(rec *record.Record) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, rec.Options.Now); err == nil {
			return t
		}
	}
	return rec.Started
}

// Known finds the deviation that covers a finding.
type Known struct {
	by map[string][]record.Deviation // by rule; only those in force
}

// NewKnown indexes the deviations that are in force at the time of a record.
func NewKnown(rec *record.Record) Known {
	k := Known{map[string][]record.Deviation{}}
	for _, d := range rec.Deviations {
		if !d.Over(moment(rec)) {
			k.by[d.Rule] = append(k.by[d.Rule], d)
		}
	}
	return k
}

// Find returns the deviation in force that covers f.
func (k Known) Find(f spec.Finding) (record.Deviation, bool) {
	for _, d := range k.by[f.Rule] {
		if d.Covers(f) {
			return d, true
		}
	}
	return record.Deviation{}, false
}

// Covers reports whether a deviation in force covers f.
func (k Known) Covers(f spec.Finding) bool {
	_, covered := k.Find(f)
	return covered
}

// Covers returns a function that reports whether one of the deviations covers a finding on the day of now.
func Covers(all []record.Deviation, now time.Time) func(spec.Finding) bool {
	return NewKnown(&record.Record{Deviations: all, Started: now}).Covers
}

// judgeDeviations determines the state of each known violation after the rules are judged.
func judgeDeviations(rec *record.Record, res *Result) []DeviationVerdict {
	if len(rec.Deviations) == 0 {
		return nil
	}
	rules := map[string]RuleVerdict{}
	for _, r := range res.Rules {
		rules[r.Rule] = r
	}
	var all []DeviationVerdict
	for _, d := range rec.Deviations {
		all = append(all, judgeDeviation(d, rec, rules[d.Rule]))
	}
	return all
}

func judgeDeviation(d record.Deviation, rec *record.Record, rule RuleVerdict) DeviationVerdict {
	v := DeviationVerdict{Deviation: d}
	other := "" // the message of an uncovered finding
	k := NewKnown(rec)
	for i := range rec.Scenarios {
		for _, f := range rec.Scenarios[i].Findings {
			switch {
			case d.Covers(f):
				v.Findings++
				if id := rec.Scenarios[i].ID; !slices.Contains(v.Scenarios, id) {
					v.Scenarios = append(v.Scenarios, id)
				}
			case f.Rule == d.Rule && other == "" && !k.Covers(f):
				other = record.Message(f)
			}
		}
	}
	slices.SortFunc(v.Scenarios, record.ScenarioOrder)
	part := rec.Filtered() || !rec.Complete || rec.Traffic != nil
	switch {
	case rule.Verdict == NotApplicable:
		v.State, v.Says = Undecided, "the rule does not apply: "+rule.Reason
	case d.Over(moment(rec)) && v.Findings > 0:
		v.State, v.Fails = Expired, true
		v.Says = "it expired on " + d.Expires + " and is still found: fix the service, or agree on another date"
	case d.Over(moment(rec)) && part:
		v.State, v.Says = Expired, "it was valid until "+d.Expires+"; this partial run did not find it"
	case d.Over(moment(rec)):
		v.State, v.Fails = Expired, true
		v.Says = "it was valid until " + d.Expires + " and was not found again: remove the entry"
	case v.Findings > 0:
		v.State = Deviating
		v.Says = "known until " + d.Expires + ": " + d.Reason
	case other != "":
		v.State, v.Fails = Changed, true
		v.Says = "the rule is broken in a different way: " + other
	case wholly(d.Rule, rec, rule):
		v.State, v.Fails = Fixed, true
		v.Says = "the rule was exercised and no such violation was found: it is fixed, so remove the entry"
	default:
		v.State = Undecided
		v.Says = "undecided: this run did not test everything that may show it"
	}
	return v
}

// wholly reports whether a run exercised everything that could show that a rule is broken. Any scenario may reveal a violation of any rule,
// so a partial run never does.
func wholly(rule string, rec *record.Record, v RuleVerdict) bool {
	if rec.Filtered() || !rec.Complete || rec.Traffic != nil || rec.Lost != "" || v.Exercised == 0 {
		return false
	}
	named := false
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		if !slices.Contains(s.Rules, rule) {
			continue
		}
		named = true
		if s.Outcome == record.Skipped || s.Outcome == record.Errored || s.Outcome == record.Failed && anyStep(s, record.Skipped) {
			return false
		}
	}
	// A rule that shows only in responses needs all of them.
	return named || !rec.Target.ReadOnly
}

// outdated returns the number of deviations that make a run fail.
func (r *Result) outdated() int {
	n := 0
	for _, d := range r.Deviations {
		if d.Fails {
			n++
		}
	}
	return n
}

// deviating returns the number of deviations that cover a finding.
func (r *Result) deviating() int {
	n := 0
	for _, d := range r.Deviations {
		if d.State == Deviating {
			n++
		}
	}
	return n
}
