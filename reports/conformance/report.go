package conformance

import (
	"time"

	"hallmark/reports/record"
	"hallmark/reports/verdict"
	"hallmark/spec"
)

// APIVersion and Kind name the format of a report. Readers refuse what they do not know. [APIVersion1] is still read: it names
// what a run created after the resource of the one interface that there was (see [record.Version1]).
const (
	APIVersion  = "hallmark/v2"
	APIVersion1 = "hallmark/v1"
	Kind        = "ConformanceReport"
)

// Report says how an implementation stands to the interface. Its members are explained in the schema, see [Schema].
type Report struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Date is when the run ended, of one that did not when it began. Expires is only there in a signed report.
	Date    time.Time `json:"date"`
	Expires time.Time `json:"expires,omitzero"`
	// Result is drawn from the rest of the report, see [Report.Conclude].
	Result  verdict.Verdict `json:"result"`
	Because string          `json:"because"`
	// Caveats are what a reader of the result has to know besides, in sentences.
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

// Target is where the implementation was asked, and what was special about the way to it.
type Target struct {
	BaseURL string   `json:"baseURL"`
	Way     []string `json:"way,omitempty"`
}

// Interface is what the contract calls itself. It is empty where the contract is not at hand.
type Interface struct {
	Title   string `json:"title"`
	Version string `json:"version"`
}

// Suite says which suite judged.
type Suite struct {
	Version   string `json:"version"`
	Contract  string `json:"contract"`
	Catalogue string `json:"catalogue"`
	Features  string `json:"features"`
	// Foreign names the parts (contract, catalogue, features) that are not those of the hallmark that judged.
	Foreign []string `json:"foreign,omitempty"`
}

// Mode is how the suite was asked.
type Mode struct {
	// Whole reports whether nothing was left out: no filter, no shard, no early end.
	Whole       bool `json:"whole"`
	ReadOnly    bool `json:"readOnly"`
	Strict      bool `json:"strict"`
	Insecure    bool `json:"insecure"`
	Concurrency int  `json:"concurrency"`
	Examples    int  `json:"examples"`
	MaxCreated  int  `json:"maxCreated"`
	// Shards counts the runs that were merged; 0 for one run.
	Shards int `json:"shards"`
	// Now is the moment by which removal dates were judged, when it was given.
	Now        string   `json:"now,omitempty"`
	Tags       string   `json:"tags,omitempty"`
	Rules      []string `json:"rules,omitempty"`
	Operations []string `json:"operations,omitempty"`
	Shard      string   `json:"shard,omitempty"`
	// Again reports whether only what had failed was asked again.
	Again bool `json:"again,omitempty"`
	// Quick reports whether only those scenarios were asked that the proof calls the quick part.
	Quick bool `json:"quick,omitempty"`
}

// Run is what the run itself said.
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

// Area is what was found of the rules whose ids begin with its name. Each of them is in exactly one of its lists.
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

// Conforming are the ids of the rules that hold.
type Conforming struct {
	Must     []string `json:"must,omitempty"`
	Should   []string `json:"should,omitempty"`
	Inferred []string `json:"inferred,omitempty"`
}

// Failed is a rule that is broken: violated, warned (a should rule), intermittent (not when repeated, and the run was asked
// only to warn of that) or deviates (by known violations only).
type Failed struct {
	Rule    string          `json:"rule"`
	Level   spec.Level      `json:"level"`
	Verdict verdict.Verdict `json:"verdict"`
	Says    string          `json:"says"`
	// Message is one of the findings in a line.
	Message  string `json:"message"`
	Findings int    `json:"findings"`
	// Cause is the rule that leads the defect behind it: this one, or another.
	Cause string `json:"cause,omitempty"`
	// Intermittent reports whether the scenario which shows it best was repeated, and did not show it each time.
	Intermittent bool `json:"intermittent,omitempty"`
}

// Left is a rule that was not judged, and why.
type Left struct {
	Rule   string     `json:"rule"`
	Level  spec.Level `json:"level"`
	Reason string     `json:"reason"`
}

// Skipped are scenarios that were not run to their end, and why.
type Skipped struct {
	Reason    string   `json:"reason"`
	Scenarios []string `json:"scenarios"`
}

// Observation is how the implementation decides what the interface leaves open.
type Observation struct {
	Rule    string   `json:"rule"`
	Asks    string   `json:"asks"`
	Answers []Answer `json:"answers"`
	// More counts further answers.
	More int `json:"more,omitempty"`
}

// Answer is one way in which an open question is answered, and what was asked to get it.
type Answer struct {
	Answer string   `json:"answer"`
	Asked  []string `json:"asked"`
	More   int      `json:"more,omitempty"`
}

// Deviation is a breach that was known beforehand, and how it stands to the run.
type Deviation struct {
	record.Deviation
	State    verdict.State `json:"state"`
	Findings int           `json:"findings"`
	// Fails reports whether the run fails by it: it is no longer what the list says.
	Fails bool `json:"fails,omitempty"`
}

// ProofSummary is what the suite was proven to see, and whether that holds for this run.
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

// Reproduce says how to ask the same again.
type Reproduce struct {
	Command string `json:"command"`
	// Seeds are those of the run, or of its shards, as decimal text: they go beyond what JSON's numbers keep.
	Seeds []string `json:"seeds"`
}
