package scenario

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hallmark-kit/hallmark/internal/text"
	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials/scheme"
	"github.com/hallmark-kit/hallmark/steps/lanes"
	"github.com/hallmark-kit/hallmark/steps/suite"
)

// Options configures the scenarios of a run.
type Options struct {
	Target    Target
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	// Seed determines what is generated; it must not be 0.
	Seed int64
	// Concurrency is how many requests, and how many scenarios, run at a time; 0 means one, and [client.Auto] as many
	// as the target bears.
	Concurrency int
	// Timeout bounds one request, including the response's body.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// Transport carries the requests; see client.NewTransport.
	Transport http.RoundTripper
	// Agent is the beginning of the User-Agent header; the ids of the run and the scenario follow.
	Agent string
	// ID identifies the run in the target's logs and in made-up names; empty makes one (see NewRunID).
	ID string
	// Correlation is the name of the header with an id for each exchange; empty sends none.
	Correlation string
	// Limits bounds the requests of the run.
	Limits client.Limits
	// Patience says how long to wait.
	Patience Patience
	// Recorder records the run.
	Recorder *record.Recorder
	// Promises are what the contract promises.
	Promises *promise.Promises
}

// Run is what the scenarios of a run share. New sets its exported fields; they do not change afterwards.
type Run struct {
	Options
	Client *client.Client
	// Lanes runs requests of one scenario concurrently.
	Lanes *lanes.Lanes
	// Removed maps operations whose removal date has passed to the reason why their rules do not apply.
	Removed map[string]string

	judgement judgement
	// marker is part of every name that the run makes up; names counts them.
	marker string
	names  atomic.Int64
	// admission tracks whether the credential is still accepted.
	admission admission
	// closing reports whether only requests that may revoke the credential remain.
	closing atomic.Bool
	// budget counts the resources that this run created, and those that requests in flight may create.
	budget *budget.Budget
	// keeper bounds the memory that responses take.
	keeper keeper
	// settling counts how often the run waited for writes to show.
	settling settling
	// unjudged counts the values that could not be judged.
	unjudged record.UnjudgedTally
	// coverage counts what of the contract was put to the test.
	coverage record.CoverageTally
	// contact tracks whether the target can be reached, latencies how fast each operation is.
	contact   *client.Contact
	latencies *client.Latencies
	// underWay collects the requests that may have ended the target.
	underWay underWay
	// deaths holds the requests that the target did not survive.
	deaths deaths
	// askedOn counts the extra requests by operation, see [MayAskOn].
	askedOn askedOn
	// plains holds the plain requests that succeeded.
	plains plains
	// repairs holds the bodies that were found after all plain ones were refused.
	repairs repairs
	// versions holds which operations need the current version of their resources.
	versions versions
	// stages holds which operations need their resources in a state that actions bring about.
	stages stages
	// roles holds which operations another role opens.
	roles roles
	// shown holds which operations need values that other reads show.
	shown shownNeeded
	// passwords holds the passwords that the run made up.
	passwords passwords
	// kinds counts what is created by its kind.
	kinds *budget.Kinds
	// resources holds what the run created and read.
	resources *resources

	mu sync.Mutex
	// cancel ends the context of the run; nil before there is one.
	cancel   context.CancelCauseFunc
	lostText string
	// elsewhere holds the URLs of operations that other hosts serve.
	elsewhere map[string]string
}

// NewRunID returns a random id of six letters and digits.
func NewRunID() string {
	return strconv.FormatInt(36*36*36*36*36+rand.Int64N(35*36*36*36*36*36), 36)
}

// NewClient returns a client for the target.
func (o Options) NewClient() *client.Client {
	return client.New(client.Options{
		Transport: o.Transport, BaseURL: o.Target.BaseURL, Redactor: o.Target.Redactor(),
		Headers: o.Target.Headers, Query: o.Target.Query, Timeout: o.Timeout, Agent: o.Agent,
	})
}

// New returns a run that has sent no request yet.
func New(o Options) *Run {
	if o.ID == "" {
		o.ID = NewRunID()
	}
	if o.Target.Keyring == nil {
		o.Target.Keyring = scheme.OneSecret(o.Contract.Operations(), o.Target.Key)
	}
	r := &Run{
		Options: o, Client: o.NewClient(), Removed: RemovedBy(o.Contract, o.Now),
		marker: "hallmark-" + o.ID, budget: budget.New(o.Target.MaxCreated, false),
		contact: client.NewContact(o.Patience.Reconnect), latencies: client.NewLatencies(),
	}
	r.Client.Contact, r.Client.Gate = r.contact, client.NewGate(o.Concurrency)
	r.Lanes = lanes.New(r.Client.Gate.Most())
	r.Client.Run, r.Client.Correlation = o.ID, o.Correlation
	r.Client.Limiter = client.NewLimiter(o.Limits, time.Now())
	r.keeper.redactor, r.keeper.middling = r.Client.Redactor, make(chan struct{}, runtime.GOMAXPROCS(0))
	r.keeper.documented = sync.OnceValue(func() map[string]bool { return responseFieldNames(r.Contract) })
	r.judgement = judgement{catalogue: o.Catalogue, promises: o.Promises, contract: o.Contract}
	r.resources = newResources(o.Contract)
	r.kinds = newKinds(o.Contract, r.resources, o.Target.MaxSensitive)
	r.Client.Bases, r.elsewhere = map[string]string{}, map[string]string{}
	for _, op := range o.Contract.Operations() {
		base, elsewhere := o.Contract.BaseOf(&op, o.Target.BaseURL)
		switch {
		case len(op.Servers) == 0:
		case elsewhere != "":
			r.elsewhere[op.ID] = elsewhere
		default:
			r.Client.Bases[op.ID] = strings.TrimRight(base, "/")
		}
	}
	return r
}

// Closing says that only requests that may revoke the credential remain, so that losing it is no outage.
func (r *Run) Closing() { r.closing.Store(true) }

// HasCreated reports whether the run created a resource with the same identifiers.
func (r *Run) HasCreated(like *Resource) bool {
	r.resources.mu.Lock()
	defer r.resources.mu.Unlock()
	made := r.resources.byKey[like.identifiers.key()]
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

// End ends the run with a cause.
func (r *Run) End(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel(cause)
	}
}

// Divide divides the budget among operations.
func (r *Run) Divide(repeats bool, parts map[string]budget.Part) {
	r.budget = budget.Divide(r.Target.MaxCreated, repeats, parts)
}

// Budget returns what the run may create.
func (r *Run) Budget() *budget.Budget { return r.budget }

// RemovedBy returns the operations whose removal date has passed, with the reason.
func RemovedBy(c *spec.Contract, now time.Time) map[string]string {
	out := map[string]string{}
	for _, op := range c.Operations() {
		if !op.Sunset.IsZero() && !now.Before(op.Sunset) {
			out[op.ID] = op.ID + " was removed on " + op.Sunset.Format("2 January 2006")
		}
	}
	return out
}

// FreshName returns a unique plain name: ASCII, fewer than 40 characters, with the id of the run.
func (r *Run) FreshName() string {
	return r.marker + "-" + strconv.FormatInt(r.names.Add(1), 10)
}

// IsMine reports whether a name was made up by this run.
func (r *Run) IsMine(name string) bool { return strings.Contains(name, r.marker) }

// FreshID returns an id that nothing has, in all likelihood: 61 random bits.
func (r *Run) FreshID() string {
	return strconv.FormatInt(1<<61+rand.Int64N(1<<61), 10)
}

// Creates reports whether an operation creates a resource, which counts against the budget.
func (r *Run) Creates(operation string) bool {
	op, ok := r.Contract.Operation(operation)
	if !ok || op.Method != http.MethodPost || !strings.Contains(op.Path, "{") {
		return ok && op.Method == http.MethodPost
	}
	_, _, ok = r.resources.inferred.Creates(op) // otherwise it acts on what it names
	return ok
}

// Fails reports whether a finding makes the run fail.
func (r *Run) Fails(f spec.Finding) bool { return fails(r.Catalogue, f) }

// Settled returns what the record says about waiting for writes to show; nil if Patience.Settle is not set.
func (r *Run) Settled() *record.Settling {
	if r.Patience.Settle <= 0 {
		return nil
	}
	seen := r.settling.all()
	seen.Allowed = r.Patience.Settle
	return &seen
}

// Unjudged returns what could not be judged in the responses.
func (r *Run) Unjudged() []record.Unjudged { return r.unjudged.List() }

// Coverage returns how much of the contract was put to the test.
func (r *Run) Coverage() *record.Coverage { return r.coverage.Coverage(r.Contract) }

// noMore says that the run has created as much as it may.
func (r *Run) noMore() string {
	return fmt.Sprintf("the run may create no more than %s (--max-created)", text.Count(r.Target.MaxCreated, "resource"))
}

// Families returns the family of resources of each operation, by its id: see [resource.Families].
func (r *Run) Families() map[string]string {
	return resource.Families(r.resources.inferred)
}

// NewScenario returns a scenario that has sent no request yet. It draws on the share of the budget of its rule's
// operation, or on one of its own.
func (r *Run) NewScenario(p *suite.Scenario, about spec.Rule) *Scenario {
	share := idOf(p)
	if len(about.Operations) > 0 {
		share = about.Operations[0]
	}
	return r.begin(r.newScenario(p, about, share, false))
}

// NewRepetition returns a scenario that was played before. It draws on the share for repetitions.
func (r *Run) NewRepetition(p *suite.Scenario, about spec.Rule) *Scenario {
	return r.begin(r.newScenario(p, about, budget.Confirming, true))
}

// begin records that a scenario begins. It must end with [Scenario.Ended].
func (r *Run) begin(s *Scenario) *Scenario {
	r.resources.begin(s.Caller.scenario)
	return s
}

func (r *Run) newScenario(p *suite.Scenario, about spec.Rule, share string, repeats bool) *Scenario {
	s := &Scenario{
		State: &State{}, Ledger: &Ledger{catalogue: r.Catalogue, keeper: &r.keeper}, Budget: r.budget.Account(share),
		Run: r, Pickle: p, Rule: about, share: share, started: time.Now(),
	}
	s.Caller = &Caller{run: r, scenario: s.ID(), insists: repeats, budget: s.Budget, ledger: s.Ledger, judge: s.Judge}
	return s
}
