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
func (s *Scenario) Await(ctx context.Context, a *Answer) (done bool, err error) {
	if s.Run.resources == nil || a.Status() != http.StatusAccepted || a.Request == nil {
		return false, nil
	}
	end := time.Now().Add(s.Run.resources.awaits(a.Request.Operation.ID, max(s.Run.Patience.Settle, s.Run.Patience.Lag())))
	for pause := leastSettling; ; pause = min(2*pause, MostSettle) {
		progress, sure, err := s.progress(ctx, a)
		switch {
		case err != nil:
			return false, err
		case progress == resource.Done:
			return sure, nil
		case progress != resource.Running:
			return false, nil
		case time.Now().Add(pause).After(end):
			s.Run.resources.awaitedInVain(a.Request.Operation.ID)
			return false, nil
		}
		if err := client.Sleep(ctx, pause); err != nil {
			return false, err
		}
	}
}

// progress asks how far what a 202 began is; sure reports whether its monitor says so.
func (s *Scenario) progress(ctx context.Context, a *Answer) (is resource.Progress, sure bool, err error) {
	sure = true
	about, reader := s.Run.resources.monitor(a)
	if about == nil {
		if about, sure = a.made, false; about != nil && a.Exchange.Request.Method != http.MethodDelete {
			reader = s.Run.resources.of.Reader(*about.Slot)
		}
	}
	if reader == nil {
		return resource.Unknown, false, nil
	}
	all, err := s.Run.Promises.Requests(reader)
	if err != nil {
		return resource.Unknown, false, nil //nolint:nilerr // it cannot be asked
	}
	with, err := s.Entitled(ctx, reader)
	if err != nil {
		return resource.Unknown, false, nil //nolint:nilerr // as above
	}
	now, err := s.Ask(ctx, about.In(all[0]), with, "to see whether it is done")
	switch {
	case err != nil:
		return resource.Unknown, false, err
	case sure && now.Status()/100 == 3 && now.Succeeded():
		return resource.Done, true, nil // to the result
	case sure && !now.Succeeded():
		return resource.Unknown, true, nil
	case !sure && (now.Status() == http.StatusNotFound || now.Status() == http.StatusGone):
		return resource.Running, false, nil
	}
	is = resource.ProgressOf(now.Value.Tree)
	if !sure && is == resource.Unknown {
		is = resource.Done
	}
	return is, sure, nil
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
