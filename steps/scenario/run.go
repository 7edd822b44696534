package scenario

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/judge"
	"hallmark/spec/promise"
	"hallmark/spec/resource"
	"hallmark/steps/budget"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/lanes"
	"hallmark/steps/suite"
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
	// Concurrency is how many requests are under way at a time, and how many scenarios; 0 stands for one, and [client.Auto] for as many
	// as the target bears.
	Concurrency int
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
	// Promises are those of a contract whose rules follow from it alone; nil for an interface with rules of its own.
	Promises *promise.Promises
}

// Run is what the scenarios of a run share. Its exported fields are set by New, and stay as they are.
type Run struct {
	Options
	Client *client.Client
	// Lanes are for requests of one scenario that are sent side by side.
	Lanes *lanes.Lanes
	// Extension is what Go code knows of the interface.
	Extension Extension
	// Removed maps operations whose removal date has come to the reason why their rules do not apply.
	Removed map[string]string

	judgement Judgement
	// marker is in every name that the run makes up; names counts them.
	marker string
	names  atomic.Int64
	// admission follows whether the credential still lets the run in.
	admission admission
	// closing reports whether nothing is asked any more but what may end the credential.
	closing atomic.Bool
	// budget counts the resources that this run created, and those that requests under way may create.
	budget *budget.Budget
	// keeper bounds the memory that responses take.
	keeper keeper
	// settling counts what was waited for.
	settling settling
	// unjudged counts the values that could not be judged.
	unjudged unjudged
	// contact and latencies count whether the target can be reached, and how fast each operation is.
	contact   *client.Contact
	latencies *client.Latencies
	// underWay are the requests that got no response since the last one.
	underWay underWay
	// deaths are the requests that the target did not survive.
	deaths deaths
	// doubts are answers to be asked for once more.
	doubts doubts
	// plains are the plain requests that succeeded.
	plains plains
	// passwords are those of what the run creates.
	passwords passwords
	// kinds counts what is created by its kind; nil for an interface with rules of its own.
	kinds *budget.Kinds
	// resources are what the run created and read of; nil for an interface with rules of its own.
	resources *resources

	mu sync.Mutex
	// cancel ends the context of the run; nil before there is one.
	cancel   context.CancelCauseFunc
	lostText string
	// elsewhere are the addresses of operations that other hosts serve.
	elsewhere map[string]string
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
		Options: o, Client: o.NewClient(), Extension: contractOnly{}, Removed: RemovedBy(o.Contract, o.Now),
		marker: "hallmark-" + o.ID, budget: budget.New(o.Target.MaxCreated, false, nil),
		contact: client.NewContact(o.Patience.Reconnect), latencies: client.NewLatencies(), blamed: map[string]string{},
	}
	r.Client.Contact, r.Client.Gate = r.contact, client.NewGate(o.Concurrency)
	r.Lanes = lanes.New(r.Client.Gate.Most())
	r.Client.Run, r.Client.Correlation = o.ID, o.Correlation
	r.Client.Limiter = client.NewLimiter(o.Limits, time.Now())
	r.keeper.redactor, r.keeper.middling = r.Client.Redactor, make(chan struct{}, runtime.GOMAXPROCS(0))
	r.keeper.documented = sync.OnceValue(func() map[string]bool { return documented(r.Contract) })
	if o.Interface.Extend != nil {
		r.Extension = o.Interface.Extend(r)
	}
	r.judgement = Judgement{contract: o.Contract, promises: o.Promises, extension: r.Extension}
	if o.Promises != nil {
		r.resources = newResources(o.Contract)
		r.kinds = newKinds(o.Contract, r.resources, o.Target.MaxSensitive)
	}
	r.Client.Bases, r.elsewhere = map[string]string{}, map[string]string{}
	for _, op := range o.Contract.Operations() {
		base, elsewhere := o.Contract.BaseOf(&op, o.Target.BaseURL)
		switch {
		case o.Promises == nil || len(op.Servers) == 0:
		case elsewhere != "":
			r.elsewhere[op.ID] = elsewhere
		default:
			r.Client.Bases[op.ID] = strings.TrimRight(base, "/")
		}
	}
	var err error
	if o.Promises == nil {
		r.judgement.judge, err = judge.New(o.Contract, o.Catalogue)
	}
	return r, err
}

// Closing says that nothing is asked any more but what may end the credential: then it is no loss.
func (r *Run) Closing() { r.closing.Store(true) }

// HasCreated reports whether the run created what has the identifiers of a resource.
func (r *Run) HasCreated(like *Resource) bool {
	r.resources.mu.Lock()
	defer r.resources.mu.Unlock()
	made := r.resources.by[like.identifiers.key()]
	return made != nil && made.Owned()
}

// Bind returns a context that ends with the run, or when release is called.
func (r *Run) Bind(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cancel = cancel
	return ctx, func() { cancel(nil) }
}

// End ends the run, with its reason.
func (r *Run) End(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel(cause)
	}
}

// Reserve divides the budget, before the first scenario: see [budget.New].
func (r *Run) Reserve(repeats bool, generated map[string]int) {
	r.budget = budget.New(r.Target.MaxCreated, repeats, generated)
}

// Divide divides the budget among parts, which are operations.
func (r *Run) Divide(repeats bool, parts map[string]budget.Part) {
	r.budget = budget.Divide(r.Target.MaxCreated, repeats, parts)
}

// Budget is what the run may create.
func (r *Run) Budget() *budget.Budget { return r.budget }

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
	return r.marker + "-" + strconv.FormatInt(r.names.Add(1), 10)
}

// IsMine reports whether a name was made up by this run.
func (r *Run) IsMine(name string) bool { return strings.Contains(name, r.marker) }

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
	if !ok || op.Method != http.MethodPost || r.resources == nil || !strings.Contains(op.Path, "{") {
		return ok && op.Method == http.MethodPost
	}
	_, _, ok = r.resources.of.Creates(op) // else it acts on what it names
	return ok
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
func (r *Run) Fails(f spec.Finding) bool { return fails(r.Catalogue, f) }

// NeverAnswers reports whether an operation answers with a status neither here nor anywhere: the contract does not document it.
func (r *Run) NeverAnswers(operation string, status int) bool {
	op, ok := r.Contract.Operation(operation)
	return ok && status != 0 && !slices.ContainsFunc(op.Answers, func(a spec.Answer) bool { return a.Status == status })
}

// Doubts are the responses that are to be asked for once more.
func (r *Run) Doubts() []Doubt { return r.doubts.list() }

// Settled is what the record says of waiting for what was written; nil when nobody asked for patience.
func (r *Run) Settled() *record.Settling {
	if r.Patience.Settle <= 0 {
		return nil
	}
	seen := r.settling.all()
	seen.Allowed = r.Patience.Settle
	return &seen
}

// Unjudged is what of the responses could not be judged.
func (r *Run) Unjudged() []record.Unjudged { return r.unjudged.list() }

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

// noMore says that the run has created as much as it may.
func (r *Run) noMore() string {
	return fmt.Sprintf("the run may create no more than %s (--max-created)", r.Interface.Count(int64(r.Target.MaxCreated)))
}

// Families returns the family of resources of each operation, by its id: see [resource.Families]. It is nil for an interface with rules
// of its own.
func (r *Run) Families() map[string]string {
	if r.resources == nil {
		return nil
	}
	return resource.Families(r.resources.of)
}

// NewScenario returns a scenario that has asked nothing yet. It draws from the share of the budget that bears its id, or that of
// the operation that its rule is about where the rules follow from the contract alone.
func (r *Run) NewScenario(p *suite.Scenario, about spec.Rule) *Scenario {
	share := idOf(p)
	if r.Promises != nil && len(about.Operations) > 0 {
		share = about.Operations[0]
	}
	return r.begun(r.newScenario(p, about, share, false))
}

// NewRepetition returns a scenario that was played before, and draws from the share of repetitions.
func (r *Run) NewRepetition(p *suite.Scenario, about spec.Rule) *Scenario {
	return r.begun(r.newScenario(p, about, budget.Confirming, true))
}

// begun notes that a scenario begins, which is to end by [Scenario.Ended].
func (r *Run) begun(s *Scenario) *Scenario {
	if r.resources != nil {
		r.resources.begin(s.Caller.scenario)
	}
	return s
}

func (r *Run) newScenario(p *suite.Scenario, about spec.Rule, share string, repeats bool) *Scenario {
	s := &Scenario{
		State: newState(credentials.Right(r.Target.Key)), Ledger: &Ledger{catalogue: r.Catalogue, keeper: &r.keeper, noun: r.Interface.Noun()}, Budget: r.budget.Account(share),
		Run: r, Pickle: p, Rule: about, share: share, repeats: repeats, started: time.Now(),
	}
	s.Caller = &Caller{run: r, scenario: s.ID(), insists: repeats, budget: s.Budget, ledger: s.Ledger, judge: s.Judge}
	s.own = r.Extension.Begin(s)
	return s
}
