package verdict

import (
	"slices"
	"strings"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
)

// The exit codes of a run; see the documentation of hallmark run. Exit code 2, wrong usage, never comes from a record.
const (
	ExitOK         = 0
	ExitViolated   = 1
	ExitUnjudged   = 3
	ExitIncomplete = 4
	ExitHarness    = 70
)

// standing holds the numbers that decide the verdict of a run.
type standing struct {
	broken, inferred int // violated rules that the interface states, and violated rules that are inferred
	warned           int // rules
	missed, must     int // must rules that were not exercised, and all that could have been
	exercised        int // rules of any level
	errors           int // scenarios
	deviating        int // known violations that cover a finding
	outdated         int // known violations that make the run fail
	deviant          int // must rules broken only by known violations
	intermittent     int // rules broken at first, but not when repeated
	undecided        int // broken rules about which the second judge disagrees
	// environment says how many responses came from the environment instead of the target, if there are too many. excusedBy says why rules
	// that were broken at first but not when repeated do not make the run fail.
	environment, excusedBy string
	strictlyBroken         bool
	// throughout says that the target answered everything with a server error, or is empty.
	throughout       string
	harness          bool
	incompleteReason string
	// operations is the number of operations of the contract that the suite is derived from, reached the number seen to succeed. Both are 0
	// for any other suite.
	operations, reached int
	// locked says which operations were not called because a credential was missing, rare that most of those to be called never succeeded.
	// Both are empty otherwise, and in a run that accepts this.
	locked, rare string
	// shut says how many operations returned only 401 or 403, or is empty.
	shut string
	// unread says how many sentences of the document were not judged, for a run that requires all of them to be; otherwise it is empty.
	unread string
	// uncovered says which parts of the contract were covered less than the run requires, or is empty.
	uncovered string
	// unanswered says, for a run restricted to certain rules, that none of them was exercised; otherwise it is empty.
	unanswered string
}

func stand(rec *record.Record, res *Result, rules []spec.Rule) standing {
	s := standing{
		broken: res.Count(Violated, "") - res.Count(Violated, spec.Inferred), inferred: res.Count(Violated, spec.Inferred),
		warned: res.Count(Warned, ""),
		missed: res.Count(NotExercised, spec.Must),

		deviating: res.deviating(), outdated: res.outdated(), deviant: res.Count(Deviates, spec.Must), intermittent: res.Count(Intermittent, ""),
		undecided: res.Count(Doubtful, ""),
	}
	for _, r := range res.Rules {
		if r.Level == spec.Must && r.Verdict != Untestable && r.Verdict != NotApplicable {
			s.must++
		}
		if r.Exercised > 0 {
			s.exercised++
		}
	}
	for i := range rec.Scenarios {
		if rec.Scenarios[i].Outcome == record.Errored {
			s.errors++
		}
	}
	s.strictlyBroken = s.broken+s.inferred > 0 || rec.Options.Strict && s.warned > 0
	// Losing the target makes scenarios end in errors. Without a loss, errors are the harness's own.
	s.harness = len(res.Failures) > 0 || s.errors > 0 && rec.Lost == ""
	s.throughout = FailsThroughout(rec)
	s.unanswered, s.unread, s.uncovered = unanswered(rec, res), res.Sentences.missing(rec), uncovered(rec)
	all, called := operations(rec, rules)
	s.operations, s.reached, s.shut = len(all), count(all), shut(rec, called)
	res.Unreached, res.Called = unreached(rec, called), len(called)
	if !rec.Options.AcceptPartial && rec.Options.Shard == "" { // no shard is complete, see exitCode
		s.locked, s.rare = locked(rec, called), rare(rec, called)
	}
	s.excusedBy = "--intermittent warn"
	if n, only := res.fromEnvironment(rec); n > 0 {
		if only {
			s.excusedBy = "only by 502, 503 or 504 for changing requests, which come from the environment"
		}
		if n*mostEnvironment > len(rec.Exchanges) {
			s.environment = text.Number(n) + " of " + text.Count(len(rec.Exchanges), "response") + " were 502, 503 or 504 for changing requests: the environment fails"
		}
	}
	switch {
	case rec.Stopped != "":
		s.incompleteReason = rec.Stopped + ", and " + Unfinished(rec)
	case rec.Cut != "":
		s.incompleteReason = rec.Cut
	case !rec.Complete:
		s.incompleteReason = "the run ended early"
	}
	return s
}

// hollow says why too few of the operations that were to be called were judged, or is empty.
func (s *standing) hollow() string {
	if s.rare == "" || s.locked == "" {
		return s.rare + s.locked
	}
	return s.rare + "; " + s.locked
}

// lockedToo adds to another reason that operations were not called because a credential was missing.
func (s *standing) lockedToo() string {
	if s.locked == "" {
		return ""
	}
	return "; " + s.locked
}

// uncoveredToo adds to a violation that the required coverage was not reached either, unless the run ended early.
func (s *standing) uncoveredToo() string {
	if s.uncovered == "" || s.incompleteReason != "" {
		return ""
	}
	return "; besides, " + s.uncovered
}

// unreadToo adds to another reason that sentences were not judged.
func (s *standing) unreadToo() string {
	if s.unread == "" {
		return ""
	}
	return "; " + s.unread
}

// judgeRun returns the verdict of the run and the reason for it.
func judgeRun(rec *record.Record, res *Result, s standing) (Verdict, string) {
	switch {
	case len(res.Failures) > 0:
		return Inconclusive, "hallmark itself failed: " + res.Failures[0]
	case s.strictlyBroken && rec.Lost != "":
		return Violated, LostPhrase(rec) + "; apart from that, " + brokenPhrase(s, rec.Options.Strict)
	case s.strictlyBroken && rec.Options.Quick:
		return Violated, brokenPhrase(s, rec.Options.Strict) + ", and there may be more: the run was quick (--quick)"
	case s.strictlyBroken && rec.Stopped != "":
		return Violated, brokenPhrase(s, rec.Options.Strict) + ", and there may be more: " + s.incompleteReason
	case s.strictlyBroken:
		return Violated, brokenPhrase(s, rec.Options.Strict) + s.uncoveredToo()
	case s.harness:
		return Inconclusive, text.Count(s.errors, "scenario") + " ended in an error of the harness"
	case rec.Lost != "":
		return Inconclusive, LostPhrase(rec)
	case s.exercised == 0 && rec.Stopped != "":
		return Inconclusive, "no rule was exercised: " + rec.Stopped
	case s.exercised == 0 && rec.Traffic != nil:
		return Inconclusive, "no rule was exercised: " + unfit(rec.Traffic)
	case s.exercised == 0:
		return Inconclusive, "no rule was exercised"
	case s.unanswered != "":
		return Inconclusive, s.unanswered
	case s.operations > 0 && s.reached == 0:
		return Inconclusive, "none of " + text.Count(s.operations, "operation") + " was seen to succeed, so almost nothing can be concluded" + s.lockedToo()
	case s.environment != "":
		return Inconclusive, "the target could not be judged: " + s.environment
	case s.hollow() != "" && s.outdated == 0 && s.incompleteReason == "":
		return Partial, nothing(s) + s.hollow()
	case s.uncovered != "" && s.outdated == 0 && s.incompleteReason == "":
		return Partial, nothing(s) + s.uncovered + s.unreadToo()
	case s.outdated > 0:
		return Outdated, "nothing else is violated, but " + text.Count(s.outdated, "known violation") + " " + noLonger(s.outdated)
	case s.incompleteReason != "":
		return Partial, nothing(s) + s.incompleteReason
	case rec.Options.Shard != "":
		of := ""
		if rec.Options.Quick {
			of = " of a quick run (--quick)"
		}
		return Partial, nothing(s) + "this is shard " + text.Visible(rec.Options.Shard) + of + " only; hallmark merge gives the verdict of all"
	case rec.Options.Quick:
		return Partial, nothing(s) + quickPhrase(rec, s)
	case rec.Traffic != nil:
		return Partial, nothing(s) + text.Number(s.missed) + " of " + text.Count(s.must, "must rule") + " " + text.Were(s.missed) + " not exercised by the traffic"
	case rec.Filtered():
		return Partial, nothing(s) + "only a part of the suite was selected" + s.unreadToo()
	case s.reached*2 < s.operations:
		return Partial, nothing(s) + "only " + text.Number(s.reached) + " of " + text.Count(s.operations, "operation") + " " + text.Were(s.reached) + " seen to succeed"
	case s.missed > 0:
		return Partial, nothing(s) + text.Number(s.missed) + " of " + text.Count(s.must, "must rule") + " " + text.Were(s.missed) + " not exercised" + s.shut + s.unreadToo()
	case s.unread != "":
		return Partial, nothing(s) + s.unread
	case s.undecided > 0:
		return Partial, "nothing is violated beyond doubt, but " + text.Count(s.undecided, "rule") + " " + text.Are(s.undecided) + " undecided: the second judge disagrees"
	case s.intermittent > 0:
		return Partial, "nothing is violated each time, but " + text.Count(s.intermittent, "rule") + " " + text.Were(s.intermittent) +
			" broken at first but not when repeated (" + s.excusedBy + ")"
	}
	if s.deviating > 0 {
		return Excepted, exceptPhrase(s)
	}
	because := "all " + text.Count(s.must, "must rule") + " conform"
	if s.must == 1 {
		because = "the one must rule conforms"
	}
	if s.warned > 0 {
		because += ", with " + text.Count(s.warned, "warning")
	}
	return Conformant, because
}

// unfit says why traffic exercised no rule.
func unfit(t *record.Traffic) string {
	switch hosts := record.Total(t.Hosts); {
	case t.Seen == 0:
		return "there was no exchange"
	case hosts == t.Seen:
		return text.Count(t.Seen, "exchange") + " " + text.Were(t.Seen) + " left out for the host (" + t.Hosts[0].Name + "); --base-url says where the service was"
	case hosts+record.Total(t.Outside) == t.Seen:
		return "no operation of the contract was called in " + text.Count(t.Seen, "exchange") + "; --base-url says which path precedes those of the contract"
	}
	return "nothing could be judged in " + text.Count(t.Seen, "exchange")
}

// unanswered says why a run restricted to certain rules (--rule) exercised none of them, or is empty.
func unanswered(rec *record.Record, res *Result) string {
	var missed []RuleVerdict
	for _, r := range res.Rules {
		switch {
		case !slices.Contains(rec.Options.Rules, r.Rule):
			continue
		case r.Verdict != NotExercised, r.Level == spec.Open: // a response without anything to note is an observation, too
			return ""
		}
		missed = append(missed, r)
	}
	if len(missed) == 0 {
		return ""
	}
	because := missed[0].Rule + " was not exercised: " + missed[0].Reason
	if n := len(missed) - 1; n > 0 {
		because += " (nor " + text.Were(n) + " " + text.Count(n, "other rule") + " that " + text.Were(n) + " selected)"
	}
	return because
}

// nothing begins the sentence about a run that found no violation but was incomplete.
func nothing(s standing) string {
	begin := "nothing is violated"
	if s.deviating > 0 {
		begin += " except for " + text.Count(s.deviating, "known violation")
	}
	if s.intermittent > 0 {
		begin += ", " + text.Count(s.intermittent, "rule") + " " + text.Were(s.intermittent) + " broken at first but not when repeated (" + s.excusedBy + ")"
	}
	if s.undecided > 0 {
		begin += ", " + text.Count(s.undecided, "rule") + " " + text.Are(s.undecided) + " undecided, because the second judge disagrees"
	}
	return begin + ", but "
}

// quickPhrase says how much of the suite a quick run left out.
func quickPhrase(rec *record.Record, s standing) string {
	because := "the run was quick (--quick): " + text.Count(rec.Played(), "scenario") + " " + text.Were(rec.Played()) + " played"
	if q := rec.Proof; q != nil && q.Quick != nil && q.Quick.Whole.Scenarios > 0 {
		because += " of " + text.Number(q.Quick.Whole.Scenarios)
	}
	if s.missed > 0 {
		because += ", and " + text.Number(s.missed) + " of " + text.Count(s.must, "must rule") + " " + text.Were(s.missed) + " not judged"
	}
	return because
}

// exceptPhrase says what conforms and what is excepted.
func exceptPhrase(s standing) string {
	because := "all " + text.Count(s.must, "must rule") + " conform"
	if s.deviant > 0 {
		because = text.Number(s.must-s.deviant) + " of " + text.Count(s.must, "must rule") + " conform, " + text.Number(s.deviant) + " deviate" + singular(s.deviant) + " as is known"
	}
	because += " (" + text.Count(s.deviating, "known violation") + ")"
	if s.warned > 0 {
		because += ", with " + text.Count(s.warned, "warning")
	}
	return because
}

func singular(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}

func noLonger(n int) string {
	if n == 1 {
		return "no longer holds"
	}
	return "no longer hold"
}

// Unfinished says how much a limit of the run left undone.
func Unfinished(rec *record.Record) string {
	n := 0
	for i := range rec.Scenarios {
		if s := &rec.Scenarios[i]; s.Outcome == record.Skipped && strings.HasPrefix(s.Reason, rec.Stopped) {
			n++
		}
	}
	return text.Number(n) + " of " + text.Count(rec.Played(), "scenario") + " " + text.Were(n) + " not completed"
}

func brokenPhrase(s standing, strict bool) string {
	if s.throughout != "" {
		return s.throughout
	}
	var parts []string
	if s.broken > 0 {
		parts = append(parts, text.Count(s.broken, "must rule")+" "+text.Are(s.broken)+" violated")
	}
	if s.inferred > 0 {
		parts = append(parts, text.Count(s.inferred, "inferred rule")+" "+text.Are(s.inferred)+" violated")
	}
	if strict && s.warned > 0 {
		parts = append(parts, text.Count(s.warned, "should rule")+" "+text.Are(s.warned)+" violated (--strict)")
	}
	return strings.Join(parts, " and ")
}

// exitCode returns the exit code for a result. A proven violation outranks a later outage; a failure of the harness outranks everything,
// since its other results cannot be relied on.
func exitCode(rec *record.Record, s standing) int {
	switch {
	case s.harness:
		return ExitHarness
	case s.strictlyBroken:
		return ExitViolated
	case rec.Lost != "", s.exercised == 0, s.unanswered != "", s.operations > 0 && s.reached == 0, s.environment != "":
		return ExitUnjudged
	case s.outdated > 0:
		return ExitViolated
	case !rec.Complete:
		return ExitUnjudged
	case s.hollow() != "", s.uncovered != "":
		return ExitIncomplete
	case (rec.Options.RequireComplete && s.missed > 0 || s.unread != "") && rec.Options.Shard == "":
		// No shard is complete. What all of them leave out shows when they are merged.
		return ExitIncomplete
	}
	return ExitOK
}

// Word returns a verdict as it appears in a title: VIOLATED, CONFORMANT EXCEPT FOR KNOWN VIOLATIONS.
func (v Verdict) Word() string {
	switch v {
	case Excepted:
		return "CONFORMANT EXCEPT FOR KNOWN VIOLATIONS"
	case Outdated:
		return "DEVIATIONS OUTDATED"
	default:
		return strings.ToUpper(string(v))
	}
}
