package reports

import (
	"cmp"
	"strings"
	"time"

	"hallmark/reports/prose"
	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// What formats say in the same words as the terminal's text does. Whatever came from outside is in it as Visible writes
// it, and cut where it is long; a format still has to escape it for its own language.

// Scope says who judged whom, and by how much of the suite: the version, the address, then what was left out or is special.
func (v *View) Scope() []string { return scope(v.Record) }

// Causes are the causes that make the run fail, and those that are only warnings.
func (v *View) Causes() (failing, warning []verdict.Cause) { return v.Result.Split(v.Record) }

// Counts says how many rules have which verdict: "64 conform, 2 violated, 19 observed".
func (v *View) Counts() string { return tally(&v.Result) }

// Work says how much was done: "213 scenarios (2 skipped), 1,204 exchanges, 0.8 s".
func (v *View) Work() string { return work(v.Record) }

// Seed names the seed of the run, or those of its shards where they differ.
func (v *View) Seed() string { return seed(v.Record) }

// Waited says in sentences what was waited for; most runs waited for nothing.
func (v *View) Waited() []string {
	var all []string
	for _, text := range v.Record.Patience.Sentences() {
		all = append(all, prose.Phrase(text))
	}
	return all
}

// Errored are the ids of the scenarios that could not be judged, by the reason for it.
func (v *View) Errored() map[string][]string { return errored(v.Record) }

// Area counts the verdicts of the rules whose ids begin alike.
type Area struct {
	// Name is the first part of the ids: list.
	Name   string
	Counts map[verdict.Verdict]int
	// Rules is how many there are, without those that cannot be tested.
	Rules int
}

// Areas counts the verdicts by area, in the catalogue's order. Areas that cannot be tested are left out, and so are those
// that a run of a part of the suite did not touch.
func (v *View) Areas() []Area {
	var all []Area
	for _, a := range areas(&v.Result) {
		if a.total == 0 || v.Record.Filtered() && a.counts[verdict.NotExercised] == a.total {
			continue
		}
		all = append(all, Area{a.area, a.counts, a.total})
	}
	return all
}

// Columns are the verdicts that a table of areas shows: those that occur, and the two that a reader looks for.
func (v *View) Columns() []verdict.Verdict { return occurring(&v.Result) }

func occurring(res *verdict.Result) []verdict.Verdict {
	var shown []verdict.Verdict
	for _, v := range []verdict.Verdict{verdict.Conforms, verdict.Violated, verdict.Warned, verdict.Intermittent, verdict.Deviates, verdict.Observed, verdict.NotExercised, verdict.NotApplicable} {
		if v == verdict.Conforms || v == verdict.Violated || res.Count(v, "") > 0 {
			shown = append(shown, v)
		}
	}
	return shown
}

// Unasked are rules that have the same verdict for the same reason.
type Unasked struct {
	Reason string
	// Rules are in the catalogue's order, the must rules first.
	Rules []verdict.RuleVerdict
	// Beside reports whether the run was asked for a part of the suite, and these rules are no part of it.
	Beside bool
}

// Unasked gathers the rules of a verdict by the reason for it. Of a run of a part, those that were not selected are
// gathered too.
func (v *View) Unasked(of verdict.Verdict) []Unasked {
	by := map[string][]verdict.RuleVerdict{}
	for _, r := range v.Result.Rules {
		if r.Verdict == of {
			by[r.Reason] = append(by[r.Reason], r)
		}
	}
	var all []Unasked
	for _, reason := range sortedKeys(by) {
		named(by[reason], Full) // sorts them
		all = append(all, Unasked{prose.Phrase(reason), by[reason], reason == verdict.NotSelected && v.Record.Filtered()})
	}
	return all
}

// Asked are the open rules that were answered, in the catalogue's order; see Observed.
func (v *View) Asked() []spec.Rule { return orderedRules(observed(v.Record), v.book) }

// Excerpt shows a body in about limit characters: whole where it is short, else the part of it around the place that a
// JSON Pointer names (at says which), else its beginning and its end.
func Excerpt(body []byte, pointer string, limit int) (text, at string) {
	return excerpt(body, pointer, limit)
}

// RequestLine is a request's line: method and address.
func RequestLine(ex *spec.Exchange) string { return requestLine(ex) }

// AnswerLine says what came back, without the body: "200, application/json, 2,911 bytes, 3 ms". There must be a response.
func AnswerLine(ex *spec.Exchange) string { return answerLine(ex) }

// ExchangeLine tells an exchange in a line: "POST https://… → 201".
func ExchangeLine(ex *spec.Exchange) string { return exchangeLine(ex) }

// scope says who judged whom, and by how much of the suite.
func scope(rec *record.Record) []string {
	parts := []string{prose.Visible(strings.TrimSpace("hallmark " + rec.Suite.Version)), prose.Visible(cmp.Or(rec.Target.BaseURL, "no target"))}
	if rec.Target.ReadOnly {
		parts = append(parts, "read-only")
	}
	for _, words := range rec.Target.Words() {
		parts = append(parts, prose.Phrase(words))
	}
	if rec.Options.Tags != "" {
		parts = append(parts, "only tags "+prose.Phrase(rec.Options.Tags))
	}
	if len(rec.Options.Rules) > 0 {
		parts = append(parts, "only "+prose.Phrase(strings.Join(rec.Options.Rules, ", ")))
	}
	if len(rec.Options.Operations) > 0 {
		parts = append(parts, "only "+prose.Phrase(strings.Join(rec.Options.Operations, ", ")))
	}
	if rec.Options.Again != "" {
		parts = append(parts, "only what failed in "+prose.Phrase(rec.Options.Again))
	}
	if rec.Options.Shard != "" {
		parts = append(parts, "only shard "+prose.Visible(rec.Options.Shard))
	}
	if n := len(rec.Shards); n > 0 {
		parts = append(parts, prose.Plural(n, "shard"))
	}
	if n := len(rec.Deviations); n > 0 {
		parts = append(parts, prose.Plural(n, "known violation"))
	}
	return parts
}

// Elapsed is how long the run took; 0 where the record does not know.
func (v *View) Elapsed() time.Duration { return elapsed(v.Record) }
