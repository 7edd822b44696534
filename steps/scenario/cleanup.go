package scenario

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"hallmark/reports/record"
	"hallmark/spec"
	"hallmark/spec/request"
	"hallmark/spec/resource"
	"hallmark/steps/client"
	"hallmark/steps/credentials"
)

// noteResource keeps what a request created or removed.
func (r *Run) noteResource(a *Answer, made *creation) {
	if r.resources == nil || a.Request == nil || a.Exchange.Response == nil {
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
		case a.Status() != http.StatusNotFound && a.Status() != http.StatusGone: // by which another removal may show
			a.leaving.leaving.Store(false)
		}
		return
	}
	a.made = r.resources.register(a, made.number, r.ID)
	if a.made != nil && a.made.number == 0 { // by a PUT, which is not announced
		name := fmt.Sprint(a.made.Identifier())
		a.made.number = r.Recorder.Asking(name, a.Exchange.Scenario)
		r.Recorder.Settle(a.made.number, record.Created, name)
	}
}

// CleanUp deletes what the run created, the last first, where the contract has an operation for it. The first pass deletes several at a
// time; the others go one by one over what was refused while others were there, as long as that removes something. It takes the time that
// it takes, at the pace that the target asks for; no limit of the run ends it. What is left stays in the list of what the run created.
func (r *Run) CleanUp(ctx context.Context) {
	ctx = client.BeyondLimits(ctx)
	c := cleanup{run: r, removed: map[string]bool{}}
	left := c.pass(ctx, r.Removable(), cleaners)
	for before := len(left) + 1; len(left) > 0 && len(left) < before; {
		before = len(left)
		left = c.pass(ctx, left, 1)
	}
}

// Removable returns what the run created and has not removed, and what an operation of the contract deletes; the last first.
func (r *Run) Removable() []*Resource {
	if r.resources == nil || r.Target.ReadOnly {
		return nil
	}
	r.resources.mu.Lock()
	all := slices.Clone(r.resources.created)
	r.resources.mu.Unlock()
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(one *Resource) bool {
		return !one.Owned() || one.gone.Load() || r.resources.of.Remover(*one.Slot) == nil
	})
}

const (
	// mostFailed is how often in a row an operation that has deleted nothing may fail to before it is tried no more.
	mostFailed = 5
	// cleaners is how many deletions are under way at a time at most.
	cleaners = 4
	// mostLost is how many deletions in a row may get no response before none is tried any more: the target is away.
	mostLost = 3
)

// cleanup is what is known while what a run created is deleted.
type cleanup struct {
	run *Run

	mu sync.Mutex
	// lost counts the deletions in a row that got no response; throttled reports whether the target asked for fewer requests.
	lost      int
	throttled bool
	// failed counts the failures in a row of operations, by their ids; removed are those that have deleted something.
	failed  map[string]int
	removed map[string]bool
}

// pass tries to delete each of the resources, width at a time at most, and returns those that are left, in their order.
func (c *cleanup) pass(ctx context.Context, all []*Resource, width int) (left []*Resource) {
	at := 0
	c.failed = map[string]int{}
	next := func(lane int) *Resource {
		c.mu.Lock()
		defer c.mu.Unlock()
		for ; at < len(all) && c.lost < mostLost && ctx.Err() == nil && (lane == 0 || !c.throttled); at++ {
			if one := all[at]; c.worthTrying(c.run.resources.of.Remover(*one.Slot).ID) {
				at++
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

// worthTrying reports whether an operation may still delete something. The lock is held.
func (c *cleanup) worthTrying(operation string) bool {
	return (c.removed[operation] || c.failed[operation] < mostFailed) && c.run.latencies.Hanging(operation) == ""
}

// delete tries to delete a resource.
func (c *cleanup) delete(ctx context.Context, about *Resource) {
	r, op := c.run, c.run.resources.of.Remover(*about.Slot)
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
	if resource.Condition(op, resource.IfMatch) != nil { // the last names the state in another way
		asked = []request.Request{all[0], all[len(all)-1]}
	}
	for _, one := range asked {
		stated, err := conditioned(ctx, &caller, about.In(one), c.send)
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

// cleaningUp says in records, and to the people of the target, what a request is for.
const cleaningUp = "cleaning up"

// send makes a request, and records it. Nothing is judged any more. ErrLost stands for a response that did not come.
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
		if c.note(ex); ex.Response != nil {
			return ex.Response, nil
		}
		// A target that asks for fewer requests, and does not say for how long, gets what it asks for.
		if ex.Delays == 0 || pause > mostPause || client.Sleep(ctx, pause) != nil {
			return nil, ErrLost
		}
	}
}

// The pauses before a deletion is tried again that was answered only by requests to come back later; each is twice as long as the last.
const leastPause, mostPause = 100 * time.Millisecond, 7 * time.Second

// note notes what an exchange says of the pace that the target bears.
func (c *cleanup) note(ex *spec.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.throttled = c.throttled || ex.Delays > 0
	switch {
	case ex.Response != nil:
		c.lost = 0
	case ex.Delays == 0: // else it is there
		c.lost++
	}
}
