package scenario

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/hallmark-kit/hallmark/spec"
	"github.com/hallmark-kit/hallmark/spec/resource"
	"github.com/hallmark-kit/hallmark/steps/client"
)

// A 202 only says that work has begun (RFC 9110, section 15.3.3). If the contract has an operation that reports
// its progress, that operation is polled until the work is done.

// Await waits until the work begun by a 202 is done, for at most the run's patience, and reports whether it is
// known to be done. If the contract has no operation that reports progress, Await waits until the created resource
// can be read.
func (c *Caller) Await(ctx context.Context, a *Answer) (done bool, err error) {
	last, err := c.await(ctx, a)
	return last.is == resource.Done && last.sure, err
}

// await is like Await, and returns the last progress seen.
func (c *Caller) await(ctx context.Context, a *Answer) (last progress, err error) {
	all := c.run.resources
	if all == nil || a.Status() != http.StatusAccepted || a.Request == nil {
		return progress{}, nil
	}
	end := time.Now().Add(all.completionWait(a.Request.Operation.ID, max(c.run.Patience.Settle, c.run.Patience.Lag())))
	for pause := leastSettling; ; pause = min(2*pause, MostSettle) {
		last, err = c.progress(ctx, a)
		switch {
		case err != nil || last.is != resource.Running:
			return last, err
		case time.Now().Add(pause).After(end):
			all.noteNeverCompleted(a.Request.Operation.ID)
			return last, nil
		}
		if err := client.Sleep(ctx, pause); err != nil {
			return last, err
		}
	}
}

// result registers the resource of an asynchronous creation whose response only links to a monitor: the monitor
// names the resource in the end.
func (c *Caller) result(ctx context.Context, a *Answer, number int) error {
	slot, p, creates := c.run.resources.inferred.Creates(a.Request.Operation)
	if !creates || !p.Awaited || a.Status() != http.StatusAccepted || a.made != nil {
		return nil
	}
	last, err := c.await(ctx, a)
	if err != nil || last.is != resource.Done || last.answer == nil {
		return err
	}
	shown := last.answer
	id, ok := p.Made(*slot, shown.Value.Tree, shown.Exchange.Response.Header.Get("Location"), func(to string) string { return resolve(shown.Exchange, to) })
	if ok {
		a.made = c.run.resources.registerWithID(a, id, number, c.run.ID)
	}
	return nil
}

// progress is how far the work begun by a 202 has come. sure reports whether a monitor says so; answer is the last
// response.
type progress struct {
	is     resource.Progress
	sure   bool
	answer *Answer
}

// progress asks how far the work begun by a 202 has come.
func (c *Caller) progress(ctx context.Context, a *Answer) (progress, error) {
	sure := true
	about, reader := c.run.resources.monitor(a)
	if about == nil {
		if about, sure = a.made, false; about != nil && a.Exchange.Request.Method != http.MethodDelete {
			reader = c.run.resources.inferred.Reader(*about.Slot)
		}
	}
	if reader == nil {
		return progress{}, nil
	}
	all, err := c.run.Promises.Requests(reader)
	if err != nil {
		return progress{}, nil //nolint:nilerr // it cannot be asked
	}
	with, err := c.Entitled(ctx, reader)
	if err != nil {
		return progress{}, nil //nolint:nilerr // as above
	}
	now, err := c.Ask(ctx, about.In(all[0]), with, "to see whether it is done")
	switch {
	case err != nil:
		return progress{}, err
	case sure && now.Status()/100 == 3 && now.Succeeded():
		return progress{resource.Done, true, now}, nil // to the result
	case sure && !now.Succeeded():
		return progress{resource.Unknown, true, now}, nil
	case !sure && (now.Status() == http.StatusNotFound || now.Status() == http.StatusGone):
		return progress{resource.Running, false, now}, nil
	}
	is := resource.ProgressOf(now.Value.Tree)
	if !sure && is == resource.Unknown {
		is = resource.Done
	}
	return progress{is, sure, now}, nil
}

// monitor returns the monitor that a response names and the operation that reads it, or nil.
func (r *resources) monitor(a *Answer) (*Resource, *spec.Operation) {
	for _, one := range r.inferred.Monitors(a.Request.Operation) {
		id, ok := one.Identifier(a.Value.Tree, a.Exchange.Response.Header, func(to string) string { return resolve(a.Exchange, to) })
		if ok {
			return &Resource{Slot: &one.Slot, identifiers: identifiers{{one.Slot.Key, id}}}, one.Reader
		}
	}
	return nil, nil
}

// noteMonitor remembers the monitor that a 202 names, for tests of the operation that reads it.
func (r *resources) noteMonitor(a *Answer) {
	if a.Status() != http.StatusAccepted {
		return
	}
	if found, _ := r.monitor(a); found != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.monitors[found.Slot.Key] = found
	}
}

// monitorFor returns a monitor for a slot: one named by an earlier 202 or, if there was none, that of a new
// request.
func (s *Scenario) monitorFor(ctx context.Context, slot resource.Slot) (*Resource, error) {
	all := s.Run.resources
	known := func() *Resource {
		all.mu.Lock()
		defer all.mu.Unlock()
		return all.monitors[slot.Key]
	}
	if found := known(); found != nil {
		return found, nil
	}
	operations := s.Run.Contract.Operations()
	for i := range operations {
		op := &operations[i]
		created, p, creates := all.inferred.Creates(op)
		if !creates || p.Way != resource.Created {
			continue
		}
		for _, one := range all.inferred.Monitors(op) {
			if one.Slot.Key != slot.Key {
				continue
			}
			if _, _, err := s.createBy(ctx, *created, p); err != nil {
				return nil, err
			}
			if found := known(); found != nil {
				return found, nil
			}
		}
	}
	return nil, nil
}

// completionWait returns how long to wait for the work begun by an operation: not at all once it was not done in
// time.
func (r *resources) completionWait(operation string, patience time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.neverCompleted[operation] {
		return 0
	}
	return patience
}

// noteNeverCompleted records that the work begun by an operation was not done in time.
func (r *resources) noteNeverCompleted(operation string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.neverCompleted[operation] = true
}

// resolve returns the URL that a reference in a response leads to, relative to its request (RFC 9110, section
// 10.2.2).
func resolve(ex *spec.Exchange, to string) string {
	from, err := url.Parse(ex.Request.URL)
	if err != nil || to == "" {
		return to
	}
	there, err := from.Parse(to)
	if err != nil {
		return to
	}
	return there.String()
}
