package replay

import (
	"fmt"
	"slices"

	"github.com/hallmark-kit/hallmark/reports/verdict"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/bundle"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/view"
	"github.com/hallmark-kit/hallmark/spec"
)

// State says whether and how a failure still occurs.
type State string

// The states of a failure.
const (
	StillFails       State = "still fails"
	FailsDifferently State = "fails differently"
	NoLongerFails    State = "no longer fails"
	Inconclusive     State = "inconclusive"
)

// Result is the result of running a failure again.
type Result struct {
	bundle.Failure
	// State is empty until it is known.
	State State
	// Because is what was found, or why the failure is undecided.
	Because string
	// tries is the number of runs that exercised the rule.
	tries int
}

// search looks for the failure in a record of its scenarios.
func (r *Result) search(rec *record.Record, catalogue *spec.Catalogue) {
	v := view.New(rec, view.Sources{Catalogue: catalogue})
	if harness := v.Result.Failures; len(harness) > 0 {
		r.State, r.Because = Inconclusive, "hallmark itself failed: "+text.Visible(harness[0])
		return
	}
	ran, other, why := false, "", ""
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		found := v.Sort(sc)
		for _, f := range slices.Concat(found.Failing, found.Warning) {
			if slices.Contains(r.Broken, f.Rule) {
				r.tries++
				r.State, r.Because = StillFails, f.Rule+": "+record.Message(f)
				return
			}
		}
		if other == "" && len(found.Failing) > 0 && slices.Contains(r.Scenarios, sc.ID) {
			other = view.Headline(found.Failing)
		}
		if sc.ID != r.Scenarios[0] {
			continue // the others only help to find it
		}
		switch {
		case len(found.Failing) > 0, sc.Outcome == record.Passed:
			ran = true
		default:
			why = text.Visible(sc.Reason)
		}
	}
	switch {
	case other != "":
		r.tries++
		r.State, r.Because = FailsDifferently, other
	case ran && v.Verdict(r.Broken[0]).Verdict == verdict.Conforms:
		r.tries++
	case ran:
		r.State, r.Because = Inconclusive, r.Broken[0]+" was not exercised: "+text.Visible(v.Verdict(r.Broken[0]).Reason)
	case rec.Lost == "" && r.tries == 0: // otherwise an earlier attempt counts, which may have changed the stored data
		r.State, r.Because = Inconclusive, why
		if why == "" {
			r.Because = "its scenarios were not run"
		}
	}
}

// conclude explains a failure that did not occur.
func (r *Result) conclude() {
	switch c := r.Confirmation; {
	case c != nil && c.Intermittent():
		r.State = Inconclusive
		r.Because = fmt.Sprintf("tried %s, it did not show; but it was intermittent when it was found: it showed again in %d of %d", text.Count(r.tries, "time"), c.Shown, c.Tries)
	case c != nil && c.Tries > 0:
		r.State = NoLongerFails
		r.Because = fmt.Sprintf("tried %s, it did not show; when it was found, it showed again in %d of %s", text.Count(r.tries, "time"), c.Shown, text.Count(c.Tries, "repetition"))
	default:
		r.State = Inconclusive
		r.Because = "tried " + text.Count(r.tries, "time") + ", it did not show; but it was never seen on its own, so run the whole suite"
	}
}
