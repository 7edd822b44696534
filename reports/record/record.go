package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
)

// Schema names the format of a record with its version. Readers reject unknown formats. Since version 2, findings have a kind, by which
// known violations cover them, and hold expected and actual as values (see package phrase), and what a run created has the same name for
// every interface (see [Version1]). Records of [Schema1] hold prose and can still be read.
const (
	Schema  = "hallmark.record/v2"
	Schema1 = "hallmark.record/v1"
)

// Record is everything that a run found out. Every report is a view of it.
type Record struct {
	Schema string `json:"schema"`
	// Complete is false during the run, and stays false if the run stopped early.
	Complete bool `json:"complete"`
	// ID identifies the run in the User-Agent of its requests and in the names that it makes up.
	ID string `json:"id,omitempty"`
	// Lost says why the target could not be judged completely (an outage, a key rejected by every operation).
	Lost string `json:"lost,omitempty"`
	// Suspects are the requests in flight when the target was lost for good, in the order in which they were sent.
	Suspects []Suspect `json:"suspects,omitempty"`
	// Stopped says which limit stopped the run early ("the run reached its limit of 500 requests (--max-requests)").
	Stopped string `json:"stopped,omitempty"`
	// Cut says why a record read from a journal lacks a part of its run. Such a record is not complete.
	Cut string `json:"cut,omitempty"`
	// Failure says what went wrong in the harness itself. Such a run proves nothing.
	Failure string `json:"failure,omitempty"`

	Suite Suite `json:"suite"`
	// Sources holds the texts that the run was judged by, unless they are built in.
	Sources Packed `json:"sources,omitempty"`
	// Document lists the parts of the contract that were not used for judging, or is nil if there are none.
	Document *Document `json:"document,omitempty"`
	// Uncalled lists the operations that the run does not call, if the suite is derived from a contract.
	Uncalled []Uncalled `json:"uncalled,omitempty"`
	// Proof is what the suite was proven to detect, or nil if unknown.
	Proof   *Proof    `json:"proof,omitempty"`
	Target  Target    `json:"target"`
	Options Options   `json:"options"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended,omitzero"`
	// Patience is what the run waited for.
	Patience Patience `json:"patience,omitzero"`
	// Width is the number of requests in flight at a time, if the run chose it itself. It is nil in older records.
	Width *Width `json:"width,omitempty"`
	// Unjudged lists the places of the contract by which values in responses could not be judged. They are not findings.
	Unjudged []Unjudged `json:"unjudged,omitempty"`
	// Coverage says how much of the contract was put to the test. It is nil in the record of a run that has not ended, or was killed, and in
	// records of earlier versions.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Bodies lists the operations of which the service refused each plain body, in the order of the contract.
	Bodies []BodySearch `json:"bodies,omitempty"`
	// Suggestions are lines for a file of values, for operations that never succeeded, in the order of the contract.
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	// Roles lists the operations that another role opens than that of the run, in the order of the contract.
	Roles []RoleUse `json:"roles,omitempty"`

	// Traffic is nil in the record of a run.
	Traffic *Traffic `json:"traffic,omitempty"`

	// Scenarios is in the order in which the scenarios ended. In the record of traffic, each operation that was seen is one.
	Scenarios []Scenario `json:"scenarios"`
	// Exchanges is ordered by number. Bodies may be cut (spec.Response.Size is the original length); those that a finding cites are kept
	// whole up to a limit.
	Exchanges []spec.Exchange `json:"exchanges"`
	// Confirmations holds the results of repeating scenarios with findings.
	Confirmations []Confirmation `json:"confirmations,omitempty"`
	// Opinions holds the second judge's opinions of findings that rest on a schema. Records of earlier versions have none.
	Opinions []Opinion `json:"opinions,omitempty"`
	// Created lists what the run created or may have created, including what it has removed again; see Fate.
	Created []Creation `json:"created,omitempty"`
	// Exercised is how often each rule was judged, by scenarios and by the checks of every exchange.
	Exercised map[string]int `json:"exercised"`
	// NotApplicable holds, by rule id, why a rule does not apply to this target at this time.
	NotApplicable map[string]string `json:"notApplicable,omitempty"`
	// Deviations lists the known violations.
	Deviations []Deviation `json:"deviations,omitempty"`
	// Selected identifies the scenarios to be run, by all shards together.
	Selected Selected `json:"selected,omitzero"`
	// Shards lists the runs that were merged into this record.
	Shards []Part `json:"shards,omitempty"`
}

// Suite identifies the suite of a run.
type Suite struct {
	Version string `json:"version"`
	// The digests are "sha256:…" over the contract, the catalogue and the features that were used.
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Foreign names the parts (contract, features) that were given instead of the built-in ones.
	Foreign []string `json:"foreign,omitempty"`
}

// ForeignContract reports whether a contract was given instead of the built-in one.
func (s Suite) ForeignContract() bool { return slices.Contains(s.Foreign, "contract") }

// Other names a part of the suite whose digest differs, or is empty.
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

// Target is the judged implementation. It holds no secret.
type Target struct {
	BaseURL  string `json:"baseURL"`
	ReadOnly bool   `json:"readOnly"`
	// Removed lists the operations whose removal date has passed.
	Removed []string `json:"removed,omitempty"`
	Connection
	// Implementation says who made the judged service, as far as it was given.
	Implementation Implementation `json:"implementation,omitzero"`
}

// Options are the options of a run.
type Options struct {
	Seed int64 `json:"seed"`
	// Concurrency is the maximum number of requests in flight at a time. Adaptive reports whether that was only the upper limit for what
	// the run determines itself, see Width. In records of earlier versions it counts scenarios.
	Concurrency int  `json:"concurrency"`
	Adaptive    bool `json:"adaptive,omitempty"`
	// MaxCreated is the number of resources that might be created.
	MaxCreated      int      `json:"maxCreated,omitempty"`
	Now             string   `json:"now,omitempty"`
	Tags            string   `json:"tags,omitempty"`
	Rules           []string `json:"rules,omitempty"`
	Operations      []string `json:"operations,omitempty"`
	Strict          bool     `json:"strict,omitempty"`
	RequireComplete bool     `json:"requireComplete,omitempty"`
	RequireProse    bool     `json:"requireProse,omitempty"`
	// RequireCoverage is the percentage of each dimension of the contract that has to be judged.
	RequireCoverage map[Dimension]float64 `json:"requireCoverage,omitempty"`
	// AcceptPartial reports whether the run may pass although operations were not called for lack of a credential, or most never succeeded.
	AcceptPartial bool `json:"acceptPartial,omitempty"`
	// Intermittent is IntermittentWarn if findings that no repetition shows must not fail the run, otherwise empty.
	Intermittent string `json:"intermittent,omitempty"`
	// Reserved is the number of creations, out of MaxCreated, that were kept for repetitions.
	Reserved int `json:"reserved,omitempty"`
	// Shard is the part of the selected scenarios that was run ("2/5"), or empty for all.
	Shard string `json:"shard,omitempty"`
	// Again names the record whose failures this run repeated.
	Again string `json:"again,omitempty"`
	// Quick reports whether only the scenarios were run that the proof calls the quick part.
	Quick bool `json:"quick,omitempty"`
	// Rerun is the command that repeats the run, without --rule: "hallmark run --base-url https://…/v1".
	Rerun string `json:"rerun,omitempty"`
	// Test is the Go test that judged the service, with its rules as subtests; empty for a run on the command line.
	Test string `json:"test,omitempty"`
}

// Outcome is the outcome of a scenario or a step.
type Outcome string

// The outcomes. Skipped and Failed always come with a reason or findings.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
	// Errored is a failure of the harness or of the connection, never a response of the service.
	Errored Outcome = "error"
)

// Scenario is one executed scenario (of an outline: one row).
type Scenario struct {
	// ID is stable across runs: the feature's path and the line ("features/list.feature:14"; a row has its own line).
	ID string `json:"id"`
	// Feature is the title of the feature.
	Feature string `json:"feature"`
	// Sentence is the title of the Gherkin Rule around the scenario, or empty.
	Sentence string   `json:"sentence,omitempty"`
	Name     string   `json:"name"`
	Tags     []string `json:"tags,omitempty"`
	// Rules lists the ids of the rules that the scenario's tags name, the most specific first.
	Rules      []string `json:"rules"`
	Operations []string `json:"operations,omitempty"`

	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	// Excused reports whether skipping the scenario left no gap: its case does not exist for the target, or the run was not meant to
	// include it.
	Excused bool `json:"excused,omitempty"`
	// Inapplicable reports whether the scenario was skipped because only a credential besides those that the operation needs could show what it
	// is about, and the run does not have one.
	Inapplicable bool `json:"inapplicable,omitempty"`
	// Tried says, for a scenario skipped because the run could create no more resources, how many of its generated cases were tried: "3 of
	// 10 generated valid bodies".
	Tried string `json:"tried,omitempty"`
	Steps []Step `json:"steps,omitempty"`

	Findings     []spec.Finding     `json:"findings,omitempty"`
	Observations []spec.Observation `json:"observations,omitempty"`
	// Exchanges lists the numbers of its exchanges.
	Exchanges []int `json:"exchanges,omitempty"`
	// Replays is how often the scenario was repeated from its beginning because an exchange was lost. Its exchanges include those of all
	// attempts.
	Replays int `json:"replays,omitempty"`
	// Round numbers, from 1, the parts of a run that are played one after another; scenarios of a round may be played concurrently. It is 0
	// for scenarios that were not played, for the preflight, and in older records. It is [Beside] for scenarios played alongside the
	// rounds.
	Round   int           `json:"round,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"`
}

// Beside is the round of a scenario played at the same time as several rounds.
const Beside = -1

// Preflight reports whether s holds the checks before the scenarios. They are recorded like a scenario but not counted as one.
func (s *Scenario) Preflight() bool { return s.ID == preflightID }

// Played returns the number of scenarios.
func (rec *Record) Played() int {
	n := 0
	for i := range rec.Scenarios {
		if !rec.Scenarios[i].Preflight() {
			n++
		}
	}
	return n
}

// AtOnce returns the maximum number of requests in flight at a time.
func (rec *Record) AtOnce() int {
	if rec.Width != nil {
		return rec.Width.Widest
	}
	return rec.Options.Concurrency
}

// Filtered reports whether the run was restricted to a part of the suite.
func (rec *Record) Filtered() bool {
	o := rec.Options
	return o.Tags != "" || len(o.Rules) > 0 || len(o.Operations) > 0 || o.Shard != "" || o.Again != "" || o.Quick
}

// File returns the path of the scenario's feature file ("features/list.feature"), taken from its id. For the preflight, which is in no
// file, it returns the id.
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

// ScenarioOrder compares scenario ids by path, then by line number.
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

// ScenarioLine splits "features/list.feature:14". An id without a line has line 0.
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
