package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/promise"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/steps/budget"
	"github.com/hallmark-kit/hallmark/steps/check"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// Caller makes the calls of one scenario: it builds requests from the contract, sends them, repeats reads that
// were lost or may not see a write yet, and records losses. It does not judge responses.
type Caller struct {
	run *Run
	// scenario is the id of the calling scenario.
	scenario string
	// insists makes the caller call operations that the run has given up on, too.
	insists bool
	budget  *budget.Account
	ledger  *Ledger
	// judge judges a response on arrival, before the next request is sent.
	judge func(*Answer)

	mu sync.Mutex
	// hanging is why an operation was not called any more, or empty.
	hanging string
	lost    losses
}

// losses describes the lost exchanges of a scenario.
type losses struct {
	// text says how the last one was lost; silent reports whether any response did not arrive in time.
	text   string
	silent bool
	// operation is that of the last one if its connection broke after the request was sent.
	operation string
	// count is the number of lost exchanges that were not replayed within the scenario.
	count int
}

// mostReplays returns how often lost work is replayed: less often after timeouts, which hold up the run.
func (l losses) mostReplays() int {
	if l.silent {
		return maxSilentReplays
	}
	return MaxReplays
}

// MaxReplays is how often a scenario, or a part of one, is replayed after a loss; maxSilentReplays is the same
// after a timeout.
const MaxReplays, maxSilentReplays = 6, 1

// Send makes an exchange, has it judged by the rules that hold for every response, and records it.
func (c *Caller) Send(ctx context.Context, what client.Call, with credentials.Credential) (*Answer, error) {
	return c.send(ctx, &what, with, nil)
}

// send is like Send; asked is the request as values, or nil if it was not made from values.
func (c *Caller) send(ctx context.Context, what *client.Call, with credentials.Credential, asked *request.Request) (*Answer, error) {
	r := c.run
	creates := r.Creates(what.Operation)
	puts := !creates && asked != nil && r.resources.createsByPut(asked)
	var made creation
	kind, err := c.takeOfKind(ctx, asked, with)
	switch {
	case err != nil:
	case creates:
		made, err = announce(r, c.budget, c.scenario, asked)
	case puts:
		made, err = reservePut(r, c.budget, with)
	}
	if err != nil {
		kind.Settle(false)
		return nil, err
	}
	made.kind = kind
	if reason := r.latencies.Quiet(what.Operation); reason != "" {
		made.cancel()
		return nil, Stopf("%s", reason)
	}
	if reason := r.latencies.Hanging(what.Operation); reason != "" && what.Operation != "" {
		made.cancel()
		c.mu.Lock()
		c.hanging = reason
		c.mu.Unlock()
		return nil, Stopf("%s", reason)
	}
	if reason := r.deaths.ends(what.Operation); reason != "" && !c.insists {
		made.cancel()
		return nil, Stopf("%s", reason)
	}
	what.Scenario, what.Credential = c.scenario, with.Client()
	a := &Answer{Right: with.Right, Credential: with, Request: asked}
	if asked != nil && what.Method == http.MethodDelete {
		a.leaving = r.resources.noteLeaving(asked)
	}
	what.Judge = func(ex *spec.Exchange) {
		ex.Scenario = c.scenario
		a.Exchange = ex
		r.contact.Answered()
		r.underWay.responded(ex.Started)
		r.deaths.note(what, r.Contract)
		r.latencies.Answered(ex.Operation, ex.Elapsed)
		c.judge(a)
		c.ledger.Lighten(ex)
	}
	ex, why, err := c.exchange(ctx, what)
	if client.IsLimit(err) { // it was not sent
		made.cancel()
	}
	if err != nil {
		return nil, err
	}
	ex.Scenario = c.scenario
	if what.Streams && why.TimedOut {
		made.cancel()
		c.ledger.AddExchange(ex)
		return nil, Stopf("%s", r.latencies.Quiet(what.Operation))
	}
	wrong := false
	if ex.Lost != "" && what.Method == "GET" {
		// A read can be repeated without harm. One lost connection may be the network's; two in a row are the target's.
		first := ex.Lost
		if why.Refused == 0 && (!why.TimedOut || what.Operation != "") {
			again, whyAgain, err := c.exchange(ctx, what)
			switch {
			case err == nil && (again.Lost == "" || again.Malformed != ""):
				again.Scenario = ex.Scenario
				ex = again
			case err == nil:
				why = whyAgain
			}
		}
		wrong = check.IsMalformed(ex, first)
	} else if ex.Lost != "" {
		wrong = check.IsMalformed(ex, "")
	}
	c.ledger.AddExchange(ex)
	a.Exchange = ex
	made.reserved.Settle(a.Succeeded(), ex.Lost != "")
	made.kind.Settle(a.Succeeded() || ex.Lost != "")
	if wrong {
		c.findUnreadable(ex)
		return a, ErrUnreadable
	}
	if ex.Lost != "" {
		if ex.Operation == "" && ctx.Err() == nil {
			return a, Stopf("there was no response to %s: %s", check.Path(ex), ex.Lost)
		}
		a.TimedOut = why.TimedOut
		c.lose(ex, why)
		return a, ErrLost
	}
	r.noteResource(a, &made)
	if creates && asked != nil {
		if err := c.result(ctx, a, made.number); err != nil {
			made.register(a)
			return a, err
		}
	}
	if creates {
		made.mayOnlyAct = asked != nil && !r.resources.creates(asked)
		made.register(a)
	}
	return a, c.watchAdmission(ctx, a)
}

// Together returns a context whose requests are sent at once, regardless of the concurrency limit, so that they
// meet in the target.
func Together(ctx context.Context) context.Context { return client.Together(ctx) }

// Alone waits until no request of the run is in flight, and returns a context whose requests are sent exclusively
// until it is released: see [client.Gate.Alone].
func (c *Caller) Alone(ctx context.Context) (context.Context, func(), error) {
	return c.run.Client.Gate.Alone(ctx)
}

// exchange makes one exchange, and records whether it was lost.
func (c *Caller) exchange(ctx context.Context, call *client.Call) (*spec.Exchange, client.Loss, error) {
	r := c.run
	release, err := r.contact.Admit(ctx)
	if err != nil {
		return &spec.Exchange{}, client.Loss{}, err
	}
	defer release()
	if r.contact.Doubtful() { // the target may die of each request
		if _, _, err := c.control(ctx); err != nil {
			return &spec.Exchange{}, client.Loss{}, err
		}
	}
	what := *call
	wait := r.latencies.Wait(what.Operation, r.Client.Timeout)
	if what.Timeout == 0 || wait < what.Timeout {
		what.Timeout = wait
	}
	what.Loss = new(client.Loss)
	ex, err := r.Client.Do(ctx, what)
	switch {
	case err != nil || ex.Lost == "" || ex.Malformed != "":
	case what.Streams && what.Loss.TimedOut:
		r.latencies.StaysQuiet(what.Operation, what.Timeout)
	default:
		r.noteLost(ex, *what.Loss, what.Timeout)
	}
	return ex, *what.Loss, err
}

// askUntilSettled repeats a read that does not find what this run created, until it does or the time that a write may take to show is up.
func (c *Caller) askUntilSettled(ctx context.Context, a *Answer, again func() (*Answer, error)) (*Answer, error) {
	settle := c.run.Patience.Settle
	if settle <= 0 {
		return a, nil
	}
	began := time.Now()
	for tries, pause := 0, leastSettling; ; tries, pause = tries+1, min(2*pause, MostSettle) {
		until := c.run.resources.maySettleUntil(a, settle)
		if until.IsZero() || !a.Exchange.Started.Before(until) { // a read that was sent before says nothing of what is there by then
			if tries > 0 {
				c.run.settling.note(time.Since(began), a.Succeeded())
			}
			return a, nil
		}
		if err := client.Sleep(ctx, max(min(pause, time.Until(until)), 0)); err != nil {
			return a, err
		}
		var err error
		if a, err = again(); err != nil {
			return a, err
		}
	}
}

// Anew plays a part of a scenario, and replays it from its beginning if one of its exchanges was lost. Apart from
// what is recorded for the run, the part must not depend on what the scenario did before.
func (c *Caller) Anew(ctx context.Context, part func() error) error {
	for times := 0; ; times++ {
		err := part()
		if !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return err
		}
		if lost := c.losses(); times >= lost.mostReplays() || c.run.deaths.row(lost.operation) >= mostRow || !c.run.contact.Replay() {
			return err
		}
		c.mu.Lock()
		c.lost.count--
		c.mu.Unlock()
	}
}

// lose records how an exchange was lost.
func (c *Caller) lose(ex *spec.Exchange, why client.Loss) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost.text, c.lost.silent, c.lost.operation = fmt.Sprintf("%s: %s", check.Place(ex), ex.Lost), why.TimedOut, ""
	if why.Broke {
		c.lost.operation = ex.Operation
		c.run.deaths.broke(ex.Operation)
	}
	c.lost.count++
}

// losses returns the losses so far.
func (c *Caller) losses() losses {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Lost says how the last lost exchange was lost, or is empty.
func (c *Caller) Lost() string { return c.losses().text }

// ForgetLost clears what Lost returns, because the target has answered since.
func (c *Caller) ForgetLost() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost.text = ""
}

// recall restores how an exchange was lost when the scenario was played before, unless one was lost since.
func (c *Caller) recall(lost string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost.text == "" {
		c.lost.text = lost
	}
}

// findUnreadable adds a finding for a response that no client can parse.
func (c *Caller) findUnreadable(ex *spec.Exchange) {
	c.run.contact.Answered()
	c.ledger.Find(ex, unreadable(c.run, ex))
}

// unreadable returns the finding for a response that no client can parse, under the first rule of its operation
// that exists.
func unreadable(r *Run, ex *spec.Exchange) spec.Finding {
	f := check.Malformed(ex)
	kinds := []promise.Kind{promise.Available, promise.Success, promise.Robust}
	if ex.Malformed != client.MalformedHead {
		kinds = append([]promise.Kind{promise.Body}, kinds...)
	}
	if id := r.ruleOf(ex.Operation, kinds); id != "" {
		f.Rule, f.Cause = id, id+" unreadable "+ex.Malformed
	}
	return f
}
