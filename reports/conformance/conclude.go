package conformance

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// conclude derives the result and its reason from the rest of the report. It requires more than the verdict of a run does: only the
// whole unaltered suite, run with writes, can show conformance.
func (r *Report) conclude() (verdict.Verdict, string) {
	bound, because := r.bound()
	run := r.Run.Verdict
	if good(bound) && (!good(run) || run == verdict.Excepted) || bound == verdict.Partial && run == verdict.Inconclusive {
		bound = run // it knows more than the lists
	}
	if bound == r.Run.Verdict || because == "" {
		return bound, r.Run.Because
	}
	return bound, because
}

func good(v verdict.Verdict) bool { return v == verdict.Conformant || v == verdict.Excepted }

// bound returns the best result that the lists and the mode permit, and what prevents a better one.
func (r *Report) bound() (verdict.Verdict, string) {
	rules, must := r.Summary.Rules, r.Summary.Must
	part := r.part()
	switch {
	case len(r.Run.Failures) > 0:
		return verdict.Inconclusive, "hallmark itself failed"
	case rules.Violated > 0:
		return verdict.Violated, text.Count(rules.Violated, "rule") + " violated"
	case r.Mode.Strict && rules.Warned > 0:
		return verdict.Violated, text.Count(rules.Warned, "should rule") + " violated (--strict)"
	case r.Summary.Scenarios.Errors > 0:
		return verdict.Inconclusive, text.Count(r.Summary.Scenarios.Errors, "scenario") + " ended in an error"
	case r.Run.Lost != "":
		return verdict.Inconclusive, "the target was lost"
	case rules.Conforms+rules.Warned+rules.Undecided+rules.Intermittent+rules.Deviates+rules.Observed == 0:
		return verdict.Inconclusive, "no rule was exercised"
	case slices.ContainsFunc(r.Deviations, func(d Deviation) bool { return d.Fails }):
		return verdict.Outdated, "known violations no longer hold"
	case part != "":
		return verdict.Partial, part
	case must.NotExercised > 0:
		return verdict.Partial, text.Count(must.NotExercised, "must rule") + " not exercised"
	case rules.Undecided > 0:
		return verdict.Partial, text.Count(rules.Undecided, "rule") + " undecided, because the second judge disagrees"
	case rules.Intermittent > 0:
		return verdict.Partial, text.Count(rules.Intermittent, "rule") + " broken, but not when repeated"
	case rules.Deviates > 0, slices.ContainsFunc(r.Deviations, func(d Deviation) bool { return d.State == verdict.Deviating }):
		return verdict.Excepted, ""
	}
	return verdict.Conformant, ""
}

// part describes why the run covered less than the whole suite, or returns "".
func (r *Report) part() string {
	switch {
	case !r.Run.Complete, r.Run.Stopped != "":
		return "the run ended early"
	case !r.Mode.Whole:
		return "only a part of the suite was run"
	case r.Mode.ReadOnly:
		return "the run was read-only"
	case len(r.Suite.Foreign) > 0:
		return "the suite's " + strings.Join(r.Suite.Foreign, " and ") + " " + isAre(r.Suite.Foreign) + " not hallmark's own"
	}
	return ""
}

// isAre returns the verb for a list of words; "features" alone is plural.
func isAre(words []string) string {
	if len(words) == 1 && words[0] != "features" {
		return "is"
	}
	return "are"
}

// conclude derives the result of an area.
func (a *Area) conclude(strict bool) verdict.Verdict {
	switch rules := a.Rules; {
	case rules.Violated > 0, strict && rules.Warned > 0:
		return verdict.Violated
	case rules.Conforms+rules.Warned+rules.Undecided+rules.Intermittent+rules.Deviates+rules.Observed == 0 && rules.NotExercised > 0:
		return verdict.NotExercised
	case a.Must.NotExercised > 0, rules.Undecided > 0, rules.Intermittent > 0:
		return verdict.Partial
	case rules.Deviates > 0:
		return verdict.Excepted
	case rules.Total == rules.NotApplicable+rules.Untestable:
		return verdict.NotApplicable
	}
	return verdict.Conformant
}

// tally counts the lists of an area.
func (a *Area) tally() (Rules, Must) {
	rules := Rules{
		Conforms: len(a.Conforms.Must) + len(a.Conforms.Should) + len(a.Conforms.Inferred), Observed: len(a.Observed),
		NotExercised: len(a.NotExercised), NotApplicable: len(a.NotApplicable), Untestable: len(a.Untestable),
	}
	must := Must{Conforms: len(a.Conforms.Must)}
	for _, f := range a.Failed {
		isMust := f.Level == spec.Must
		switch f.Verdict {
		case verdict.Violated:
			rules.Violated++
			must.Violated += one(isMust)
		case verdict.Warned:
			rules.Warned++
		case verdict.Doubtful:
			rules.Undecided++
			must.Undecided += one(isMust)
		case verdict.Intermittent:
			rules.Intermittent++
			must.Intermittent += one(isMust)
		default:
			rules.Deviates++
			must.Deviates += one(isMust)
		}
	}
	for _, l := range a.NotExercised {
		must.NotExercised += one(l.Level == spec.Must)
	}
	rules.Total = rules.Conforms + len(a.Failed) + rules.Observed + rules.NotExercised + rules.NotApplicable + rules.Untestable
	must.Total = must.Conforms + must.Violated + must.Undecided + must.Intermittent + must.Deviates + must.NotExercised
	return rules, must
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// sum adds the areas up.
func (r *Report) sum() Summary {
	var s Summary
	for i := range r.Areas {
		a := &r.Areas[i]
		for _, p := range []struct {
			to *int
			n  int
		}{
			{&s.Rules.Total, a.Rules.Total}, {&s.Rules.Conforms, a.Rules.Conforms}, {&s.Rules.Violated, a.Rules.Violated},
			{&s.Rules.Warned, a.Rules.Warned}, {&s.Rules.Deviates, a.Rules.Deviates}, {&s.Rules.Undecided, a.Rules.Undecided}, {&s.Rules.Intermittent, a.Rules.Intermittent}, {&s.Rules.Observed, a.Rules.Observed},
			{&s.Rules.NotExercised, a.Rules.NotExercised}, {&s.Rules.NotApplicable, a.Rules.NotApplicable},
			{&s.Rules.Untestable, a.Rules.Untestable},
			{&s.Must.Total, a.Must.Total}, {&s.Must.Conforms, a.Must.Conforms}, {&s.Must.Violated, a.Must.Violated},
			{&s.Must.Deviates, a.Must.Deviates}, {&s.Must.Undecided, a.Must.Undecided}, {&s.Must.Intermittent, a.Must.Intermittent}, {&s.Must.NotExercised, a.Must.NotExercised},
			{&s.Scenarios.Total, a.Scenarios.Total}, {&s.Scenarios.Passed, a.Scenarios.Passed},
			{&s.Scenarios.Failed, a.Scenarios.Failed}, {&s.Scenarios.Skipped, a.Scenarios.Skipped},
			{&s.Scenarios.Errors, a.Scenarios.Errors},
		} {
			*p.to += p.n
		}
	}
	return s
}

// caveats returns what else a reader of the result must know.
func (r *Report) caveats() []string {
	var all []string
	say := func(is bool, text string) {
		if is {
			all = append(all, text)
		}
	}
	say(r.Implementation.Organization == "" && r.Implementation.Project == "", "The implementation is not named.")
	say(r.Mode.Insecure, "The certificate of the target was not checked (--insecure).")
	say(len(r.Suite.Foreign) > 0, "The suite is not hallmark's own: its "+strings.Join(r.Suite.Foreign, " and ")+" "+differ(r.Suite.Foreign)+".")
	say(r.Mode.ReadOnly, "Nothing was created (--read-only), so less could be tested.")
	say(r.Mode.Now != "", "Removal dates were judged as of "+r.Mode.Now+".")
	say(r.Summary.Rules.Warned > 0, "Should rules are broken: "+strconv.Itoa(r.Summary.Rules.Warned)+".")
	say(r.Summary.Rules.Undecided > 0, "Rules were found broken, and the second judge differs: "+strconv.Itoa(r.Summary.Rules.Undecided)+".")
	say(r.Summary.Rules.Intermittent > 0, "Rules were broken, but not when their scenarios were repeated: "+strconv.Itoa(r.Summary.Rules.Intermittent)+".")
	say(len(r.Deviations) > 0, "Known violations were taken into account: "+strconv.Itoa(len(r.Deviations))+".")
	say(r.Proof != nil && !r.Proof.Holds && r.Proof.Because != "", "The proof figures do not hold for this run: "+because(r.Proof)+".")
	say(r.Proof == nil, "It is not known what this suite can detect.")
	return all
}

func because(p *ProofSummary) string {
	if p == nil {
		return ""
	}
	return p.Because
}

func differ(words []string) string {
	if len(words) == 1 && words[0] != "features" {
		return "differs"
	}
	return "differ"
}
