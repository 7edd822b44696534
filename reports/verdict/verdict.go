package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// Verdict is the verdict on a rule or on a whole run.
type Verdict string

// The verdicts of a rule. A run can be Violated as well.
const (
	Conforms Verdict = "conforms"
	Violated Verdict = "violated"
	// Warned: a should rule is broken.
	Warned Verdict = "warned"
	// Observed: an open rule was exercised, and the service's own choice is on record.
	Observed Verdict = "observed"
	// Deviates: the rule is broken, but only by known violations; see DeviationVerdict.
	Deviates Verdict = "deviates"
	// Intermittent: the rule was broken at first, but not when repeated, and the run only warns about that.
	Intermittent Verdict = "intermittent"
	// Doubtful: the rule was found broken, but the second judge disagrees with all findings.
	Doubtful Verdict = "undecided"
	// NotExercised and NotApplicable always come with a reason.
	NotExercised  Verdict = "not exercised"
	NotApplicable Verdict = "not applicable"
	// Untestable rules cannot be tested from outside; they do not count as missing.
	Untestable Verdict = "untestable"
)

// The verdicts of a run, besides Violated.
const (
	Conformant Verdict = "conformant"
	// Excepted: conformant, except for known violations.
	Excepted Verdict = "conformant-with-deviations"
	// Outdated: nothing else is violated, but known violations no longer match what is found, or have expired.
	Outdated Verdict = "deviations-outdated"
	// Partial: nothing is violated, but not everything that must hold was exercised.
	Partial Verdict = "partial"
	// Inconclusive: the run says nothing about the target.
	Inconclusive Verdict = "inconclusive"
)

// Result holds what follows from a record: the verdicts, the causes behind the findings, and the exit code.
type Result struct {
	Verdict Verdict `json:"verdict"`
	// Because is the reason for the verdict as a phrase: "2 must rules are violated".
	Because  string `json:"because"`
	ExitCode int    `json:"exitCode"`
	// Failures lists failures of the harness itself. A run with any of them proves nothing.
	Failures []string `json:"failures,omitempty"`
	// Rules holds one verdict for each rule of the catalogue, in order.
	Rules []RuleVerdict `json:"rules"`
	// Proof says whether the record's proof applies to this run, or is nil if there is no proof.
	Proof *ProofStanding `json:"proof,omitempty"`
	// Causes holds the defects behind the findings, the most important first.
	Causes []Cause `json:"causes"`
	// Deviations holds the states of the known violations after the run. The findings they cover are in no cause.
	Deviations []DeviationVerdict `json:"deviations,omitempty"`
	// Sentences says what was judged of the sentences of the document, or is nil if it has none that state behaviour.
	Sentences *Sentences `json:"sentences,omitempty"`
	// Unreached lists the operations that were to be called and never succeeded, Called the number to be called. Both are empty if the
	// suite is not derived from a contract.
	Unreached []Unreached `json:"-"`
	Called    int         `json:"-"`
}

// RuleVerdict is the verdict of one rule.
type RuleVerdict struct {
	Rule    string     `json:"rule"`
	Level   spec.Level `json:"level"`
	Verdict Verdict    `json:"verdict"`
	// Reason says why a rule was not exercised, does not apply, cannot be tested, or is intermittent.
	Reason string `json:"reason,omitempty"`
	// Root is Reason without the number of scenarios affected.
	Root string `json:"-"`
	// Exercised is how often the rule was judged, Findings how often it was found broken. A rule that was judged and never found broken
	// still counts as not exercised if some of its scenarios could not be run or some of its responses could not be judged.
	Exercised int `json:"exercised"`
	Findings  int `json:"findings,omitempty"`
	// Known is the number of findings covered by known violations. They are not in Findings.
	Known int `json:"known,omitempty"`
	// Intermittent is the number of findings whose causes are excused as intermittent. They are not in Findings.
	Intermittent int `json:"intermittent,omitempty"`
	// Undecided is the number of findings whose causes the second judge doubts. They are not in Findings.
	Undecided int `json:"undecided,omitempty"`
}

// Draw draws the verdicts from a record. It is pure: the same record and rules always give the same result.
func Draw(rec *record.Record, rules []spec.Rule) Result {
	b := NewIndex(rules)
	res := Result{Failures: failures(rec, b)}
	res.Causes = causes(rec, b)
	seen, succeeded := tallyRules(rec, &res, rules), succeeding(rec, rules)
	res.Rules = make([]RuleVerdict, 0, len(rules))
	for _, r := range rules {
		res.Rules = append(res.Rules, judgeRule(r, rec, seen[r.ID], succeeded))
	}
	res.Deviations = judgeDeviations(rec, &res)
	res.Sentences = sentences(rec, &res)
	s := stand(rec, &res, rules)
	res.Verdict, res.Because = judgeRun(rec, &res, s)
	res.ExitCode = exitCode(rec, s)
	res.Proof = standProof(rec, &res)
	return res
}

// Count returns the number of rules of a level with a verdict; an empty level means all levels.
func (r *Result) Count(v Verdict, level spec.Level) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.Verdict == v && (level == "" || rule.Level == level) {
			n++
		}
	}
	return n
}

// ruleTally holds what a record says about one rule.
type ruleTally struct {
	findings     int
	known        int // findings covered by a known violation
	intermittent int // findings whose causes are excused
	undecided    int // findings whose causes the second judge doubts
	observations int
	// inapplicable is the number of scenarios that lacked a credential besides those that the operation needs.
	inapplicable int
	// judged is the number of scenarios that ran to where the rule is judged, stopped the number of those that another defect ended before
	// that.
	judged, stopped, errored int
	skipped                  map[string]int
	// asked is the number of scenarios that name the rule. unasked counts, by reason, those that data, a limit or a lost connection kept
	// from finishing. A rule that holds for every response is judged by all scenarios, so for such a rule only scenarios count that name it
	// first.
	asked   int
	unasked map[string]int
	// holes lists the responses that could not be judged, which leaves the rule undecided.
	holes []*record.Unjudged
}

func tallyRules(rec *record.Record, res *Result, rules []spec.Rule) map[string]*ruleTally {
	always := map[string]bool{}
	for _, r := range rules {
		always[r.ID] = r.Always
	}
	tallies := map[string]*ruleTally{}
	of := func(id string) *ruleTally {
		t := tallies[id]
		if t == nil {
			t = &ruleTally{skipped: map[string]int{}, unasked: map[string]int{}}
			tallies[id] = t
		}
		return t
	}
	k := NewKnown(rec)
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		for _, f := range s.Findings {
			if k.Covers(f) {
				of(f.Rule).known++
			} else {
				of(f.Rule).findings++
			}
		}
		for _, o := range s.Observations {
			of(o.Rule).observations++
		}
		for _, id := range s.Rules {
			t := of(id)
			if (id == s.Rules[0] || !always[id]) && (s.Outcome != record.Skipped || !s.Excused) {
				t.asked++
				if s.Outcome == record.Skipped || s.Outcome == record.Errored {
					t.unasked[s.Reason]++
				}
			}
			switch s.Outcome {
			case record.Skipped:
				of(id).skipped[s.Reason]++
				if s.Inapplicable {
					of(id).inapplicable++
				}
			case record.Errored:
				of(id).errored++
			case record.Failed:
				// A step that never ran may have been the one that judges.
				if anyStep(s, record.Skipped) {
					of(id).stopped++
				} else {
					of(id).judged++
				}
			default:
				of(id).judged++
			}
		}
	}
	for i := range rec.Unjudged {
		for _, rule := range rec.Unjudged[i].Rules {
			of(rule).holes = append(of(rule).holes, &rec.Unjudged[i])
		}
	}
	for i := range res.Causes {
		if !res.Causes[i].Excused && !res.Causes[i].Undecided {
			continue
		}
		for _, shown := range res.Causes[i].Showing {
			for _, f := range shown.Findings {
				t, undecided := of(f.Rule), res.Causes[i].Undecided
				switch o := opinionOf(rec, &f); {
				case undecided && o != nil && o.Doubts():
					t.findings--
					t.undecided++
				case !undecided:
					t.findings--
					t.intermittent++
				}
			}
		}
	}
	return tallies
}

func anyStep(s *record.Scenario, o record.Outcome) bool {
	for _, step := range s.Steps {
		if step.Outcome == o {
			return true
		}
	}
	return false
}

func judgeRule(r spec.Rule, rec *record.Record, t *ruleTally, succeeded map[string]bool) RuleVerdict {
	if t == nil {
		t = &ruleTally{}
	}
	v := RuleVerdict{Rule: r.ID, Level: r.Level, Exercised: rec.Exercised[r.ID], Findings: t.findings, Known: t.known, Intermittent: t.intermittent, Undecided: t.undecided}
	reason, out := rec.NotApplicable[r.ID]
	switch {
	case r.Untestable != "":
		v.Verdict, v.Reason = Untestable, r.Untestable
	case out:
		v.Verdict, v.Reason = NotApplicable, reason
	case r.Level == spec.Open && t.observations > 0:
		v.Verdict, v.Exercised = Observed, max(v.Exercised, t.observations)
	case r.Level == spec.Open && v.Exercised+t.judged > 0:
		v.Verdict, v.Reason = NotExercised, "its scenario ran, but no response was received that could be recorded"
	case r.Level == spec.Open:
		v.Verdict, v.Reason = NotExercised, missed(r, rec, t)
	case t.findings > 0:
		v.Verdict, v.Exercised = Violated, max(v.Exercised, t.findings)
		if r.Level == spec.Should {
			v.Verdict = Warned
		}
	case t.undecided > 0:
		v.Verdict, v.Exercised = Doubtful, max(v.Exercised, t.undecided)
		v.Reason = "it was found broken, but the second judge disagrees"
	case t.intermittent > 0:
		v.Verdict, v.Exercised = Intermittent, max(v.Exercised, t.intermittent)
		v.Reason = "it was found broken, but no repetition showed it again"
	case t.known > 0:
		v.Verdict, v.Exercised = Deviates, max(v.Exercised, t.known)
	case len(t.holes) > 0:
		v.Verdict, v.Reason = NotExercised, notJudged(t.holes)
	case v.Exercised > 0 && len(t.unasked) > 0:
		v.Verdict, v.Reason, v.Root = NotExercised, unfinished(t), commonest(t.unasked)
	case v.Exercised > 0:
		v.Verdict = Conforms
	case cannotShow(r, rec, t, succeeded):
		v.Verdict, v.Reason = NotApplicable, "no response was received that it is about, and the contract requires none"
		if t.inapplicable > 0 {
			v.Reason = commonest(t.skipped)
		}
	default:
		v.Verdict, v.Reason = NotExercised, missed(r, rec, t)
	}
	v.Root = cmp.Or(v.Root, v.Reason)
	return v
}

// cannotShow reports whether a rule that was not exercised could not be, although its operations succeeded in a whole run: it is about
// responses that no service has to give, or only a credential that the run need not have could show it.
func cannotShow(r spec.Rule, rec *record.Record, t *ruleTally, succeeded map[string]bool) bool {
	if !rec.Complete || rec.Filtered() || rec.Traffic != nil || rec.Lost != "" || len(r.Operations) == 0 {
		return false
	}
	if slices.ContainsFunc(r.Operations, func(op string) bool { return !succeeded[op] }) || t.stopped+t.errored > 0 {
		return false
	}
	skipped := 0
	for _, n := range t.skipped {
		skipped += n
	}
	return r.Conditional && r.Always && t.judged+skipped == 0 || t.inapplicable > 0 && t.inapplicable == skipped && t.judged == 0
}

// missed says why a rule was not exercised.
func missed(r spec.Rule, rec *record.Record, t *ruleTally) string {
	switch {
	case len(t.skipped) > 0:
		return commonest(t.skipped)
	case t.stopped > 0:
		return "its scenario was stopped by another defect before it was judged"
	case t.errored > 0:
		return "its scenario ended in an error"
	case t.judged > 0:
		return "its scenario ran, but no response was received that could be judged"
	case !rec.Complete:
		return "the run ended before it"
	case rec.Traffic != nil && !r.Always:
		return "traffic does not show it: hallmark run makes the requests that test it"
	case r.Always && !rec.Filtered():
		return "no matching response was received"
	case r.Level == spec.Open && !rec.Filtered():
		return Unseen
	case !rec.Filtered():
		return "nothing that was seen could have broken it"
	}
	if rec.Options.Quick {
		return NotSelected + " (--quick)"
	}
	return NotSelected
}

// unfinished says why a rule was exercised only in part: the missing part may be the one that breaks it.
func unfinished(t *ruleTally) string {
	n := 0
	for _, times := range t.unasked {
		n += times
	}
	switch {
	case t.asked == 1:
		return "its only scenario could not be run to the end: " + commonest(t.unasked)
	case n == t.asked:
		return "none of its " + text.Count(n, "scenario") + " could be run to the end: " + commonest(t.unasked)
	}
	return text.Number(n) + " of its " + text.Count(t.asked, "scenario") + " could not be run to the end: " + commonest(t.unasked)
}

// notJudged describes the gap that leaves a rule undecided: the one that affects most responses.
func notJudged(holes []*record.Unjudged) string {
	worst := slices.MaxFunc(holes, func(x, y *record.Unjudged) int { return cmp.Compare(x.Values, y.Values) })
	reason := "the responses could not be judged, because of the contract at " + worst.Words()
	if n := len(holes) - 1; n > 0 {
		reason += " (and " + text.Count(n, "more place") + ")"
	}
	return reason
}

// Unseen is the reason of open rules that were checked in every response without anything to note, which also shows the target's choice.
const Unseen = "nothing of the kind was seen"

// NotSelected is the reason of rules for which no scenario was selected.
const NotSelected = "none of its scenarios was selected"

// commonest returns the most frequent reason, the first alphabetically among equals, so that reports are stable.
func commonest(reasons map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(reasons), func(x, y string) int {
		return cmp.Or(cmp.Compare(reasons[y], reasons[x]), cmp.Compare(x, y))
	})
	if keys[0] == "" {
		return "its scenario was skipped without a reason"
	}
	return keys[0]
}

// failures lists what went wrong in the harness itself. Findings about rules that cannot be blamed on a service belong here: they are
// defects of the harness.
func failures(rec *record.Record, b *Index) []string {
	var all []string
	said := map[string]bool{}
	say := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !said[line] {
			said[line] = true
			all = append(all, line)
		}
	}
	if rec.Failure != "" {
		say("%s", rec.Failure)
	}
	for i := range rec.Scenarios {
		s := &rec.Scenarios[i]
		if s.Outcome == record.Failed && len(s.Findings) == 0 {
			say("%s failed without a finding (%s); a failure has to name the rule it breaks", s.ID, cmp.Or(s.Reason, "no reason given"))
		}
		for _, f := range s.Findings {
			if why := Blameless(f.Rule, rec, b); why != "" {
				say("%s reports a finding on %s, %s", s.ID, f.Rule, why)
			}
		}
	}
	return all
}

// Blameless says why a rule may have no findings, or is empty for rules that can be broken.
func Blameless(id string, rec *record.Record, b *Index) string {
	r, known := b.Rule(id)
	reason, out := rec.NotApplicable[id]
	switch {
	case !known:
		return "a rule that the catalogue does not have"
	case r.Level == spec.Open:
		return "an open rule, which cannot be broken"
	case r.Untestable != "":
		return "a rule that cannot be tested from outside"
	case out:
		return "a rule that does not apply here: " + reason
	}
	return ""
}

// Split separates the causes that make the run fail from those that are only warnings.
func (r *Result) Split(rec *record.Record) (failing, warning []Cause) {
	for _, c := range r.Causes {
		if c.Fails(rec) {
			failing = append(failing, c)
		} else {
			warning = append(warning, c)
		}
	}
	return failing, warning
}
