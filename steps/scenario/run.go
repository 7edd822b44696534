package scenario

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/judge"
	"hallmark/steps/budget"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/suite"
	"hallmark/steps/truncate"
)

// Options are what the scenarios of a run need.
type Options struct {
	Target    Target
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	// Interface is the Go code of the interface.
	Interface Interface
	// Seed fixes what is generated; it must not be 0.
	Seed int64
	// Examples is how many bodies the scenarios on generated ones try; 0 stands for DefaultExamples. It bounds the other
	// generated cases too: see vocabulary.NewExploration.
	Examples int
	// Timeout bounds one request, its response's body included.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// Transport carries the requests; client.NewTransport makes one.
	Transport http.RoundTripper
	// Agent is what the User-Agent header begins with; the run and the scenario follow.
	Agent string
	// ID names the run in the target's logs and in the names that it makes up; empty makes one (see NewRunID).
	ID string
	// Correlation is the header that carries an id of each exchange; empty sends none.
	Correlation string
	// Limits bound what is asked.
	Limits client.Limits
	// Patience is for how long is waited.
	Patience Patience
	// Recorder takes what happens.
	Recorder *record.Recorder
}

// Run is the state of a run, shared by all its scenarios.
type Run struct {
	Options
	Client *client.Client
	judge  *judge.Judge
	// Extension is what Go code knows of the interface.
	Extension Extension
	// Removed maps operations whose removal date has come to the reason why their rules do not apply.
	Removed map[string]string

	// Marker is in every name that the run makes up; Names counts them.
	Marker string
	Names  atomic.Int64
	// Budget counts the resources that this run created, and those that requests under way may create.
	Budget *budget.Budget
	// bigJudge is held while a big answer is judged.
	bigJudge sync.Mutex
	// openBodies counts the bytes that scenarios that have not ended keep of long bodies.
	openBodies atomic.Int64
	// Settling counts what was waited for.
	Settling settling
	// Contact and Latencies tell whether the target, and each of its operations, can be reached.
	Contact   *client.Contact
	Latencies *client.Latencies

	// Cancel ends the run, with its reason.
	Cancel   context.CancelCauseFunc
	mu       sync.Mutex
	lostText string
	// doubts are answers to be asked for once more.
	doubts []Doubt
	// blamed are the rules by which requests were refused, by what was asked; see Narrowed.
	blamed map[string]string
}

// NewRunID is a name for a run: six letters and digits.
func NewRunID() string {
	return strconv.FormatInt(36*36*36*36*36+rand.Int64N(35*36*36*36*36*36), 36)
}

// NewClient returns a client for the target.
func (o Options) NewClient() *client.Client {
	return client.New(client.Options{
		Transport: o.Transport, BaseURL: o.Target.BaseURL, Key: o.Target.Key, Redactor: o.Target.Redactor(),
		Headers: o.Target.Headers, Timeout: o.Timeout, Agent: o.Agent,
	})
}

// New is a run that has asked nothing yet.
func New(o Options) (*Run, error) {
	if o.ID == "" {
		o.ID = NewRunID()
	}
	if o.Interface.Playable != nil {
		if err := o.Interface.Playable(o.Contract); err != nil {
			return nil, err
		}
	}
	r := &Run{
		Options: o,
		Marker:  "hallmark-" + o.ID,
		Client:  o.NewClient(),
		Removed: RemovedBy(o.Contract, o.Now), Contact: client.NewContact(o.Patience.Reconnect), Latencies: client.NewLatencies(),
		Budget: budget.New(o.Target.MaxCreated, false, nil),
	}
	r.Client.Contact = r.Contact
	r.Client.Run, r.Client.Correlation = o.ID, o.Correlation
	r.Client.Limiter = client.NewLimiter(o.Limits, time.Now())
	r.blamed = map[string]string{}
	var err error
	r.judge, err = judge.New(o.Contract, o.Catalogue)
	r.Extension = contractOnly{}
	if o.Interface.Extend != nil {
		r.Extension = o.Interface.Extend(r)
	}
	return r, err
}

// RemovedBy lists the operations whose removal date has come.
func RemovedBy(c *spec.Contract, now time.Time) map[string]string {
	out := map[string]string{}
	for _, op := range c.Operations() {
		if !op.Sunset.IsZero() && !now.Before(op.Sunset) {
			out[op.ID] = op.ID + " was removed on " + op.Sunset.Format("2 January 2006")
		}
	}
	return out
}

// FreshName is a plain name that nothing else has: ASCII, fewer than 40 characters, and shows the run that made it.
func (r *Run) FreshName() string {
	return r.Marker + "-" + strconv.FormatInt(r.Names.Add(1), 10)
}

// IsMine reports whether a name was made up by this run.
func (r *Run) IsMine(name string) bool { return strings.Contains(name, r.Marker) }

// FreshID is an id that nothing has: 62 random bits, and never seen.
func (r *Run) FreshID() string {
	for {
		id := strconv.FormatInt(1<<61+rand.Int64N(1<<61), 10)
		if !r.Extension.Knows(id) {
			return id
		}
	}
}

// Creates reports whether an operation makes a resource, which counts for the budget.
func (r *Run) Creates(operation string) bool {
	op, ok := r.Contract.Operation(operation)
	return ok && op.Method == http.MethodPost
}

// ExampleCount is how many valid bodies are to be tried.
func (r *Run) ExampleCount() int {
	if r.Examples > 0 {
		return r.Examples
	}
	return DefaultExamples
}

// SeedOf is the seed of a generated case: another one for each place and number, the same in each run of that seed.
func (r *Run) SeedOf(what string, i int) int {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", r.Seed, what, i)
	return int(h.Sum64() >> 1)
}

// Fails reports whether a finding makes the run fail.
func (r *Run) Fails(f spec.Finding) bool {
	rule, ok := r.Catalogue.Rule(f.Rule)
	return ok && rule.Level == spec.Must
}

// LongestTold is how long a text of a finding may be, in characters: a response may hold a name that fills a book.
const LongestTold = 1000

// tellable is a text that is short enough to be told. What is cut away first loses its secrets, which cannot be known by half.
func (r *Run) tellable(text string) string {
	if len(text) <= LongestTold {
		return text
	}
	return truncate.Middle(r.Client.Redactor.Text(text), LongestTold)
}

// Narrowed returns the rule that a refused request was found to break, by what was asked; false when nobody has looked yet.
func (r *Run) Narrowed(asked string) (rule string, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rule, done = r.blamed[asked]
	return rule, done
}

// Narrow notes the rule that a refused request was found to break.
func (r *Run) Narrow(asked, rule string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blamed[asked] = rule
}

// DefaultExamples is how many valid bodies are tried when nobody says otherwise.
const DefaultExamples = 10

// NewScenario returns a scenario that has asked nothing yet.
func (r *Run) NewScenario(p *suite.Scenario, about spec.Rule) *Scenario {
	s := &Scenario{Run: r, Pickle: p, Rule: about, Started: time.Now(), Credential: credentials.Right(r.Target.Key), Earlier: map[string]*Answer{}}
	s.State = r.Extension.Begin(s)
	return s
}
