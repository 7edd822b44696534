package scenario

import (
	"cmp"
	"context"
	"regexp"
	"strconv"
	"time"

	"hallmark/internal/text"
	"hallmark/spec"
	"hallmark/spec/exactjson"
	"hallmark/steps/check"
	"hallmark/steps/generate"
)

// Extension is what Go code knows about one interface beyond its contract and rules during one run, above all what
// earlier responses have shown. It must be safe for concurrent use.
type Extension interface {
	// Begin returns the extension's state for a scenario; State.Own returns it.
	Begin(s *Scenario) any
	// Sending is called with each body that creates something before it is sent, Lost if its outcome is unknown.
	Sending(sent *generate.SentBody)
	Lost(sent *generate.SentBody)
	// Judge judges a response by what earlier ones have shown. contract is what the contract alone finds in it; Judge
	// may explain it or add to it.
	Judge(a *Answer, value exactjson.Value, contract *check.Result) []check.Result
	// After returns the rule whose violation explains that a response has a status that violates another rule, or "".
	After(a *Answer, rule string) string
	// About says what a wrong status means for the resources of the interface.
	About(a *Answer) spec.About
	// Origin returns the number of the exchange that first showed what a request names, or 0.
	Origin(ex *spec.Exchange) int
	// Value returns a value for a path parameter that no step sets, or "", and whether the run created what it names.
	Value(op spec.Operation, p spec.Parameter) (value string, created bool)
	// Knows reports whether the run has seen the id.
	Knows(id string) bool
	// AbsentUntil returns the moment until which something missing from a response may still appear, or the zero time
	// if nothing is missing.
	AbsentUntil(a *Answer) time.Time
	// IsOthers reports whether the response to a creation shows what another creation of the run sent.
	IsOthers(a *Answer) bool
	// ReadBack sends further requests to judge whether a created resource is stored as it was returned.
	ReadBack(ctx context.Context, s *Scenario, a *Answer) error
}

// Interface is the Go code of one interface: what an engine that knows contracts and rules cannot know. The zero
// value is the normal case, an interface without Go code.
type Interface struct {
	// BasePath is the suffix of the base URLs of its services ("/v1"), or empty for any.
	BasePath string
	// Resource is the noun for what the interface's operations create: "animal". Empty means "resource".
	Resource string
	// MaxAlias is an alias of the flag max-created, or empty.
	MaxAlias string
	// Fields are properties of request bodies whose values the target must know beforehand.
	Fields []Field
	// Forms are the interface's own steps.
	Forms []Form
	// Extend returns the extension of a run. May be nil.
	Extend func(*Run) Extension
}

// Field is a property of request bodies whose value refers to something that exists in the target, so that a run
// cannot make it up.
type Field struct {
	// Name is the property, Noun the noun for what its value refers to: "categoryId", "category".
	Name, Noun string
	// Flag is the flag that sets the value and Usage its description; Default is the value without it.
	Flag, Usage string
	Default     int64
}

// Defaults returns the default values of the fields, as JSON.
func (i Interface) Defaults() map[string]string {
	all := map[string]string{}
	for _, f := range i.Fields {
		all[f.Name] = strconv.FormatInt(f.Default, 10)
	}
	return all
}

// Noun returns the noun for what the interface's operations create.
func (i Interface) Noun() string { return cmp.Or(i.Resource, "resource") }

// Count returns a number of resources in words: "3 animals".
func (i Interface) Count(n int64) string { return text.Count(n, i.Noun()) }

// contractOnly is the extension of an interface without Go code.
type contractOnly struct{}

func (contractOnly) Begin(*Scenario) any           { return nil }
func (contractOnly) Sending(*generate.SentBody)    {}
func (contractOnly) Lost(*generate.SentBody)       {}
func (contractOnly) After(*Answer, string) string  { return "" }
func (contractOnly) About(*Answer) spec.About      { return spec.About{} }
func (contractOnly) Origin(*spec.Exchange) int     { return 0 }
func (contractOnly) Knows(string) bool             { return false }
func (contractOnly) AbsentUntil(*Answer) time.Time { return time.Time{} }
func (contractOnly) IsOthers(*Answer) bool         { return false }

func (contractOnly) Judge(*Answer, exactjson.Value, *check.Result) []check.Result {
	return nil
}

func (contractOnly) Value(spec.Operation, spec.Parameter) (string, bool) { return "", false }

func (contractOnly) ReadBack(context.Context, *Scenario, *Answer) error { return nil }

// Form is one form of a step.
type Form struct {
	// Pattern is a regular expression that matches the whole text of the step.
	Pattern string
	// Group is the heading under which the step is listed, Means a sentence that describes it, and Example a text
	// that it matches.
	Group, Means, Example string
	// Do is called with a context and a string for each group of the pattern, and returns an error.
	Do any
	// Creates returns how many resources the step creates when all goes well, for steps whose budget is reserved
	// beforehand. May be nil.
	Creates func(*Run) int
}

// Compile compiles the pattern so that it matches the whole text of a step.
func (f Form) Compile() *regexp.Regexp { return regexp.MustCompile("^" + f.Pattern + "$") }
