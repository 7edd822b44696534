package history

import (
	"time"
	"unique"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// Run is what is kept of a record. Its texts are visible and short.
type Run struct {
	// File is the file that the record was read from, ID the id of the run, which a record and a journal of it share.
	File, ID string
	Started  time.Time
	// Took is how long the run took; 0 if that is not known.
	Took time.Duration
	// Digest is the digest of the contract, Contract its file, and Target the address that was judged.
	Digest, Contract, Target string
	Hallmark                 string
	Verdict                  verdict.Verdict
	// Complete reports whether the run reached its end, and Selected whether it judged only a part on request.
	Complete, Selected bool
	// Rules is the number of rules that could be judged, and Judged that of those that were.
	Rules, Judged int
	// Operations is the number of operations that were to be called, and Reached that of those that succeeded.
	Operations, Reached int
	// Causes is the number of defects found.
	Causes int

	states map[string]State
	broken map[string]Rule // the texts of the broken rules
}

// State is what a run says of a rule.
type State byte

// The states.
const (
	// Unjudged: the run says nothing of the rule.
	Unjudged State = iota
	// Kept: it was judged, and not found broken.
	Kept
	// Broken: it was found broken.
	Broken
	// Unsteady: it was found broken, but not when it was repeated.
	Unsteady
	// Accepted: it is broken by known violations only.
	Accepted
)

// isBroken reports whether the rule was found broken in any way.
func (s State) isBroken() bool { return s == Broken || s == Unsteady || s == Accepted }

// Rule is a rule as the latest run that broke it knew it.
type Rule struct {
	ID    string
	Level spec.Level
	Says  string
}

// Take returns what is kept of a record and its result. The rules are those that the record was judged by, and contract is the file of its
// contract; both may be missing.
func Take(file, contract string, rec *record.Record, res *verdict.Result, rules []spec.Rule) *Run {
	r := &Run{
		File: text.Visible(file), ID: text.Short(rec.ID), Started: rec.Started, Digest: text.Short(rec.Suite.Contract), Contract: text.Short(contract), Target: text.Short(rec.Target.BaseURL),
		Hallmark: text.Short(rec.Suite.Version), Verdict: verdict.Verdict(text.Short(string(res.Verdict))), Complete: rec.Complete && rec.Lost == "" && rec.Failure == "", Selected: rec.Filtered(),
		Operations: res.Called, Reached: max(res.Called-len(res.Unreached), 0), Causes: len(res.Causes),
		states: make(map[string]State, len(res.Rules)), broken: map[string]Rule{},
	}
	if took := rec.Ended.Sub(rec.Started); !rec.Ended.IsZero() && !rec.Started.IsZero() && took > 0 {
		r.Took = took
	}
	says := map[string]string{}
	for _, rule := range rules {
		says[rule.ID] = rule.Says
	}
	void := res.ExitCode == verdict.ExitHarness // hallmark itself failed, so nothing is known
	for _, v := range res.Rules {
		if v.Level == spec.Open || v.Verdict == verdict.Untestable || v.Verdict == verdict.NotApplicable {
			continue
		}
		r.Rules++
		state := stateOf(v.Verdict)
		if void || state == Unjudged {
			continue
		}
		r.Judged++
		id := unique.Make(text.Visible(v.Rule)).Value() // most runs have the same rules
		r.states[id] = state
		if state.isBroken() {
			r.broken[id] = Rule{ID: id, Level: spec.Level(text.Short(string(v.Level))), Says: text.Short(says[v.Rule])}
		}
	}
	return r
}

func stateOf(v verdict.Verdict) State {
	switch v {
	case verdict.Conforms:
		return Kept
	case verdict.Violated, verdict.Warned:
		return Broken
	case verdict.Intermittent:
		return Unsteady
	case verdict.Deviates:
		return Accepted
	default:
		return Unjudged
	}
}

// Coverage returns the judged share of the rules in percent.
func (r *Run) Coverage() float64 {
	if r.Rules == 0 {
		return 0
	}
	return 100 * float64(r.Judged) / float64(r.Rules)
}

// count returns the number of rules that the run found broken.
func (r *Run) count() int { return len(r.broken) }
