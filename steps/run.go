package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
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
	"hallmark/steps/doctor"
	"hallmark/steps/generate"
	"hallmark/steps/petstore"
	"hallmark/steps/suite"
)

// Config is everything that a run needs.
type Config struct {
	Target    Target
	Contract  *spec.Contract
	Catalogue *spec.Catalogue
	Suite     *suite.Suite
	Selection suite.Selection
	// Seed fixes the order of the scenarios, and what is generated; it must not be 0.
	Seed int64
	// Examples is how many bodies the scenarios on generated ones try; 0 stands for DefaultExamples. It bounds the other
	// generated cases too: see newExploration.
	Examples int
	// Concurrency is how many scenarios run at a time.
	Concurrency int
	// Confirm is how often the scenario that shows a finding is repeated; 0 repeats none.
	Confirm int
	// Timeout bounds one request, its response's body included.
	Timeout time.Duration
	// Now is the moment by which removal dates are judged.
	Now time.Time
	// FailFast ends the run after the first scenario that found a must rule broken, other than Known says was known.
	FailFast bool
	Known    func(spec.Finding) bool
	// Transport carries the requests; NewTransport makes one.
	Transport http.RoundTripper
	// Agent is what the User-Agent header begins with; the run and the scenario follow.
	Agent string
	// ID names the run in the target's logs and in the names of its animals; empty makes one (see NewRunID).
	ID string
	// Correlation is the header that carries an id of each exchange; empty sends none.
	Correlation string
	// Limits bound what is asked.
	Limits client.Limits
	// Patience is for how long is waited.
	Patience Patience
	// Notice is told what a person should know before the run begins; may be nil.
	Notice func(doctor.Check)
	// Recorder takes what happens.
	Recorder *record.Recorder

	// halt may end a scenario before its step of that index, with the error that it returns; nil ends none. Tests set it.
	halt func(ctx context.Context, s *scenario, step int) error
}

// run is the state of a run, shared by all its scenarios.
type run struct {
	Config
	target    Target
	client    *client.Client
	contract  *spec.Contract
	catalogue *spec.Catalogue
	terms     petstore.Terms
	judge     *judge.Judge
	memory    *petstore.Memory
	chosen    suite.Chosen
	// removed maps operations whose removal date has come to the reason why their rules do not apply.
	removed map[string]string

	// marker is in every name that the run makes up; names counts them.
	marker string
	names  atomic.Int64
	// budget counts the animals that this run created, and those that requests under way may create.
	budget   *budget.Budget
	stocking sync.Mutex
	// bigJudge is held while a big answer is judged.
	bigJudge sync.Mutex
	// openBodies counts the bytes that scenarios that have not ended keep of long bodies.
	openBodies atomic.Int64
	// What was waited for.
	patience record.Patience
	settling settling
	// contact and latencies tell whether the target, and each of its operations, can be reached.
	contact   *client.Contact
	latencies *client.Latencies

	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	lostText string
	// doubts are answers to be asked for once more.
	doubts []doubt
	// repeated is what came of playing scenarios again, by their ids; repeating reports whether one is being played again.
	repeated  map[string][]repetition
	repeating bool
	// blamed are the rules by which requests were refused, by what was asked; see blameParameter.
	blamed map[string]string
}

// errOutage ends a run whose target stopped answering.
type errOutage struct{ text string }

func (e errOutage) Error() string { return e.text }

// Unreachable says why a target could not be judged at all: no connection, or the key refused by every operation.
type Unreachable struct {
	Reason string
	// Remedy says what to do about it; may be empty.
	Remedy string
}

func (u Unreachable) Error() string { return u.Reason }

// Run judges a target, and answers how the run ended. It fails when the suite cannot be run (a step that nobody knows,
// nothing selected) or the context ends, and with Unreachable when there is nothing to judge. What the target breaks is in
// the record, not in the error.
func Run(ctx context.Context, cfg Config) (ending record.Ending, err error) {
	all := cfg.Target.secrets()
	defer func() { // whatever went wrong may quote what was sent or answered
		ending.Lost, err = all.Text(ending.Lost), all.Error(err)
		if away, ok := errors.AsType[Unreachable](err); ok {
			away.Reason, away.Remedy = all.Text(away.Reason), all.Text(away.Remedy)
			err = away
		}
	}()
	r, err := newRun(cfg)
	if err != nil {
		return ending, err
	}
	if r.chosen, err = cfg.Suite.Select(cfg.Selection, cfg.Catalogue, cfg.Contract); err != nil {
		return ending, err
	}
	r.budget = budget.New(r.target.MaxAnimals, r.Confirm > 0, r.reservations())
	vocabulary := newVocabulary()
	if err := vocabulary.check(cfg.Suite); err != nil {
		return ending, err
	}
	parent := ctx
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	err = r.await(ctx)
	ending.Patience = r.patience
	if err == nil {
		err = r.preflight(ctx)
	}
	if err != nil && !client.IsLimit(err) {
		if away, ok := errors.AsType[Unreachable](err); ok {
			ending.Lost = away.Reason
		}
		return ending, err
	}
	for _, p := range r.chosen.Skipped {
		r.Recorder.AddScenario(r.leftOut(p))
	}
	err = r.phases(ctx, vocabulary)
	ending.Patience.Interrupted = r.interruptions()
	ending.Stopped, ending.Patience.Settled = r.client.Limiter.Reached(), r.settled()
	ending.Complete = err == nil && ctx.Err() == nil && ending.Stopped == ""
	if err == nil && r.lostText == "" && ending.Stopped == "" {
		// --fail-fast has ended the context of the scenarios; what it found is confirmed all the same.
		ctx, r.cancel = context.WithCancelCause(parent)
		defer r.cancel(nil)
		err = r.confirm(ctx, vocabulary)
		ending.Patience.Interrupted = r.interruptions()
	}
	r.mu.Lock()
	ending.Lost = r.lostText
	r.mu.Unlock()
	return ending, err
}

// NewRunID is a name for a run: six letters and digits.
func NewRunID() string {
	return strconv.FormatInt(36*36*36*36*36+rand.Int64N(35*36*36*36*36*36), 36)
}

// newClient returns a client for the target.
func (cfg Config) newClient() *client.Client {
	return client.New(client.Options{
		Transport: cfg.Transport, BaseURL: cfg.Target.BaseURL, Key: cfg.Target.Key, Redactor: cfg.Target.secrets(),
		Headers: cfg.Target.Headers, Timeout: cfg.Timeout, Agent: cfg.Agent,
	})
}

// newRun is a run that has asked nothing yet.
func newRun(cfg Config) (*run, error) {
	if cfg.ID == "" {
		cfg.ID = NewRunID()
	}
	if err := petstore.Playable(cfg.Contract); err != nil {
		return nil, err
	}
	r := &run{
		Config: cfg, target: cfg.Target, contract: cfg.Contract, catalogue: cfg.Catalogue, terms: petstore.TermsOf(cfg.Contract), memory: petstore.NewMemory(),
		marker:  "hallmark-" + cfg.ID,
		client:  cfg.newClient(),
		removed: removedBy(cfg.Contract, cfg.Now), contact: client.NewContact(cfg.Patience.Reconnect), latencies: client.NewLatencies(),
		repeated: map[string][]repetition{},
		budget:   budget.New(cfg.Target.MaxAnimals, false, nil),
	}
	r.client.Contact, r.client.Refused = r.contact, r.noticeRefusal()
	r.client.Run, r.client.Correlation = cfg.ID, cfg.Correlation
	r.client.Limiter = client.NewLimiter(cfg.Limits, time.Now())
	var err error
	r.judge, err = judge.New(cfg.Contract, cfg.Catalogue)
	return r, err
}

// noticeRefusal says once that the run waits for a connection.
func (r *run) noticeRefusal() func(string) {
	var once sync.Once
	return func(reason string) {
		once.Do(func() {
			if r.Notice != nil {
				r.Notice(doctor.Check{
					Name: "connection", State: doctor.Warned, Says: r.client.Redactor.Text(reason),
					Remedy: fmt.Sprintf("trying again for %v (--patience)", r.Patience.Reconnect),
				})
			}
		})
	}
}

// removedBy lists the operations whose removal date has come.
func removedBy(c *spec.Contract, now time.Time) map[string]string {
	out := map[string]string{}
	for _, op := range c.Operations() {
		if !op.Sunset.IsZero() && !now.Before(op.Sunset) {
			out[op.ID] = op.ID + " was removed on " + op.Sunset.Format("2 January 2006")
		}
	}
	return out
}

// NotApplicable returns the rules that do not apply at that moment, since an operation that they speak of was removed or the
// contract says nothing of them, with the reason. Open rules always apply: they only observe.
func NotApplicable(contract *spec.Contract, catalogue *spec.Catalogue, now time.Time) map[string]string {
	removed, out := removedBy(contract, now), map[string]string{}
	for _, rule := range catalogue.Rules {
		for _, op := range rule.Operations {
			if reason, gone := removed[op]; gone && rule.Level != spec.Open {
				out[rule.ID] = reason
			}
		}
		if reason, silent := catalogue.Silent()[rule.ID]; silent && rule.Level != spec.Open {
			out[rule.ID] = reason
		}
	}
	return out
}

// Removed lists the operations whose removal date has come by that moment.
func Removed(contract *spec.Contract, now time.Time) []string {
	return slices.Sorted(maps.Keys(removedBy(contract, now)))
}

// FreshName is a plain name that no other animal has: ASCII, fewer than 40 characters, and shows the run that made it.
func (r *run) FreshName() string {
	return r.marker + "-" + strconv.FormatInt(r.names.Add(1), 10)
}

// isMine reports whether a name was made up by this run.
func (r *run) isMine(name string) bool { return strings.Contains(name, r.marker) }

// reserve takes one of the animals that the run may create, for a request that may create one; it refuses when none is
// left. Bodies that are no object, and bad credentials, are counted only when a faulty service lets them in (see settle).
func (s *scenario) reserve(c credentials.Credential, sent *generate.SentBody) (reservation, error) {
	r := s.run
	if !c.Right && !c.Open || sent == nil || sent.Values == nil {
		if !r.budget.Spent() {
			return reservation{}, nil
		}
	} else if share, ok := r.budget.Take(s.share()); ok {
		return reservation{made: true, share: share}, nil
	}
	s.mu.Lock()
	s.cutShort = true // several clients of a scenario create at the same time
	s.mu.Unlock()
	return reservation{}, stopf("the run may create no more than %d animals (--max-animals)", r.target.MaxAnimals)
}

// reservation is an animal that was taken from the budget for a request, if any was.
type reservation struct {
	made  bool
	share string
}

// settle corrects the count once it is known what became of a request. One whose response was lost may have created.
func (r *run) settle(a *answer, reserved reservation) {
	created := a.ex.Lost != "" || a.status()/100 == 2
	switch {
	case reserved.made && !created:
		r.budget.GiveBack(reserved.share)
	case !reserved.made && created && a.ex.Lost == "":
		r.budget.Add()
	}
}

// noteLost counts lost exchanges; several in a row end the run. Of an operation that did not answer in time it tells
// whether it hangs.
func (r *run) noteLost(ex *spec.Exchange, why client.Loss, waited time.Duration) {
	if why.TimedOut && why.Refused == 0 {
		r.contact.Count()
		if r.latencies.TimedOut(ex.Operation, ex.Started, waited) && ex.Operation != "" {
			r.mu.Lock()
			r.lostText = r.latencies.Hanging(ex.Operation) // it says more than what was lost before
			r.mu.Unlock()
		}
		return
	}
	if r.contact.Lost(ex.Started, why.Refused) {
		r.cancel(errOutage{fmt.Sprintf("the target stopped answering: %s", ex.Lost)})
	}
}

// interruptions are for the record; nil where there were none.
func (r *run) interruptions() *record.Interruptions {
	seen, hanging := r.contact.Interruptions(), r.latencies.Operations()
	if seen.Lost == 0 && seen.Refused == 0 && len(hanging) == 0 {
		return nil
	}
	return &record.Interruptions{
		Allowed: r.Patience.Reconnect, Refused: seen.Refused, Longest: seen.Longest, Lost: seen.Lost, Replayed: seen.Replayed,
		Hanging: hanging,
	}
}

// noteLostText keeps the first reason why the target could not be judged to the end.
func (r *run) noteLostText(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lostText == "" {
		r.lostText = text
	}
}

// reservations is what each generated scenario that is to be run creates when all is as it should be.
func (r *run) reservations() map[string]int {
	out := map[string]int{}
	if r.target.ReadOnly {
		return out
	}
	for _, p := range r.chosen.Run {
		n := 0
		for _, st := range p.Steps {
			switch {
			case strings.HasPrefix(st.Text, "generated valid bodies are sent to "):
				n += r.examples()
			case st.Text == "generated sequences of operations are performed":
				for _, commands := range r.sequences(false) {
					n += petstore.CreationsIn(commands)
				}
			case st.Text == "generated operations of several clients are performed at once":
				n += r.histories() * petstore.HistoryCreations
			}
		}
		if n > 0 {
			out[p.ID()] = n
		}
	}
	return out
}
