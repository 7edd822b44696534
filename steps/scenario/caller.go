package scenario

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"hallmark/spec"
	"hallmark/spec/promise"
	"hallmark/spec/request"
	"hallmark/steps/budget"
	"hallmark/steps/check"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
	"hallmark/steps/generate"
)

// Caller makes the calls of one scenario: it builds requests from the contract, sends them, asks again what was lost or may not
// be there yet, and remembers what was lost for good. What a response breaks it does not know.
type Caller struct {
	run *Run
	// scenario is the id of the scenario that asks.
	scenario string
	// insists reports whether operations are called, too, that are not called any more.
	insists bool
	budget  *budget.Account
	ledger  *Ledger
	// judge judges a response as soon as it is there, before the next request is sent.
	judge func(*Answer)

	mu sync.Mutex
	// hanging is why an operation was not called any more; empty when all were.
	hanging string
	lost    losses
}

// losses are the exchanges of a scenario that were lost.
type losses struct {
	// last says how the last one was lost; silent reports whether it got no response in time.
	last   string
	silent bool
	// by is the operation of the last one, where its connection broke after the request was sent.
	by string
	// count is how many there were that no part was played again for.
	count int
}

// mostReplays is how often what was lost is played again: a request that is never answered holds up the rest.
func (l losses) mostReplays() int {
	if l.silent {
		return maxSilentReplays
	}
	return MaxReplays
}

// MaxReplays is how often a scenario, or a part of one, is played again, maxSilentReplays the same where a response took too
// long.
const MaxReplays, maxSilentReplays = 6, 1

// Perform calls an operation once.
func (c *Caller) Perform(ctx context.Context, op spec.Operation, args Arguments, plan *generate.Plan, with credentials.Credential, about string) (*Answer, error) {
	if c.run.Promises != nil {
		return c.askPlain(ctx, op, with, about)
	}
	what, path, certain := c.call(&op, args)
	what.About = about
	sent := generate.Build(op, plan, c.run.Target.Plain, c.run)
	if sent != nil {
		what.Body, what.MediaType = sent.Raw, sent.MediaType
	}
	send := func() (*Answer, error) {
		a, err := c.Send(ctx, what, with, sent)
		if a != nil {
			a.Path, a.Certain, a.Arguments, a.Plan = path, certain, args, plan
		}
		return a, err
	}
	a, err := send()
	if err != nil || op.Method != "GET" {
		return a, err
	}
	return c.AskUntil(ctx, a, c.run.Extension.AbsentUntil, send)
}

// call returns the request of a call without a body, and the values of its parameters in the path; certain reports whether one of them
// is of what is known to exist.
func (c *Caller) call(op *spec.Operation, args Arguments) (what client.Call, path map[string]string, certain bool) {
	what = client.Call{Operation: op.ID, Method: op.Method, Path: op.Path}
	path = map[string]string{}
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		value, given := args.Value(p.Name)
		if !given {
			if value, certain = c.run.Extension.Value(*op, p); value == "" {
				value = "1"
			}
		}
		path[p.Name] = value
		what.Path = strings.ReplaceAll(what.Path, "{"+p.Name+"}", url.PathEscape(value))
	}
	var query []string
	for _, x := range args {
		if _, inPath := path[x.Name]; !inPath {
			query = append(query, url.QueryEscape(x.Name)+"="+url.QueryEscape(x.Value))
		}
	}
	what.Query = strings.Join(query, "&")
	return what, path, certain
}

// Send makes an exchange, has it judged by the rules that always hold, and keeps it.
func (c *Caller) Send(ctx context.Context, what client.Call, with credentials.Credential, sent *generate.SentBody) (*Answer, error) {
	return c.send(ctx, &what, with, sent, nil)
}

// send is Send; asked is the request as values, nil for one that was not made of any.
func (c *Caller) send(ctx context.Context, what *client.Call, with credentials.Credential, sent *generate.SentBody, asked *request.Request) (*Answer, error) {
	r := c.run
	creates := r.Creates(what.Operation)
	puts := !creates && asked != nil && r.resources != nil && r.resources.puts(asked)
	var made creation
	kind, err := c.takeOfKind(ctx, asked, with)
	switch {
	case err != nil:
	case creates:
		made, err = announce(r, c.budget, c.scenario, with, sent)
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
	a := &Answer{Sent: sent, Right: with.Right, Credential: with, Request: asked}
	if r.resources != nil && asked != nil && what.Method == http.MethodDelete {
		a.leaving = r.resources.leaves(asked)
	}
	what.Judge = func(ex *spec.Exchange) {
		ex.Scenario = c.scenario
		a.Exchange = ex
		r.contact.Answered()
		r.underWay.responded()
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
		// A read can be repeated without harm: one lost connection is the network's, two are the target's.
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
		if sent != nil && !why.Unsent { // what was asked for may be there
			r.Extension.Lost(sent)
		}
		if ex.Operation == "" && ctx.Err() == nil {
			return a, Stopf("no response came to %s: %s", check.Path(ex), ex.Lost)
		}
		a.TimedOut = why.TimedOut
		c.lose(ex, why)
		return a, ErrLost
	}
	r.noteResource(a, &made)
	if creates && asked != nil && r.resources != nil {
		if err := c.result(ctx, a, made.number); err != nil {
			made.register(a)
			return a, err
		}
	}
	if creates {
		made.acts = asked != nil && r.resources != nil && !r.resources.creates(asked)
		made.register(a)
	}
	return a, c.watch(ctx, a)
}

// Together returns a context whose requests are sent at once, however many are under way: they are there to meet in the target.
func Together(ctx context.Context) context.Context { return client.Together(ctx) }

// Alone waits until no request of the run is under way, and returns a context whose requests are sent while no others are, until it is
// released: [client.Gate.Alone].
func (c *Caller) Alone(ctx context.Context) (context.Context, func(), error) {
	return c.run.Client.Gate.Alone(ctx)
}

// exchange makes one exchange, and notes whether it was lost.
func (c *Caller) exchange(ctx context.Context, call *client.Call) (*spec.Exchange, client.Loss, error) {
	r := c.run
	release, err := r.contact.Admit(ctx)
	if err != nil {
		return &spec.Exchange{}, client.Loss{}, err
	}
	defer release()
	if r.contact.Doubtful() { // one request after the other may be what it dies of
		if _, err := c.control(ctx); err != nil {
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

// AskUntil repeats what a store may not know yet, until it does or its time has passed. absent tells of a response whether
// something is missing, and until when it may be.
func (c *Caller) AskUntil(ctx context.Context, a *Answer, absent func(*Answer) time.Time, again func() (*Answer, error)) (*Answer, error) {
	if c.run.Patience.Settle <= 0 {
		return a, nil
	}
	began := time.Now()
	asked := false
	for next := leastSettling; ; next = min(2*next, MostSettle) {
		until := absent(a)
		left := time.Until(until)
		switch {
		case until.IsZero() && asked:
			c.run.settling.note(time.Since(began), true)
			return a, nil
		case until.IsZero():
			return a, nil
		case left <= 0:
			if asked {
				c.run.settling.note(time.Since(began), false)
			}
			return a, nil
		}
		if err := client.Sleep(ctx, min(next, left)); err != nil {
			return a, err
		}
		asked = true
		b, err := again()
		if err != nil {
			return b, err
		}
		a = b
	}
}

// Anew plays a part of a scenario, and plays it again from its beginning when an exchange of it was lost. The part must
// not rest on what the scenario did before, but for what is noted of the run.
func (c *Caller) Anew(ctx context.Context, part func() error) error {
	for times := 0; ; times++ {
		err := part()
		if !errors.Is(err, ErrLost) || ctx.Err() != nil {
			return err
		}
		if lost := c.losses(); times >= lost.mostReplays() || c.run.deaths.row(lost.by) >= mostRow || !c.run.contact.Replay() {
			return err
		}
		c.mu.Lock()
		c.lost.count--
		c.mu.Unlock()
	}
}

// lose notes how an exchange was lost.
func (c *Caller) lose(ex *spec.Exchange, why client.Loss) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost.last, c.lost.silent, c.lost.by = fmt.Sprintf("%s: %s", check.Place(ex), ex.Lost), why.TimedOut, ""
	if why.Broke {
		c.lost.by = ex.Operation
		c.run.deaths.broke(ex.Operation)
	}
	c.lost.count++
}

// losses are those so far.
func (c *Caller) losses() losses {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Lost says how the last lost exchange was lost; empty for none.
func (c *Caller) Lost() string { return c.losses().last }

// ForgetLost forgets how the last lost exchange was lost: the target has answered since.
func (c *Caller) ForgetLost() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost.last = ""
}

// recall says how an exchange was lost when the scenario was played before, unless one was lost since.
func (c *Caller) recall(lost string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost.last == "" {
		c.lost.last = lost
	}
}

// absorb takes over what a trial lost.
func (c *Caller) absorb(t *Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost.last != "" {
		c.lost.last, c.lost.by = t.lost.last, t.lost.by
	}
	if t.hanging != "" {
		c.hanging = t.hanging
	}
	c.lost.count += t.lost.count
	c.lost.silent = c.lost.silent || t.lost.silent
	t.lost.count = 0
}

// findUnreadable notes a response that no client can read.
func (c *Caller) findUnreadable(ex *spec.Exchange) {
	c.run.contact.Answered()
	c.ledger.Find(ex, unreadable(c.run, ex))
}

// unreadable is the finding of a response that no client can read, by a rule that there is: a contract promises of each operation what
// it promises.
func unreadable(r *Run, ex *spec.Exchange) spec.Finding {
	f := check.Malformed(ex)
	kinds := []promise.Kind{promise.Available, promise.Success, promise.Robust}
	if f.Rule == spec.RuleBody {
		kinds = append([]promise.Kind{promise.Body}, kinds...)
	}
	if id := r.ruleOf(ex.Operation, kinds); id != "" && r.Promises != nil {
		f.Rule, f.Cause = id, id+" unreadable "+ex.Malformed
	}
	return f
}
