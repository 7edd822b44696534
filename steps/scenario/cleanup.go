package scenario

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hallmark-kit/hallmark/reports/record"
	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/coverage"
	"github.com/hallmark-kit/hallmark/spec/request"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
	"github.com/hallmark-kit/hallmark/steps/credentials"
)

// noteResource records what a request created or deleted.
func (r *Run) noteResource(a *Answer, made *creation) {
	if a.Request == nil || a.Exchange.Response == nil {
		return
	}
	noteNames(r, a)
	r.resources.noteMonitor(a)
	if a.Exchange.Request.Method == "DELETE" {
		if a.leaving == nil {
			return
		}
		r.noteRemoval(a)
		switch {
		case a.Succeeded():
			a.leaving.gone.Store(true)
			r.Recorder.Settle(a.leaving.number, record.Removed, "")
		case a.Status() != http.StatusNotFound && a.Status() != http.StatusGone: // a concurrent deletion may still succeed
			a.leaving.leaving.Store(false)
		}
		return
	}
	if a.Exchange.Request.Method == http.MethodGet {
		r.noteListed(a)
	}
	a.made = r.resources.register(a, made.number, r.ID)
	if r.resources.creates(a.Request) && a.Succeeded() {
		r.resources.noteCreation(a.Request.Operation, nameless(r, a.Request), a.made)
	}
	if a.made != nil && a.made.number == 0 { // created by a PUT, which is not announced
		name := fmt.Sprint(a.made.Identifier())
		a.made.number = r.Recorder.Asking(name, a.Exchange.Scenario)
		r.Recorder.Settle(a.made.number, record.Created, name)
	}
}

// noteListed records the resources of this run that a list shows although their creation was refused, or got no
// response.
func (r *Run) noteListed(a *Answer) {
	if a.Request.Operation == nil || !a.Succeeded() {
		return
	}
	life, ok := r.Promises.Listed(a.Request.Operation)
	if !ok {
		return
	}
	for _, item := range life.Items(a.Value.Tree) {
		if name := r.madeUp(item.Members); name != "" {
			r.Recorder.Seen(name, fmt.Sprint(item.Identifier))
		}
	}
}

// CleanUp deletes what the run created, newest first, if the contract has an operation for it. The first pass
// deletes several resources at a time. Later passes go one by one over those refused because others still existed,
// as long as each pass deletes something. CleanUp ignores the limits of the run and keeps to the pace that the
// target asks for. What remains stays in the list of created resources.
func (r *Run) CleanUp(ctx context.Context) {
	ctx = client.BeyondLimits(ctx)
	c := cleanup{run: r, removed: map[string]bool{}}
	left := c.pass(ctx, r.Removable(), cleaners)
	for before := len(left) + 1; len(left) > 0 && len(left) < before; {
		before = len(left)
		left = c.pass(ctx, left, 1)
	}
}

// Removable returns the existing resources that the run created and that an operation of the contract can delete,
// newest first.
func (r *Run) Removable() []*Resource {
	if r.Target.ReadOnly {
		return nil
	}
	r.resources.mu.Lock()
	all := slices.Clone(r.resources.created)
	r.resources.mu.Unlock()
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(one *Resource) bool {
		return !one.Owned() || one.gone.Load() || r.resources.inferred.Remover(*one.Slot) == nil
	})
}

const (
	// mostFailed is how many deletions in a row may fail for an operation that has deleted nothing yet before it is
	// given up.
	mostFailed = 5
	// cleaners is the maximum number of concurrent deletions.
	cleaners = 4
	// mostLost is how many deletions in a row may get no response before the target is considered gone.
	mostLost = 3
)

// cleanup is the state of deleting what a run created.
type cleanup struct {
	run *Run

	mu sync.Mutex
	// lost counts consecutive deletions without a response; throttled reports whether the target asked for fewer
	// requests.
	lost      int
	throttled bool
	// failed counts consecutive failures by operation id; removed holds the operations that have deleted something.
	failed  map[string]int
	removed map[string]bool
}

// pass tries to delete each of the resources, at most width at a time, and returns those that remain, in order. What others are below is
// deleted after them.
func (c *cleanup) pass(ctx context.Context, all []*Resource, width int) (left []*Resource) {
	at, deleting, changed := 0, map[int]*Resource{}, sync.NewCond(&c.mu)
	c.failed = map[string]int{}
	next := func(lane int) *Resource {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(deleting, lane)
		changed.Broadcast()
		for at < len(all) && c.lost < mostLost && ctx.Err() == nil && (lane == 0 || !c.throttled) {
			switch one := all[at]; {
			case !c.worthTrying(c.run.resources.inferred.Remover(*one.Slot).ID):
				at++
			case slices.ContainsFunc(slices.Collect(maps.Values(deleting)), one.isAbove):
				changed.Wait()
			default:
				at++
				deleting[lane] = one
				return one
			}
		}
		return nil
	}
	_ = c.run.Lanes.Do(min(width, len(all)), func(lane int) error {
		for one := next(lane); one != nil; one = next(lane) {
			c.delete(ctx, one)
		}
		return nil
	})
	return slices.DeleteFunc(all, func(one *Resource) bool { return one.gone.Load() })
}

// isAbove reports whether the path of another resource names the resource.
func (r *Resource) isAbove(other *Resource) bool {
	value, names := other.identifiers.valueIn(r.Slot.Key)
	return names && other != r && other.Slot.Key != r.Slot.Key && fmt.Sprint(value) == fmt.Sprint(r.Identifier())
}

// worthTrying reports whether an operation may still delete something. c.mu must be held.
func (c *cleanup) worthTrying(operation string) bool {
	return (c.removed[operation] || c.failed[operation] < mostFailed) && c.run.latencies.Hanging(operation) == ""
}

// delete tries to delete a resource.
func (c *cleanup) delete(ctx context.Context, about *Resource) {
	r, op := c.run, c.run.resources.inferred.Remover(*about.Slot)
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if about.gone.Load() {
			c.removed[op.ID], c.failed[op.ID] = true, 0
		} else {
			c.failed[op.ID]++
		}
	}()
	all, err := r.Promises.Requests(op)
	if err != nil {
		return
	}
	caller := Caller{run: r}
	with, err := caller.Entitled(ctx, op)
	if err != nil {
		return
	}
	asked := all[:1]
	if resource.Condition(op, resource.IfMatch) != nil { // the last one gives the state in another way
		asked = []request.Request{all[0], all[len(all)-1]}
	}
	for _, one := range asked {
		stated, err := withState(ctx, &caller, about.In(one), c.send)
		if err != nil {
			continue
		}
		response, err := c.send(ctx, stated, with)
		if err != nil {
			return
		}
		switch response.Status {
		case 200, 202, 204, 404, 410:
			about.gone.Store(true)
			r.Recorder.Settle(about.number, record.Removed, "")
			return
		}
	}
}

// cleaningUp is the purpose of clean-up requests in records and in the request headers.
const cleaningUp = "cleaning up"

// send makes a request and records it without judging the response. It returns ErrLost if there was none.
func (c *cleanup) send(ctx context.Context, asked request.Request, with credentials.Credential) (*spec.Response, error) {
	w, err := asked.Write(boundary)
	if err != nil {
		return nil, err
	}
	r := c.run
	for pause := leastPause; ; pause *= 2 {
		ex, err := r.Client.Do(ctx, client.Call{
			Scenario: cleaningUp, Operation: asked.Operation.ID, About: cleaningUp, Method: w.Method, Path: w.Path, Query: w.Query, Header: w.Header, Cookie: w.Cookie,
			Accept: accepted(asked.Operation), Body: w.Body, MediaType: w.MediaType, Credential: with.Client(), Timeout: r.Client.Timeout,
		})
		if err != nil {
			return nil, err
		}
		r.Recorder.AddLoose(r.Redact(*ex))
		if ex.Response != nil && !ex.Response.BackPressure() {
			r.coverage.Add(&coverage.Marks{ // it was seen, and not judged
				Operation: asked.Operation.ID, Status: ex.Response.Status, Succeeded: asked.Operation.Succeeds(ex.Response),
			}, false)
		}
		if c.note(ex); ex.Response != nil {
			return ex.Response, nil
		}
		// A target that asks for fewer requests without saying for how long gets a growing pause.
		if ex.Delays == 0 || pause > mostPause || client.Sleep(ctx, pause) != nil {
			return nil, ErrLost
		}
	}
}

// Pauses before a deletion is retried that was only answered by requests to slow down. Each is twice as long as
// the one before.
const leastPause, mostPause = 100 * time.Millisecond, 7 * time.Second

// note updates lost and throttled from an exchange.
func (c *cleanup) note(ex *spec.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.throttled = c.throttled || ex.Delays > 0
	switch {
	case ex.Response != nil:
		c.lost = 0
	case ex.Delays == 0: // otherwise the target is there
		c.lost++
	}
}
