package view

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
)

// Common wording of all formats. Untrusted text in it is made visible and truncated; formats still have to escape it for their language.

// Scope describes who judged whom, and with how much of the suite: the version, the address, and what was left out or is special.
func (v *View) Scope() []string {
	rec := v.Record
	parts := []string{text.Visible(strings.TrimSpace("hallmark " + rec.Suite.Version)), text.Visible(cmp.Or(rec.Target.BaseURL, "no target"))}
	if rec.Target.ReadOnly {
		parts = append(parts, "read-only")
	}
	for _, words := range rec.Target.Words() {
		parts = append(parts, text.Short(words))
	}
	if rec.Options.Quick {
		parts = append(parts, "quick")
	}
	if rec.Options.Tags != "" {
		parts = append(parts, "only tags "+text.Short(rec.Options.Tags))
	}
	if len(rec.Options.Rules) > 0 {
		parts = append(parts, "only "+text.Short(strings.Join(rec.Options.Rules, ", ")))
	}
	if len(rec.Options.Operations) > 0 {
		parts = append(parts, "only "+text.Short(strings.Join(rec.Options.Operations, ", ")))
	}
	if rec.Options.Again != "" {
		parts = append(parts, "only what failed in "+text.Short(rec.Options.Again))
	}
	if rec.Options.Shard != "" {
		parts = append(parts, "only shard "+text.Visible(rec.Options.Shard))
	}
	if n := len(rec.Shards); n > 0 {
		parts = append(parts, text.Count(n, "shard"))
	}
	if n := len(rec.Deviations); n > 0 {
		parts = append(parts, text.Count(n, "known violation"))
	}
	return parts
}

// Causes returns the causes that fail the run and those that are only warnings.
func (v *View) Causes() (failing, warning []verdict.Cause) { return v.Result.Split(v.Record) }

// Counts returns the number of rules for each verdict: "64 conform, 2 violated, 19 observed".
func (v *View) Counts() string {
	var parts []string
	for _, of := range []verdict.Verdict{verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Doubtful, verdict.Intermittent, verdict.Deviates, verdict.Observed, verdict.NotExercised, verdict.NotApplicable} {
		n := v.Result.Count(of, "")
		if n == 0 {
			continue
		}
		word := string(of)
		switch {
		case of == verdict.Conforms && n != 1:
			word = "conform"
		case of == verdict.Deviates && n != 1:
			word = "deviate"
		}
		parts = append(parts, text.Number(n)+" "+word)
	}
	if len(parts) == 0 {
		return "no rules"
	}
	return strings.Join(parts, ", ")
}

// Work returns the amount of work: "213 scenarios (2 skipped), 1,204 exchanges, 0.8 s"; of traffic, "1,204 exchanges (1,100 judged)".
func (v *View) Work() string {
	rec := v.Record
	if t := rec.Traffic; t != nil {
		return text.Count(t.Seen, "exchange") + " (" + text.Number(t.Judged) + " judged)"
	}
	skipped := 0
	for i := range rec.Scenarios {
		if rec.Scenarios[i].Outcome == record.Skipped {
			skipped++
		}
	}
	s := text.Count(rec.Played(), "scenario")
	if skipped > 0 {
		s += " (" + text.Number(skipped) + " skipped)"
	}
	s += ", " + text.Count(len(rec.Exchanges), "exchange")
	if d := v.Elapsed(); d > 0 {
		s += ", " + text.Duration(d)
	}
	return s
}

// Elapsed returns the duration of the run so far, or 0 if the record does not contain it.
func (v *View) Elapsed() time.Duration {
	rec := v.Record
	if rec.Ended.IsZero() || rec.Started.IsZero() {
		return 0
	}
	return rec.Ended.Sub(rec.Started)
}

// Seed returns the seed of the run, or those of its shards if they differ.
func (v *View) Seed() string {
	rec := v.Record
	if rec.Options.Seed != 0 || len(rec.Shards) == 0 {
		return strconv.FormatInt(rec.Options.Seed, 10)
	}
	var all []string
	for _, p := range rec.Shards {
		all = append(all, strconv.FormatInt(p.Seed, 10))
	}
	return strings.Join(all, ", ")
}

// Waited describes what the run waited for; usually nothing.
func (v *View) Waited() []string {
	var all []string
	for _, sentence := range v.Record.Patience.Sentences() {
		all = append(all, text.Short(sentence))
	}
	return all
}

// Unjudged describes on one line what could not be judged in the responses, or returns "".
func (v *View) Unjudged() string { return text.Visible(v.Record.UnjudgedWords()) }

// Bodies returns a sentence for each operation that accepted a body only after each plain one, or a second one like the first, was refused.
func (v *View) Bodies() []string {
	var all []string
	for i := range v.Record.Bodies {
		if one := &v.Record.Bodies[i]; one.Found() {
			all = append(all, text.Short(one.Sentence()))
		}
	}
	return all
}

// Roles returns a sentence for each other role that opens operations: which ones the run called as that role, and which that role would open.
func (v *View) Roles() []string {
	used, open := map[string][]string{}, map[string][]string{}
	for _, one := range v.Record.Roles {
		if one.Used {
			used[one.Role] = append(used[one.Role], one.Operation)
		} else {
			open[one.Role] = append(open[one.Role], one.Operation)
		}
	}
	var all []string
	for _, role := range slices.Sorted(maps.Keys(used)) {
		all = append(all, text.Short(role+" was used for "+text.Enumerate(used[role], "and")+", which refused the default"))
	}
	for _, role := range slices.Sorted(maps.Keys(open)) {
		all = append(all, text.Short(role+" would open "+text.Enumerate(open[role], "and")+" (--role "+text.ShellQuote(role)+")"))
	}
	return all
}

// Sentences says how many sentences of the document were judged, and names those that were not, the open ones first, at most the given number;
// the first result is empty if the document has none.
func (v *View) Sentences(most int) (summary string, unjudged []string) {
	s := v.Result.Sentences
	if s == nil {
		return "", nil
	}
	name := func(what string, all []record.Sentence) {
		for _, one := range all {
			where := "line " + strconv.Itoa(one.Line)
			if one.File != "" {
				where = text.Visible(one.File) + ", " + where
			}
			unjudged = append(unjudged, what+" ("+where+"): "+text.Short(text.Visible(one.Text)))
		}
	}
	name("open", s.Open)
	name("not exercised", s.NotExercised)
	if left := len(unjudged) - most; left > 0 {
		unjudged = append(unjudged[:most], "and "+text.Number(left)+" more (hallmark rules --prose)")
	}
	return s.Summary(), unjudged
}

// Left describes on one line what the run created and did not remove, or returns "".
func (v *View) Left() string {
	there, maybe := 0, 0
	for _, c := range record.Left(v.Record.Created) {
		if c.Fate == record.Unknown {
			maybe++
		} else {
			there++
		}
	}
	const noun = "resource"
	switch {
	case there == 0 && maybe == 0:
		return ""
	case there == 0:
		return text.Count(maybe, noun) + " may still be there: hallmark ledger"
	case maybe == 0:
		return text.Count(there, noun) + " " + text.Are(there) + " still there: hallmark ledger"
	}
	return text.Count(there, noun) + " " + text.Are(there) + " still there, and " + text.Number(maybe) + " more may be: hallmark ledger"
}

// Suspects returns a sentence for each request that may have killed a lost target, the most likely one first, and the shell command that
// sends the first again, unless it is too long to type.
func (v *View) Suspects() (sentences []string, curl string) {
	for i, s := range verdict.Suspects(v.Record) {
		if line := v.Record.Target.Curl(*s.Exchange); i == 0 && len(line) <= longestCurl {
			curl = line
		}
		if i == mostSuspects {
			sentences = append(sentences, text.Number(len(verdict.Suspects(v.Record))-i)+" more are less likely")
			break
		}
		sentences = append(sentences, s.Request+" "+s.Evidence)
	}
	return sentences, curl
}

// mostSuspects is the maximum number of requests named, longestCurl the maximum length of a shell command in bytes.
const mostSuspects, longestCurl = 8, 2000

// Errored returns the ids of scenarios that could not be judged, by reason. Scenarios that lost the target together share one reason.
func (v *View) Errored() map[string][]string {
	rec := v.Record
	lost := map[int]bool{}
	if rec.Lost != "" && !rec.Patience.Hangs() {
		for i := range rec.Exchanges {
			lost[rec.Exchanges[i].Seq] = rec.Exchanges[i].Lost != ""
		}
	}
	by := map[string][]string{}
	for i := range rec.Scenarios {
		sc := &rec.Scenarios[i]
		if sc.Outcome != record.Errored {
			continue
		}
		reason := sc.Reason
		if n := len(sc.Exchanges); n > 0 && lost[sc.Exchanges[n-1]] {
			reason = "the target was lost"
		}
		by[reason] = append(by[reason], sc.ID)
	}
	return by
}

// Case returns a scenario as a test case, judged by its findings against the target, which may differ from what the scenario saw.
func (v *View) Case(sc *record.Scenario) Case {
	c := Case{Sorted: v.Sort(sc), Outcome: record.Passed}
	switch {
	case len(c.Failing) > 0:
		c.Outcome, c.Mark = record.Failed, v.mark(sc, c.Failing)
		c.Message = Marked(c.Mark, Headline(c.Failing))
	case sc.Outcome == record.Errored:
		c.Outcome, c.Message = record.Errored, text.Visible(cmp.Or(sc.Reason, "no reason was given"))
	case sc.Outcome == record.Failed && len(sc.Findings) == 0:
		c.Outcome, c.Message = record.Errored, "the scenario failed without a finding"
	case sc.Outcome == record.Skipped:
		c.Outcome, c.Message = record.Skipped, text.Visible(cmp.Or(sc.Reason, "no reason was given"))
	case len(c.Known) > 0:
		c.Excused, c.Message = true, text.Visible(acceptedBecause(v.Record, c.Known))
	case len(c.Warning) > 0:
		c.Mark = v.mark(sc, c.Warning)
	}
	return c
}

// Troubles returns the problems of the run itself. A report without them would present an interrupted run, or one that judged too little, as a
// small successful one.
func (v *View) Troubles() []Trouble {
	var all []Trouble
	for i, f := range v.Result.Failures {
		name := "the harness works"
		if i > 0 {
			name += " (" + text.Number(i+1) + ")" // readers treat equal names as one test
		}
		all = append(all, Trouble{Name: name, Message: f})
	}
	if lost := v.Record.Lost; lost != "" {
		suspects, _ := v.Suspects()
		all = append(all, Trouble{Name: "the target can be judged completely", Message: verdict.LostPhrase(v.Record), More: suspects})
	}
	switch {
	case v.Record.Complete:
	case v.Record.Stopped != "":
		all = append(all, Trouble{Name: "the run reaches its end", Message: v.Record.Stopped + ", and " + verdict.Unfinished(v.Record)})
	case v.Record.Cut != "":
		all = append(all, Trouble{Name: "the record holds the whole run", Message: v.Record.Cut})
	default:
		all = append(all, Trouble{Name: "the run reaches its end", Message: "the run ended early; what is missing here was not tested"})
	}
	if code := v.Result.ExitCode; code == verdict.ExitIncomplete || code == verdict.ExitUnjudged && len(all) == 0 {
		all = append(all, Trouble{Name: "the run judges what it is to judge", Message: v.Result.Because})
	}
	return all
}
