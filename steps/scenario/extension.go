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

// Extension is what Go code knows of one interface beyond its contract and its rules, for one run: above all what earlier
// responses have shown. Scenarios that run at the same time use it.
type Extension interface {
	// Begin returns what the steps of the extension keep of a scenario; State.Own returns it.
	Begin(s *Scenario) any
	// Sending is told of each body that creates something before it is sent, Lost when nobody knows what became of it.
	Sending(sent *generate.SentBody)
	Lost(sent *generate.SentBody)
	// Judge judges a response by what earlier ones have shown. contract is what the contract alone finds in it, which Judge may
	// explain or add to.
	Judge(a *Answer, value exactjson.Value, contract *check.Result) []check.Result
	// After names the rule whose breach explains that a response has a status by which another rule is broken; empty for none.
	After(a *Answer, rule string) string
	// About says what it means for the resources of the interface that a response has the wrong status.
	About(a *Answer) spec.About
	// Origin is the number of the exchange that first showed what a request names; 0 for none.
	Origin(ex *spec.Exchange) int
	// Value returns a value for a path parameter that no step gives, and whether the run created what it names; empty for none.
	Value(op spec.Operation, p spec.Parameter) (value string, created bool)
	// Knows reports whether anything that the run has seen has that id.
	Knows(id string) bool
	// AbsentUntil is the moment until which that may be missing which a response says is not there; zero for no such response.
	AbsentUntil(a *Answer) time.Time
	// IsOthers reports whether a response to a creation shows what another creation of the run sent.
	IsOthers(a *Answer) bool
	// ReadBack judges by further requests that what was created is there as it was answered.
	ReadBack(ctx context.Context, s *Scenario, a *Answer) error
}

// Interface is the Go code of one interface: what an engine that knows contracts and rules cannot know. The zero value is that
// of an interface without any, which is the normal case.
type Interface struct {
	// BasePath is what the addresses of its services end in ("/v1"); empty for anything.
	BasePath string
	// Resource names what the interface's operations create, in the singular: "animal"; empty stands for "resource".
	Resource string
	// MaxAlias is another name of the flag max-created, for those who know it by that; may be empty.
	MaxAlias string
	// Fields are the properties of bodies whose values the target must know beforehand.
	Fields []Field
	// Forms are the steps of its own.
	Forms []Form
	// Unfit says why a scenario that was written for the interface's own contract does not fit another one, by what its steps
	// say (see [Form]); empty when it does. May be nil.
	Unfit func(said []any, c *spec.Contract) string
	// Playable says why scenarios cannot be played by a contract; may be nil.
	Playable func(*spec.Contract) error
	// Extend makes what a run knows; nil for nothing.
	Extend func(*Run) Extension
}

// Field is a property of bodies whose value names something that the target has already, so that a run cannot make it up.
type Field struct {
	// Name is the property, Noun what its value names: "categoryId", "category".
	Name, Noun string
	// Flag gives the value, Usage says so in a phrase; Default is the value without it.
	Flag, Usage string
	Default     int64
}

// Defaults returns the values of the fields as they are by themselves, as JSON texts.
func (i Interface) Defaults() map[string]string {
	all := map[string]string{}
	for _, f := range i.Fields {
		all[f.Name] = strconv.FormatInt(f.Default, 10)
	}
	return all
}

// Noun returns the word for what the interface's operations create, in the singular.
func (i Interface) Noun() string { return cmp.Or(i.Resource, "resource") }

// Count is a number of what the interface's operations create, in words: "3 animals".
func (i Interface) Count(n int64) string { return text.Count(n, i.Noun()) }

// contractOnly is an extension that knows nothing.
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
	// Pattern is a regular expression that the whole text of the step matches.
	Pattern string
	// Group is the heading under which the step is listed, Means says in a sentence what it does, Example is a text that it reads.
	Group, Means, Example string
	// Do is called with a context and a string for each group of the pattern, and returns an error.
	Do any
	// Creates is how many resources the step creates when all is as it should be, where that is reserved beforehand; may be nil.
	Creates func(*Run) int
	// Says returns, by the groups of the pattern, what the step says that a contract may not allow, as data for
	// [Interface.Unfit]; may be nil.
	Says func(groups []string) any
}

// Compile compiles the pattern to one that matches the whole text of a step.
func (f Form) Compile() *regexp.Regexp { return regexp.MustCompile("^" + f.Pattern + "$") }
