package record

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"hallmark/internal/text"
	"hallmark/spec"
)

// Schema names the format of a record, version included. Readers refuse what they do not know. Since version 2 findings have a
// kind, by which known violations cover them, and hold what was expected and what came as values (see package phrase), and what
// a run created has the same name for every interface (see [Version1]); those of [Schema1] hold prose, and are still read.
const (
	Schema  = "hallmark.record/v2"
	Schema1 = "hallmark.record/v1"
)

// Record is everything that a run found out. Every report is a view of it.
type Record struct {
	Schema string `json:"schema"`
	// Complete is false while the run goes on, and stays so when it was ended before its end.
	Complete bool `json:"complete"`
	// ID names the run: in the User-Agent of its requests, and in the names that it made up.
	ID string `json:"id,omitempty"`
	// Lost says why the target could not be judged to the end (an outage, a key refused by every operation).
	Lost string `json:"lost,omitempty"`
	// Stopped says which limit ended the run before its end ("the run reached its limit of 500 requests (--max-requests)").
	Stopped string `json:"stopped,omitempty"`
	// Cut says why a record that was made of a journal lacks a part of its run, which is not complete then.
	Cut string `json:"cut,omitempty"`
	// Failure says what went wrong in the harness itself; such a run proves nothing.
	Failure string `json:"failure,omitempty"`

	Suite Suite `json:"suite"`
	// Sources are what the run was judged by, where that is not built in; nil where it is.
	Sources Packed `json:"sources,omitempty"`
	// Document is what of the contract nothing is judged by; nil when that is nothing.
	Document *Document `json:"document,omitempty"`
	// Uncalled are the operations that the run does not call, where the suite follows from a contract.
	Uncalled []Uncalled `json:"uncalled,omitempty"`
	// Proof is what the suite was proven to see; nil when that is not known.
	Proof   *Proof    `json:"proof,omitempty"`
	Target  Target    `json:"target"`
	Options Options   `json:"options"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	// Patience is what was waited for.
	Patience Patience `json:"patience,omitzero"`
	// Width is how many requests were under way at a time, where the run found that out by itself; nil where it was told, and in records
	// made before.
	Width *Width `json:"width,omitempty"`
	// Unjudged is what values in responses could not be judged by. It is no finding.
	Unjudged []Unjudged `json:"unjudged,omitempty"`

	// Scenarios are in the order in which they ended.
	Scenarios []Scenario `json:"scenarios"`
	// Exchanges are in the order of their numbers. Bodies may be cut (spec.Response.Size tells how long they were);
	// those that a finding cites are kept whole up to a limit.
	Exchanges []spec.Exchange `json:"exchanges"`
	// Confirmations are what came of repeating what was found.
	Confirmations []Confirmation `json:"confirmations,omitempty"`
	// Opinions are what the second judge says of findings that rest on a schema. Records of earlier versions have none.
	Opinions []Opinion `json:"opinions,omitempty"`
	// Created is what the run created, and what it may have, also where it has removed that; see Fate.
	Created []Creation `json:"created,omitempty"`
	// Exercised counts, for each rule id, how often the rule was judged, by scenarios and by the checks of every exchange.
	Exercised map[string]int `json:"exercised"`
	// NotApplicable gives, for each rule id that does not apply to this target at this time, the reason.
	NotApplicable map[string]string `json:"notApplicable,omitempty"`
	// Deviations are the breaches that were known beforehand.
	Deviations []Deviation `json:"deviations,omitempty"`
	// Selected identifies what was to be run, by all shards together.
	Selected Selected `json:"selected,omitzero"`
	// Shards are the runs that were merged into this record.
	Shards []Part `json:"shards,omitempty"`
}

// Suite says which suite judged.
type Suite struct {
	Version string `json:"version"`
	// Resource names what the operations of the interface create, in the singular ("order"); may be empty, see [Suite.Noun].
	Resource string `json:"resource,omitempty"`
	// The digests are "sha256:…" over the contract, the catalogue and the features that were used.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Foreign names the parts (contract, features) that were given in place of the built-in ones.
	Foreign []string `json:"foreign,omitempty"`
	// Derived reports whether rules and scenarios follow from the contract alone.
	Derived bool `json:"derived,omitempty"`
}

// Noun returns the word for what the operations of the interface create, in the singular.
func (s Suite) Noun() string { return cmp.Or(text.Visible(s.Resource), "resource") }

// Other names a part of the suite that is not the one of that digest; empty when all are.
func (s Suite) Other(contract, catalogue, features string) string {
	switch {
	case s.Contract != contract:
		return "contract"
	case s.Catalogue != catalogue:
		return "catalogue of rules"
	case s.Features != features:
		return "set of scenarios"
	}
	return ""
}

// Target is the implementation that was judged. It holds no secret.
type Target struct {
	BaseURL  string `json:"baseURL"`
	ReadOnly bool   `json:"readOnly"`
	// Removed lists the operations whose removal date had come.
	Removed []string `json:"removed,omitempty"`
	Connection
	// Implementation says who made what was judged, as far as anybody said so.
	Implementation Implementation `json:"implementation,omitzero"`
}

// Options are what the run was asked to do.
type Options struct {
	Seed int64 `json:"seed"`
	// Concurrency is how many requests might be under way at a time, and Adaptive reports whether that was only the most that the run might
	// find out by itself: see Width. In records of earlier versions it counts scenarios.
	Concurrency int  `json:"concurrency"`
	Adaptive    bool `json:"adaptive,omitempty"`
	// Examples is how many valid bodies were to be generated; the other generated cases follow from it.
	Examples int `json:"examples,omitempty"`
	// MaxCreated is how many resources might be created.
	MaxCreated      int      `json:"maxCreated,omitempty"`
	Now             string   `json:"now,omitempty"`
	Tags            string   `json:"tags,omitempty"`
	Rules           []string `json:"rules,omitempty"`
	Operations      []string `json:"operations,omitempty"`
	Strict          bool     `json:"strict,omitempty"`
	RequireComplete bool     `json:"requireComplete,omitempty"`
	// AcceptPartial reports whether the run may end well though operations were not called for want of a credential, or most never succeeded.
	AcceptPartial bool `json:"acceptPartial,omitempty"`
	// Intermittent is IntermittentWarn when what no repetition shows again is not to fail the run; else empty.
	Intermittent string `json:"intermittent,omitempty"`
	// Reserved is how many of MaxCreated were kept for repeating what was found.
	Reserved int `json:"reserved,omitempty"`
	// Shard is the part of the selected scenarios that was run ("2/5"); empty for all.
	Shard string `json:"shard,omitempty"`
	// Again names the record of which this run asked again what had failed.
	Again string `json:"again,omitempty"`
	// Quick reports whether only those scenarios were run that the proof calls the quick part.
	Quick bool `json:"quick,omitempty"`
	// Rerun holds the words of the command line that a person types to run the same again, without --rule:
	// "hallmark run --base-url https://…/v1".
	Rerun string `json:"rerun,omitempty"`
}

// Outcome is what became of a scenario or a step.
type Outcome string

// The outcomes. Skipped and Failed always come with a reason or findings.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
	// Errored is the harness's or the connection's failure, never the service's answer.
	Errored Outcome = "error"
)

// Scenario is one executed scenario (of an outline: one row).
type Scenario struct {
	// ID is stable over runs: the feature's path and the line ("features/list.feature:14", of a row its own line).
	ID string `json:"id"`
	// Feature is the feature's title.
	Feature string `json:"feature"`
	// Sentence is the title of the Gherkin Rule that holds the scenario; may be empty.
	Sentence string   `json:"sentence,omitempty"`
	Name     string   `json:"name"`
	Tags     []string `json:"tags,omitempty"`
	// Rules are the ids of the rules that the scenario's tags name, the most specific first.
	Rules      []string `json:"rules"`
	Operations []string `json:"operations,omitempty"`

	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	// Excused reports whether nothing was left unasked by skipping the scenario: its case does not exist for the target, or
	// the run was not meant to ask it.
	Excused bool `json:"excused,omitempty"`
	// Tried says of a scenario that was skipped since the run could create no more how many of its generated cases it tried: "3 of
	// 10 generated valid bodies".
	Tried string `json:"tried,omitempty"`
	Steps []Step `json:"steps,omitempty"`

	Findings     []spec.Finding     `json:"findings,omitempty"`
	Observations []spec.Observation `json:"observations,omitempty"`
	// Exchanges are the numbers of its exchanges.
	Exchanges []int `json:"exchanges,omitempty"`
	// Replays counts how often it was played again from its beginning, since an exchange was lost. Its exchanges are those
	// of all times.
	Replays int `json:"replays,omitempty"`
	// Round numbers, from 1, the parts of a run that are played one after another: the scenarios of a round might be played side by side.
	// It is 0 of what was asked before the scenarios or not played, and in records made before; [Beside] of what was played beside them.
	Round   int           `json:"round,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"`
}

// Beside is the round of a scenario that was played at the same time as several rounds.
const Beside = -1

// Preflight reports whether this is what was asked before the scenarios. It is recorded like one, and counts for none.
func (s *Scenario) Preflight() bool { return s.ID == preflightID }

// Played counts the scenarios.
func (rec *Record) Played() int {
	n := 0
	for i := range rec.Scenarios {
		if !rec.Scenarios[i].Preflight() {
			n++
		}
	}
	return n
}

// AtOnce is how many requests were under way at a time at most.
func (rec *Record) AtOnce() int {
	if rec.Width != nil {
		return rec.Width.Widest
	}
	return rec.Options.Concurrency
}

// Filtered reports whether the run was asked for less than the whole suite.
func (rec *Record) Filtered() bool {
	o := rec.Options
	return o.Tags != "" || len(o.Rules) > 0 || len(o.Operations) > 0 || o.Shard != "" || o.Again != "" || o.Quick
}

// File is the path of the scenario's feature file ("features/list.feature"), as its id names it; for a scenario that
// stands in none (the preflight) it is the id.
func (s *Scenario) File() string {
	if i := strings.LastIndexByte(s.ID, ':'); i > 0 {
		return s.ID[:i]
	}
	return s.ID
}

// Step is one executed step.
type Step struct {
	Keyword string  `json:"keyword"`
	Text    string  `json:"text"`
	Outcome Outcome `json:"outcome"`
}

// Title joins the rule's sentence and the scenario's name, which completes it.
func (s *Scenario) Title() string {
	switch {
	case s.Sentence == "":
		return cmp.Or(s.Name, s.ID)
	case s.Name == "":
		return s.Sentence
	}
	return strings.TrimSuffix(s.Sentence, ".") + ": " + s.Name
}

// ScenarioOrder compares scenario ids as a person sorts them: by path, then by line.
func ScenarioOrder(x, y string) int {
	px, lx := ScenarioLine(x)
	py, ly := ScenarioLine(y)
	switch {
	case px != py && px < py, px == py && lx < ly:
		return -1
	case px == py && lx == ly:
		return 0
	}
	return 1
}

// ScenarioLine takes "features/list.feature:14" apart. An id without a line has line 0.
func ScenarioLine(id string) (path string, line int) {
	for i := len(id) - 1; i > 0; i-- {
		if id[i] == ':' {
			if n, err := strconv.Atoi(id[i+1:]); err == nil {
				return id[:i], n
			}
			break
		}
	}
	return id, 0
}
