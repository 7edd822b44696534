package scenario

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"hallmark/spec"
	"hallmark/spec/resource"
	"hallmark/steps/client"
)

// A 202 says that something was begun (RFC 9110, section 15.3.3): where the contract has an operation that says how far it is, that is
// asked until it is done.

// Await waits until what a 202 began is done, at most for the patience of the run, and reports whether it is known to be. Where the
// contract has no operation that says so, it waits until what was created can be read.
func (c *Caller) Await(ctx context.Context, a *Answer) (done bool, err error) {
	last, err := c.await(ctx, a)
	return last.is == resource.Done && last.sure, err
}

// await is Await, and returns what was seen last.
func (c *Caller) await(ctx context.Context, a *Answer) (last progress, err error) {
	all := c.run.resources
	if all == nil || a.Status() != http.StatusAccepted || a.Request == nil {
		return progress{}, nil
	}
	end := time.Now().Add(all.awaits(a.Request.Operation.ID, max(c.run.Patience.Settle, c.run.Patience.Lag())))
	for pause := leastSettling; ; pause = min(2*pause, MostSettle) {
		last, err = c.progress(ctx, a)
		switch {
		case err != nil || last.is != resource.Running:
			return last, err
		case time.Now().Add(pause).After(end):
			all.awaitedInVain(a.Request.Operation.ID)
			return last, nil
		}
		if err := client.Sleep(ctx, pause); err != nil {
			return last, err
		}
	}
}

// result registers what a creation made whose response only says where to read how far it is: what is shown there in the end names it.
func (c *Caller) result(ctx context.Context, a *Answer, number int) error {
	slot, p, creates := c.run.resources.of.Creates(a.Request.Operation)
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
		a.made = c.run.resources.registerAs(a, id, number, c.run.ID)
	}
	return nil
}

// progress is how far something is that a 202 began; sure reports whether its monitor says so, and answer is what was asked last.
type progress struct {
	is     resource.Progress
	sure   bool
	answer *Answer
}

// progress asks how far what a 202 began is.
func (c *Caller) progress(ctx context.Context, a *Answer) (progress, error) {
	sure := true
	about, reader := c.run.resources.monitor(a)
	if about == nil {
		if about, sure = a.made, false; about != nil && a.Exchange.Request.Method != http.MethodDelete {
			reader = c.run.resources.of.Reader(*about.Slot)
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

// monitor returns what says how far that is which a response began, and what reads it; nil for none.
func (r *resources) monitor(a *Answer) (*Resource, *spec.Operation) {
	for _, one := range r.of.Monitors(a.Request.Operation) {
		id, ok := one.Identifier(a.Value.Tree, a.Exchange.Response.Header, func(to string) string { return resolve(a.Exchange, to) })
		if ok {
			return &Resource{Slot: &one.Slot, identifiers: identifiers{{one.Slot.Key, id}}}, one.Reader
		}
	}
	return nil, nil
}

// noteMonitor keeps what a 202 names as its monitor, for the operation that reads it.
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

// monitorFor returns a monitor for a slot: that of a request that was answered 202 or, where there was none yet, of one that is made for it.
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
		created, p, creates := all.of.Creates(op)
		if !creates || p.Way != resource.Created {
			continue
		}
		for _, one := range all.of.Monitors(op) {
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

// awaits returns how long is waited for what an operation begins: not at all once that was in vain.
func (r *resources) awaits(operation string, patience time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.vain[operation] {
		return 0
	}
	return patience
}

// awaitedInVain notes that what an operation began was not done in time.
func (r *resources) awaitedInVain(operation string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.vain[operation] = true
}

// resolve returns the address that a reference in a response leads to, from where its request was sent (RFC 9110, section 10.2.2).
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
