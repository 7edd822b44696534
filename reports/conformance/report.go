package conformance

import (
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/reports/verdict"
	"github.com/hallmark-kit/hallmark/spec"
)

// apiVersion and kindName name the format of a report. Readers reject unknown formats. [apiVersion1] can still be read: it names what a run
// created after the resource of the only interface of that time (see [record.Version1]).
const (
	apiVersion  = "hallmark/v2"
	apiVersion1 = "hallmark/v1"
	kindName    = "ConformanceReport"
)

// Report says whether an implementation conforms to the interface. Its members are explained in the schema, see
// [Schema].
type Report struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Date is when the run ended, or when it began if it did not end. Expires is only set in a signed report.
	Date    time.Time `json:"date"`
	Expires time.Time `json:"expires,omitzero"`
	// Result is derived from the rest of the report, see [Report.Conclude].
	Result  verdict.Verdict `json:"result"`
	Because string          `json:"because"`
	// Caveats lists what else a reader of the result must know, in sentences.
	Caveats        []string              `json:"caveats,omitempty"`
	Implementation record.Implementation `json:"implementation,omitzero"`
	Target         Target                `json:"target"`
	Interface      Interface             `json:"interface,omitzero"`
	Suite          Suite                 `json:"suite"`
	Mode           Mode                  `json:"mode"`
	Run            Run                   `json:"run"`
	Summary        Summary               `json:"summary"`
	Areas          []Area                `json:"areas"`
	Observations   []Observation         `json:"observations,omitempty"`
	Deviations     []Deviation           `json:"deviations,omitempty"`
	Proof          *ProofSummary         `json:"proof,omitempty"`
	Reproduce      Reproduce             `json:"reproduce"`
	Signature      *Signature            `json:"signature,omitempty"`
}

// Target is the address of the implementation, and what was special about the connection.
type Target struct {
	BaseURL string   `json:"baseURL"`
	Way     []string `json:"way,omitempty"`
}

// Interface is the title and version of the contract. It is empty if the contract is not available.
type Interface struct {
	Title   string `json:"title"`
	Version string `json:"version"`
}

// Suite identifies the suite of the run.
type Suite struct {
	Version   string `json:"version"`
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Foreign names the parts (contract, catalogue, features) that differ from those of the hallmark that made the report.
	Foreign []string `json:"foreign,omitempty"`
}

// Mode is how the suite was run.
type Mode struct {
	// Whole reports whether nothing was left out: no filter, no shard, no early stop.
	Whole       bool `json:"whole"`
	ReadOnly    bool `json:"readOnly"`
	Strict      bool `json:"strict"`
	Insecure    bool `json:"insecure"`
	Concurrency int  `json:"concurrency"`
	MaxCreated  int  `json:"maxCreated"`
	// Shards is the number of merged runs, or 0 for a single run.
	Shards int `json:"shards"`
	// Now is the time for which removal dates were judged, if it was given.
	Now        string   `json:"now,omitempty"`
	Tags       string   `json:"tags,omitempty"`
	Rules      []string `json:"rules,omitempty"`
	Operations []string `json:"operations,omitempty"`
	Shard      string   `json:"shard,omitempty"`
	// Again reports whether only earlier failures were run again.
	Again bool `json:"again,omitempty"`
	// Quick reports whether only the quick part of the suite was run.
	Quick bool `json:"quick,omitempty"`
}

// Run is what the run itself reported.
type Run struct {
	ID       string          `json:"id,omitempty"`
	Verdict  verdict.Verdict `json:"verdict"`
	Because  string          `json:"because"`
	Complete bool            `json:"complete"`
	Lost     string          `json:"lost,omitempty"`
	Stopped  string          `json:"stopped,omitempty"`
	Failures []string        `json:"failures,omitempty"`
}

// Summary holds the totals over all areas.
type Summary struct {
	Rules     Rules     `json:"rules"`
	Must      Must      `json:"must"`
	Scenarios Scenarios `json:"scenarios"`
	Exchanges int       `json:"exchanges"`
	// Created counts the resources that the run created, or may have.
	Created int `json:"created"`
}

// Rules counts rules of all levels by their verdicts.
type Rules struct {
	Total         int `json:"total"`
	Conforms      int `json:"conforms"`
	Violated      int `json:"violated"`
	Warned        int `json:"warned"`
	Undecided     int `json:"undecided,omitempty"`
	Intermittent  int `json:"intermittent,omitempty"`
	Deviates      int `json:"deviates"`
	Observed      int `json:"observed"`
	NotExercised  int `json:"notExercised"`
	NotApplicable int `json:"notApplicable"`
	Untestable    int `json:"untestable"`
}

// Must counts the must rules that apply and can be tested.
type Must struct {
	Total        int `json:"total"`
	Conforms     int `json:"conforms"`
	Violated     int `json:"violated"`
	Undecided    int `json:"undecided,omitempty"`
	Intermittent int `json:"intermittent,omitempty"`
	Deviates     int `json:"deviates"`
	NotExercised int `json:"notExercised"`
}

// Scenarios counts scenarios by their outcomes.
type Scenarios struct {
	Total   int `json:"total"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
	Errors  int `json:"errors"`
}

// Area holds the rules whose ids begin with its name, each in exactly one of its lists.
type Area struct {
	Area      string          `json:"area"`
	Result    verdict.Verdict `json:"result"`
	Rules     Rules           `json:"rules"`
	Must      Must            `json:"must"`
	Scenarios Scenarios       `json:"scenarios"`

	Conforms      Conforming `json:"conforms,omitzero"`
	Failed        []Failed   `json:"failed,omitempty"`
	Observed      []string   `json:"observed,omitempty"`
	NotExercised  []Left     `json:"notExercised,omitempty"`
	NotApplicable []Left     `json:"notApplicable,omitempty"`
	Untestable    []Left     `json:"untestable,omitempty"`
	Skipped       []Skipped  `json:"skipped,omitempty"`
}

// Conforming holds the ids of the rules that hold.
type Conforming struct {
	Must     []string `json:"must,omitempty"`
	Should   []string `json:"should,omitempty"`
	Inferred []string `json:"inferred,omitempty"`
}

// Failed is a broken rule: violated, warned (a should rule), intermittent (broken at first but not when repeated, if the run only warns
// about that) or deviates (only by known violations).
type Failed struct {
	Rule    string          `json:"rule"`
	Level   spec.Level      `json:"level"`
	Verdict verdict.Verdict `json:"verdict"`
	Says    string          `json:"says"`
	// Message is one of the findings on one line.
	Message  string `json:"message"`
	Findings int    `json:"findings"`
	// Cause is the leading rule of the defect behind it: this rule or another one.
	Cause string `json:"cause,omitempty"`
	// Intermittent reports whether a repetition of the scenario that shows it best did not show it.
	Intermittent bool `json:"intermittent,omitempty"`
}

// Left is a rule that was not judged, and the reason.
type Left struct {
	Rule   string     `json:"rule"`
	Level  spec.Level `json:"level"`
	Reason string     `json:"reason"`
}

// Skipped holds scenarios that did not run to their end, and the reason.
type Skipped struct {
	Reason    string   `json:"reason"`
	Scenarios []string `json:"scenarios"`
}

// Observation is how the implementation behaves where the interface leaves a choice.
type Observation struct {
	Rule    string     `json:"rule"`
	Asks    string     `json:"asks"`
	Answers []Observed `json:"answers"`
	// More counts further answers.
	More int `json:"more,omitempty"`
}

// Observed is an answer to an open question, with the requests that led to it.
type Observed struct {
	Answer string   `json:"answer"`
	Asked  []string `json:"asked"`
	More   int      `json:"more,omitempty"`
}

// Deviation is a known violation with its state after the run.
type Deviation struct {
	record.Deviation
	State    verdict.State `json:"state"`
	Findings int           `json:"findings"`
	// Fails reports whether it makes the run fail because it no longer matches the findings.
	Fails bool `json:"fails,omitempty"`
}

// ProofSummary is what the suite was proven to detect, and whether that applies to this run.
type ProofSummary struct {
	Holds     bool   `json:"holds"`
	Because   string `json:"because,omitempty"`
	Faults    int    `json:"faults"`
	Killed    int    `json:"killed"`
	Diagnosed int    `json:"diagnosed"`
	Freedoms  int    `json:"freedoms"`
	Accepted  int    `json:"accepted"`
	MustRules int    `json:"mustRules"`
	WithFault int    `json:"withFault"`
}

// Reproduce says how to repeat the run.
type Reproduce struct {
	Command string `json:"command"`
	// Seeds holds the seeds of the run or of its shards as decimal text, because they exceed the precision of JSON numbers.
	Seeds []string `json:"seeds"`
}
